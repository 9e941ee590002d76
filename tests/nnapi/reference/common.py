"""What several families share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Operation = Callable[..., Any]
NONE, RELU, RELU1, RELU6 = range(4)


def activated(x: Any, code: int) -> Any:
    """The fused activation of a result."""
    low, high = {
        NONE: (-np.inf, np.inf),
        RELU: (0, np.inf),
        RELU1: (-1, 1),
        RELU6: (0, 6),
    }[code]
    return x if code == NONE else np.clip(x, low, high)


def rows_last(x: Any, nchw: bool) -> Any:
    """Images as [N, H, W, C]."""
    return x.transpose(0, 2, 3, 1) if nchw else x


def given_layout(x: Any, nchw: bool) -> Any:
    """[N, H, W, C] back in the layout of the operands."""
    return x.transpose(0, 3, 1, 2) if nchw else x
