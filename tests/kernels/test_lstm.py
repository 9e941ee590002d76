from __future__ import annotations

from harness import OpTable, lod, rand

table = OpTable("lstm")
ALL = {"Hidden": 1, "Cell": 1, "BatchGate": 1, "BatchCellPreAct": 1}
NO_PEEPHOLES = {"use_peepholes": False}


def inputs(offsets: list[int], hidden: int, bias: int = 7, first: bool = False) -> dict:
    slots = {
        "Input": lod(rand(offsets[-1], 4 * hidden), [offsets]),
        "Weight": rand(hidden, 4 * hidden) / hidden**0.5,  # no chaos: it magnifies rounding
        "Bias": rand(1, bias * hidden),
    }
    if first:
        slots["H0"] = rand(len(offsets) - 1, hidden)
        slots["C0"] = rand(len(offsets) - 1, hidden)
    return slots


table.case(inputs([0, 2, 5], 2), outputs=ALL)
table.case(inputs([0, 2, 5], 2, 4), NO_PEEPHOLES, outputs=ALL)
table.case(inputs([0, 3, 3, 8, 9], 5, first=True), outputs=ALL, params=["Weight", "Bias"])
table.case(inputs([0, 3, 8, 9], 16, 4, first=True), NO_PEEPHOLES, params=["Weight", "Bias"])
table.case(inputs([0, 3, 8, 9], 16), {"is_reverse": True}, outputs=ALL)
table.case(inputs([0, 3, 8, 9], 16, 4, first=True), {"is_reverse": True, **NO_PEEPHOLES})
for name in ("gate_activation", "cell_activation", "candidate_activation"):
    table.case(inputs([0, 4, 7], 3), {name: "relu"}, outputs=ALL)
    table.case(inputs([0, 4, 7], 3, 4), {name: "identity", **NO_PEEPHOLES})
table.case(inputs([0, 4, 7], 3), {"gate_activation": "tanh", "cell_activation": "sigmoid"})
table.case(inputs([0, 9, 13, 20], 96, 4), NO_PEEPHOLES, params=["Weight", "Bias"])

table.error(inputs([0, 5], 2, 4), error="ShapeError", match="Bias")
table.error(inputs([0, 5], 2, 7), NO_PEEPHOLES, error="ShapeError", match="Bias")
table.error(inputs([0, 5], 2), {"cell_activation": "gelu"}, match="gelu")
lonely = inputs([0, 5], 2, first=True)
del lonely["C0"]
table.error(lonely, error="ShapeError", match="C0")
table.error({**inputs([0, 5], 2), "Input": rand(5, 8)}, error="ShapeError", match="no LoD")
table.error(
    {**inputs([0, 5], 2), "Input": lod(rand(5, 8), [[0, 9]])}, error="ShapeError", match="LoD"
)
test_lstm = table.tests()
