from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from harness import OpTable, core, rand, randint

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


def rounded(x: np.ndarray) -> np.ndarray:
    """To 256 steps of what it holds: DynamicQuantizeLinear of ONNX."""
    low, high = (np.float32(found(x, initial=0)) for found in (np.min, np.max))
    scale = (high - low) / np.float32(255)
    if not scale:
        return x
    zero = np.rint(np.clip(-low / scale, 0, 255))
    return (np.clip(np.rint(x / scale) + zero, 0, 255) - zero) * scale.astype("float64")


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def rounded_lstm(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    """Layers whose products are of rounded inputs, all sequences of full length."""
    x, weights = inputs["Input"], inputs["WeightList"]
    half, directions = len(weights) // 2, 2 if attrs["is_bidirec"] else 1
    states: tuple[list[Any], list[Any]] = ([], [])
    for layer in range(attrs["num_layers"]):
        made = []
        for at in range(layer * directions, (layer + 1) * directions):
            (w, r), biases = weights[2 * at : 2 * at + 2], weights[half + 2 * at :][:2]
            h, c = (state[at] for state in inputs["PreState"])
            gates = rounded(x) @ w.T.astype("float64") + sum(biases)
            out = np.zeros((*x.shape[:2], attrs["hidden_size"]), "float32")
            for t in range(len(x))[:: -1 if at % directions else 1]:
                whole = gates[t] + rounded(h) @ r.T.astype("float64")
                i, f, g, o = np.split(whole, 4, axis=-1)
                c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
                h = out[t] = (sigmoid(o) * np.tanh(c)).astype("float32")
            made.append(out)
            for state, last in zip(states, (h, c), strict=True):
                state.append(last)
        x = np.concatenate(made, axis=-1)
    return {"Out": x, "State": [np.array(state, "float32") for state in states]}


def add_rounded(most: int, *args: Any, params: tuple[str, ...] = (), **kw: Any) -> None:
    """Weights of whole numbers from -most to most, or from 0 on, times a scale for each row."""
    inputs, attrs, outputs = case_of("LSTM", *args, **kw)
    weights = inputs["WeightList"]
    half = len(weights) // 2
    low = -most if most < 128 else 0
    steps = [randint(*w.shape, low=low, high=most + 1, dtype="int32") for w in weights[:half]]
    scales = [rand(len(w), low=0.5, high=1.5) / (most * w.shape[1] ** 0.5) for w in steps]
    exact = [(w * s[:, None]).astype("float32") for w, s in zip(steps, scales, strict=True)]
    inputs["WeightList"] = exact + weights[half:]
    attrs["int8_weight_scales"] = np.concatenate(scales).astype("float32").tolist()
    table.case(inputs, attrs, outputs=outputs, params=params, reference=rounded_lstm)


for most in (127, 255):
    add_rounded(most, 6)
    add_rounded(most, 40, 2, True, time=4, batch=1, size=9, params=("WeightList",))
    add_rounded(most, 33, time=3, batch=2, size=70, params=("WeightList",))

inputs, attrs, outputs = case_of("LSTM", 6)
ones = [1.0] * 48
for changed, text in (
    ({"int8_weight_scales": ones[:47]}, "47 numbers, expected 48"),
    ({"int8_weight_scales": [*ones[:47], 0.0]}, "has 0, expected positive numbers"),
    ({"int8_weight_scales": [*ones[:47], float("nan")]}, "expected positive numbers"),
    ({"int8_weight_scales": [*ones[:47], 1e-5]}, "not within 256 steps of"),
):
    table.error(inputs, {**attrs, **changed}, outputs=outputs, match=text)
gru = case_of("GRU", 6)
table.error(gru[0], gru[1] | {"int8_weight_scales": ones[:36]}, outputs=gru[2], match="mode LSTM")
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
