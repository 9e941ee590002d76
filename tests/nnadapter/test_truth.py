"""BOOL8 with other bytes than 0 and 1: any but 0 is true, on every device, whoever wrote it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import lite.nnadapter as nna
from lite.nnadapter import capi
from lite.nnadapter.types import Precision

A = np.array([0, 1, 2, 255, 0, 128] * 40, np.uint8).view(np.bool_)
B = np.array([3, 0, 4, 1, 0, 64] * 40, np.uint8).view(np.bool_)
"""More than the 128 bytes of which a model keeps a copy in any case."""
DEVICES = ("builtin_device", "python", "intel_openvino", "onnxruntime", "test_strict")


def plain(array: Any) -> Any:
    return array.view(np.uint8) != 0


def bytes_of(array: Any) -> set[int]:
    return set(np.ascontiguousarray(array).view(np.uint8).ravel().tolist())


class Strict(nna.Hal):
    """Takes AND and NOT; refuses to read other bytes than 0 and 1, but writes them."""

    def supports(self, op: nna.Operation) -> bool | str:
        return op.type in ("AND", "NOT") or "not that one"

    def build(self, model: nna.Model) -> None:
        self.model = model
        self.constants = {o.index: o.value for o in model.operands if o.is_constant}

    def run(self, inputs: Any) -> Any:
        values = dict(self.constants)
        values.update(zip([o.index for o in self.model.inputs], inputs, strict=True))
        for op in self.model.operations:
            read = [values[operand.index] for operand in op.operands if operand is not None]
            assert all(bytes_of(array) <= {0, 1} for array in read), "other bytes than 0 and 1"
            values[op.output.index] = read[0] & read[1] if op.type == "AND" else ~read[0]
        results = [values[o.index] for o in self.model.outputs]
        return [(truth.astype(np.uint8) * 6).view(np.bool_) for truth in results]


@pytest.fixture(params=DEVICES)
def device(request: pytest.FixtureRequest) -> Iterator[str]:
    name: str = request.param
    if name in ("intel_openvino", "onnxruntime"):
        pytest.importorskip(name.removeprefix("intel_"))
    if name == "test_strict":
        nna.register(name, Strict)
    else:
        nna.ensure_devices([name])
    yield name
    if name == "test_strict":
        nna.unregister(name)


def both(constant: str) -> tuple[capi.Model, list[Any]]:
    """a and b; `constant`: b is copied, referred to, or no constant."""
    model = capi.Model()
    a = model.tensor(np.bool_, A.shape)
    if constant:
        b = model.constant(B, copy=constant == "copied")
    else:
        b = model.tensor(np.bool_, B.shape)
    (y,) = model.operation("AND", [a, b])
    return model.finish([a] if constant else [a, b], [y]), [A] if constant else [A, B]


@pytest.mark.parametrize("constant", ["", "copied", "referred to"])
def test_what_a_caller_gives(device: str, constant: str) -> None:
    model, inputs = both(constant)
    given = [array.view(np.uint8).copy() for array in (A, B)]
    (result,) = capi.run(model, [device], inputs)
    assert bytes_of(result) == {0, 1}
    np.testing.assert_array_equal(result, plain(A) & plain(B))
    for array, before in zip((A, B), given, strict=True):
        np.testing.assert_array_equal(array.view(np.uint8), before)


def test_a_small_constant(device: str) -> None:
    model = capi.Model()
    a = model.tensor(np.bool_, (6,))
    (y,) = model.operation("AND", [a, model.constant(B[:6], copy=False)])
    model.finish([a], [y])
    (result,) = capi.run(model, [device], [A[:6]])
    np.testing.assert_array_equal(result, (plain(A) & plain(B))[:6])


@pytest.mark.parametrize("second", ["builtin_device", "python"])
def test_what_a_driver_gives_to_another(second: str) -> None:
    """A driver writes 6 for true: what another reads, an output and what is both."""
    nna.ensure_devices(["python"])
    nna.register("test_strict", Strict)
    try:
        model = capi.Model()
        a = model.tensor(np.bool_, A.shape)
        (inverse,) = model.operation("NOT", [a])
        (again,) = model.operation("NOT", [inverse])
        int32 = model.constant(int(Precision.INT32))
        numbers = [model.operation("CAST", [x, int32])[0] for x in (inverse, again)]
        model.finish([a], [inverse, *numbers])
        results = capi.run(model, ["test_strict", second], [A])
    finally:
        nna.unregister("test_strict")
    assert bytes_of(results[0]) == {0, 1}
    np.testing.assert_array_equal(results[0], ~plain(A))
    np.testing.assert_array_equal(results[1], (~plain(A)).astype(np.int32))
    np.testing.assert_array_equal(results[2], plain(A).astype(np.int32))
