from __future__ import annotations

from harness import OpTable, rand

table = OpTable("gru_unit")
ALL = {"Hidden": 1, "Gate": 1, "ResetHiddenPrev": 1}


def inputs(batch: int, hidden: int, bias: bool = True) -> dict:
    slots = {
        "Input": rand(batch, 3 * hidden),
        "HiddenPrev": rand(batch, hidden),
        "Weight": rand(hidden, 3 * hidden),
    }
    if bias:
        slots["Bias"] = rand(1, 3 * hidden)
    return slots


table.case(inputs(3, 5), outputs=ALL)
table.case(inputs(2, 32, False), params=["Weight"])
table.case(inputs(2, 4), {"origin_mode": True}, outputs=ALL)
for number in range(4):
    table.case(inputs(3, 5), {"activation": number}, outputs=ALL)
    table.case(inputs(3, 5), {"gate_activation": number}, outputs=ALL)

table.error(inputs(3, 5), {"activation": 4}, match="activation")
table.error(inputs(3, 5), {"gate_activation": -1}, match="gate_activation")
table.error({**inputs(3, 5), "HiddenPrev": rand(2, 5)}, error="ShapeError", match="HiddenPrev")
table.error({**inputs(3, 5), "Weight": rand(5, 5)}, error="ShapeError", match="Weight")
table.error({**inputs(3, 5), "Bias": rand(15)}, error="ShapeError", match="Bias")
table.error({**inputs(3, 5), "Input": rand(3, 5)}, error="ShapeError", match="Input")
test_gru_unit = table.tests()
