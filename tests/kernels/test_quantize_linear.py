import numpy as np
from fake_quant_cases import on_ties
from harness import OpTable, rand

table = OpTable("quantize_linear")


def feeds(x: np.ndarray, *scales: float) -> dict[str, np.ndarray]:
    scale = np.array(scales, "float32")
    return {"X": x, "Scale": scale, "ZeroPoint": np.zeros_like(scale)}


for rounding in (0, 1):
    for bits in (4, 8, 16):
        attrs = {"round_type": rounding, "bit_length": bits, "quant_axis": -1}
        for x in (on_ties(bits=bits), rand(2, 3, 5, low=-3, high=3)):
            table.case(feeds(x, 2.0), attrs)
        attrs["quant_axis"] = 1
        table.case(feeds(rand(4, 3, 2, low=-3, high=3), 2.0, 1.0, 3.0), attrs)
attrs = {"round_type": 1, "quant_axis": 0}
table.case(feeds(rand(2, 3, 2, 2), 0.5, 1.0), attrs)
table.case(
    {"X": rand(2, 3), "Scale": rand(1, low=1)},
    {"quant_axis": -1, "only_observer": True},
    outputs={"Y": 1, "OutScale": 1},
    reference=lambda i, a: {"Y": i["X"], "OutScale": i["Scale"]},
)
two = feeds(rand(2, 3), 1.0, 2.0)
table.error(two, {"quant_axis": 1}, error="ShapeError", match="Scale has 2")
table.error(two, {"quant_axis": -1}, error="ShapeError", match="Scale has 2")
table.error(two, {"quant_axis": 2}, error="ShapeError", match="quant_axis")
table.error(two, {"bit_length": 99}, error="ShapeError", match="bit_length")

test_quantize_linear = table.tests()
