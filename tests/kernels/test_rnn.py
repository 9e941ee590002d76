from __future__ import annotations

import numpy as np
import pytest
from harness import OpTable, core, rand

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
    add(mode, 5, 2, True, [1, 0, 3])  # all end before the time does
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


def reset_first(x: np.ndarray, h: np.ndarray, w: list[np.ndarray], length: int) -> np.ndarray:
    """One sequence [time, size] by ONNX's definition of GRU with linear_before_reset 0."""
    n, made = h.size, np.zeros((len(x), h.size))
    (wr, wz, wh), (rr, rz, rh) = (np.split(m.astype("float64"), 3) for m in w[:2])
    br, bz, bh = np.split((w[2] + w[3]).astype("float64"), 3)
    for t in range(length):
        r = 1 / (1 + np.exp(-(wr @ x[t] + rr @ h + br)))
        z = 1 / (1 + np.exp(-(wz @ x[t] + rz @ h + bz)))
        h = made[t] = (1 - z) * np.tanh(wh @ x[t] + rh @ (r * h) + bh) + z * h
    assert made.shape[1] == n
    return made


@pytest.mark.parametrize("params", ([], ["WeightList"]))
def test_the_reset_gate_first(params: list[str]) -> None:
    """ONNX's other GRU, which Paddle has not."""
    lengths = [5, 2, 4]
    inputs, attrs, outputs = case_of("GRU", 9, lengths=lengths)
    attrs = {k: v for k, v in attrs.items() if k not in ("input_size", "is_test")}
    listed = {
        slot: [(x, []) for x in (value if isinstance(value, list) else [value])]
        for slot, value in inputs.items()
    }
    attrs["mode"] = "GRU_RESET_FIRST"
    made = core().run_op("rnn", listed, outputs, attrs, params=params)["Out"][0][0]
    x, (h,), w = inputs["Input"], inputs["PreState"], inputs["WeightList"]
    for i, length in enumerate(lengths):
        np.testing.assert_allclose(made[:, i], reset_first(x[:, i], h[0, i], w, length), atol=1e-5)
