"""A small model with a constant that may be fed."""

from __future__ import annotations

import numpy as np
from onnx import TensorProto, helper, numpy_helper

X = np.arange(6, dtype=np.float32).reshape(2, 3)
W = np.ones((3, 4), np.float32)


def model(opset: int = 17, **more: object) -> bytes:
    """y = relu(x w), x [N, 3]; w is an initialiser that is also an input."""
    graph = helper.make_graph(
        [
            helper.make_node("MatMul", ["x", "w"], ["m"]),
            helper.make_node("Relu", ["m"], ["y"], name="last"),
        ],
        "dense",
        [
            helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", 3]),
            helper.make_tensor_value_info("w", TensorProto.FLOAT, [3, 4]),
        ],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["N", 4])],
        [numpy_helper.from_array(W, "w")],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    made.producer_name = "a test"
    helper.set_model_props(made, {"character": "a\nb"})
    return made.SerializeToString()
