"""ONNX's own node tests, made by the onnx package, run through the drop-in session."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import onnx
from onnx_node_tests import cases

from lite.errors import ShapeError, UnsupportedOperatorError
from lite.onnxruntime import InferenceSession

_TOLERANCES = {"float16": 2e-3, "bfloat16": 1e-2}
"""Over the largest element; 1e-4 for other floats."""


def outcome(case: Any) -> str:
    """ "" where all is right, else why the operator is refused. Raises AssertionError."""
    try:
        session = InferenceSession(case.model.SerializeToString())
    except UnsupportedOperatorError as error:
        return str(error).partition(": ")[2]
    names = [info.name for info in case.model.graph.input]
    for given, expected in case.data_sets:
        feeds = {name: _array(value) for name, value in zip(names, given, strict=True)}
        try:
            made = session.run(None, feeds)
        except ShapeError as error:
            return f"with these inputs an operator is not read: {error}"
        for info, got, want in zip(session.get_outputs(), made, expected, strict=True):
            _compare(case.name, info.type[7:-1], got, _array(want))
    return ""


def _array(value: Any) -> np.ndarray[Any, Any]:
    array = onnx.numpy_helper.to_array(value) if hasattr(value, "raw_data") else np.asarray(value)
    return array.astype(np.float32) if array.dtype.name == "bfloat16" else array


def _compare(name: str, type: str, got: np.ndarray[Any, Any], want: np.ndarray[Any, Any]) -> None:
    assert got.dtype == want.dtype, f"{name}: {got.dtype}, expected {want.dtype}"
    assert got.shape == want.shape, f"{name}: shape {got.shape}, expected {want.shape}"
    if name.startswith("test_bernoulli"):
        assert set(np.unique(got)) <= {0, 1}, f"{name}: neither zeros nor ones"
        return
    if want.dtype.kind != "f":
        assert np.array_equal(got, want), f"{name}: other numbers"
        return
    finite = np.isfinite(want)
    assert np.array_equal(got[~finite], want[~finite], equal_nan=True), f"{name}: other infinities"
    largest = float(np.abs(want[finite].astype(np.float64)).max(initial=0))
    difference = np.abs(got[finite].astype(np.float64) - want[finite].astype(np.float64))
    allowed = _TOLERANCES.get(type, 1e-4) * max(largest, 1e-3)
    assert difference.max(initial=0) <= allowed, f"{name}: {difference.max()} of {largest}"


def outcomes(part: int = 0, parts: int = 1) -> Iterator[tuple[str, str]]:
    """Names of cases with their outcomes; what is wrong is told as ``wrong: ...``."""
    for case in cases()[part::parts]:
        try:
            yield case.name, outcome(case)
        except Exception as error:
            yield case.name, f"wrong: {type(error).__name__}: {str(error)[:300]}"
