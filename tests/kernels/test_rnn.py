from __future__ import annotations

import numpy as np
from harness import OpTable, rand

table = OpTable("rnn")
GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}


def case_of(
    mode: str,
    hidden: int,
    layers: int = 1,
    both: bool = False,
    lengths: list[int] | None = None,
    time: int = 5,
    batch: int = 3,
    size: int = 4,
) -> tuple[dict, dict, dict]:
    directions, rows = 2 if both else 1, GATES[mode] * hidden
    weights, biases = [], []
    for layer in range(layers):
        below = size if layer == 0 else directions * hidden
        for _ in range(directions):
            weights += [rand(rows, below), rand(rows, hidden) / hidden**0.5]
            biases += [rand(rows), rand(rows)]
    states = 2 if mode == "LSTM" else 1
    inputs = {
        "Input": rand(time, batch, size),
        "PreState": [rand(layers * directions, batch, hidden) for _ in range(states)],
        "WeightList": weights + biases,
    }
    if lengths is not None:
        inputs["SequenceLength"] = np.array(lengths, "int32")
    attrs = {
        "mode": mode,
        "hidden_size": hidden,
        "num_layers": layers,
        "is_bidirec": both,
        "input_size": size,
        "is_test": True,
    }
    return inputs, attrs, {"Out": 1, "State": states}


def add(*args: object, params: tuple[str, ...] = (), extra: tuple[str, ...] = (), **kw: object):
    inputs, attrs, outputs = case_of(*args, **kw)
    outputs = outputs | dict.fromkeys(extra, 1)
    table.case(inputs, attrs, outputs=outputs, params=params, unchecked=extra)


for mode in GATES:
    add(mode, 6, extra=("Reserve", "DropoutState"))
    add(mode, 6, 2, True, params=("WeightList",))
    add(mode, 3, 1, True, [5, 0, 2])
    add(mode, 7, 3, False, [3, 5, 1], params=("WeightList",))
add("LSTM", 64, 1, True, time=9, batch=1, size=32, params=("WeightList",))
add("GRU", 64, 2, time=9, batch=1, size=32, params=("WeightList",))

inputs, attrs, outputs = case_of("LSTM", 6)
for change, match in (
    ({"mode": "LSTMP"}, "mode"),
    ({"hidden_size": 5}, "WeightList"),
    ({"hidden_size": -1}, "hidden_size"),
    ({"num_layers": 0}, "num_layers"),
    ({"num_layers": 2**31 - 1}, "num_layers"),
    ({"is_bidirec": True}, "WeightList"),
    ({"mode": "GRU"}, "WeightList"),
):
    table.error(inputs, {**attrs, **change}, outputs=outputs, match=match)
few = {**inputs, "PreState": inputs["PreState"][:1]}
table.error(few, attrs, outputs=outputs, error="ShapeError", match="PreState")
for bad in ([5, 6, 1], [-1, 2, 3], [1, 2]):
    wrong = {**inputs, "SequenceLength": np.array(bad, "int32")}
    table.error(wrong, attrs, outputs=outputs, error="ShapeError", match="SequenceLength")
table.error(
    {**inputs, "Input": rand(5, 4)}, attrs, outputs=outputs, error="ShapeError", match="Input"
)
test_rnn = table.tests()
