"""``@lite.operator``: operators in Python, in models of every format, in loops and on threads."""

from __future__ import annotations

import contextlib
import io
import re
import threading
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lite
from lite.errors import ConfigError, DataTypeError, LiteError, ShapeError, UnsupportedOperatorError
from lite.model.naive_buffer import write_nb
from lite.model.program import Program
from lite.model.save import write_protobuf_dir
from lite.model.text import parse_program

Array = np.ndarray[Any, Any]
X = np.linspace(-2, 2, 8, dtype=np.float32).reshape(2, 4)
W = np.linspace(1, 2, 16, dtype=np.float32).reshape(4, 4)


@pytest.fixture(autouse=True)
def clean() -> Iterator[None]:
    yield
    for name in ("my_op", "my_other", "my_split", "my_source"):
        with contextlib.suppress(KeyError):
            lite.remove_operator(name)


def program(ops: str, fetches: tuple[str, ...] = ("y",), blocks: str = "") -> Program:
    lines = [
        "program version 2006002",
        "block 0 parent -1 {",
        "var feed: feed_minibatch",
        "var fetch: fetch_list",
        "var w: lod_tensor fp32[4,4] persistable",
        "var x: lod_tensor fp32[-1,4]",
        "Out: [x] = feed(X: [feed]) {col: int 0}",
        ops,
        *(f"Out: [fetch] = fetch(X: [{n}]) {{col: int {i}}}" for i, n in enumerate(fetches)),
        "}",
        blocks,
    ]
    return parse_program("\n".join(lines), {"w": W})


def nb(model: Program) -> bytes:
    from lite.core.optimizer import optimize

    file = io.BytesIO()
    write_nb(optimize(model), file)
    return file.getvalue()


def load(ops: str, fetches: tuple[str, ...] = ("y",), blocks: str = "") -> lite.Predictor:
    return lite.load(nb(program(ops, fetches, blocks)))


ONE = "Out: [t] = relu(X: [x])\nOut: [s] = my_op(X: [t])\nOut: [y] = tanh(X: [s])"


def scaled(x: Array) -> Array:
    return np.tanh(np.maximum(x, 0) * 3)


def same_shape(x: lite.TensorInfo, **_: Any) -> tuple[int, ...]:
    return x.shape


@pytest.mark.parametrize("shape", [None, same_shape])
def test_every_way_to_a_model(tmp_path: Path, shape: Any) -> None:
    @lite.operator("my_op", shape=shape)
    def my_op(X: Array) -> Array:  # noqa: N803
        return X * np.float32(3)

    assert my_op(np.float32(2)) == 6, "the function stays what it is"
    model = program(ONE)
    write_protobuf_dir(model, str(tmp_path / "m"))
    results = [next(iter(lite.load(tmp_path / "m").run(X).values()))]
    results.append(lite.load(nb(model)).run(X)["y"])
    config = lite.CxxConfig()
    config.set_model_dir(str(tmp_path / "m"))
    config.set_model_file(str(tmp_path / "m" / "model"))
    config.set_param_file(str(tmp_path / "m" / "params"))
    config.set_valid_places([lite.Place(lite.TargetType.X86)])
    opt = lite.Opt()
    opt.set_model_file(str(tmp_path / "m" / "model"))
    opt.set_param_file(str(tmp_path / "m" / "params"))
    opt.set_optimize_out(str(tmp_path / "out"))
    opt.run()
    mobile = lite.MobileConfig()
    mobile.set_model_from_file(str(tmp_path / "out.nb"))
    for one in (config, mobile):
        predictor = lite.create_paddle_predictor(one)
        predictor.get_input(0).from_numpy(X)
        predictor.run()
        results.append(predictor.get_output(0).numpy())
    for result in results:
        np.testing.assert_allclose(result, scaled(X), rtol=1e-6)


def test_attributes_are_typed() -> None:
    seen: list[dict[str, Any]] = []

    @lite.operator("my_op")
    def my_op(
        X: Array,  # noqa: N803
        *,
        factor: float = 2,
        times: int,
        mode: str = "add",
        axes: list[int] = [1],  # noqa: B006
        on=True,
    ) -> Array:
        seen.append({"factor": factor, "times": times, "mode": mode, "axes": axes, "on": on})
        return X

    load("Out: [y] = my_op(X: [x]) {times: long 3}").run(X)
    load(
        'Out: [y] = my_op(X: [x]) {times: int -4, factor: float 0.5, mode: string "mul", '
        "axes: ints [0, 2], on: bool false, unknown: int 1}"
    ).run(X)
    assert seen == [
        {"factor": 2.0, "times": 3, "mode": "add", "axes": [1], "on": True},
        {"factor": 0.5, "times": -4, "mode": "mul", "axes": [0, 2], "on": False},
    ]
    assert isinstance(seen[0]["factor"], float)
    with pytest.raises(LiteError, match=r"my_op lacks its attribute times \(long\)"):
        load("Out: [y] = my_op(X: [x])")
    with pytest.raises(LiteError, match="attribute times is string, expected long"):
        load('Out: [y] = my_op(X: [x]) {times: string "3"}')


def test_attributes_of_a_mapping() -> None:
    @lite.operator("my_op", inputs=["X"], attrs={"alpha": 0.5, "sizes": list[int], "names": ["a"]})
    def my_op(x: Array, alpha: float, sizes: list[int], names: list[str]) -> Array:
        assert names == ["a"]
        return x * np.float32(alpha) + np.float32(sum(sizes))

    (y,) = load("Out: [y] = my_op(X: [x]) {sizes: longs [1, 2]}").run(X).values()
    np.testing.assert_array_equal(y, X * 0.5 + 3)


def test_several_outputs_of_other_types_and_absent_inputs() -> None:
    def shapes(x: Any, bias: Any, more: list[Any]) -> Any:
        assert bias is None and [info.shape for info in more] == [(4, 4), x.shape]
        return (x.shape[0],), ((x.shape[1], x.shape[0]), "int64")

    for shape in (None, shapes):

        @lite.operator(
            "my_split", inputs=["X", "Bias?", "More*"], outputs=["Sum", "Order"], shape=shape
        )
        def my_split(x: Array, bias: Any, more: list[Array]) -> tuple[Array, Array]:
            assert bias is None
            np.testing.assert_array_equal(more[0], W)
            return x.sum(1), np.argsort(x.T, axis=0)

        predictor = load(
            "Sum: [s], Order: [o] = my_split(X: [x], More: [w, x])\n"
            "Out: [y] = scale(X: [o]) {scale: float 2.0}",
            ("s", "y"),
        )
        outputs = predictor.run(X)
        np.testing.assert_array_equal(outputs["s"], X.sum(1))
        np.testing.assert_array_equal(outputs["y"], 2 * np.argsort(X.T, axis=0))
        assert outputs["y"].dtype == np.int64


def test_between_convolutions_arrays_are_row_major() -> None:
    """The CPU's plan keeps images as NHWC; the function sees what the model says."""
    lite.operator("my_op", inputs=["X"], shape=same_shape)(lambda x: x * np.float32(2))
    kernel = np.random.default_rng(0).standard_normal((4, 4, 3, 3)).astype(np.float32)
    conv = (
        "{out} = conv2d(Input: [{x}], Filter: [k]) {{strides: ints [1, 1], paddings: ints [1, 1], "
        "dilations: ints [1, 1], groups: int 1}}"
    )

    def model(middle: str) -> lite.Predictor:
        text = (
            "program version 2006002\nblock 0 parent -1 {\n  var feed: feed_minibatch\n"
            "  var fetch: fetch_list\n  var k: lod_tensor fp32[4,4,3,3] persistable\n"
            "  var x: lod_tensor fp32[-1,4,-1,-1]\n  Out: [x] = feed(X: [feed]) {col: int 0}\n"
            + conv.format(out="Output: [a]", x="x")
            + f"\n{middle}\n"
            + conv.format(out="Output: [c]", x="b")
            + "\nOut: [fetch] = fetch(X: [c]) {col: int 0}\n}"
        )
        return lite.load(nb(parse_program(text, {"k": kernel})))

    x = np.random.default_rng(1).standard_normal((2, 4, 9, 7)).astype(np.float32)
    (expected,) = model("Out: [b] = scale(X: [a]) {scale: float 2.0}").run(x).values()
    (found,) = model("Out: [b] = my_op(X: [a])").run(x).values()
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)


def test_an_operator_without_inputs_runs_in_every_run() -> None:
    numbers = iter(range(10))

    @lite.operator("my_source", inputs=[], shape=lambda: ((2, 4), "float32"))
    def my_source() -> Array:
        return np.full((2, 4), next(numbers), np.float32)

    predictor = load("Out: [s] = my_source()\nOut: [y] = elementwise_add(X: [x], Y: [s])")
    for number in range(3):
        np.testing.assert_array_equal(predictor.run(X)["y"], X + number)


LOOP = """
Out: [i] = fill_constant() {shape: longs [1], value: float 0.0, dtype: int 3}
Out: [n] = fill_constant() {shape: longs [1], value: float 3.0, dtype: int 3}
Out: [h] = scale(X: [x]) {scale: float 1.0}
Out: [go] = less_than(X: [i], Y: [n]) {axis: int -1}
Out: [h, i, go], StepScopes: [ss] = while(X: [h, i, n], Condition: [go]) {sub_block: block 1}
"""
BODY = """
block 1 parent 0 {
  Out: [h] = my_op(X: [h])
  Out: [i] = increment(X: [i]) {step: float 1.0}
  Out: [go] = less_than(X: [i], Y: [n]) {axis: int -1}
}
"""


@pytest.mark.parametrize("shape", [None, lambda x: (x.shape[0] + 1, x.shape[1])])
def test_in_a_loop_on_several_threads(shape: Any) -> None:
    @lite.operator("my_op", inputs=["X"], shape=shape)
    def my_op(x: Array) -> Array:
        return np.concatenate([x * 2, x[:1]])

    expected = X
    for _ in range(3):
        expected = my_op(expected)
    predictors = [load(LOOP, ("h",), BODY)]
    predictors += [predictors[0].clone() for _ in range(3)]
    results: list[Array] = []

    def work(predictor: lite.Predictor) -> None:
        for _ in range(20):
            results.append(predictor.run(X)["h"])

    threads = [threading.Thread(target=work, args=[one]) for one in predictors]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 80
    for result in results:
        np.testing.assert_array_equal(result, expected)


def test_inputs_are_read_only_and_stay_what_they_were() -> None:
    kept: list[Array] = []

    @lite.operator("my_op", inputs=["X", "W"])
    def my_op(x: Array, w: Array) -> Array:
        assert not x.flags.writeable and not w.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            x[0] = 1
        kept.extend([x, w])
        return x @ w

    predictor = load("Out: [t] = relu(X: [x])\nOut: [y] = my_op(X: [t], W: [w])")
    np.testing.assert_allclose(predictor.run(X)["y"], np.maximum(X, 0) @ W, rtol=1e-6)
    predictor.run(np.full((50, 4), 7, np.float32))
    assert kept[1] is not kept[3]
    predictor.close()
    del predictor
    np.testing.assert_array_equal(kept[0], np.maximum(X, 0))
    np.testing.assert_array_equal(kept[1], W)


def test_returning_the_input_is_fine() -> None:
    lite.operator("my_op", inputs=["X"], shape=same_shape)(lambda x: x)
    np.testing.assert_allclose(load(ONE).run(X)["y"], np.tanh(np.maximum(X, 0)), rtol=1e-6)


# -- Errors.


@pytest.mark.parametrize("in_shape", [False, True])
def test_an_exception_reaches_the_caller(in_shape: bool) -> None:
    fail = True

    def broken(x: Any) -> Any:
        if fail:
            raise ZeroDivisionError("no such luck")
        return x.shape if in_shape else x

    lite.operator("my_op", inputs=["X"], shape=broken if in_shape else None)(
        (lambda x: x) if in_shape else broken
    )
    predictor = load(ONE)
    with pytest.raises(LiteError) as caught:
        predictor.run(X)
    what = "the shape function" if in_shape else "the function"
    assert re.search(
        rf"operator \d+ \(my_op -> s, block 0\): {what} of operator 'my_op' raised "
        "ZeroDivisionError: no such luck",
        str(caught.value),
    ), str(caught.value)
    cause = caught.value.__cause__
    assert isinstance(cause, ZeroDivisionError)
    assert 'raise ZeroDivisionError("no such luck")' in "".join(traceback.format_exception(cause))
    fail = False
    np.testing.assert_allclose(predictor.run(X)["y"], np.tanh(np.maximum(X, 0)), rtol=1e-6)


def test_ctrl_c_in_the_function_is_no_lite_error() -> None:
    @lite.operator("my_op", inputs=["X"])
    def my_op(x: Array) -> Array:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load(ONE).run(X)


@pytest.mark.parametrize(
    ("result", "shape", "error", "words"),
    [
        (None, None, DataTypeError, "returned NoneType, expected an array"),
        (1.5, None, DataTypeError, "returned float"),
        ((X, X), None, DataTypeError, "returned 2 values"),
        ([[1, 2]], None, DataTypeError, "returned list"),
        (np.array(["a"]), None, DataTypeError, "cannot be tensors"),
        (X.astype("longdouble"), None, DataTypeError, "cannot be tensors"),
        (X[:1], (2, 4), ShapeError, r"output Out has shape \[1, 4\].*said \[2, 4\]"),
        (X.astype("float64"), (2, 4), DataTypeError, "is float64.*said float32"),
        (X, (2, -4), ShapeError, r"returned the shape \[2, -4\]"),
        (X, (1 << 40, 1 << 40), LiteError, "too large|limit|overflow|elements"),
        (X, (1,) * 12, ShapeError, "9 dimensions"),
        (X, ((2, 4), "nonsense"), DataTypeError, "element type 'nonsense'"),
        (X, ((2, 4), "uint16"), DataTypeError, "cannot be tensors"),
        (X, ((2, 4), "complex64"), DataTypeError, "tanh.*X is complex64"),
        (X, "abc", DataTypeError, "returned str"),
        (X, (2.5, 4), DataTypeError, "returned"),
        (X, 1 << 70, DataTypeError, "returned int"),
        (X, (1 << 70, 1), ShapeError, "expected 0 or more"),
    ],
)
def test_wrong_results(result: Any, shape: Any, error: type[Exception], words: str) -> None:
    infer = None if shape is None else (lambda x: shape)
    lite.operator("my_op", inputs=["X"], shape=infer)(lambda x: result)
    with pytest.raises(error, match=words):
        load(ONE).run(X)


def test_two_outputs_need_two_arrays() -> None:
    lite.operator("my_op", inputs=["X"], outputs=["A", "B"])(lambda x: x)
    with pytest.raises(DataTypeError, match="returned ndarray, expected a tuple for A, B"):
        load("A: [a], B: [b] = my_op(X: [x])", ("a", "b")).run(X)


def test_running_the_model_that_runs_the_function_is_an_error() -> None:
    @lite.operator("my_op", inputs=["X"])
    def my_op(x: Array) -> Array:
        return next(iter(users[-1].run(x).values()))

    predictor = load(ONE)
    for other in (predictor, predictor.clone()):
        users = [other]
        with pytest.raises(LiteError, match="uses the predictor that is running it"):
            predictor.run(X)
    users = [load("Out: [y] = relu(X: [x])")]
    np.testing.assert_allclose(predictor.run(X)["y"], np.tanh(np.maximum(X, 0)), rtol=1e-6)


def test_models_name_every_operator_that_is_missing() -> None:
    ops = "Out: [a] = my_op(X: [x])\nOut: [b] = my_other(X: [a])\nOut: [y] = my_op(X: [b])"
    with pytest.raises(UnsupportedOperatorError) as caught:
        load(ops)
    for word in ("my_op (2x", "my_other (1x", "@lite.operator"):
        assert word in str(caught.value)
    lite.operator("my_op", inputs=["X"])(lambda x: x)
    with pytest.raises(UnsupportedOperatorError, match=r"1 operator type.*my_other"):
        load(ops)


def test_slots_of_another_name() -> None:
    lite.operator("my_op", inputs=["Input"])(lambda x: x)
    with pytest.raises(LiteError, match="my_op lacks its input Input"):
        load(ONE)


def test_a_second_definition_replaces_the_first_for_new_models() -> None:
    lite.operator("my_op", inputs=["X"])(lambda x: x)
    old = load(ONE)
    lite.operator("my_op", inputs=["X"])(lambda x: x * np.float32(3))
    new = load(ONE)
    np.testing.assert_allclose(old.run(X)["y"], np.tanh(np.maximum(X, 0)), rtol=1e-6)
    np.testing.assert_allclose(new.run(X)["y"], scaled(X), rtol=1e-6)
    lite.remove_operator("my_op")
    np.testing.assert_allclose(new.run(X)["y"], scaled(X), rtol=1e-6)
    with pytest.raises(UnsupportedOperatorError):
        load(ONE)
    with pytest.raises(KeyError, match="my_op"):
        lite.remove_operator("my_op")


def test_declarations_that_do_not_fit() -> None:
    def function(x: Array, *, alpha: Any = None) -> Array:
        return x

    cases: list[tuple[dict[str, Any], str]] = [
        ({"type": "relu", "attrs": {}}, "relu is part of the library"),
        ({"type": "feed"}, "cannot be the type"),
        ({"type": ""}, "cannot be the type"),
        ({"type": "my_op"}, "attribute alpha needs an annotation"),
        ({"type": "my_op", "attrs": {"alpha": object()}}, "attribute alpha is"),
        ({"type": "my_op", "attrs": {"alpha": [1, "a"]}}, "attribute alpha is"),
        ({"type": "my_op", "attrs": {"alpha": 1 << 64}}, "beyond int64"),
        ({"type": "my_op", "attrs": {}, "inputs": ["X", "X"]}, "must be different"),
        ({"type": "my_op", "attrs": {}, "outputs": ["?"]}, "not empty"),
    ]
    for arguments, words in cases:
        with pytest.raises(ConfigError, match=words):
            lite.operator(**arguments)(function)
    with pytest.raises(TypeError, match="decorates a function"):
        lite.operator("my_op")(3)  # type: ignore[type-var]
    with pytest.raises(TypeError, match="inputs"):
        lite.operator("my_op", inputs="X", attrs={})(function)
    with pytest.raises(KeyError):
        lite.remove_operator("relu")


def test_opt_and_env_know_it() -> None:
    from lite.api.op_support import operators_here, support

    assert "my_op" not in operators_here()
    lite.operator("my_op", inputs=["X"])(lambda x: x)
    assert "my_op" in operators_here()
    assert support()["my_op"] == {"lite"}


def test_registering_while_models_load() -> None:
    lite.operator("my_op", inputs=["X"])(lambda x: x)
    stop = threading.Event()

    def register() -> None:
        while not stop.is_set():
            lite.operator("my_other", inputs=["X"])(lambda x: x)
            lite.remove_operator("my_other")

    thread = threading.Thread(target=register)
    thread.start()
    try:
        file = nb(program(ONE))
        for _ in range(100):
            lite.load(file).run(X)
    finally:
        stop.set()
        thread.join()


def test_the_custom_dialect_of_pir() -> None:
    from model.pir_documents import document, feed, fetch, op, tensor

    def shapes(x: Any, gate: Any, **_: Any) -> Any:
        return x.shape, ((x.shape[0],), "int32")

    for shape in (None, shapes):

        @lite.operator("mine", inputs=["X", "Gate?"], outputs=["Out", "Count"], shape=shape)
        def mine(x: Array, gate: Any, *, factor: float = 1.0, times: int) -> tuple[Array, Array]:
            y = x * np.float32(factor) if gate is None else x * gate
            return y, np.full(x.shape[:1], times, np.int32)

        two = tensor(-1, 3)
        attrs = {"factor": {"#": "0.a_f32", "D": 0.5}, "times": {"#": "0.a_i64", "D": 7}}
        data = document(
            feed(1, "x", -1, 3),
            op("3.mine", [1, 0], {2: two, 3: tensor(-1)}, **attrs),
            op("3.mine", [2, 1], {4: two, 5: tensor(-1)}, times={"#": "0.a_i64", "D": 3}),
            fetch(6, 4),
            fetch(7, 3, 1),
        )
        x = np.arange(6, dtype=np.float32).reshape(2, 3)
        y, count = lite.load(data).run(x).values()
        np.testing.assert_array_equal(y, x * 0.5 * x)
        np.testing.assert_array_equal(count, [7, 7])
    lite.remove_operator("mine")
    with pytest.raises(UnsupportedOperatorError, match=r"custom_op\.mine \(2x\).*@lite\.operator"):
        lite.load(data)
