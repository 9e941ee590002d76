"""Operators with a weight in int8, against the numbers for which the integers stand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from harness import OpTable, rand, randint

Reference = Callable[[dict[str, Any], dict[str, Any]], dict[str, Any]]


def rounded(x: Any, attrs: dict[str, Any]) -> Any:
    """What an activation becomes: steps by the threshold, or by the scale alone, times the step."""
    scale, threshold = attrs.get("int8_scale", 0.0), attrs.get("int8_threshold", 0.0)
    if scale == 0:  # the weight alone is in integers
        return x
    zero = attrs.get("int8_zero_byte", -1)
    if zero >= 0:
        steps = np.clip(np.rint(x / np.float32(scale)), -zero, 255 - zero)
        return (steps * np.float32(scale)).astype("float32")
    if threshold > 0:
        scale = threshold / 127
        steps = x * (np.float32(127) * (np.float32(1) / np.float32(threshold)))
    else:
        steps = x * (np.float32(1) / np.float32(scale))
    if attrs.get("int8_round_type", 1) == 0:
        whole = np.clip(np.rint(steps), -128 if threshold > 0 else -127, 127)
    else:
        whole = np.clip(np.copysign(np.floor(np.abs(steps.astype("float64")) + 0.5), x), -127, 127)
    return (whole * scale).astype("float32")


def of_numbers(reference: Reference, slots: tuple[str, str], axis: int) -> Reference:
    """The reference of an operator in integers: that of the operator on real numbers."""

    def compute(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
        x, w = (inputs[slot] for slot in slots)
        shape = [-1 if i == axis % w.ndim else 1 for i in range(w.ndim)]
        scales = np.array(attrs["int8_weight_scales"], "float32").reshape(shape)
        numbers = {**inputs, slots[0]: rounded(x, attrs), slots[1]: (w * scales).astype("float32")}
        return reference(numbers, attrs)

    return compute


def settings(channels: int) -> list[dict[str, Any]]:
    """Every way to say how an activation is rounded."""
    scales = [float(s) for s in rand(channels, low=0.001, high=0.01)]
    return [
        {"int8_scale": 0.9 / 127, "int8_weight_scales": scales},
        {"int8_scale": 0.02, "int8_weight_scales": [0.003]},
        {
            "int8_scale": 0.9 / 127,
            "int8_threshold": 0.9,
            "int8_round_type": 0,
            "int8_weight_scales": scales,
        },
        {"int8_scale": 0.7 / 127, "int8_threshold": 0.7, "int8_weight_scales": scales},
    ]


def add_int8(
    table: OpTable,
    slots: tuple[str, str],
    shapes: list[tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]],
    axis: int,
    reference: Reference,
) -> None:
    """Adds cases for activations and weights of ``shapes``, which come with other attributes."""
    compute = of_numbers(reference, slots, axis)
    for x, w, others in shapes:
        for attrs in settings(w[axis]):
            arrays = {slots[0]: rand(*x), slots[1]: randint(*w, low=-128, high=128, dtype="int8")}
            table.case(arrays, {**others, **attrs}, params=[slots[1]], reference=compute, tol=1e-5)
        for zero in (0, 100, 128, 255):
            bytes_ = {"int8_scale": 0.005, "int8_zero_byte": zero, "int8_weight_scales": [0.003]}
            table.case(arrays, {**others, **bytes_}, params=[slots[1]], reference=compute, tol=1e-5)
        add_weight_only(table, arrays, slots[1], {**others, **attrs}, compute)
    table.case(arrays, {**others, **attrs}, reference=compute, tol=1e-5)
    add_errors(table, arrays, {**others, **attrs})


def add_weight_only(
    table: OpTable,
    arrays: dict[str, Any],
    weight: str,
    good: dict[str, Any],
    compute: Reference,
) -> None:
    """A weight in integers that stands for floats, as a parameter and as an input."""
    others = {name: value for name, value in good.items() if not name.startswith("int8_")}
    for scales in (good["int8_weight_scales"], [0.003]):
        attrs = {**others, "int8_weight_scales": scales}
        for params in ([weight], []):
            table.case(arrays, attrs, params=params, reference=compute, tol=1e-5)


def add_errors(table: OpTable, arrays: dict[str, Any], good: dict[str, Any]) -> None:
    """Attributes that make no sense."""
    weight_only = {name: value for name, value in good.items() if name != "int8_scale"}
    for scales in ([], [1.0] * 1000, [float("inf")]):
        for attrs in (good, weight_only):
            wrong = {**attrs, "int8_weight_scales": scales}
            table.error(arrays, wrong, error="ShapeError", match="int8_weight_scales")
    for name, value in [
        ("int8_scale", float("nan")),
        ("int8_scale", 1e-42),
        ("int8_threshold", -1.0),
        ("int8_threshold", float("inf")),
        ("int8_round_type", 2),
        ("int8_zero_byte", 256),
        ("int8_zero_byte", -2),
    ]:
        table.error(arrays, {**good, name: value}, error="ShapeError", match=name)
