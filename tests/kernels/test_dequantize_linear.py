import numpy as np
from harness import OpTable, rand, randint

table = OpTable("dequantize_linear")


def feeds(x: np.ndarray, *scales: float) -> dict[str, np.ndarray]:
    scale = np.array(scales, "float32")
    return {"X": x, "Scale": scale, "ZeroPoint": np.zeros_like(scale)}


for dtype in ("int8", "float32"):
    x = randint(2, 3, 4, low=-128, high=128, dtype=dtype)
    table.case(feeds(x, 2.0), {"quant_axis": -1})
    table.case(feeds(x, 0.5, 2.0), {"quant_axis": 0})
    table.case(feeds(x, 0.5, 2.0, 1.0), {"quant_axis": 1, "bit_length": 4})


def reference(inputs: dict[str, np.ndarray], attrs: dict[str, object]) -> dict[str, np.ndarray]:
    return {"Y": inputs["X"].astype("float32") * inputs["Scale"][:, None] / 32767}


for dtype in ("int16", "int32"):
    x = randint(2, 3, low=-32767, high=32767, dtype=dtype)
    table.case(feeds(x, 0.5, 2.0), {"quant_axis": 0, "bit_length": 16}, reference=reference)
table.case(
    {"X": rand(2, 3), "Scale": rand(1, low=1)},
    {"quant_axis": -1, "only_observer": True, "round_type": 1},
    outputs={"Y": 1, "OutScale": 1},
    reference=lambda i, a: {"Y": i["X"], "OutScale": i["Scale"]},
)
two = feeds(rand(2, 3), 1.0, 2.0)
table.error(two, {"quant_axis": 1}, error="ShapeError", match="Scale has 2")
table.error(two, {"quant_axis": -2}, error="ShapeError", match="quant_axis")
table.error(two, {"bit_length": 0}, error="ShapeError", match="bit_length")
table.error(feeds(np.ones(3, "int64"), 1.0), {"quant_axis": -1}, error="DataTypeError")

test_dequantize_linear = table.tests()
