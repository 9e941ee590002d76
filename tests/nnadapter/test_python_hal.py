"""HALs written in Python: the guide's example, and what a HAL may do wrong."""

from __future__ import annotations

import contextlib
import gc
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from python_hals import Relu, Saving, X, relu_model

import lite.nnadapter as nna
from lite.errors import DeviceError
from lite.nnadapter import capi
from lite.nnadapter.bridge import parse_properties
from lite.nnadapter.model_codec import load_model, save_model
from lite.nnadapter.types import ResultCode

GUIDE = Path(__file__).parent.parent.parent / "docs" / "hal_python.md"


def example() -> str:
    """The guide's code."""
    return re.findall(r"<!-- example: my_npu -->\n```python\n(.*?)```", GUIDE.read_text(), re.S)[0]


def failure(name: str, model: capi.Model | None = None, code: ResultCode | None = None) -> str:
    """The text of the DeviceError that running raises."""
    with pytest.raises(DeviceError) as raised:
        capi.run(model or relu_model(), [name], [X])
    if code is not None:
        assert raised.value.code == code  # type: ignore[attr-defined]
    return str(raised.value)


def test_the_guides_example() -> None:
    code = example()
    assert len([line for line in code.splitlines() if line.strip()]) < 60
    exec(compile(code, "hal_python.md", "exec"), {"__name__": "example"})
    model = capi.Model()
    x = model.tensor(np.float32, [2, 3])
    w = np.random.default_rng(0).normal(size=(4, 3)).astype(np.float32)
    weight, no, yes = model.constant(w), model.constant(False), model.constant(True)
    (y,) = model.operation("MAT_MUL", [x, weight, no, yes])
    half, relu = model.constant(np.full(4, 0.5, np.float32)), model.constant(1)
    (y,) = model.operation("ADD", [y, half, relu])
    (y,) = model.operation("MUL", [y, y, model.constant(0)])
    (y,) = model.operation("SOFTMAX", [y, model.constant(1)])
    (y,) = model.operation("RELU", [y])
    model.finish([x], [y])
    (result,) = capi.run(model, ["my_npu"], [X])
    hidden = np.square(np.maximum(X @ w.T + 0.5, 0))
    exponents = np.exp(hidden - hidden.max(1, keepdims=True))
    np.testing.assert_allclose(result, exponents / exponents.sum(1, keepdims=True), rtol=1e-5)
    nna.unregister("my_npu")


def test_reasons(device: Any) -> None:
    name = device(Relu)
    model = capi.Model()
    x = model.tensor(np.float32, [2, 3])
    (y,) = model.operation("RELU", [x])
    (z,) = model.operation("SIGMOID", [y])
    model.finish([x], [z])
    with capi.Context([name]) as context:
        assert model.supported(context) == [True, False]
        assert model.refusals(context) == ["", "no SIGMOID here"]
    (result,) = capi.run(model, [name, "builtin_device"], [X])
    np.testing.assert_allclose(result, 1 / (1 + np.exp(-np.maximum(X, 0))), rtol=1e-5)


def test_split_over_two_python_devices(device: Any) -> None:
    nna.ensure_devices(["python"])
    model = capi.Model()
    x = model.tensor(np.float32, [2, 3])
    (y,) = model.operation("RELU", [x])
    (z,) = model.operation("EXP", [y])
    model.finish([x], [y, z])
    results = capi.run(model, [device(Relu), "python"], [X])
    np.testing.assert_array_equal(results[0], np.maximum(X, 0))
    np.testing.assert_allclose(results[1], np.exp(np.maximum(X, 0)), rtol=1e-6)


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        (None, "must return a list of arrays, not None"),
        ([], "returned 0 arrays; the model has 1 outputs"),
        ([X, X], "returned 2 arrays"),
        ([None], "output 0 must be a numpy array, not None"),
        ([X.astype(np.float64)], "must have dtype float32, not float64"),
        ([X[:1]], r"must have shape \[2, 3\], not \[1, 3\]"),
        ([X[0]], r"must have shape \[2, 3\], not \[3\]"),
        ("abc", "must return a list of arrays, not str"),
    ],
)
def test_wrong_results(device: Any, wrong: Any, text: str) -> None:
    class Wrong(Relu):
        def run(self, inputs: Any) -> Any:
            return wrong

    found = failure(device(Wrong), code=ResultCode.DEVICE_INTERNAL_ERROR)
    assert re.search(text, found)
    assert "Wrong.run" in found


@pytest.mark.parametrize("method", ["__init__", "supports", "build", "run"])
@pytest.mark.parametrize(
    "error", [ValueError, KeyError, SystemExit, RecursionError, StopIteration, StopAsyncIteration]
)
def test_exceptions(device: Any, method: str, error: type[BaseException]) -> None:
    def bad(self: Any, *args: Any) -> Any:
        raise error("the text")

    name = device(type("Bad", (Relu,), {method: bad}))
    model = relu_model()
    with pytest.raises(DeviceError, match=f"Bad.{method}: {error.__name__}: .*the text"):
        with capi.Context([name]) as context:
            model.supported(context)
        capi.run(model, [name], [X])


def test_the_error_names_the_line(device: Any) -> None:
    class Bad(Relu):
        def run(self, inputs: Any) -> Any:
            return inputs[7]

    assert re.search(r"IndexError.*test_python_hal.py:\d+", failure(device(Bad)))


def test_out_of_memory(device: Any) -> None:
    class Big(Relu):
        def build(self, model: nna.Model) -> None:
            raise MemoryError

    assert "out of memory" in failure(device(Big), code=ResultCode.OUT_OF_MEMORY)


def test_numpys_memory_error_names_the_line(device: Any) -> None:
    class Big(Relu):
        def run(self, inputs: Any) -> Any:
            return [np.empty(1 << 55, np.float32)]

    found = failure(device(Big), code=ResultCode.OUT_OF_MEMORY)
    assert re.search(r"Big.run: out of memory: Unable to.*test_python_hal.py:\d+", found)


@pytest.mark.parametrize("method", ["supports", "build", "run"])
def test_an_iterator_that_is_empty(device: Any, method: str) -> None:
    def bad(self: Any, *args: Any) -> Any:
        return next(iter(()))

    name = device(type("Empty", (Relu,), {method: bad}))
    where = rf"Empty.{method}: StopIteration \(test_python_hal.py:\d+\)"
    with pytest.raises(DeviceError, match=where), capi.Context([name]) as context:
        relu_model().supported(context)
        capi.Execution(capi.Compilation(relu_model(), context).finish()).run([X])


@pytest.mark.parametrize("method", ["build", "run"])
def test_the_text_of_invalid_dimensions(device: Any, method: str) -> None:
    def bad(self: Any, *args: Any) -> Any:
        raise nna.InvalidDimensions("compiled for batch 4")

    name = device(type("Fixed", (Relu,), {method: bad}))
    found = failure(name, code=ResultCode.INVALID_DIMENSIONS)
    assert re.search(rf"Fixed.{method}: .*compiled for batch 4.*test_python_hal.py:\d+", found)


def test_texts_that_c_cannot_hold(device: Any) -> None:
    class Odd(Relu):
        answer: Any = "a \ud800 b \0 c"

        def supports(self, op: nna.Operation) -> Any:
            return self.answer

        def run(self, inputs: Any) -> Any:
            raise ValueError(self.answer)

    name = device(Odd)
    plain = "a \\ud800 b \\x00 c"
    with capi.Context([name]) as context:
        assert relu_model().refusals(context) == [plain]
    Odd.supports = lambda self, op: np.bool_(True)  # type: ignore[method-assign]
    assert f"Odd.run: ValueError: {plain}" in failure(name)


def test_an_exception_whose_text_fails(device: Any) -> None:
    class ShyError(Exception):
        def __str__(self) -> str:
            raise KeyError("no text")

    class Bad(Relu):
        def run(self, inputs: Any) -> Any:
            raise ShyError

    assert "Bad.run: ShyError: its text cannot be made (KeyError)" in failure(device(Bad))


def test_supports_must_answer(device: Any) -> None:
    class Silent(Relu):
        def supports(self, op: nna.Operation) -> Any:
            return None

    name = device(Silent)
    with (
        pytest.raises(DeviceError, match="must return True or a reason, not None"),
        capi.Context([name]) as context,
    ):
        relu_model().supported(context)


@pytest.mark.parametrize("taken", [True, False])
def test_numpys_truth_is_an_answer(device: Any, taken: bool) -> None:
    class Numpy(Relu):
        def supports(self, op: nna.Operation) -> Any:
            return np.bool_(taken)

    with capi.Context([device(Numpy)]) as context:
        assert relu_model().supported(context) == [taken]
        reason = "" if taken else "test_hal does not take RELU"
        assert relu_model().refusals(context) == [reason]


def test_a_device_that_failed_is_usable_again(device: Any) -> None:
    class Moody(Relu):
        def run(self, inputs: Any) -> Any:
            if inputs[0][0, 0] > 5:
                raise ValueError("too much")
            return super().run(inputs)

    with capi.Context([device(Moody)]) as context:
        execution = capi.Execution(capi.Compilation(relu_model(), context).finish())
        for _ in range(3):
            np.testing.assert_array_equal(execution.run([X])[0], np.maximum(X, 0))
            with pytest.raises(DeviceError, match="too much"):
                execution.run([X + 9])


def test_inputs_are_read_only_views(device: Any) -> None:
    class Writer(Relu):
        def run(self, inputs: Any) -> Any:
            inputs[0][0, 0] = 7
            return list(inputs)

    assert "read-only" in failure(device(Writer))


def test_a_kept_input_is_an_error(device: Any) -> None:
    class Keeper(Relu):
        def run(self, inputs: Any) -> Any:
            self.kept = inputs[0][:1]
            return super().run(inputs)

    assert "keep a copy" in failure(device(Keeper))


def test_an_input_in_a_cycle_is_no_error(device: Any) -> None:
    class Cyclic(Relu):
        def run(self, inputs: Any) -> Any:
            cycle: list[Any] = [inputs]
            cycle.append(cycle)
            return super().run(inputs)

    gc.disable()
    try:
        (result,) = capi.run(relu_model(), [device(Cyclic)], [X])
    finally:
        gc.enable()
    np.testing.assert_array_equal(result, np.maximum(X, 0))


def test_an_input_may_be_the_output(device: Any) -> None:
    class Same(Relu):
        def run(self, inputs: Any) -> Any:
            return list(inputs)

    np.testing.assert_array_equal(capi.run(relu_model(), [device(Same)], [X])[0], X)


def test_constants_outlive_the_model(device: Any) -> None:
    kept: list[Any] = []

    class Greedy(Relu):
        def build(self, model: nna.Model) -> None:
            super().build(model)
            kept.extend(model.operands)
            self.value = next(o.value for o in model.operands if o.is_constant)

        def run(self, inputs: Any) -> Any:
            return [np.maximum(inputs[0], 0) + self.value]

    model = capi.Model()
    x = model.tensor(np.float32, [2, 3])
    (y,) = model.operation("RELU", [x])
    table = model.constant(np.arange(3, dtype=np.float32))
    (y,) = model.operation("ADD", [y, table, model.constant(0)])
    model.finish([x], [y])
    context = capi.Context([device(Greedy)])
    compilation = capi.Compilation(model, context).finish()
    model.close()
    (result,) = capi.Execution(compilation).run([X])
    np.testing.assert_array_equal(result, np.maximum(X, 0) + np.float32([0, 1, 2]))
    unread = [o for o in kept if o.is_constant and o._value is None]
    assert unread
    with pytest.raises(ValueError, match="while the model is being built"):
        unread[0].value  # noqa: B018


def test_dynamic_shapes(device: Any) -> None:
    seen: list[Any] = []

    class Shapes(Relu):
        def build(self, model: nna.Model) -> None:
            super().build(model)
            seen.append((model.inputs[0].shape, model.inputs[0].type.candidates))

        def run(self, inputs: Any) -> Any:
            if inputs[0].shape[0] > 8:
                raise nna.InvalidDimensions("at most 8")
            return super().run(inputs)

    model = capi.Model()
    x = model.tensor(np.float32, [-1, 3], [[1, 3], [4, 3]])
    (y,) = model.operation("RELU", [x])
    model.finish([x], [y])
    with capi.Context([device(Shapes)]) as context:
        execution = capi.Execution(capi.Compilation(model, context).finish())
        for rows in (1, 4, 2):
            assert execution.run([np.ones((rows, 3), np.float32)])[0].shape == (rows, 3)
        for shape in ((9, 3), (2, 4)):
            with pytest.raises(DeviceError) as raised:
                execution.run([np.ones(shape, np.float32)])
            assert raised.value.code == ResultCode.INVALID_DIMENSIONS  # type: ignore[attr-defined]
    assert seen == [((None, 3), ((1, 3), (4, 3)))]


@pytest.mark.parametrize("hal_class", [Relu, Saving])
def test_caches(device: Any, hal_class: type[Any], tmp_path: Path) -> None:
    model = relu_model(twice=True)
    with capi.Context([device(hal_class)]) as context:
        before = Saving.loads
        for source in (model, model, None):
            where = {"token": "t", "directory": str(tmp_path)}
            compilation = capi.Compilation(source, context, **where).finish()
            (result,) = capi.Execution(compilation).run([X])
            np.testing.assert_array_equal(result, np.maximum(X, 0) + 1)
    assert (tmp_path / "t.nnc").exists()
    if hal_class is Saving:
        assert Saving.loads == before + 2


def test_saved_models_are_checked() -> None:
    described = {
        "operands": [
            ((10, 0, 4, (2, None), [(2, 3)], None), None, None),
            ((24, 0, 2, (3,), [], ([0.5], 0, None)), np.int8([1, 2, 3]), None),
            ((10, 0, 5, (2, None), [], None), None, None),
        ],
        "operations": [(3, [0, 1, None], [2])],
        "inputs": [0],
        "outputs": [2],
    }
    data = save_model(nna.Model(described))
    model = load_model(data)
    assert model.operations[0].type == "ADD"
    assert model.inputs[0].shape == (2, None)
    np.testing.assert_array_equal(model.operands[1].value, [1, 2, 3])
    assert model.operands[1].type.quantisation == nna.Quantisation((0.5,))
    rng = np.random.default_rng(0)
    for _ in range(2000):
        broken = bytearray(data)
        for _ in range(rng.integers(1, 4)):
            broken[rng.integers(len(broken))] = rng.integers(256)
        with contextlib.suppress(ValueError):
            load_model(bytes(broken[: rng.integers(1, len(broken) + 1)]))


def test_properties(device: Any) -> None:
    seen: list[dict[str, str]] = []

    class Told(Relu):
        def build(self, model: nna.Model) -> None:
            super().build(model)
            seen.append(self.properties)

    capi.run(relu_model(), [device(Told)], [X], "A=1; B = two ;")
    assert seen == [{"A": "1", "B": "two"}]
    for wrong in (b"A", b"=1"):
        with pytest.raises(DeviceError, match="key=value"):
            parse_properties(wrong)


def test_operands_by_name() -> None:
    tensor = ((10, 0, 4, (2, 3), [], None), None, None)
    number = ((5, 0, 2, (1,), [], None), np.int32([1]), None)
    described = {
        "operands": [tensor, tensor, number, tensor],
        "operations": [(13, [0, 1, 2], [3]), (-7, [0, None], [1])],
        "inputs": [0],
        "outputs": [3],
    }
    concat, custom = nna.Model(described).given
    assert [operand.index for operand in concat.repeated] == [0, 1]
    assert concat.number("axis") == 1
    assert list(concat.inputs)[-1] == "axis"
    with pytest.raises(KeyError, match="CONCAT has no operand 'axes'"):
        concat["axes"]
    with pytest.raises(ValueError, match="not a constant"):
        concat.number("input0")
    assert custom.type == "CUSTOM_-7" and custom.get("operand1") is None


def _garbage(rng: np.random.Generator) -> Any:
    """Something that a method may wrongly give back."""
    shape = tuple(int(n) for n in rng.integers(0, 4, rng.integers(0, 4)))
    dtype = rng.choice(["float32", "float64", "int8", "bool", "complex64", "U3", "object"])
    array = np.zeros(shape, dtype)
    whole = np.ones((2, 6), np.float32)
    choices: list[Any] = [
        *(None, True, 0, 1.5, "text", b"bytes", object(), array, array.tolist(), {0: array}),
        *(whole[:, ::2], whole[:, :3].T, np.broadcast_to(np.float32(1), (2, 3))),
        *(np.ma.masked_array(X, X > 0), X.astype(">f4"), X.copy(order="F"), iter([X])),
    ]
    return choices[rng.integers(len(choices))]


@pytest.mark.parametrize("seed", range(40))
def test_random_answers(device: Any, seed: int) -> None:
    rng = np.random.default_rng(seed)

    class Random(Saving):
        def supports(self, op: nna.Operation) -> Any:
            return True if rng.random() < 0.7 else _garbage(rng)

        def save(self) -> Any:
            return super().save() if rng.random() < 0.5 else _garbage(rng)

        def run(self, inputs: Any) -> Any:
            answer = [_garbage(rng) for _ in range(rng.integers(0, 3))]
            return answer if rng.random() < 0.7 else _garbage(rng)

    name = device(Random)
    model = relu_model()
    for _ in range(25):
        try:
            with capi.Context([name]) as context:
                (reason,) = model.refusals(context)
                assert reason in ("", "text", f"{name} does not take RELU")
        except DeviceError as error:
            assert "Random.supports" in str(error)
        try:
            (result,) = capi.run(model, [name], [X])
        except DeviceError as error:
            assert re.search("Random.(run|save)", str(error))
        else:
            assert result.shape == X.shape and result.dtype == np.float32
            assert np.isfinite(result).all()
