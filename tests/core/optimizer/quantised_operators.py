"""What quantising operators compute, for interpreter.py; and how operators find their operands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lite.model.program import OpDesc

Arrays = dict[str, Any]
Operator = Callable[[OpDesc, Arrays], dict[str, Any]]


def get(op: OpDesc, scope: Arrays, slot: str) -> Any:
    """The array in an input slot; None where it is empty."""
    name = op.input(slot)
    return None if name is None else scope[name]


def to_int8(x: np.ndarray, scale: float) -> np.ndarray:
    """The steps of ``scale`` that are nearest, at most 127."""
    wide = x.astype(np.float64) / scale
    return np.clip(np.sign(wide) * np.floor(np.abs(wide) + 0.5), -127, 127).astype(np.int8)


def calib(op: OpDesc, scope: Arrays) -> dict[str, Any]:
    x, scale = get(op, scope, "Input"), op.attr("scale")
    if x.dtype == np.int8:
        return {"Out": (x * np.float32(scale)).astype(np.float32)}
    assert x.dtype == np.float32
    return {"Out": to_int8(x, scale)}


def _steps(op: OpDesc, x: np.ndarray, limit: np.ndarray, default: int) -> np.ndarray:
    """x in steps of limit / (2^(bits - 1) - 1), as round_type says."""
    bound = 2 ** (op.attr("bit_length", 8) - 1) - 1
    wide = x.astype(np.float64) / limit * bound
    if op.attr("round_type", default) == 0:
        return np.clip(np.rint(wide), -bound - 1, bound)
    return np.clip(np.sign(wide) * np.floor(np.abs(wide) + 0.5), -bound, bound)


def fake_round(op: OpDesc, scope: Arrays) -> dict[str, Any]:
    """fake_quantize_dequantize_*: rounds by InScale, or by the largest magnitude of a channel."""
    x, stored = get(op, scope, "X"), get(op, scope, "InScale")
    if stored is not None:
        limit = np.float64(stored.reshape(())[()])
    elif "channel" in op.type:
        axis = op.attr("quant_axis", 0)
        limit = np.abs(x).max(tuple(i for i in range(x.ndim) if i != axis), keepdims=True)
    else:
        limit = np.abs(x).max()
    bound = 2 ** (op.attr("bit_length", 8) - 1) - 1
    return {"Out": (_steps(op, x, limit, 1) * limit / bound).astype(np.float32)}


def fake_quantize(op: OpDesc, scope: Arrays) -> dict[str, Any]:
    """fake_quantize_*_abs_max with a stored scale."""
    x, limit = get(op, scope, "X"), np.float64(get(op, scope, "InScale").reshape(())[()])
    return {"Out": _steps(op, x, limit, 1).astype(np.float32)}


def _linear_limit(op: OpDesc, scope: Arrays) -> np.ndarray:
    limit, axis = (
        get(op, scope, "Scale").astype(np.float64).reshape(-1),
        op.attr("quant_axis", 0),
    )
    rank = get(op, scope, "X").ndim
    return limit if axis < 0 else limit.reshape([-1 if i == axis else 1 for i in range(rank)])


def quantize_linear(op: OpDesc, scope: Arrays) -> dict[str, Any]:
    x = get(op, scope, "X")
    if op.attr("only_observer", False):
        return {"Y": x}
    return {"Y": _steps(op, x, _linear_limit(op, scope), 0).astype(np.float32)}


def dequantize_linear(op: OpDesc, scope: Arrays) -> dict[str, Any]:
    x = get(op, scope, "X")
    if op.attr("only_observer", False):
        return {"Y": x}
    bound = 2 ** (op.attr("bit_length", 8) - 1) - 1
    return {"Y": (x * _linear_limit(op, scope) / bound).astype(np.float32)}


def fake_dequantize(op: OpDesc, scope: Arrays) -> dict[str, Any]:
    return {"Out": get(op, scope, "X") * get(op, scope, "Scale") / op.attr("max_range")}


def fake_channel_dequantize(op: OpDesc, scope: Arrays) -> dict[str, Any]:
    x, scales = get(op, scope, "X"), [scope[name] for name in op.inputs["Scales"]]
    axis = op.attr("x_num_col_dims" if len(scales) == 2 else "quant_axis", 1)
    factor = scales[0].reshape([-1 if i == axis else 1 for i in range(x.ndim)])
    for bits, scale in zip(op.attr("quant_bits"), [np.float64(1), *scales[1:]], strict=True):
        factor = factor * scale / (2 ** (bits - 1) - 1)
    return {"Out": (x * factor).astype(np.float32)}


QUANTISED: dict[str, Operator] = {
    "fake_quantize_dequantize_moving_average_abs_max": fake_round,
    "fake_quantize_dequantize_abs_max": fake_round,
    "fake_channel_wise_quantize_dequantize_abs_max": fake_round,
    "fake_quantize_range_abs_max": fake_quantize,
    "fake_quantize_moving_average_abs_max": fake_quantize,
    "calib": calib,
    "quantize_linear": quantize_linear,
    "dequantize_linear": dequantize_linear,
    "fake_dequantize_max_abs": fake_dequantize,
    "fake_channel_wise_dequantize_max_abs": fake_channel_dequantize,
}
