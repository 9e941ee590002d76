from typing import Any

import numpy as np
from conv_reference import ACTIVATIONS, conv2d
from harness import OpTable, rand

from lite.core.optimizer.passes.sparse_conv_detect_pass import encode

table = OpTable("sparse_conv2d")


def sparse(
    channels: int, filters: int, size: tuple[int, int, int], zeros: float
) -> tuple[dict[str, Any], int, Any]:
    """(inputs, first_ic, the same weights with their zeros)."""
    weight = rand(filters, channels)
    weight[rand(filters, channels, low=0) < zeros] = 0
    weight[:, 0] = np.where((weight == 0).all(1), 1, weight[:, 0])
    made = encode(weight, size[1] * size[2] * 4)
    assert made is not None
    values, ends, diffs, first = made
    inputs = {
        "Input": rand(size[0], channels, *size[1:]),
        "NonZeroWeights": values,
        "OcNonZeros": ends,
        "Diffs": diffs.astype("int32"),
    }
    return inputs, first, weight.reshape(filters, channels, 1, 1)


def add(
    found: tuple[dict[str, Any], int, Any],
    attrs: dict[str, Any] | None = None,
    bias: Any = None,
    constant: bool = True,
) -> None:
    inputs, first, weight = found
    arrays = {**inputs} if bias is None else {**inputs, "Bias": bias}

    def reference(values: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
        dense = {"Input": values["Input"], "Filter": weight}
        if "Bias" in values:
            dense["Bias"] = values["Bias"]
        return conv2d(dense, given)

    params = [slot for slot in arrays if slot != "Input"] if constant else []
    table.case(arrays, {"first_ic": first, **(attrs or {})}, params=params, reference=reference)


for channels, filters, size, zeros in [
    (5, 7, (2, 3, 4), 0.5),
    (32, 19, (1, 9, 13), 0.8),
    (64, 30, (3, 16, 8), 0.9),
    (1, 1, (1, 1, 1), 0.0),
    (17, 4, (1, 1, 70), 0.0),
    (40, 50, (1, 40, 41), 0.7),
]:
    add(sparse(channels, filters, size, zeros))
    add(sparse(channels, filters, size, zeros), bias=rand(filters), constant=False)
for activation in ACTIVATIONS:
    add(sparse(9, 6, (1, 5, 15), 0.6), {"with_act": True, **activation}, bias=rand(6))

for name in ("strides", "paddings", "dilations", "groups", "flag_semi"):
    table.exempt(name, "another value is an error")
inputs, first, _ = sparse(6, 5, (1, 4, 4), 0.5)
good = {"first_ic": first}
for attrs, said in [
    ({"strides": [2, 2]}, "strides"),
    ({"paddings": [1, 0]}, "paddings"),
    ({"dilations": [2, 1]}, "dilations"),
    ({"groups": 2}, "groups"),
    ({"flag_semi": 1}, "flag_semi"),
]:
    table.error(inputs, {**good, **attrs}, error="ShapeError", match=said)
for attrs, changed, said in [
    ({"first_ic": 6}, {}, "channel 6"),
    ({"first_ic": -1}, {}, "channel -1"),
    (good, {"Diffs": inputs["Diffs"] + np.int32(1)}, "multiple of 64"),
    (good, {"OcNonZeros": inputs["OcNonZeros"] * np.int32(100)}, "OcNonZeros"),
    (good, {"OcNonZeros": -inputs["OcNonZeros"]}, "OcNonZeros"),
    (good, {"NonZeroWeights": inputs["NonZeroWeights"][:2]}, "OcNonZeros"),
    (good, {"Input": rand(1, 6, 5, 5)}, "another input size"),
    (good, {"Input": rand(6, 4, 4)}, "rank 4"),
    (good, {"Bias": rand(4)}, "Bias"),
]:
    table.error({**inputs, **changed}, attrs, error="ShapeError", match=said)
wrong = {**inputs, "Diffs": inputs["Diffs"].astype("int64")}
table.error(wrong, good, error="DataTypeError", match="Diffs")

test_sparse_conv2d = table.tests()
