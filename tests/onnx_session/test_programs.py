"""Programs that use more of ONNX Runtime than `run`: each with both."""

from __future__ import annotations

import json
import os
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from onnx import TensorProto, helper
from onnx_session.dense import W, X, model

import lite.onnxruntime as lrt
from lite.errors import CancelledError, ConfigError, DataTypeError, ModelFormatError, ShapeError

BOTH = pytest.mark.parametrize("runtime", [ort, lrt])
Y = np.maximum(X @ W, 0)


@BOTH
def test_memory_is_bound_by_its_address(runtime: Any) -> None:
    x, y = X.copy(), np.zeros((2, 4), np.float32)
    session = runtime.InferenceSession(model())
    binding = session.io_binding()
    for type_ in (np.float32, TensorProto.FLOAT):
        binding.bind_input("x", "cpu", 0, type_, x.shape, x.ctypes.data)
        binding.bind_output("y", "cpu", 0, type_, y.shape, y.ctypes.data)
        session.run_with_iobinding(binding, runtime.RunOptions())
        np.testing.assert_allclose(y, Y)
        x += 1
        session.run_with_iobinding(binding)
        np.testing.assert_allclose(y, np.maximum(x @ W, 0))
        np.testing.assert_array_equal(binding.get_outputs()[0].numpy(), y)
        x -= 1


@BOTH
def test_an_output_is_written_into_a_tensor(runtime: Any) -> None:
    session = runtime.InferenceSession(model())
    binding = session.io_binding()
    target = runtime.OrtValue.ortvalue_from_shape_and_type([2, 4], TensorProto.FLOAT)
    binding.bind_ortvalue_input("x", runtime.OrtValue.ortvalue_from_numpy(X))
    binding.bind_ortvalue_output("y", target)
    session.run_with_iobinding(binding)
    np.testing.assert_allclose(target.numpy(), Y)
    binding.clear_binding_outputs()
    binding.bind_output("y")
    session.run_with_iobinding(binding)
    kept = binding.copy_outputs_to_cpu()[0]
    kept[:] = 0
    np.testing.assert_allclose(binding.copy_outputs_to_cpu()[0], Y)


@BOTH
def test_tensors(runtime: Any) -> None:
    array = np.arange(6, dtype=np.float16).reshape(2, 3)
    value = runtime.OrtValue.ortvalue_from_numpy(array)
    assert value.data_ptr() == array.ctypes.data
    assert (value.data_type(), value.element_type()) == ("tensor(float16)", TensorProto.FLOAT16)
    assert (value.tensor_size_in_bytes(), value.shape()) == (12, [2, 3])
    assert value.is_tensor() and not value.is_sparse_tensor() and not value.is_tensor_sequence()
    np.testing.assert_array_equal(runtime.OrtValue.from_dlpack(X).numpy(), X)
    bits = np.array([0x3F80, 0xC000], np.uint16)
    halves = runtime.OrtValue.ortvalue_from_numpy_with_onnx_type(bits, TensorProto.BFLOAT16)
    assert halves.element_type() == TensorProto.BFLOAT16 and halves.tensor_size_in_bytes() == 4


def test_bfloat16_is_its_value() -> None:
    graph = helper.make_graph(
        [helper.make_node("Neg", ["x"], ["y"])],
        "minus",
        [helper.make_tensor_value_info("x", TensorProto.BFLOAT16, ["n"])],
        [helper.make_tensor_value_info("y", TensorProto.BFLOAT16, ["n"])],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    session = lrt.InferenceSession(made.SerializeToString())
    bits = np.array([0x3F80, 0xC000], np.uint16)
    value = lrt.OrtValue.ortvalue_from_numpy_with_onnx_type(bits, TensorProto.BFLOAT16)
    assert session.run(None, {"x": value})[0].tolist() == [-1, 2]
    with pytest.raises(DataTypeError, match="uint16"):
        session.run(None, {"x": bits})
    with pytest.raises(DataTypeError, match="held as float32"):
        value.data_ptr()


def test_memory_that_does_not_fit() -> None:
    session = lrt.InferenceSession(model())
    binding = session.io_binding()
    binding.bind_cpu_input("x", X)
    for array, error in ((np.zeros((4, 2), "f4"), ShapeError), (np.zeros((2, 4)), DataTypeError)):
        binding.bind_ortvalue_output("y", lrt.OrtValue(array))
        with pytest.raises(error, match="output 'y'"):
            session.run_with_iobinding(binding)
        assert not array.any()
    with pytest.raises(ValueError, match="address of 32 bytes is 0"):
        binding.bind_output("y", "cpu", 0, np.float32, [2, 4], 0)
    with pytest.raises(ValueError, match="type and shape"):
        binding.bind_output("y", buffer_ptr=64)
    with pytest.raises(ValueError, match="cuda"):
        binding.bind_input("x", "cuda", 0, np.float32, [2, 3], 64)
    with pytest.raises(DataTypeError, match="bfloat16"):
        binding.bind_input("x", "cpu", 0, TensorProto.BFLOAT16, [2, 3], 64)


@BOTH
def test_runs_that_call_back(runtime: Any) -> None:
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 2
    session = runtime.InferenceSession(model(), options)
    called: list[Any] = []
    done = threading.Semaphore(0)

    def callback(outputs: list[np.ndarray], user_data: Any, error: str) -> None:
        called.append((outputs, user_data, error))
        done.release()

    for mark in ("a", "b"):
        session.run_async(["y"], {"x": X}, callback, mark)
    assert all(done.acquire(timeout=60) for _ in "ab")
    assert sorted(mark for _, mark, _ in called) == ["a", "b"]
    for outputs, _, error in called:
        assert not error
        np.testing.assert_allclose(outputs[0], Y)
    with pytest.raises(ValueError, match="Required inputs"):
        session.run_async(["y"], {}, callback, "c")


def long_loop() -> bytes:
    """x + 1, as often as is asked for."""
    scalar = helper.make_tensor_value_info
    body = helper.make_graph(
        [
            helper.make_node("Identity", ["go"], ["more"]),
            helper.make_node("Add", ["a", "one"], ["b"]),
        ],
        "body",
        [scalar("i", 7, []), scalar("go", 9, []), scalar("a", 1, ["n"])],
        [scalar("more", 9, []), scalar("b", 1, ["n"])],
    )
    graph = helper.make_graph(
        [helper.make_node("Loop", ["times", "", "x"], ["y"], body=body)],
        "loop",
        [scalar("times", 7, []), scalar("x", 1, ["n"])],
        [scalar("y", 1, ["n"])],
        [helper.make_tensor("one", 1, [1], [1.0])],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return made.SerializeToString()


@BOTH
def test_a_run_that_is_terminated(runtime: Any) -> None:
    session = runtime.InferenceSession(long_loop())
    options = runtime.RunOptions()
    error = CancelledError if runtime is lrt else Exception
    feeds = {"times": np.array(10**12), "x": np.zeros(4, np.float32)}
    timer = threading.Timer(0.3, lambda: setattr(options, "terminate", True))
    timer.start()
    started = time.monotonic()
    with pytest.raises(error, match="terminate"):
        session.run(None, feeds, options)
    assert time.monotonic() - started < 60
    feeds["times"] = np.array(3)
    with pytest.raises(error, match="terminate"):
        session.run(None, feeds, options)
    options.terminate = False
    assert session.run(None, feeds, options)[0].tolist() == [3] * 4


def running(
    session: lrt.InferenceSession, feeds: dict[str, np.ndarray], options: lrt.RunOptions
) -> tuple[threading.Thread, list[Exception]]:
    """A thread that runs the model, and what that raises."""
    raised: list[Exception] = []

    def run() -> None:
        try:
            session.run(None, feeds, options)
        except Exception as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    return thread, raised


def test_terminating_waits_for_its_own_run() -> None:
    """Another thread's run, which is under way, is not ended."""
    session = lrt.InferenceSession(long_loop())
    ended = lrt.RunOptions()
    feeds = {"times": np.array(20_000), "x": np.zeros(4, np.float32)}
    made: list[Any] = []
    first = threading.Thread(target=lambda: made.append(session.run(None, feeds)[0]))
    first.start()
    time.sleep(0.05)

    waiting, raised = running(session, feeds, ended)
    ended.terminate = True
    first.join()
    waiting.join()
    assert [type(error) for error in raised] == [CancelledError]
    assert made[0].tolist() == [20_000] * 4


@BOTH
def test_profiles(runtime: Any, tmp_path: Path) -> None:
    options = runtime.SessionOptions()
    options.enable_profiling = True
    options.profile_file_prefix = str(tmp_path / "times")
    session = runtime.InferenceSession(model(), options)
    assert session.get_profiling_start_time_ns() > 0
    for _ in range(2):
        np.testing.assert_allclose(session.run(None, {"x": X})[0], Y)
    path = session.end_profiling()
    assert path.startswith(str(tmp_path / "times_")) and path.endswith(".json")
    events = json.loads(Path(path).read_text())
    assert sum(event["name"] == "model_run" for event in events) == 2
    kernels = [event for event in events if event["name"].endswith("_kernel_time")]
    assert len(kernels) >= 2 and all(event["dur"] >= 0 for event in kernels)
    assert {event["args"]["provider"] for event in kernels} == {"CPUExecutionProvider"}
    np.testing.assert_allclose(session.run(None, {"x": X})[0], Y)


def test_profiling_ends_once(tmp_path: Path) -> None:
    options = lrt.SessionOptions()
    options.enable_profiling, options.profile_file_prefix = True, str(tmp_path / "p")
    session = lrt.InferenceSession(model(), options)
    assert session.end_profiling() and not session.end_profiling()
    assert lrt.InferenceSession(model()).end_profiling() == ""


def external(folder: Path) -> bytes:
    """The model with its constant in `w.bin`."""
    whole = onnx.load_from_string(model())
    onnx.external_data_helper.convert_model_to_external_data(
        whole, location="w.bin", size_threshold=0
    )
    onnx.save(whole, folder / "m.onnx")
    return (folder / "m.onnx").read_bytes()


@BOTH
def test_constants_from_elsewhere(runtime: Any, tmp_path: Path) -> None:
    data = external(tmp_path)
    value = runtime.OrtValue.ortvalue_from_numpy(W * 3)
    replaced = runtime.SessionOptions()
    replaced.add_external_initializers(["w"], [value])
    in_memory = runtime.SessionOptions()
    file = (tmp_path / "w.bin").read_bytes()
    in_memory.add_external_initializers_from_files_in_memory(["w.bin"], [file], [len(file)])
    beside = runtime.SessionOptions()
    key = "session.model_external_initializers_file_folder_path"
    beside.add_session_config_entry(key, str(tmp_path))
    for options, factor in ((replaced, 3), (in_memory, 1), (beside, 1)):
        (y,) = runtime.InferenceSession(data, options).run(None, {"x": X})
        np.testing.assert_allclose(y, Y * factor)
    options = runtime.SessionOptions()
    options.add_initializer("w", value)
    (y,) = runtime.InferenceSession(str(tmp_path / "m.onnx"), options).run(None, {"x": X})
    np.testing.assert_allclose(y, Y * 3)


@pytest.mark.parametrize(("name", "array"), [("v", W), ("w", W[:2]), ("w", W.astype(np.float64))])
def test_constants_that_do_not_fit(name: str, array: np.ndarray) -> None:
    options = lrt.SessionOptions()
    options.add_initializer(name, lrt.OrtValue(array))
    with pytest.raises(ModelFormatError, match=f"initialiser '{name}'"):
        lrt.InferenceSession(model(), options)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_fork_while_a_run_goes_on() -> None:
    session = lrt.InferenceSession(long_loop())
    feeds = {"times": np.array(10**12), "x": np.zeros(4, np.float32)}
    options = lrt.RunOptions()

    thread, raised = running(session, feeds, options)
    time.sleep(0.1)
    pid = os.fork()
    if pid == 0:
        made = session.run(None, {**feeds, "times": np.array(2)})[0]
        os._exit(0 if made.tolist() == [2] * 4 else 1)
    options.terminate = True
    thread.join()
    assert [type(error) for error in raised] == [CancelledError]
    assert os.waitpid(pid, 0)[1] == 0


@BOTH
def test_the_optimised_model_is_written(runtime: Any, tmp_path: Path) -> None:
    options = runtime.SessionOptions()
    options.optimized_model_filepath = str(tmp_path / "optimised.onnx")
    runtime.InferenceSession(model(), options)
    written = ort.InferenceSession(options.optimized_model_filepath)
    names = [port.name for port in (*written.get_inputs(), *written.get_outputs())]
    assert names == ["x", "y"]
    np.testing.assert_allclose(written.run(None, {"x": X})[0], Y, rtol=1e-6)


def test_a_model_in_onnx_runtimes_own_format_is_not_written(tmp_path: Path) -> None:
    options = lrt.SessionOptions()
    options.optimized_model_filepath = str(tmp_path / "optimised.ort")
    with pytest.raises(ConfigError, match=r"optimised.ort.*as .onnx"):
        lrt.InferenceSession(model(), options)
    assert not list(tmp_path.iterdir())
