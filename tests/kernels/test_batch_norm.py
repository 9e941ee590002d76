from typing import Any

import numpy as np
from harness import OpTable, rand, randint

# Paddle wants MeanOut and VarianceOut to be Mean and Variance, which a table cannot say: numpy.


def reference(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    x = inputs["X"]
    axis = x.ndim - 1 if attrs.get("data_layout") == "NHWC" else 1
    shape = [-1 if i == axis else 1 for i in range(x.ndim)]
    mean, variance = inputs["Mean"].astype("float64"), inputs["Variance"].astype("float64")
    factor = 1 / np.sqrt(variance + np.float32(attrs.get("epsilon", 1e-5)))
    y = (x - mean.reshape(shape)) * factor.reshape(shape)
    y = y * inputs["Scale"].reshape(shape) if "Scale" in inputs else y
    y = y + inputs["Bias"].reshape(shape) if "Bias" in inputs else y
    return {"Y": y.astype(x.dtype)}


def full(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    factor = 1 / np.sqrt(inputs["Variance"] + np.float32(attrs.get("epsilon", 1e-5)))
    return {
        **reference(inputs, attrs),
        "MeanOut": inputs["Mean"],
        "VarianceOut": inputs["Variance"],
        "SavedMean": inputs["Mean"],
        "SavedVariance": factor,
        "ReserveSpace": np.empty(0, inputs["X"].dtype),
    }


def draw(shape: tuple[int, ...], channels: int, slots: str = "SB", dtype: str = "float32") -> Any:
    inputs = {"X": rand(*shape, dtype=dtype), "Mean": rand(channels, dtype=dtype)}
    inputs["Variance"] = rand(channels, low=0.5, high=2, dtype=dtype)
    for letter, slot in (("S", "Scale"), ("B", "Bias")):
        if letter in slots:
            inputs[slot] = rand(channels, dtype=dtype)
    return inputs


table = OpTable("batch_norm")
PARAMS = ["Scale", "Bias", "Mean", "Variance"]
for rank in (2, 3, 4, 5):
    shape = (2, 6, 3, 4, 2)[:rank]
    for dtype in ("float32", "float64"):
        table.case(draw(shape, 6, dtype=dtype), {"is_test": True}, reference=reference, tol=1e-5)
        last = (shape[0], *shape[2:], 6)
        table.case(
            draw(last, 6, dtype=dtype), {"data_layout": "NHWC"}, reference=reference, tol=1e-5
        )
for slots in ("", "S", "B"):
    table.case(draw((2, 3, 4, 5), 3, slots), {"epsilon": 0.1}, reference=reference, tol=1e-5)
table.case(draw((2, 3, 4, 5), 3), params=PARAMS, reference=reference, tol=1e-5)
table.case(draw((2, 3, 4, 5), 3), {"is_test": False}, reference=reference, tol=1e-5)
table.case(draw((2, 17, 71, 67), 17), reference=reference, tol=1e-5)
table.case(draw((0, 3, 4, 5), 3), reference=reference)
outputs = dict.fromkeys(
    ("Y", "MeanOut", "VarianceOut", "SavedMean", "SavedVariance", "ReserveSpace"), 1
)
table.case(draw((2, 3, 4, 5), 3), outputs=outputs, reference=full, tol=1e-5)
momentum = {**draw((2, 3, 4, 5), 3), "MomentumTensor": rand(1)}
table.case(momentum, {"momentum": 0.8}, reference=reference, tol=1e-5)
table.error(draw((3,), 3), error="ShapeError", match="2 to 5")
table.error(draw((1, 3, 1, 1, 1, 1), 3), error="ShapeError", match="2 to 5")
table.error({**draw((2, 3), 3), "Scale": rand(2)}, error="ShapeError", match="Scale")
table.error({**draw((2, 3), 3), "Mean": rand(4)}, error="ShapeError", match="Mean")
table.error(draw((2, 3), 3), {"data_layout": "NCWH"}, match="data_layout")
table.error({**draw((2, 3), 3), "X": randint(2, 3)}, error="DataTypeError", match="int64")
table.error(draw((2, 3), 3), {"epsilon": float("nan")}, error="ShapeError", match="epsilon")

test_batch_norm = table.tests()

table = OpTable("sync_batch_norm")
for layout, x in (("NCHW", (2, 3, 4, 5)), ("NHWC", (2, 4, 5, 3))):
    table.case(draw(x, 3), {"data_layout": layout}, reference=reference, tol=1e-5)
table.case(draw((2, 3, 4, 5), 3, ""), {"epsilon": 0.1}, reference=reference, tol=1e-5)
table.case(draw((2, 3), 3), outputs=outputs, reference=full, tol=1e-5)
table.case({**draw((2, 3), 3), "MomentumTensor": rand(1)}, reference=reference, tol=1e-5)
table.error({**draw((2, 3), 3), "Scale": rand(2)}, error="ShapeError", match="Scale")

test_sync_batch_norm = table.tests()


def test_lod_is_passed_on() -> None:
    from harness import core

    inputs = {k: [(v, [[0, 1, 2]] if k == "X" else [])] for k, v in draw((2, 3), 3).items()}
    assert core().run_op("batch_norm", inputs, {"Y": 1}, {})["Y"][0][1] == [[0, 1, 2]]
