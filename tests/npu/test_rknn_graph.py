"""What rockchip_rknpu2 rewrites, without its toolkit: ONNX Runtime runs it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import onnxruntime as ort
import pytest
from npu.test_compiled import parsed

import lite.nnadapter as nna
from lite.errors import DeviceError
from lite.nnadapter import capi
from lite.nnadapter.driver.compiled import CompiledHal
from lite.nnadapter.driver.rockchip_rknpu2.graph import RknnGraph
from lite.nnadapter.types import FuseCode

DEVICE = "rewritten_for_rknn"
Array = np.ndarray[Any, np.dtype[Any]]


class Rewritten(CompiledHal):
    """A compiler that takes all that is written."""

    graph = RknnGraph
    written: ClassVar[list[str]] = []

    def version(self) -> str:
        return "any"

    def left(self, model: bytes) -> Mapping[int, str]:
        return {}

    def build(self, model: nna.Model) -> None:
        data = self.whole(model)
        self.written[:] = [node.op_type for node in parsed(data).graph.node]
        self.session = ort.InferenceSession(data, providers=["CPUExecutionProvider"])

    def run(self, inputs: Sequence[Array]) -> list[Array]:
        return list(self.session.run(None, {f"input{i}": a for i, a in enumerate(inputs)}))


@pytest.fixture(autouse=True)
def device() -> Iterator[None]:
    nna.register(DEVICE, Rewritten)
    yield
    nna.unregister(DEVICE)


def numbers(*shape: int) -> Array:
    return np.random.default_rng(sum(shape)).standard_normal(shape, np.float32)


@pytest.mark.parametrize(("columns", "parts"), [(16383, 1), (16384, 2), (18385, 2), (40000, 3)])
def test_wide_products_are_computed_in_parts(columns: int, parts: int) -> None:
    x, weight, bias = numbers(5, 8), numbers(columns, 8), numbers(columns)
    model = capi.Model()
    inputs = [model.tensor(np.float32, x.shape), model.constant(weight), model.constant(bias)]
    (y,) = model.operation("FULLY_CONNECTED", [*inputs, model.constant(int(FuseCode.RELU))])
    model.finish(inputs[:1], [y])
    found = capi.run(model, [DEVICE], [x])[0]
    np.testing.assert_allclose(found, np.maximum(x @ weight.T + bias, 0), rtol=0, atol=1e-5)
    assert Rewritten.written.count("Gemm") == parts


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("front", [(), (2,)])
def test_wide_matrices_are_multiplied_in_parts(turned: bool, front: tuple[int, ...]) -> None:
    x, y = numbers(2, 5, 8), numbers(*front, 8, 18385)
    stored = np.ascontiguousarray(y.swapaxes(-1, -2)) if turned else y
    model = capi.Model()
    inputs = [model.tensor(np.float32, x.shape), model.constant(stored)]
    flags = [model.constant(np.bool_(flag)) for flag in (False, turned)]
    (z,) = model.operation("MAT_MUL", [*inputs, *flags])
    model.finish(inputs[:1], [z])
    np.testing.assert_allclose(capi.run(model, [DEVICE], [x])[0], x @ y, rtol=0, atol=1e-5)
    assert Rewritten.written.count("MatMul") == 2


def test_a_wide_matrix_that_is_computed_stays_on_the_cpu() -> None:
    model = capi.Model()
    inputs = [model.tensor(np.float32, shape) for shape in ((5, 8), (8, 18385))]
    flags = [model.constant(np.bool_(False))] * 2
    (z,) = model.operation("MAT_MUL", [*inputs, *flags])
    model.finish(inputs, [z])
    (reason,) = model.refusals(capi.Context([DEVICE]))
    assert reason == "a product of 18385 columns is wrong on the NPU"
    with pytest.raises(DeviceError):
        capi.run(model, [DEVICE], [numbers(5, 8), numbers(8, 18385)])
