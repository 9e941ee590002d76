"""Attention as one operator, against its definition: Paddle has it on GPUs only."""

from typing import Any

import numpy as np
from harness import OpTable, rand

Slots = dict[str, Any]


def attend(q: Any, k: Any, v: Any, scale: float, mask: Any = None, causal: bool = False) -> Any:
    """Of [batch, heads, rows, dim]; a query that sees nothing gives zeros."""
    group = q.shape[1] // k.shape[1]
    k, v = (np.repeat(x, group, 1).astype("float64") for x in (k, v))
    scores = (q.astype("float64") @ k.swapaxes(2, 3)) * scale
    if mask is not None:
        scores = scores + mask
    if causal:
        scores = np.where(np.tri(*scores.shape[2:], dtype=bool), scores, -np.inf)
    highest = scores.max(-1, keepdims=True, initial=-np.inf)
    weights = np.exp(scores - np.where(np.isfinite(highest), highest, 0))
    total = weights.sum(-1, keepdims=True)
    return (weights / np.where(total > 0, total, 1) @ v).astype("float32")


def rows_first(names: str, i: Slots, a: Slots, mask: Any) -> Any:
    q, k, v = (i[name].swapaxes(1, 2) for name in names.split())
    scale = a.get("scale", 0)
    scale = scale if scale > 0 else q.shape[-1] ** -0.5
    return attend(q, k, v, scale, mask, a.get("causal", False)).swapaxes(1, 2)


def flash_reference(i: Slots, a: Slots) -> Slots:
    return {"out": rows_first("q k v", i, a, i.get("attn_mask"))}


def qkv(
    batch: int, rows: int, keys: int, heads: int, kv_heads: int, dim: int, value: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return (
        rand(batch, rows, heads, dim, low=-2, high=2),
        rand(batch, keys, kv_heads, dim, low=-2, high=2),
        rand(batch, keys, kv_heads, value),
    )


def flash_inputs(*shape: int) -> Slots:
    return dict(zip("qkv", qkv(*shape), strict=True))


SHAPES = (
    (1, 4, 4, 2, 2, 8, 8),
    (2, 5, 7, 3, 3, 16, 4),
    (2, 3, 9, 4, 2, 8, 8),
    (1, 1, 33, 6, 1, 32, 32),
    (1, 300, 300, 4, 4, 4, 4),
)
EXTRA = {"out": 1, "softmax": 1, "softmax_lse": 1, "seed_offset": 1}

flash = OpTable("flash_attn")
for shape in SHAPES:
    flash.case(flash_inputs(*shape), reference=flash_reference)
    if shape[1] == shape[2]:
        flash.case(flash_inputs(*shape), {"causal": True}, reference=flash_reference)
for dims in ((2, 4, 5, 7), (1, 1, 5, 7), (2, 1, 1, 7)):
    mask = np.where(rand(*dims) > -0.5, rand(*dims), -np.inf).astype("float32")
    mask[0, 0, 0] = -np.inf
    flash.case(flash_inputs(2, 5, 7, 4, 2, 8, 8) | {"attn_mask": mask}, reference=flash_reference)
flash.case(
    flash_inputs(1, 3, 0, 2, 2, 4, 5),
    reference=lambda i, a: {"out": np.zeros((1, 3, 2, 5), "float32")},
)
flash.case(
    flash_inputs(*SHAPES[0]) | {"fixed_seed_offset": np.zeros(2, "int64")},
    {"dropout": 0.1, "is_test": True},
    outputs=EXTRA,
    reference=lambda i, a: (
        flash_reference(i, a)
        | {name: np.zeros(0, "float32") for name in ("softmax", "softmax_lse")}
        | {"seed_offset": np.zeros(0, "int64")}
    ),
)
flash.exempt("return_softmax", "refused")
flash.error(flash_inputs(*SHAPES[0]), {"return_softmax": True}, match="return_softmax")
flash.error(flash_inputs(*SHAPES[0]), {"dropout": 0.5}, match="dropout")
flash.error(flash_inputs(*SHAPES[1]), {"causal": True}, match="5 queries and 7 keys")
flash.error(flash_inputs(1, 4, 4, 3, 2, 8, 8), error="ShapeError", match="3 heads")
flash.error(flash_inputs(*SHAPES[0]) | {"q": rand(1, 4, 2, 7)}, error="ShapeError", match="shapes")
flash.error(flash_inputs(*SHAPES[0]) | {"q": rand(1, 4, 2)}, error="ShapeError", match="four")
flash.error(
    flash_inputs(*SHAPES[0]) | {"attn_mask": rand(1, 1, 4, 1)},
    error="ShapeError",
    match="attn_mask",
)
flash.error(
    flash_inputs(*SHAPES[0]) | {"v": rand(1, 4, 2, 8, dtype="float64")},
    error="DataTypeError",
    match="float64",
)
test_flash_attn = flash.tests()


def unpadded_reference(i: Slots, a: Slots) -> Slots:
    parts = []
    q_at, k_at = i["cu_seqlens_q"], i["cu_seqlens_k"]
    for n in range(len(q_at) - 1):
        part = {
            "q": i["q"][q_at[n] : q_at[n + 1]][None],
            "k": i["k"][k_at[n] : k_at[n + 1]][None],
            "v": i["v"][k_at[n] : k_at[n + 1]][None],
        }
        parts.append(rows_first("q k v", part, a, None)[0])
    return {"out": np.concatenate(parts)}


def unpadded_inputs(rows: list[int], keys: list[int], dtype: str = "int32") -> Slots:
    q, k, v = (x[0] for x in qkv(1, rows[-1], keys[-1], 4, 2, 8, 6))
    offsets = {"cu_seqlens_q": np.array(rows, dtype), "cu_seqlens_k": np.array(keys, dtype)}
    return {"q": q, "k": k, "v": v} | offsets


unpadded = OpTable("flash_attn_unpadded")
for scale in (0.3, -1.0):
    unpadded.case(
        unpadded_inputs([0, 3, 3, 9], [0, 4, 9, 11]),
        {"scale": scale},
        reference=unpadded_reference,
    )
unpadded.case(
    unpadded_inputs([0, 3, 9], [0, 3, 9], "int64") | {"fixed_seed_offset": np.zeros(2, "int64")},
    {"scale": 0.5, "causal": True, "is_test": True, "dropout": 0.2},
    outputs=EXTRA,
    reference=lambda i, a: (
        unpadded_reference(i, a)
        | {name: np.zeros(0, "float32") for name in ("softmax", "softmax_lse")}
        | {"seed_offset": np.zeros(0, "int64")}
    ),
)
unpadded.exempt("return_softmax", "refused")
unpadded.exempt("attn_mask", "refused")
GOOD = unpadded_inputs([0, 3, 9], [0, 2, 9])
SCALE = {"scale": 1.0}
unpadded.error(GOOD | {"attn_mask": rand(1, 1, 9, 9)}, SCALE, match="attn_mask")
unpadded.error(GOOD, SCALE | {"return_softmax": True}, match="return_softmax")
unpadded.error(GOOD, SCALE | {"causal": True}, error="ShapeError", match="3 queries and 2 keys")
unpadded.error(GOOD, {"scale": float("nan")}, match="scale")
for offsets in ([0, 3, 8], [1, 3, 9], [0, 10, 9]):
    unpadded.error(
        GOOD | {"cu_seqlens_q": np.array(offsets)}, SCALE, error="ShapeError", match="ascending"
    )
unpadded.error(GOOD | {"cu_seqlens_q": np.array([0, 9])}, SCALE, match="equal lists")
unpadded.error(GOOD | {"k": rand(9, 2, 7)}, SCALE, error="ShapeError", match="shapes")
unpadded.error(GOOD | {"k": rand(9, 2)}, SCALE, error="ShapeError", match="k has shape")
test_flash_attn_unpadded = unpadded.tests()


def efficient_inputs(*shape: int) -> Slots:
    return dict(zip(("query", "key", "value"), qkv(*shape), strict=True))


def efficient_reference(i: Slots, a: Slots) -> Slots:
    return {"output": rows_first("query key value", i, a, i.get("bias"))}


efficient = OpTable("memory_efficient_attention")
for shape in SHAPES[:4]:
    for scale in (-1.0, 0.25):
        efficient.case(efficient_inputs(*shape), {"scale": scale}, reference=efficient_reference)
efficient.case(
    efficient_inputs(2, 4, 4, 2, 2, 8, 8), {"causal": True}, reference=efficient_reference
)
efficient.case(
    efficient_inputs(2, 5, 7, 2, 2, 8, 8) | {"bias": rand(2, 2, 5, 7)},
    {"dropout_p": 0.5, "is_test": True},
    outputs={"output": 1, "logsumexp": 1, "seed_and_offset": 1},
    reference=lambda i, a: (
        efficient_reference(i, a)
        | {"logsumexp": np.zeros(0, "float32"), "seed_and_offset": np.zeros(0, "int64")}
    ),
)
for slot in ("cu_seqlens_q", "cu_seqlens_k", "causal_diagonal", "seqlen_k"):
    efficient.exempt(slot, "refused")
    efficient.error(efficient_inputs(*SHAPES[0]) | {slot: np.zeros(2, "int32")}, match=slot)
efficient.error(efficient_inputs(*SHAPES[0]), {"dropout_p": 0.5}, match="dropout_p")
efficient.error(efficient_inputs(*SHAPES[1]), {"causal": True}, match="5 queries")
efficient.error(efficient_inputs(*SHAPES[0]) | {"bias": rand(4, 4)}, match="bias")
test_memory_efficient_attention = efficient.tests()


def variable_inputs(lengths: list[int], kv_lengths: list[int], dtype: str = "int32") -> Slots:
    count = len(lengths)
    q, k, v = (x.swapaxes(1, 2) for x in qkv(count, 6, 7, 4, 2, 8, 5))
    return {
        "query": q,
        "key": k,
        "value": v,
        "seq_lens": np.array(lengths, dtype)[:, None],
        "kv_seq_lens": np.array(kv_lengths, dtype)[:, None],
    }


def variable_reference(i: Slots, a: Slots) -> Slots:
    q, k, v = i["query"], i["key"], i["value"]
    out = np.zeros((*q.shape[:3], v.shape[3]), "float32")
    for n, (rows, keys) in enumerate(zip(i["seq_lens"][:, 0], i["kv_seq_lens"][:, 0], strict=True)):
        mask = i.get("mask")
        if mask is not None:
            mask = np.broadcast_to(mask, (len(q), q.shape[1], q.shape[2], k.shape[2]))
            mask = mask[n : n + 1, :, :rows, :keys]
        one = slice(n, n + 1)
        out[one, :, :rows] = attend(
            q[one, :, :rows], k[one, :, :keys], v[one, :, :keys], a["scale"], mask, a.get("causal")
        )
    return {"out": out}


variable = OpTable("variable_length_memory_efficient_attention")
variable.case(variable_inputs([6, 2, 0], [7, 3, 1]), {"scale": 0.4}, reference=variable_reference)
for dims in ((2, 1, 6, 7), (1, 4, 6, 7)):
    variable.case(
        variable_inputs([6, 3], [7, 1], "int64") | {"mask": rand(*dims)},
        {"scale": 1.0},
        reference=variable_reference,
    )
variable.case(
    variable_inputs([6, 3], [6, 3]), {"scale": 0.1, "causal": True}, reference=variable_reference
)
variable.exempt("pre_cache_length", "refused")
variable.error(variable_inputs([1], [1]), {"scale": 1.0, "pre_cache_length": 2}, match="pre_cache")
variable.error(variable_inputs([7], [1]), {"scale": 1.0}, error="ShapeError", match="from 0 to 6")
variable.error(variable_inputs([6], [5]), {"scale": 1.0, "causal": True}, match="6 queries")
variable.error(
    variable_inputs([6], [5]) | {"seq_lens": np.array([1, 2])}, {"scale": 1.0}, match="seq_lens"
)
test_variable_length = variable.tests()


def softmax(x: Any) -> Any:
    e = np.exp(x.astype("float64") - x.max(-1, keepdims=True))
    return (e / e.sum(-1, keepdims=True)).astype("float32")


masked = OpTable("fused_softmax_mask")
masked.case({"X": rand(2, 3, 8, 32), "Mask": rand(2, 1, 8, 32, low=-3)})
masked.case(
    {"X": rand(2, 3, 5, 7), "Mask": np.where(rand(2, 1, 5, 7) > 0.5, -10000, 0).astype("float32")},
    reference=lambda i, a: {"Out": softmax(i["X"] + i["Mask"])},
)
masked.error({"X": rand(2, 3, 5, 7), "Mask": rand(2, 3, 5, 7)}, error="ShapeError", match="Mask")
masked.error({"X": rand(2, 3, 5), "Mask": rand(2, 1, 5)}, error="ShapeError", match="X has shape")
test_fused_softmax_mask = masked.tests()

triangle = OpTable("fused_softmax_mask_upper_triangle")
triangle.case(
    {"X": rand(2, 3, 9, 9, low=-4, high=4)},
    reference=lambda i, a: {
        "Out": softmax(np.where(np.tri(9, dtype=bool), i["X"], np.float32(-np.inf)))
    },
)
triangle.error({"X": rand(2, 3, 9, 8)}, error="ShapeError", match="n, n")
test_fused_softmax_mask_upper_triangle = triangle.tests()


def turned(x: Any, sin: Any, cos: Any, neighbours: bool) -> Any:
    """Rows of [..., heads, dim] by tables [..., columns]."""
    columns = sin.shape[-1]
    part = x[..., :columns].astype("float64")
    if neighbours:
        other = np.stack([-part[..., 1::2], part[..., ::2]], -1).reshape(part.shape)
    else:
        half = columns // 2
        other = np.concatenate([-part[..., half:], part[..., :half]], -1)
    made = part * cos[..., None, :] + other * sin[..., None, :]
    return np.concatenate([made, x[..., columns:]], -1).astype("float32")


def rotary(i: Slots, a: Slots) -> Slots:
    q, time_first = i["q"], a.get("time_major", False)
    rows, batch = q.shape[0 if time_first else 1], q.shape[1 if time_first else 0]
    if "sin" in i:
        sin, cos = (i[name].reshape(-1, i[name].shape[-1]) for name in ("sin", "cos"))
    else:
        powers = np.arange(q.shape[3]) // 2 * 2 / q.shape[3]
        angles = np.arange(rows)[:, None] / a.get("rotary_emb_base", 1e4) ** powers
        sin, cos = np.sin(angles), np.cos(angles)
    at = i.get("position_ids", np.tile(np.arange(rows), (batch, 1)))
    at = at.T if time_first else at
    neighbours = a.get("use_neox_rotary_style", True)
    return {f"out_{n}": turned(i[n], sin[at], cos[at], neighbours) for n in "qkv" if n in i}


rope = OpTable("fused_rotary_position_embedding")
OUT = {"out_q": 1, "out_k": 1, "out_v": 1}
TABLES = {"sin": rand(1, 6, 1, 8), "cos": rand(1, 6, 1, 8)}
Q = rand(2, 5, 3, 8)
for base in (1e4, 500.0):
    rope.case({"q": Q}, {"rotary_emb_base": base}, reference=rotary)
for neighbours in (True, False):
    for time_first in (True, False):
        attrs = {"use_neox_rotary_style": neighbours, "time_major": time_first}
        shape = (5, 2) if time_first else (2, 5)
        rope.case(
            {"q": rand(*shape, 3, 8), "k": rand(*shape, 1, 8), "v": rand(*shape, 3, 8)} | TABLES,
            attrs,
            outputs=OUT,
            reference=rotary,
        )
        ids = {"position_ids": np.array([[0, 5, 2, 2, 1], [4, 3, 2, 1, 0]])}
        tables = {"sin": rand(6, 4), "cos": rand(6, 4)}
        rope.case({"q": rand(*shape, 3, 8)} | tables | ids, attrs, reference=rotary)
rope.error({"q": Q, "sin": TABLES["sin"]}, error="ShapeError", match="sin and cos")
rope.error({"q": Q}, {"use_neox_rotary_style": False}, error="ShapeError", match="neox")
rope.error({"q": Q, "k": rand(2, 4, 3, 8)}, error="ShapeError", match="input k")
rope.error({"q": Q}, outputs=OUT, error="ShapeError", match="out_k is asked for")
rope.error({"q": Q, "sin": rand(4, 8), "cos": rand(4, 8)}, error="ShapeError", match="4 rows")
rope.error({"q": Q, "sin": rand(5, 3), "cos": rand(5, 3)}, error="ShapeError", match="columns")
rope.error({"q": Q} | TABLES | {"position_ids": np.full((2, 5), 6)}, match="holds 6")
rope.error({"q": rand(2, 5, 8)}, error="ShapeError", match="q has shape")
test_fused_rotary_position_embedding = rope.tests()

dropout = OpTable("fused_dropout_add")
for dtype in ("float32", "float64"):
    for mode in ("upscale_in_train", "downscale_in_infer"):
        for p in (0.5, 0.25):
            factor = 1 - p if mode == "downscale_in_infer" else 1
            dropout.case(
                {"x": rand(3, 4, dtype=dtype), "y": rand(3, 4, dtype=dtype)},
                {"mode": mode, "p": p, "is_test": True},
                reference=lambda i, a, factor=factor: {"out": i["x"] * factor + i["y"]},
            )
dropout.case(
    {"x": rand(3), "y": rand(3), "seed_tensor": np.zeros(1, "int64")},
    {"p": 0.0},
    outputs={"out": 1, "seed_offset": 1},
    reference=lambda i, a: {"out": i["x"] + i["y"], "seed_offset": np.zeros(0, "int64")},
)
dropout.error({"x": rand(3), "y": rand(3)}, error="ShapeError", match="eval mode")
dropout.error({"x": rand(3), "y": rand(2)}, {"p": 0.0}, error="ShapeError", match="y has shape")
dropout.error({"x": rand(3), "y": rand(3)}, {"p": 0.0, "mode": "x"}, match="mode")
test_fused_dropout_add = dropout.tests()


def self_attention(i: Slots, a: Slots) -> Slots:
    heads = a.get("head_number", 1)
    w = i["W"].reshape(i["W"].shape[0], 3, heads, -1)
    made = np.einsum("bri,ijhd->jbhrd", i["Input"].astype("float64"), w)
    made = made + i["Bias"].reshape(3, 1, heads, 1, -1)
    out = attend(*made, a.get("alpha", 1.0), i.get("BiasQK"))
    return {"Out": out.swapaxes(1, 2).reshape(*i["Input"].shape[:2], -1)}


multihead = OpTable("multihead_matmul")
for heads in (1, 2, 4):
    inputs = {"Input": rand(2, 5, 6), "W": rand(6, 3, heads, 8), "Bias": rand(3, heads, 8)}
    multihead.case(inputs, {"head_number": heads}, reference=self_attention)
    for dims in ((2, heads, 5, 5), (2, 1, 1, 5)):
        multihead.case(
            inputs | {"BiasQK": rand(*dims)},
            {"head_number": heads, "alpha": 0.4},
            params=("W", "Bias"),
            reference=self_attention,
        )
for name, value in (("transpose_Q", True), ("transpose_K", False), ("transpose_V", True)):
    multihead.exempt(name, "other values are refused")
    multihead.error(inputs, {"head_number": heads, name: value}, match="transpose_Q")
multihead.error(inputs, {"head_number": 5}, error="ShapeError", match="W has shape")
multihead.error(inputs | {"Bias": rand(3)}, {"head_number": heads}, match="Bias")
multihead.error(inputs | {"BiasQK": rand(5, 5)}, {"head_number": heads}, match="BiasQK")
test_multihead_matmul = multihead.tests()
