from __future__ import annotations

from harness import OpTable, lod, rand

table = OpTable("gru")
ALL = {"Hidden": 1, "BatchGate": 1, "BatchResetHiddenPrev": 1, "BatchHidden": 1}


def inputs(offsets: list[int], hidden: int, bias: bool = True, h0: bool = False) -> dict:
    slots = {
        "Input": lod(rand(offsets[-1], 3 * hidden), [offsets]),
        "Weight": rand(hidden, 3 * hidden) / hidden**0.5,  # no chaos: it magnifies rounding
    }
    if bias:
        slots["Bias"] = rand(1, 3 * hidden)
    if h0:
        slots["H0"] = rand(len(offsets) - 1, hidden)
    return slots


table.case(inputs([0, 2, 5], 2), outputs=ALL)
table.case(inputs([0, 5], 7), params=["Weight", "Bias"])
table.case(inputs([0, 3, 3, 8, 9], 5, h0=True), outputs=ALL, params=["Weight"])
table.case(inputs([0, 3, 8, 9], 16, bias=False), {"is_reverse": True}, params=["Weight"])
table.case(inputs([0, 3, 8, 9], 16, h0=True), {"is_reverse": True}, outputs=ALL)
table.case(inputs([0, 3, 8, 9], 16, h0=True), {"origin_mode": True}, params=["Weight", "Bias"])
table.case(inputs([0, 1, 2, 3], 33), {"origin_mode": True, "is_reverse": True})
table.case(inputs([0, 4, 10], 4), {"activation": "relu", "gate_activation": "tanh"})
table.case(inputs([0, 4, 10], 4, h0=True), {"activation": "sigmoid", "gate_activation": "relu"})
table.case(inputs([0, 4, 10], 4), {"activation": "identity", "gate_activation": "identity"})
table.case(inputs([0, 9, 13, 20], 96), params=["Weight", "Bias"])

table.error(inputs([0, 2, 5], 2), {"activation": "softsign"}, match="softsign")
table.error({"Input": rand(5, 6), "Weight": rand(2, 6)}, error="ShapeError", match="no LoD")
for offsets in ([0, 2, 4], [0, 2, 6], [1, 5], [0, 4, 2, 5], []):
    table.error(
        {"Input": lod(rand(5, 6), [offsets]), "Weight": rand(2, 6)},
        error="ShapeError",
        match="LoD",
    )
table.error(
    {"Input": lod(rand(5, 6), [[0, 1, 2], [0, 2, 5]]), "Weight": rand(2, 6)},
    error="ShapeError",
    match="2 levels",
)
table.error(
    {"Input": lod(rand(5, 6), [[0, 5]]), "Weight": rand(6, 2)}, error="ShapeError", match="Weight"
)
table.error(
    {"Input": lod(rand(5, 7), [[0, 5]]), "Weight": rand(2, 6)}, error="ShapeError", match="Input"
)
table.error(
    {"Input": lod(rand(5, 6), [[0, 5]]), "Weight": rand(2, 6), "Bias": rand(6)},
    error="ShapeError",
    match="Bias",
)
table.error(
    {"Input": lod(rand(5, 6), [[0, 5]]), "Weight": rand(2, 6), "H0": rand(2, 2)},
    error="ShapeError",
    match="H0",
)
test_gru = table.tests()
