"""Small ONNX models, run here and in ONNX Runtime."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper

import lite

FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
X = np.random.default_rng(0).standard_normal((2, 3, 4)).astype(np.float32)


def info(name: str, type: int = FLOAT, shape: Any = ("a", "b", "c")) -> Any:
    return helper.make_tensor_value_info(name, type, shape)


def model(
    nodes: list[Any],
    inputs: list[Any] | None = None,
    outputs: list[Any] | None = None,
    constants: dict[str, np.ndarray] | None = None,
    opset: int = 17,
    functions: list[Any] | None = None,
) -> Any:
    """A model of x to y, unless it is said otherwise."""
    graph = helper.make_graph(
        nodes,
        "g",
        [info("x")] if inputs is None else inputs,
        outputs or [info("y", shape=None)],
        [numpy_helper.from_array(array, name) for name, array in (constants or {}).items()],
    )
    domains = [helper.make_opsetid("", opset), helper.make_opsetid("local", 1)]
    return helper.make_model(graph, opset_imports=domains, functions=functions or [], ir_version=9)


def run(made: Any, feeds: dict[str, np.ndarray] | None = None) -> dict[str, np.ndarray]:
    """What the model gives here; the same in ONNX Runtime."""
    feeds = {"x": X} if feeds is None else feeds
    data = made.SerializeToString()
    found = lite.load(data).run(feeds)
    session = ort.InferenceSession(data, providers=["CPUExecutionProvider"])
    expected = session.run(None, feeds)
    assert list(found) == [output.name for output in session.get_outputs()]
    for (name, array), other in zip(found.items(), expected, strict=True):
        assert array.shape == other.shape, name
        np.testing.assert_allclose(array, other, rtol=1e-5, atol=1e-6, err_msg=name)
    return found


def stored(made: Any, folder: Path) -> Path:
    """The model as a .nb file."""
    onnx.save(made, folder / "m.onnx")
    opt = lite.Opt()
    opt.set_model_file(str(folder / "m.onnx"))
    opt.set_optimize_out(str(folder / "out"))
    opt.set_valid_places("x86")
    opt.run()
    return folder / "out.nb"


def node(type: str, inputs: str, outputs: str, **attributes: Any) -> Any:
    return helper.make_node(type, inputs.split(), outputs.split(), **attributes)
