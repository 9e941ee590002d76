"""Forms of operands that the conversion of Paddle's operators never gives a driver.

The C API allows them, so they are tested; a driver that is wrong there runs all models of Paddle.
What drivers do get is in hal_guide.md.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .case import Case, Const, Quantised, real

_ALWAYS = {
    "CONV_2D": {2: "a convolution without bias"},
    "CONV_2D_TRANSPOSE": {
        2: "a convolution without bias",
        8: "a transposed convolution without output_padding",
    },
}
"""Operands that may be null, and are not."""

_ARITHMETIC = frozenset("ADD DIV FLOOR_DIV MAX MIN MUL POW SUB".split())


def never_emitted(case: Case) -> str:
    """What is unlike anything that Paddle's operators become; empty where nothing is."""
    for at, what in _ALWAYS.get(case.operation, {}).items():
        if at >= len(case.operands) or case.operands[at] is None:
            return what
    if case.operation.endswith("MAX_POOL_2D") and len(case.reals) < 2:
        return "a pool with one output"
    if case.operation in _ARITHMETIC:
        a, b = (np.shape(real(operand)) for operand in case.operands[:2])
        if not _ranks_fit(a, b):
            return "operands of two ranks"
    if any(_has_equal_scales(operand) for operand in case.operands):
        return "a scale for each channel, and all are equal"
    if case.operation == "SLICE" and _ends_beyond(case):
        return "an end beyond the dimension"
    return ""


def _ranks_fit(a: Sequence[int], b: Sequence[int]) -> bool:
    """Equal ranks, a number, or the bias of a product."""
    return len(a) == len(b) or (len(b) == 1 and b[0] in (1, a[-1] if a else 1))


def _has_equal_scales(operand: object) -> bool:
    return (
        isinstance(operand, Quantised)
        and operand.channel_dim is not None
        and len(set(operand.scales)) == 1
    )


def _ends_beyond(case: Case) -> bool:
    shape = np.shape(real(case.operands[0]))
    axes, ends = case.operands[1], case.operands[3]
    if not isinstance(ends, Const):
        return False
    where = axes.value if isinstance(axes, Const) else range(ends.value.size)
    return any(end > shape[axis] for axis, end in zip(where, ends.value, strict=False))
