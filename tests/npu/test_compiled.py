"""Devices over a vendor's compiler: a compiler of the tests, which refuses, raises and counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import onnxruntime as ort
import pytest
from google.protobuf.message import Message

import lite.nnadapter as nna
from lite.errors import DeviceError
from lite.model.onnx.messages import message_class
from lite.nnadapter import capi
from lite.nnadapter.abi import Quantisation
from lite.nnadapter.driver.compiled import CompiledHal, Limits
from lite.nnadapter.driver.compiled.hal import operation_of
from lite.nnadapter.driver.onnx import Graph
from lite.nnadapter.types import Precision

DEVICE = "compiled_npu"
INT8 = Precision.QUANT_INT8_SYMM_PER_LAYER
Array = np.ndarray[Any, np.dtype[Any]]


def parsed(model: bytes) -> Any:
    message: Message = message_class("ModelProto")()
    message.ParseFromString(model)
    return message


class Compiled(CompiledHal):
    """Leaves Tanh, does not read a model with Cos, runs the rest by ONNX Runtime."""

    limits = Limits(frozenset({"float32"}), most_dimensions=4)
    release = "1.0"
    asked: ClassVar[list[list[str]]] = []

    def version(self) -> str:
        return f"the tests' compiler {self.release}"

    def left(self, model: bytes) -> Mapping[int, str]:
        nodes = parsed(model).graph.node
        self.asked.append([node.op_type for node in nodes])
        if "Cos" in self.asked[-1]:
            raise RuntimeError("a traceback of a screen\ncannot parse Cos")
        found = {operation_of(node.name) for node in nodes if node.op_type == "Tanh"}
        return {number: "no Tanh here" for number in found if number is not None}

    def build(self, model: nna.Model) -> None:
        self.load(self.stamped(self.whole(model)))

    def save(self) -> bytes:
        return self.stamped(self.program)

    def load(self, data: bytes) -> None:
        self.program = self.unstamped(data)
        self.session = ort.InferenceSession(self.program, providers=["CPUExecutionProvider"])

    def run(self, inputs: Sequence[Array]) -> list[Array]:
        feeds = {f"input{i}": array for i, array in enumerate(inputs)}
        names = [f"output{i}" for i in range(len(self.session.get_outputs()))]
        return list(self.session.run(names, feeds))


@pytest.fixture(autouse=True)
def device() -> Iterator[None]:
    nna.register(DEVICE, Compiled)
    Compiled.asked.clear()
    Compiled.release = f"1.0 of {id(device)} {np.random.default_rng().integers(1 << 60)}"
    yield
    nna.unregister(DEVICE)


def chain(*kinds: str, shape: Sequence[int] = (2, 3)) -> capi.Model:
    """The operations one after the other."""
    model = capi.Model()
    x = value = model.tensor(np.float32, list(shape))
    for kind in kinds:
        (value,) = model.operation(kind, [value])
    return model.finish([x], [value])


class Stepping(Graph):
    """Writes steps of 8 bits as ONNX quantises them."""

    steps = frozenset(Graph.operations) - {"TANH"}  # whose rounding is arithmetic


class WithinBorders(Stepping):
    steps_at_borders = False


def rounding(kinds: Sequence[str], integers_inside: bool = True) -> capi.Model:
    """Operations between steps of different scales, a constant of the same bytes each."""
    model = capi.Model()
    scales = iter([0.02, 0.03, 0.05, 0.04])

    def steps(*shape: int) -> capi.Operand:
        grid = Quantisation((next(scales),))
        return model.tensor(np.int8, shape, quantisation=grid, precision=INT8)

    x = value = steps(2, 3)
    if integers_inside:
        x = model.tensor(np.float32, [2, 3])
        numbers = [model.constant(n) for n in (np.int32(1), np.float32(0.02), np.int32(0))]
        model.operation("QUANTIZE", [x, *numbers], [value])
    for at, kind in enumerate(kinds):
        result, more = steps(2, 3), []
        if kind == "ADD":
            grid = Quantisation((0.01 * (at + 1),))
            ones = np.full([1, 3], 100, np.int8)
            more = [model.constant(ones, quantisation=grid, precision=INT8), model.constant(0)]
        model.operation(kind, [value, *more], [result])
        value = result
    if integers_inside:
        (value,) = model.operation("DEQUANTIZE", [value], [model.tensor(np.float32, [2, 3])])
    return model.finish([x], [value])


@pytest.mark.parametrize("graph", [Stepping, WithinBorders])
@pytest.mark.parametrize("inside", [True, False])
def test_steps(monkeypatch: pytest.MonkeyPatch, graph: type[Graph], inside: bool) -> None:
    """As QuantizeLinear, unless a compiler is wrong beside inputs that are in steps."""
    written: list[bytes] = []
    monkeypatch.setattr(Compiled, "graph", graph)
    monkeypatch.setattr(Compiled, "limits", Limits(frozenset({"float32", "int8"})))
    whole = Compiled.whole
    monkeypatch.setattr(
        Compiled, "whole", lambda self, m: written.append(whole(self, m)) or written[-1]
    )
    numbers = np.linspace(-1, 1.2, 6).reshape(2, 3)
    x = numbers.astype(np.float32) if inside else np.rint(numbers * 100).astype(np.int8)
    model = rounding(["ADD", "TANH" if inside else "RELU", "ADD"], inside)
    (expected,) = capi.run(model, ["builtin_device"], [x])
    model = rounding(["ADD", "TANH" if inside else "RELU", "ADD"], inside)
    monkeypatch.setattr(Compiled, "left", lambda *_: {})
    (found,) = capi.run(model, [DEVICE], [x])
    steps = (found - np.float64(expected)) / (0.04 if inside else 1)
    assert np.abs(steps).max() <= 1.01
    kinds = [node.op_type for node in parsed(written[-1]).graph.node]
    linear = graph is Stepping or inside
    assert kinds.count("QuantizeLinear") == (3 if linear else 0)
    scaled = [n.input[0] for n in parsed(written[-1]).graph.node if n.op_type[:5] == "Dequa"]
    assert not linear or len(scaled) == len(set(scaled)) >= 4


def answers(model: capi.Model) -> tuple[list[bool], list[str | None]]:
    context = capi.Context([DEVICE])
    taken = [bool(one) for one in model.supported(context)]
    return taken, model.refusals(context)


def test_one_question_for_all_operations() -> None:
    taken, _ = answers(chain("RELU", "ABS", "EXP"))
    assert taken == [True] * 3 and len(Compiled.asked) == 1
    assert [name for name in Compiled.asked[0] if name in ("Relu", "Abs", "Exp")] == [
        *("Relu", "Abs", "Exp")
    ]


def test_what_the_compiler_leaves_is_said_of_its_operation() -> None:
    taken, reasons = answers(chain("RELU", "TANH", "ABS", "TANH"))
    assert taken == [True, False, True, False]
    assert reasons[1] == reasons[3] == "no Tanh here" and len(Compiled.asked) == 1


def test_a_cluster_that_is_not_read_is_divided() -> None:
    taken, reasons = answers(chain("RELU", "ABS", "COS", "EXP", "ABS"))
    assert taken == [True, True, False, True, True]
    assert reasons[2] is not None and reasons[2].endswith("refuses it: cannot parse Cos")
    assert len(Compiled.asked) <= 9


def test_parts_that_are_not_read_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is promised compiles as one model: the part of which less is taken stays."""

    def left(self: Compiled, model: bytes) -> Mapping[int, str]:
        if {"Exp", "Floor"} <= {node.op_type for node in parsed(model).graph.node}:
            raise RuntimeError("Exp before Floor")
        return {}

    monkeypatch.setattr(Compiled, "left", left)
    taken, reasons = answers(chain("RELU", "EXP", "FLOOR", "ABS", "RELU"))
    assert taken == [False, False, True, True, True]
    assert reasons[0] == reasons[1]
    assert str(reasons[0]).endswith("takes it alone, and not with the others: Exp before Floor")


def test_answers_are_kept_for_this_version() -> None:
    model = chain("RELU", "ABS")
    answers(model)
    answers(model)
    assert len(Compiled.asked) == 1
    Compiled.release += "1"
    answers(model)
    assert len(Compiled.asked) == 2


@pytest.mark.parametrize(
    ("shape", "dtype", "said"),
    [
        ((-1, 3), np.float32, "its shapes are not known: give the inputs'"),
        ((1, 1, 1, 1, 2), np.float32, "has 5 dimensions"),
        ((2, 3), np.int32, "the device has no int32"),
    ],
)
def test_limits_are_not_asked_for(shape: Any, dtype: Any, said: str) -> None:
    model = capi.Model()
    x = model.tensor(dtype, list(shape))
    (y,) = model.operation("ABS", [x])
    taken, reasons = answers(model.finish([x], [y]))
    assert taken == [False] and said in str(reasons[0]) and not Compiled.asked


def test_programs_and_their_caches() -> None:
    model, x = chain("RELU", "ABS"), np.float32([[1, -2, 3], [-4, 5, -6]])
    np.testing.assert_array_equal(capi.run(model, [DEVICE], [x])[0], np.maximum(x, 0))
    made = Compiled()
    made.load(made.stamped(made.whole(_python_model())))
    np.testing.assert_array_equal(made.run([x])[0], np.maximum(x, 0))
    saved = made.save()
    Compiled.release += "1"
    with pytest.raises(DeviceError, match=r"compiled with .* this is the tests' compiler"):
        Compiled().load(saved)


def _python_model() -> nna.Model:
    """RELU as a HAL gets it."""
    kept: list[nna.Model] = []

    class Keeping(Compiled):
        def build(self, model: nna.Model) -> None:
            kept.append(model)
            super().build(model)

    nna.register(DEVICE, Keeping)
    capi.run(chain("RELU"), [DEVICE], [np.zeros((2, 3), np.float32)])
    nna.register(DEVICE, Compiled)
    return kept[0]


@pytest.mark.parametrize("answer", [None, [True, True], "yes", [1]], ids=str)
def test_answers_that_are_none(answer: Any) -> None:
    class Odd(Compiled):
        def judge(self, operations: Sequence[nna.Operation]) -> Any:
            return answer

    nna.register(DEVICE, Odd)
    with pytest.raises(DeviceError, match=r"must return (an answer for each of|True or a reason)"):
        answers(chain("RELU"))


def test_a_device_that_cannot_be_opened() -> None:
    class Closed(Compiled):
        def open(self) -> None:
            raise RuntimeError(f"no board {self.properties['BOARD']}")

    nna.register(DEVICE, Closed)
    with pytest.raises(DeviceError, match=r"Closed\.open: RuntimeError: no board 7"):
        capi.Context([DEVICE], properties="BOARD=7")
