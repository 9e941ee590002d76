"""Models that are split over several devices."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from probes import binary, diamond, diamond_result

from lite.errors import DeviceError
from lite.nnadapter import capi
from lite.nnadapter.capi import Compilation, Context, Execution, Model, Operand
from lite.nnadapter.types import OperationType, ResultCode

CODES = {name: int(OperationType[name]) for name in ("ADD", "MUL", "MAX", "RELU")}


def takes(**devices: str) -> str:
    """Properties: which operations each device claims."""
    pairs = [
        f"{device.upper()}_TAKES=" + ",".join(str(CODES[name]) for name in names.split())
        for device, names in devices.items()
    ]
    return ";".join(pairs)


@pytest.mark.parametrize("relu_on", ["probe_a", "probe_b"])
def test_an_output_that_another_device_reads(probe_folder: Path, relu_on: str) -> None:
    model, (weight,) = diamond()
    properties = takes(probe_a="MUL ADD" + (" RELU" if relu_on == "probe_a" else ""))
    x = np.random.default_rng(1).standard_normal((4, 3)).astype(np.float32)
    outputs = capi.run(model, ["probe_a", "probe_b"], [x], properties)
    for got, expected in zip(outputs, diamond_result(x, weight), strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-6)


@pytest.mark.parametrize("reverse", [False, True])
def test_programs_run_in_an_order_that_their_edges_allow(probe_folder: Path, reverse: bool) -> None:
    """a1 on one device, b1 on the other, a2 = f(a1, b1): {a1, a2} must wait for {b1}."""
    model = Model()
    x = model.tensor(np.float32, [2, 3])
    a1, b1, a2 = model.infer(), model.infer(), model.infer()
    two, none = model.constant(np.full(1, 2, np.float32)), model.constant(0)
    steps: list[tuple[str, list[Operand], Operand]] = [
        ("ADD", [x, two, none], a1),
        ("RELU", [x], b1),
        ("ADD", [a1, b1, none], a2),
    ]
    for kind, inputs, output in reversed(steps) if reverse else steps:
        model.operation(kind, inputs, [output])
    model.finish([x], [a2])
    value = np.array([[1, -2, 3], [-4, 5, -6]], np.float32)
    (y,) = capi.run(model, ["probe_a", "probe_b"], [value], takes(probe_a="ADD", probe_b="RELU"))
    np.testing.assert_array_equal(y, value + 2 + np.maximum(value, 0))


def test_operations_that_no_device_takes_are_named(probe_folder: Path) -> None:
    model, _ = diamond()
    with pytest.raises(DeviceError, match=r"probe_a, probe_b takes ADD, RELU") as caught:
        capi.run(
            model,
            ["probe_a", "probe_b"],
            [np.ones((1, 3), np.float32)],
            takes(probe_a="MUL", probe_b="MUL"),
        )
    assert caught.value.code == ResultCode.FEATURE_NOT_SUPPORTED  # type: ignore[attr-defined]


def test_a_device_that_cannot_be_asked_needs_a_list(probe_folder: Path) -> None:
    x = np.array([[1, -2, 3]], np.float32)
    model, (weight,) = diamond()
    expected = diamond_result(x, weight)
    devices = ["probe_mute", "probe_b"]
    np.testing.assert_allclose(capi.run(model, devices[:1], [x])[1], expected[1])
    with pytest.raises(DeviceError, match=r"probe_mute cannot be asked"):
        capi.run(model, devices, [x])
    with pytest.raises(DeviceError, match=r"cannot be asked"):
        model.supported(Context(devices[:1]))

    properties = "SUPPORTED_OPERATIONS=MUL,NNADAPTER_ADD"
    assert model.supported(Context(devices[:1], properties)) == [True, False, True]
    outputs = capi.run(model, devices, [x], properties)
    np.testing.assert_allclose(outputs[1], expected[1])
    with pytest.raises(DeviceError, match=r"no operation is called 'CONV_9D'"):
        Context(devices[:1], "SUPPORTED_OPERATIONS=CONV_9D")


def random_model(rng: random.Random, size: int) -> tuple[Model, list[tuple[str, int, int]]]:
    """Random operations over what was computed before; all results nobody reads are outputs."""
    model = Model()
    values = [model.tensor(np.float32, [2, 2])]
    steps: list[tuple[str, int, int]] = []
    for _ in range(size):
        a, b = (max(0, len(values) - 1 - int(rng.expovariate(0.3))) for _ in range(2))
        kind = rng.choice(["ADD", "MUL", "MAX", "RELU"])
        if kind == "RELU":
            values.append(model.operation(kind, [values[a]])[0])
        else:
            values.append(binary(model, kind, values[a], values[b]))
        steps.append((kind, a, b))
    read = {i for kind, a, b in steps for i in ((a,) if kind == "RELU" else (a, b))}
    outputs = [i for i in range(1, size + 1) if i not in read or rng.random() < 0.2]
    model.finish([values[0]], [values[i] for i in outputs])
    steps.append(("outputs", 0, 0))
    return model, steps[:-1] + [("output", i, 0) for i in outputs]


def reference(steps: list[tuple[str, int, int]], x: np.ndarray) -> list[np.ndarray]:
    values, outputs = [x], []
    functions = {"ADD": np.add, "MUL": np.multiply, "MAX": np.maximum}
    for kind, a, b in steps:
        if kind == "output":
            outputs.append(values[a])
        elif kind == "RELU":
            values.append(np.maximum(values[a], 0))
        else:
            values.append(np.clip(functions[kind](values[a], values[b]), -1e30, 1e30))
    return outputs


@pytest.mark.parametrize("seed", range(60))
def test_random_models_and_random_support(probe_folder: Path, seed: int) -> None:
    rng = random.Random(seed)
    model, steps = random_model(rng, rng.randrange(2, 40))
    names = list(CODES)
    on_a = [name for name in names if rng.random() < 0.5] or ["ADD"]
    properties = takes(probe_a=" ".join(on_a))
    x = (np.random.default_rng(seed).random((2, 2)).astype(np.float32) - 0.5) / 4
    got = capi.run(model, ["probe_a", "probe_b"], [x], properties)
    again = Execution(Compilation(model, Context(["probe_a", "probe_b"], properties)).finish()).run(
        [x]
    )
    for g, a, e in zip(got, again, reference(steps, x), strict=True):
        np.testing.assert_allclose(g, e, rtol=1e-5, atol=1e-30)
        np.testing.assert_array_equal(g, a)
