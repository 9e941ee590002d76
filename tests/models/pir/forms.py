"""Indexing, shapes, constants, and what an input or output may be."""

from __future__ import annotations

from typing import Any

import numpy as np
import paddle
from cases import add, b, f, i
from paddle import nn

F = nn.functional

TWICE = "an input is an output of the same name"


def slicing(x: Any) -> Any:
    return (
        x[:, 1:3],
        x[..., -1],
        x[0],
        x[:, ::2],
        x[:, ::-1],
        x[None, :, 0],
        x[-1, 1:, :-1],
        x[:, -3:-1, 1::2],
    )


add(slicing, {"x": f(2, 5, 6)}, {"x": f(3, 5, 6)})


def index_tensor(x: Any, idx: Any, mask: Any) -> Any:
    return x[idx], x[:, idx], x[mask], x[idx, 1], x[[0, 1]], x[..., [2, 0]], x[idx][:, 0]


add(
    index_tensor,
    {"x": f(3, 3, 4), "idx": i(3, 4), "mask": b(3, 3)},
    {"x": f(5, 3, 4), "idx": i(3, 2), "mask": b(5, 3)},
)


def slice_by_tensor(x: Any, k: Any) -> Any:
    return x[k], x[:, k : k + 2], x[:, :k], x[k:, 0]


add(
    slice_by_tensor,
    {"x": f(4, 5), "k": np.array(1)},
    {"x": f(4, 6), "k": np.array(3)},
)


def set_value(x: Any, v: Any) -> Any:
    y = x.clone()
    y[:, 0] = 1.5
    y[0] = v
    z = x * 1
    z[:, 1:3] = x[:, 2:4] * 2
    w = x * 1
    w[..., -1] = 0
    u = x * 1
    u[1, ::2] = -7.0
    return y, z, w, u


add(set_value, {"x": f(2, 6), "v": f(6)}, {"x": f(3, 6), "v": f(6)})


def set_mask(x: Any) -> Any:
    y = x.clone()
    y[y < 0] = 0.25
    z = x.clone()
    z[paddle.to_tensor([0, 1])] = 3.0
    return y, z


add(set_mask, {"x": f(2, 6)}, {"x": f(4, 6)})


def lists(x: Any, y: Any) -> Any:
    p, q = paddle.split(x, 2, 1)
    r, s, t = paddle.split(x, [1, 2, -1], axis=1)
    u, v = paddle.unbind(y, 1)
    c, d, e = paddle.chunk(x, 3, 1)
    return (
        paddle.concat([x, x + 1, y[:, :1]], 1),
        paddle.stack([x, x * 2], 1),
        p - q,
        r,
        s,
        t,
        u + v,
        c + d + e,
        paddle.unstack(y, 1)[1],
        paddle.hstack([x, y]),
        paddle.concat([y] * 3, paddle.to_tensor(1)),
    )


add(lists, {"x": f(2, 6), "y": f(2, 2)}, {"x": f(3, 6), "y": f(3, 2)})


def reductions(x: Any) -> Any:
    return (
        x.sum(),
        x.mean(),
        x.max(),
        x.min(),
        x.prod(),
        x.sum(1),
        x.mean([0, 2], keepdim=True),
        x.max(-1),
        paddle.logsumexp(x, 1),
        (x > 0).all(),
        (x > 0).any(1),
        x.std(),
        x.var(1),
        x.norm(),
        paddle.norm(x, 1, 1),
        x.argmax(),
        (x > 0).sum(),
        paddle.median(x),
        x.amax(1),
    )


add(reductions, {"x": f(2, 3, 5)}, {"x": f(1, 4, 5)})


def ranks(x: Any) -> Any:
    values, ids = x.topk(3)
    low, low_ids = paddle.topk(x, 2, axis=0, largest=False)
    return (
        values,
        ids,
        low,
        low_ids,
        x.argmax(-1),
        x.argmin(0, keepdim=True),
        x.argmax(-1, dtype="int32"),
        paddle.sort(x, 1, descending=True),
        paddle.argsort(x, 1),
        paddle.kthvalue(x, 2)[0],
        paddle.mode((x * 2).astype("int64"))[0],
        paddle.searchsorted(paddle.sort(x, 1), x),
    )


add(ranks, {"x": f(3, 5)}, {"x": f(4, 7)})


def choices(x: Any, low: Any, high: Any) -> Any:
    return (
        paddle.where(x > 0, x, low),
        paddle.where(x > low, x, paddle.zeros_like(x)),
        x.clip(-1, 1),
        x.clip(min=low, max=high),
        paddle.clip(x, max=0.5),
        paddle.maximum(x, low),
        paddle.nonzero(x > 0),
        paddle.masked_select(x, x > 0),
        paddle.isnan(x),
        paddle.masked_fill(x, x > 0, 9.0),
    )


add(
    choices,
    {"x": f(2, 5), "low": f(1), "high": f(1) + 2},
    {"x": f(3, 5), "low": f(1), "high": f(1) + 2},
)


def einsums(x: Any, y: Any) -> Any:
    return (
        paddle.einsum("bik,bjk->bij", x, y),
        paddle.einsum("bik->bki", x),
        paddle.einsum("bik,bik->b", x, x),
        paddle.einsum("...k,jk->...j", x, y[0]),
    )


add(einsums, {"x": f(2, 3, 4), "y": f(2, 5, 4)}, {"x": f(1, 6, 4), "y": f(1, 2, 4)})


def made_from_shapes(x: Any) -> Any:
    n, m = x.shape[0], x.shape[1]
    return (
        paddle.arange(m),
        paddle.arange(0, m, 2, "float32") + x[:, ::2],
        paddle.full([n, 3], 2.5),
        paddle.full([n], m, "int64"),
        paddle.zeros_like(x) + 1,
        paddle.ones([n, m]) * x,
        paddle.linspace(0, 1, 5),
        paddle.shape(x),
        paddle.numel(x),
        x.reshape([-1]),
        x.reshape([n, 1, m]),
        x.unsqueeze(1).expand([n, 3, m]),
        paddle.tile(x, [2, 1]),
        paddle.eye(3),
        paddle.tril(paddle.ones([m, m])),
        paddle.meshgrid(paddle.arange(n), paddle.arange(m)),
        paddle.broadcast_to(x, [2, n, m]),
    )


add(made_from_shapes, {"x": f(2, 4)}, {"x": f(3, 6)})


def casts(x: Any, ids: Any, flag: Any) -> Any:
    return (
        x.astype("int32"),
        x.astype("float64") * 2,
        x.astype("float16").astype("float32"),
        x.astype("bfloat16").astype("float32"),
        ids.astype("float32") / 3,
        flag.astype("int64") + ids,
        x.astype("bool"),
        ids.astype("uint8"),
        ids.astype("int8"),
        ids + 0.5,
        x * flag.astype("float32"),
    )


add(
    casts,
    {"x": f(2, 3), "ids": i(9, 2, 3), "flag": b(2, 3)},
    {"x": f(1, 3), "ids": i(9, 1, 3), "flag": b(1, 3)},
    tol=5e-3,  # bfloat16 is computed in float32
)


def in_place(x: Any) -> Any:
    y = (x * 2).add_(x)
    z = F.relu_(y).scale_(0.5)
    w = (x + 1).clip_(0, 1)
    return z, w.unsqueeze_(0), (x * 3).reshape_([-1]), (x - 1).exp_()


add(in_place, {"x": f(2, 3)}, {"x": f(4, 3)})


def several(a: Any, ids: Any, flag: Any) -> Any:
    y = a + ids.astype("float32")
    return y, a, [flag, {"k": y * 2}], ids


add(
    several,
    {"a": f(2, 3), "ids": i(5, 2, 3), "flag": b(2)},
    {"a": f(3, 3), "ids": i(5, 3, 3), "flag": b(2)},
    unchecked=TWICE,
)


def paddings(x: Any) -> Any:
    return (
        F.pad(x, [1, 2, 3, 0], value=0.5),
        F.pad(x, [1, 2, 2, 1], mode="reflect"),
        F.pad(x, [1, 2, 2, 1], mode="replicate"),
        F.pad(x, [1, 2, 2, 1], mode="circular"),
        F.pad(x, [0, 0, 0, 1, 1, 0, 2, 2]),
        F.pad(x[0], [1, 1], data_format="NCL"),
        F.zeropad2d(x, [1, 0, 0, 1]),
    )


add(paddings, {"x": f(1, 2, 4, 5)}, {"x": f(2, 2, 3, 6)})


def hot_and_grid(ids: Any, x: Any, grid: Any) -> Any:
    return (
        F.one_hot(ids, 6),
        F.grid_sample(x, grid),
        F.grid_sample(x, grid, mode="nearest", padding_mode="border", align_corners=False),
        F.affine_grid(grid[:, :2, :3, 0], [1, 2, 4, 5]),
    )


add(
    hot_and_grid,
    {"ids": i(6, 4), "x": f(1, 2, 5, 6), "grid": f(1, 4, 4, 2) * 0.6},
    {"ids": i(6, 2), "x": f(1, 2, 7, 3), "grid": f(1, 4, 4, 2) * 0.4},
)


def nms(boxes: Any, scores: Any) -> Any:
    """Detection post-processing as deployed: NMS, then the picks' boxes and scores."""
    keep = paddle.vision.ops.nms(boxes, 0.4, scores)
    return keep, boxes[keep], paddle.gather(scores, keep)


def some_boxes(n: int) -> np.ndarray:
    corner, size = f(n, 2, low=0, high=20), f(n, 2, low=2, high=12, seed=1)
    return np.concatenate([corner, corner + size], 1)


add(
    nms,
    {"boxes": some_boxes(12), "scores": f(12)},
    {"boxes": some_boxes(20), "scores": f(20)},
)


def dtypes(u8: Any, i32: Any, f64: Any, flag: Any) -> Any:
    return (
        u8.astype("float32") / 255.0,
        i32 * 2 + 1,
        f64 * 0.5,
        paddle.logical_not(flag),
        i32 // 2,
        i32 % 3,
        paddle.logical_and(flag, f64 > 0),
        i32.sum(),
        f64.mean(),
    )


add(
    dtypes,
    {
        "u8": i(255, 2, 3, dtype="uint8"),
        "i32": i(50, 2, 3, dtype="int32", low=-50),
        "f64": f(2, 3).astype("float64"),
        "flag": b(2, 3),
    },
    {
        "u8": i(255, 1, 3, dtype="uint8"),
        "i32": i(50, 1, 3, dtype="int32", low=-50),
        "f64": f(1, 3).astype("float64"),
        "flag": b(1, 3),
    },
)


def passed_through(x: Any) -> Any:
    return x, x * 2


add(passed_through, {"x": f(2, 3)}, unchecked=TWICE)
