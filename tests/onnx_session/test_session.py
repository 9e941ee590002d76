"""The drop-in session against ONNX Runtime's own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from onnx import TensorProto, helper
from onnx_session.dense import W, X, model

import lite
import lite.onnxruntime as lrt
from lite.errors import DataTypeError, ModelFormatError, ShapeError


@pytest.fixture(name="pair")
def _pair() -> tuple[lrt.InferenceSession, ort.InferenceSession]:
    return lrt.InferenceSession(model()), ort.InferenceSession(model())


def test_what_a_model_says_of_itself(
    pair: tuple[lrt.InferenceSession, ort.InferenceSession],
) -> None:
    ours, theirs = pair
    for name in ("get_inputs", "get_outputs", "get_overridable_initializers"):
        for mine, other in zip(getattr(ours, name)(), getattr(theirs, name)(), strict=True):
            assert (mine.name, mine.type, mine.shape) == (other.name, other.type, other.shape)
    mine, other = ours.get_modelmeta(), theirs.get_modelmeta()
    assert mine.custom_metadata_map == other.custom_metadata_map == {"character": "a\nb"}
    assert (mine.producer_name, mine.graph_name) == (other.producer_name, other.graph_name)
    assert ours.get_providers() == ["CPUExecutionProvider"]
    assert lite.load(model()).metadata == {"character": "a\nb"}


def test_runs(pair: tuple[lrt.InferenceSession, ort.InferenceSession]) -> None:
    ours, theirs = pair
    feeds = {"x": X}
    np.testing.assert_allclose(ours.run(None, feeds)[0], theirs.run(None, feeds)[0])
    np.testing.assert_allclose(ours.run(["y"], feeds)[0], theirs.run(["y"], feeds)[0])
    replaced = {"x": X, "w": W * 2}
    np.testing.assert_allclose(ours.run(None, replaced)[0], theirs.run(None, replaced)[0])
    np.testing.assert_allclose(ours.run(None, feeds)[0], theirs.run(None, feeds)[0])
    values = {"x": lrt.OrtValue.ortvalue_from_numpy(X)}
    made = ours.run_with_ort_values(["y"], values)[0]
    np.testing.assert_allclose(made.numpy(), theirs.run(None, feeds)[0])


def test_binding(pair: tuple[lrt.InferenceSession, ort.InferenceSession]) -> None:
    ours, theirs = pair
    binding = ours.io_binding()
    binding.bind_cpu_input("x", X)
    binding.bind_output("y")
    ours.run_with_iobinding(binding)
    np.testing.assert_allclose(binding.copy_outputs_to_cpu()[0], theirs.run(None, {"x": X})[0])


@pytest.mark.parametrize(
    ("feeds", "names", "error", "words"),
    [
        ({}, None, ValueError, "Required inputs"),
        ({"x": X, "z": X}, None, ValueError, "no input 'z'"),
        ({"x": X}, ["z"], ValueError, "no output 'z'"),
        ({"x": X.astype(np.float64)}, None, DataTypeError, r"tensor\(float\)"),
        ({"x": X[0]}, None, ShapeError, r"\['N', 3\]"),
        ({"x": X[:, :2]}, None, ShapeError, r"got the shape \[2, 2\]"),
    ],
)
def test_what_does_not_fit(
    feeds: dict[str, np.ndarray], names: list[str] | None, error: type[Exception], words: str
) -> None:
    session = lrt.InferenceSession(model())
    with pytest.raises(error, match=words):
        session.run(names, feeds)


def test_other_models() -> None:
    with pytest.raises(ModelFormatError, match="not a whole ONNX model"):
        lrt.InferenceSession(model()[:-3])
    with pytest.raises(FileNotFoundError):
        lrt.InferenceSession("nowhere.onnx")


def test_a_name_that_is_there_twice() -> None:
    value = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["N"]) for name in "xy"]
    graph = helper.make_graph(
        [helper.make_node("Tanh", ["x"], ["y"])], "twice", value[:1], [value[1], value[1]]
    )
    opset = helper.make_opsetid("", 17)
    made = helper.make_model(graph, opset_imports=[opset], ir_version=8).SerializeToString()
    for session in (lrt.InferenceSession(made), ort.InferenceSession(made)):
        assert [output.name for output in session.get_outputs()] == ["y", "y"]
        assert [len(session.run(names, {"x": X[0]})) for names in (None, ["y"])] == [2, 1]


def test_options_without_a_meaning_warn_once() -> None:
    options = lrt.SessionOptions()
    options.use_deterministic_compute = True
    options.intra_op_num_threads = 1
    with pytest.warns(UserWarning, match="use_deterministic_compute has no meaning"):
        lrt.InferenceSession(model(), options, providers=["CPUExecutionProvider"])
    plain = lrt.SessionOptions()
    plain.graph_optimization_level = lrt.GraphOptimizationLevel.ORT_DISABLE_ALL
    made = lrt.InferenceSession(model(), plain).run(None, {"x": X})
    np.testing.assert_allclose(made[0], np.maximum(X @ W, 0))


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "uint32", "uint64", "float16", "bool"])
def test_element_types(dtype: str) -> None:
    number = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    graph = helper.make_graph(
        [helper.make_node("Concat", ["x", "x"], ["y"], axis=0)],
        "twice",
        [helper.make_tensor_value_info("x", number, ["n"])],
        [helper.make_tensor_value_info("y", number, ["m"])],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    x = np.asarray([0, 1, 200], dtype)
    session = lrt.InferenceSession(made.SerializeToString())
    (y,) = session.run(None, {"x": x})
    assert y.dtype == x.dtype
    np.testing.assert_array_equal(y, np.concatenate([x, x]))


def test_lists_of_numbers() -> None:
    """They become arrays of the model's type."""
    graph = helper.make_graph(
        [helper.make_node("Add", ["x", "x"], ["y"])],
        "twice",
        [helper.make_tensor_value_info("x", onnx.TensorProto.INT32, ["n", 2])],
        [helper.make_tensor_value_info("y", onnx.TensorProto.INT32, ["n", 2])],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    data, x = made.SerializeToString(), [[1, 2], [3, 4]]
    for runtime in (ort, lrt):
        (y,) = runtime.InferenceSession(data).run(None, {"x": x})
        assert y.dtype == np.int32 and y.tolist() == [[2, 4], [6, 8]]
    for wrong in ([[1, 2], [3]], [["a", "b"]], [None]):
        with pytest.raises(ValueError):
            lrt.InferenceSession(data).run(None, {"x": wrong})


SCRIPT = """
import sys
import onnxruntime
from onnxruntime.capi import _pybind_state
from onnxruntime.capi.onnxruntime_inference_collection import InferenceSession
from onnxruntime.capi.onnxruntime_pybind11_state import InvalidArgument
onnxruntime.preload_dlls()
onnxruntime.disable_telemetry_events()
assert InferenceSession is onnxruntime.InferenceSession
assert InvalidArgument is onnxruntime.capi.onnxruntime_pybind11_state.InvalidArgument
assert _pybind_state.get_available_providers() == ["CPUExecutionProvider"]
session = onnxruntime.InferenceSession(sys.argv[1], providers=["CPUExecutionProvider"])
print(onnxruntime.__name__, [i.name for i in session.get_inputs()])
"""


def test_unedited_programs(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    onnx.save(onnx.load_from_string(model()), tmp_path / "m.onnx")
    command = [sys.executable, "-m", "lite.onnxruntime", "script.py", "m.onnx"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["lite.onnxruntime", "['x']"]
    with lrt.as_onnxruntime():
        assert sys.modules["onnxruntime"] is lrt
    assert sys.modules["onnxruntime"] is ort
