"""Normalisations and products with what is fused into them, against their definitions: Paddle has
them on GPUs, or with instructions that few processors have."""

from typing import Any

import numpy as np
from harness import OpTable, rand

Slots = dict[str, Any]


def erf(x: Any) -> Any:
    from math import erf as one

    return np.vectorize(one, otypes=["float64"])(x)


def axis_of(i: Slots, a: Slots) -> int:
    shape = a.get("normalized_shape") or []
    begin = a.get("begin_norm_axis", -1)
    return i["x"].ndim - (len(shape) or 1) if begin == -1 else begin


def added(i: Slots, a: Slots) -> Any:
    """Rows of x + bias + alpha * residual."""
    x = i["x"].astype("float64")
    rows = x.reshape(int(np.prod(x.shape[: axis_of(i, a)])), -1)
    bias = i["bias"].reshape(-1) if "bias" in i else 0
    residual = i["residual"].reshape(rows.shape) if "residual" in i else 0
    return rows + bias + a.get("residual_alpha", 1) * residual


def finish(i: Slots, a: Slots, rows: Any, extra: Slots, wanted: str) -> Slots:
    shape = i["x"].shape
    first = shape[: axis_of(i, a)]
    if "norm_weight" in i:
        rows = rows * i["norm_weight"].reshape(-1)
    if "norm_bias" in i:
        rows = rows + i["norm_bias"].reshape(-1)
    made = {"out": rows.reshape(shape), "residual_out": added(i, a).reshape(shape)}
    made |= {name: value.reshape(first) for name, value in extra.items()}
    return {name: made[name].astype("float32") for name in wanted.split()}


def rms(i: Slots, a: Slots, wanted: str = "out") -> Slots:
    rows = added(i, a)
    inverse = 1 / np.sqrt((rows * rows).mean(1) + a.get("epsilon", 1e-5))
    return finish(i, a, rows * inverse[:, None], {"inv_var": inverse}, wanted)


rms_norm = OpTable("rms_norm")
X = rand(2, 3, 8)
rms_norm.case({"x": X, "norm_weight": rand(8)}, reference=rms)
rms_norm.case({"x": X}, {"epsilon": 0.1}, reference=rms)
rms_norm.case({"x": X, "norm_weight": rand(3, 8)}, {"normalized_shape": [3, 8]}, reference=rms)
ALL = "out residual_out inv_var"
rms_norm.case(
    {"x": X, "bias": rand(24), "residual": rand(2, 3, 8)}
    | {"norm_weight": rand(24), "norm_bias": rand(24)},
    {"begin_norm_axis": 1},
    outputs=dict.fromkeys(ALL.split(), 1),
    reference=lambda i, a: rms(i, a, ALL),
)
rms_norm.exempt("quant_scale", "refused")
rms_norm.error({"x": X}, {"quant_scale": 0.5}, match="quant_scale")
rms_norm.error({"x": X}, {"normalized_shape": [4]}, error="ShapeError", match="normalized_shape")
rms_norm.error({"x": X}, {"begin_norm_axis": 3}, error="ShapeError", match="begin_norm_axis")
rms_norm.error({"x": X, "norm_weight": rand(7)}, error="ShapeError", match="norm_weight")
rms_norm.error({"x": X, "residual": rand(8)}, error="ShapeError", match="residual")
rms_norm.error({"x": rand(2, 3, dtype="float64")}, error="DataTypeError", match="float64")
rms_norm.error({"x": X}, {"epsilon": -1.0}, error="ShapeError", match="epsilon")
test_rms_norm = rms_norm.tests()

fast = OpTable("fast_rms_norm")
fast.case(
    {"x": X, "scale": rand(8)},
    reference=lambda i, a: {"y": rms({"x": i["x"], "norm_weight": i["scale"]}, a)["out"]},
)
fast.case(
    {"x": rand(5, 33), "scale": rand(33)},
    {"epsilon": 0.01},
    outputs={"y": 1, "invvar": 1},
    reference=lambda i, a: dict(
        zip(
            ("y", "invvar"),
            rms({"x": i["x"], "norm_weight": i["scale"]}, a, "out inv_var").values(),
            strict=True,
        )
    ),
)
fast.error({"x": X, "scale": rand(7)}, error="ShapeError", match="scale")
fast.error({"x": rand(), "scale": rand(1)}, error="ShapeError", match="shapes")
test_fast_rms_norm = fast.tests()


def layer(i: Slots, a: Slots, wanted: str = "out") -> Slots:
    rows = added(i, a)
    mean, variance = rows.mean(1), rows.var(1)
    extra = {"mean": mean, "variance": variance}
    if "norm_weight" not in i and "norm_bias" not in i:
        return finish(i, a, rows, {name: np.zeros_like(mean) for name in extra}, wanted)
    normal = (rows - mean[:, None]) / np.sqrt(variance + a.get("epsilon", 1e-5))[:, None]
    return finish(i, a, normal, extra, wanted)


fused = OpTable("fused_bias_residual_layernorm")
WEIGHTS = {"norm_weight": rand(8), "norm_bias": rand(8)}
ALL_OF_LAYER = "out residual_out mean variance"
for alpha in (1.0, 0.5):
    fused.case(
        {"x": X, "bias": rand(8), "residual": rand(2, 3, 8)} | WEIGHTS,
        {"residual_alpha": alpha},
        outputs=dict.fromkeys(ALL_OF_LAYER.split(), 1),
        reference=lambda i, a: layer(i, a, ALL_OF_LAYER),
    )
fused.case({"x": X, "norm_weight": rand(24)}, {"begin_norm_axis": 1}, reference=layer)
fused.case({"x": X} | WEIGHTS, {"epsilon": 0.2}, reference=layer)
fused.case(
    {"x": X, "bias": rand(8)},
    outputs=dict.fromkeys(ALL_OF_LAYER.split(), 1),
    reference=lambda i, a: layer(i, a, ALL_OF_LAYER),
)
fused.exempt("quant_scale", "refused")
fused.error({"x": X}, {"quant_scale": 0.5}, match="quant_scale")
fused.error({"x": X}, {"residual_alpha": float("inf")}, error="ShapeError", match="residual_alpha")
fused.error({"x": X, "bias": rand(7)}, error="ShapeError", match="bias")
test_fused_bias_residual_layernorm = fused.tests()


def fast_reference(i: Slots, a: Slots) -> Slots:
    renamed = {"x": i["x"], "norm_weight": i["scale"], "norm_bias": i["bias"]}
    made = layer(renamed, a, "out mean variance")
    inverse = 1 / np.sqrt(made["variance"] + a["epsilon"])
    return {"y": made["out"], "mean": made["mean"], "invvar": inverse.astype("float32")}


fast_ln = OpTable("fast_ln")
for epsilon in (1e-5, 0.1):
    fast_ln.case(
        {"x": X, "scale": rand(8), "bias": rand(8)},
        {"epsilon": epsilon},
        outputs={"y": 1, "mean": 1, "invvar": 1},
        reference=fast_reference,
    )
fast_ln.case(
    {"x": X, "scale": rand(8), "bias": rand(8)},
    {"epsilon": 1e-5},
    reference=lambda i, a: {"y": fast_reference(i, a)["y"]},
)
fast_ln.error({"x": X, "scale": rand(8), "bias": rand(7)}, error="ShapeError", match="bias")
test_fast_ln = fast_ln.tests()

skip = OpTable("skip_layernorm")
for begin, epsilon in ((2, 1e-5), (1, 0.1)):
    cols = 8 if begin == 2 else 24
    skip.case(
        {"X": X, "Y": rand(2, 3, 8), "Scale": rand(cols), "Bias": rand(cols)},
        {"begin_norm_axis": begin, "epsilon": epsilon},
        reference=lambda i, a: {
            "Out": layer(
                {
                    "x": i["X"],
                    "residual": i["Y"],
                    "norm_weight": i["Scale"],
                    "norm_bias": i["Bias"],
                },
                a,
            )["out"]
        },
    )
PAIR = {"X": X, "Y": rand(2, 3, 8), "Scale": rand(8), "Bias": rand(8)}
skip.error(PAIR | {"Y": rand(3, 8)}, error="ShapeError", match="Y")
skip.error(PAIR | {"Scale": rand(3)}, error="ShapeError", match="Scale")
skip.error(PAIR, {"begin_norm_axis": 3}, error="ShapeError", match="begin_norm_axis")
test_skip_layernorm = skip.tests()


def group(i: Slots, a: Slots, wanted: str = "y") -> Slots:
    x = i["x"].astype("float64") + i.get("residual", 0)
    last = a.get("data_format") == "NHWC"
    moved = np.moveaxis(x, -1, 1) if last else x
    parts = moved.reshape(len(x), a["groups"], -1)
    mean, variance = parts.mean(2), parts.var(2)
    normal = (parts - mean[..., None]) / np.sqrt(variance + a.get("epsilon", 1e-5))[..., None]
    normal = normal.reshape(moved.shape)
    normal = np.moveaxis(normal, 1, -1) if last else normal
    shape = [1] * x.ndim
    shape[-1 if last else 1] = -1
    normal = normal * i["scale"].reshape(shape) if "scale" in i else normal
    normal = normal + i["bias"].reshape(shape) if "bias" in i else normal
    y = normal / (1 + np.exp(-normal)) if a.get("activation") else normal
    made = {"y": y, "residual_out": x, "mean": mean, "variance": variance}
    return {name: made[name].astype("float32") for name in wanted.split()}


silu = OpTable("add_group_norm_silu")
ALL_OF_GROUP = "y residual_out mean variance"
for layout, shape in (("NCHW", (2, 6, 3, 4)), ("NHWC", (2, 3, 4, 6))):
    silu.case({"x": rand(*shape)}, {"groups": 3, "data_format": layout}, reference=group)
    silu.case(
        {"x": rand(*shape), "residual": rand(*shape), "scale": rand(6), "bias": rand(6)},
        {"groups": 2, "data_format": layout, "activation": "silu", "epsilon": 0.1},
        outputs=dict.fromkeys(ALL_OF_GROUP.split(), 1),
        reference=lambda i, a: group(i, a, ALL_OF_GROUP),
    )
PICTURE = {"x": rand(1, 6, 2, 2)}
silu.error(PICTURE, {"groups": 4}, error="ShapeError", match="divisor")
silu.error({"x": rand(1, 0, 2)}, {"groups": 2**31 - 1}, error="ShapeError", match="divisor")
silu.error(PICTURE, {"groups": 2, "activation": "relu"}, match="relu")
silu.error(PICTURE | {"residual": rand(6)}, {"groups": 2}, error="ShapeError", match="residual")
silu.error(PICTURE | {"scale": rand(5)}, {"groups": 2}, error="ShapeError", match="scale")
test_add_group_norm_silu = silu.tests()


def gemm(i: Slots, a: Slots) -> Slots:
    x, y = i["X"].astype("float64"), i["Y"].astype("float64")
    rows = x.reshape(-1, x.shape[-1])
    product = (rows.T if a.get("trans_x") else rows) @ (y.T if a.get("trans_y") else y)
    product = product + i["Bias"]
    if a.get("activation") == "relu":
        product = np.maximum(product, 0)
    elif a.get("activation") == "gelu":
        inner = np.sqrt(2 / np.pi) * (product + 0.044715 * product**3)
        product = product / 2 * (1 + np.tanh(inner))
    shape = product.shape if a.get("trans_x") else (*x.shape[:-1], product.shape[1])
    return {"Out": product.reshape(shape).astype("float32")}


epilogue = OpTable("fused_gemm_epilogue")
for activation in ("none", "relu", "gelu"):
    for params in ((), ("Y", "Bias")):
        epilogue.case(
            {"X": rand(2, 3, 8), "Y": rand(8, 5), "Bias": rand(5)},
            {"activation": activation},
            params=params,
            reference=gemm,
        )
epilogue.case(
    {"X": rand(8, 4), "Y": rand(5, 8), "Bias": rand(5)},
    {"trans_x": True, "trans_y": True},
    outputs={"Out": 1, "ReserveSpace": 1},
    reference=lambda i, a: gemm(i, a) | {"ReserveSpace": np.zeros(0, "float32")},
)
GEMM = {"X": rand(2, 8), "Y": rand(8, 5), "Bias": rand(5)}
epilogue.error(GEMM, {"activation": "tanh"}, match="tanh")
epilogue.error(GEMM, {"trans_y": True}, error="ShapeError", match="multiplied")
epilogue.error(GEMM | {"Bias": rand(8)}, error="ShapeError", match="Bias")
epilogue.error(GEMM | {"Y": rand(8)}, error="ShapeError", match="shapes")
test_fused_gemm_epilogue = epilogue.tests()


def activated(i: Slots, a: Slots) -> Slots:
    x = i["x"].astype("float64") + i.get("bias", 0)
    method = a.get("act_method", "gelu")
    first, second = np.split(x, 2, -1) if "glu" in method else (x, 1)
    if method == "relu":
        first = np.maximum(first, 0)
    elif method == "swiglu":
        first = first / (1 + np.exp(-first))
    else:
        first = first / 2 * (1 + erf(first / np.sqrt(2)))
    return {"out": (first * second).astype("float32")}


act = OpTable("fused_bias_act")
for method in ("gelu", "relu", "geglu", "swiglu"):
    act.case({"x": rand(2, 3, 8, low=-3)}, {"act_method": method}, reference=activated)
    act.case({"x": rand(4, 6), "bias": rand(6)}, {"act_method": method}, reference=activated)
for slot in ("dequant_scales", "shift", "smooth"):
    act.exempt(slot, "refused")
    act.error({"x": rand(4, 6), slot: rand(6)}, match=slot)
act.exempt("quant_scale", "refused")
act.error({"x": rand(4, 6)}, {"quant_scale": 1.0}, match="quant_scale")
act.error({"x": rand(4, 6)}, {"act_method": "elu"}, match="elu")
act.error({"x": rand(4, 5)}, {"act_method": "geglu"}, error="ShapeError", match="even")
act.error({"x": rand(4, 6), "bias": rand(5)}, error="ShapeError", match="bias")
test_fused_bias_act = act.tests()
