"""What the tests of this folder share: a program's export, checked and run in onnxruntime."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import onnx
import onnxruntime as ort

import lite
from lite.errors import UnsupportedOperatorError
from lite.model.onnx import DEFAULT_OPSET, export_model
from lite.model.program import Program

OPSET = int(os.environ.get("LITE_TEST_OPSET", DEFAULT_OPSET))
"""The operator set that is asked for: nights run the oldest and the newest, too."""


class NoKernel(Exception):  # noqa: N818
    """onnxruntime has no kernel for a valid model: it says nothing about the export."""


def session(model: Any, *, optimized: bool = True) -> Any:
    """A session of a ModelProto that onnx.checker and its shape inference accept.

    Optimized ones multiply in int8, which saturates on CPUs without dot products.
    """
    data = model.SerializeToString()
    onnx.checker.check_model(onnx.load_from_string(data), full_check=True)
    options = ort.SessionOptions()
    options.log_severity_level = 4
    if not optimized:
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    try:
        return ort.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    except Exception as error:
        if "NOT_IMPLEMENTED" in str(error):
            raise NoKernel(str(error)) from None
        raise


def export_and_run(program: Program, feeds: dict[str, np.ndarray]) -> list[np.ndarray]:
    """The outputs of a program's export in the order of its fetches, in onnxruntime.

    The model is read back and runs here, too: to the same numbers, where it is read.
    """
    model = export_model(program, OPSET)
    found = list(session(model).run(None, feeds))
    try:
        predictor = lite.load(model.SerializeToString())
    except UnsupportedOperatorError:
        return found
    back = list(predictor.run(feeds).values())
    if len(back) == len(found):  # one variable may be two outputs
        worst = worst_difference(back, found)
        assert worst <= 1e-4, f"read back, it differs by {worst:.3g}"
    return found


def worst_difference(
    actual: list[np.ndarray], expected: list[np.ndarray], floor: float = 1e-6
) -> float:
    """The largest difference over the largest value, or over ``floor`` where that is larger.

    Types, shapes and integers must be equal. Infinite where a number is expected and none is there.
    """
    worst = 0.0
    for got, want in zip(actual, expected, strict=True):
        assert got.dtype == want.dtype, f"{got.dtype}, expected {want.dtype}"
        assert got.shape == want.shape, f"shape {got.shape}, expected {want.shape}"
        if want.dtype.kind != "f":
            np.testing.assert_array_equal(got, want)
            continue
        finite = np.isfinite(want)
        np.testing.assert_array_equal(got[~finite], want[~finite])
        if not np.isfinite(got[finite]).all():
            return float("inf")
        scale = max(float(np.abs(want[finite]).max(initial=0)), floor)
        difference = np.abs(got[finite].astype(np.float64) - want[finite])
        worst = max(worst, float(difference.max(initial=0)) / scale)
    return worst
