"""Inputs at the edges: NaN, infinities, huge values, sizes of 1 and 0, rows that depend on data."""

from __future__ import annotations

from typing import Any

import numpy as np
from edges import SMALL, bias, conv, norm
from fluid import Fluid, fluid
from recipes import Feed, images, model, picture


def special() -> list[Feed]:
    values = np.array(
        [np.nan, np.inf, -np.inf, 0, -0.0, 3e38, -3e38, 1e-42, 100, -100, 7], "float32"
    )
    a = np.resize(values, (1, 4, 11, 11)).copy()
    b = picture((2, 4, 6, 6), 3)
    b[0, 1, 2, 3] = np.nan
    return [{"x": b}, {"x": a}, {"x": np.zeros((1, 4, 3, 3), "float32")}]


@model("edge_special_elementwise", special)
@fluid
def special_elementwise(f: Fluid) -> Any:
    """NaN, infinities and denormals through the activations.

    Not relu, sqrt, hard_swish and gelu: Paddle makes 0 of relu(NaN), NaN of sqrt(inf), inf of
    hard_swish(3e38); ours keep NaN and give the mathematical value.
    """
    x = f.data("x", [-1, 4, -1, -1])
    outs = [f.op(k, {"X": x}) for k in ("tanh", "sigmoid", "abs")]
    outs.append(f.op("swish", {"X": x}, beta=1.0))
    outs.append(f.op("leaky_relu", {"X": x}, alpha=0.1))
    outs.append(f.op("hard_sigmoid", {"X": x}, slope=0.2, offset=0.5))
    outs.append(f.op("relu6", {"X": x}, threshold=6.0))
    outs.append(f.op("softmax", {"X": x}, axis=1))
    return outs


@model("edge_special_pool", special)
@fluid
def special_pool(f: Fluid) -> Any:
    x = f.data("x", [-1, 4, -1, -1])
    settings = {"ksize": [3, 3], "strides": [2, 2], "paddings": [1, 1]}
    return [f.op("pool2d", {"X": x}, pooling_type=kind, **settings) for kind in ("max", "avg")]


def huge() -> list[Feed]:
    return [
        {"x": picture((n, 4, 6, 7), n) * scale} for n, scale in ((1, 1e4), (2, 1e-6), (1, 1e15))
    ]


@model("edge_huge", huge)
@fluid
def huge_values(f: Fluid) -> Any:
    x = f.data("x", [-1, 4, -1, -1])
    y = f.op(
        "hard_swish",
        {"X": norm(f, bias(f, conv(f, x, 4, 8), 8), 8)},
        threshold=6.0,
        scale=6.0,
        offset=3.0,
    )
    y = conv(f, y, 8, 8, groups=8)
    s = f.op("softmax", {"X": y}, axis=1)
    flat = f.op("reshape2", {"X": y}, {"Out": "flat", "XShape": "xs"}, shape=[0, -1])[0]
    n = f.op(
        "layer_norm",
        {"X": flat},
        {"Y": "ln", "Mean": "lm", "Variance": "lv"},
        begin_norm_axis=1,
        epsilon=1e-5,
    )[0]
    return [y, s, n, f.op("tanh", {"X": y}), f.op("sigmoid", {"X": y})]


SIZES = images((1, 4, 1, 1), (2, 4, 1, 9), (1, 4, 7, 1), (3, 4, 3, 2), (1, 4, 17, 19))


@model("edge_tiny", SIZES)
@fluid
def tiny(f: Fluid) -> Any:
    """Convolutions, pools and resizes on heights and widths of 1."""
    x = f.data("x", [-1, 4, -1, -1])
    a = f.op("relu", {"X": bias(f, conv(f, x, 4, 6, 5, strides=[2, 2], paddings=[2, 2]), 6)})
    b = conv(f, a, 6, 6, groups=6)
    p = f.op("pool2d", {"X": b}, pooling_type="max", ksize=[3, 3], strides=[2, 2], paddings=[1, 1])
    g = f.op("pool2d", {"X": b}, pooling_type="avg", ksize=[2, 2], adaptive=True)
    hw = f.op("slice", {"Input": f.op("shape", {"Input": x})}, axes=[0], starts=[2], ends=[4])
    ups = [
        f.op(
            "bilinear_interp_v2",
            {"X": p, "OutSize": hw},
            interp_method="bilinear",
            out_h=-1,
            out_w=-1,
            align_corners=align,
            align_mode=mode,
        )
        for align, mode in ((True, 0), (False, 0), (False, 1))
    ]
    ups.append(
        f.op(
            "nearest_interp_v2",
            {"X": p, "OutSize": hw},
            interp_method="nearest",
            out_h=-1,
            out_w=-1,
            align_corners=False,
        )
    )
    t = f.op(
        "conv2d_transpose",
        {"Input": b, "Filter": f.weight(6, 5, 4, 4)},
        "Output",
        strides=[2, 2],
        paddings=[1, 1],
        dilations=[1, 1],
        groups=1,
    )
    return [p, g, f.op("concat", {"X": ups}, axis=1), t]


@model("edge_scalar", SMALL)
@fluid
def scalar(f: Fluid) -> Any:
    """0-D values from slices and constants."""
    x = f.data("x", [-1, 4])
    shape = f.op("shape", {"Input": x})
    n = f.op("slice", {"Input": shape}, axes=[0], starts=[0], ends=[1], decrease_axis=[0])
    one = f.op("fill_constant", {}, shape=[], value=1.5, dtype=5)
    y = f.op("elementwise_mul", {"X": x, "Y": one}, axis=-1)
    as_float = f.op("cast", {"X": n}, in_dtype=2, out_dtype=5)
    return [shape, n, one, y, f.op("elementwise_div", {"X": y, "Y": as_float}, axis=-1)]


def empties() -> list[Feed]:
    return [{"x": picture(s, 0)} for s in ((2, 4, 6, 6), (0, 4, 6, 6), (1, 4, 5, 5))]


@model("edge_batch_zero", empties)
@fluid
def batch_zero(f: Fluid) -> Any:
    x = f.data("x", [-1, 4, -1, -1])
    y = f.op("relu", {"X": x})
    return [y, f.op("transpose2", {"X": y}, {"Out": "t", "XShape": "xt"}, axis=[0, 2, 3, 1])[0]]


def boxes() -> list[Feed]:
    feeds: list[Feed] = []
    for n, m, low in ((1, 20, 0.0), (2, 30, 0.0), (1, 8, 0.2), (2, 12, 0.0)):
        rng = np.random.RandomState(m)
        corner = rng.uniform(0, 50, (n, m, 2))
        box = np.concatenate([corner, corner + rng.uniform(5, 30, (n, m, 2))], 2)
        scores = rng.uniform(low, low + 1, (n, 3, m)).astype("float32")
        feeds.append({"boxes": box.astype("float32"), "scores": scores})
    return feeds


@model("edge_after_nms", boxes)
@fluid
def after_nms(f: Fluid) -> Any:
    """Static operators before and after the one whose rows depend on data; nothing found too."""
    inputs = {"BBoxes": f.data("boxes", [-1, -1, 4]), "Scores": f.data("scores", [-1, 3, -1])}
    inputs["Scores"] = f.op("scale", {"X": inputs["Scores"]}, scale=0.9, bias=0.05)
    f.block.create_var(name="count", dtype="int32")
    out, index, count = f.op(
        "multiclass_nms3",
        inputs,
        {"Out": "nms.out", "Index": "nms.index", "NmsRoisNum": "count"},
        background_label=-1,
        score_threshold=0.4,
        nms_top_k=10,
        nms_threshold=0.4,
        keep_top_k=6,
        normalized=False,
        nms_eta=1.0,
    )
    corners = f.op("slice", {"Input": out}, axes=[1], starts=[2], ends=[6])
    half = f.op("scale", {"X": corners}, scale=0.5, bias=0.0)
    moved = f.op("elementwise_add", {"X": half, "Y": f.weight(4)}, axis=-1)
    shape = f.op("shape", {"Input": out})
    score = f.op("slice", {"Input": out}, axes=[1], starts=[1], ends=[2], decrease_axis=[1])
    return [moved, count, shape, f.op("relu", {"X": score}), index]


@model("edge_old_nms", boxes)
@fluid
def old_nms(f: Fluid) -> Any:
    """multiclass_nms of Paddle 1.x: the counts are a LoD."""
    inputs = {"BBoxes": f.data("boxes", [-1, -1, 4]), "Scores": f.data("scores", [-1, 3, -1])}
    out = f.op(
        "multiclass_nms",
        inputs,
        background_label=0,
        score_threshold=0.3,
        nms_top_k=10,
        nms_threshold=0.4,
        keep_top_k=6,
        normalized=True,
        nms_eta=0.8,
    )
    return [out]


@model("edge_slices", images((1, 4, 9, 7), (2, 4, 6, 6)))
@fluid
def slices(f: Fluid) -> Any:
    """Starts and ends out of range, negative, and the end that means the end."""
    x, end = f.data("x", [-1, 4, -1, -1]), 2**31 - 1
    a = f.op("slice", {"Input": x}, axes=[2, 3], starts=[-4, 1], ends=[end, -1])
    b = f.op("slice", {"Input": x}, axes=[1], starts=[3], ends=[4], decrease_axis=[1])
    c = f.op("slice", {"Input": x}, axes=[3], starts=[-100], ends=[100])
    d = f.op("slice", {"Input": x}, axes=[0, 1], starts=[0, 1], ends=[1, 2], decrease_axis=[0, 1])
    return [a, b, c, d]


@model("edge_broadcast", images((1, 4, 5, 4), (2, 4, 3, 4)))
@fluid
def broadcast(f: Fluid) -> Any:
    """The old axis attribute, trailing ones, 1-element and middle operands."""
    x = f.data("x", [-1, 4, -1, 4])
    pooled = f.op("pool2d", {"X": x}, pooling_type="avg", ksize=[1, 1], global_pooling=True)
    flat = f.op("reshape2", {"X": pooled}, {"Out": "flat", "XShape": "xs"}, shape=[-1, 4])[0]
    outs = [f.op("elementwise_add", {"X": x, "Y": flat}, axis=0)]
    outs.append(f.op("elementwise_mul", {"X": x, "Y": f.weight(4, 1, 1)}, axis=1))
    outs.append(f.op("elementwise_sub", {"X": x, "Y": f.weight(1)}, axis=-1))
    outs.append(f.op("elementwise_add", {"X": x, "Y": f.weight(4)}, axis=3))
    outs.append(f.op("elementwise_sub", {"X": f.weight(4), "Y": x}, axis=-1))
    outs.append(f.op("elementwise_sub", {"X": pooled, "Y": x}, axis=-1))
    outs.append(f.op("elementwise_div", {"X": x, "Y": f.weight(1, 4, 1, 1)}, axis=-1))
    return outs
