"""ONNX's own node tests, made by the onnx package."""

from __future__ import annotations

from functools import cache
from typing import Any

import onnx


@cache
def cases() -> list[Any]:
    """All cases that have tensors and nothing else."""
    from onnx.backend.test.case.node import collect_testcases

    return [case for case in collect_testcases(None) if _only_tensors(case)]


def _only_tensors(case: Any) -> bool:
    values = [*case.model.graph.input, *case.model.graph.output]
    string = onnx.TensorProto.STRING
    return all(
        value.type.HasField("tensor_type") and value.type.tensor_type.elem_type != string
        for value in values
    )
