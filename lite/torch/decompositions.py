"""torch's own decompositions of operators that the table lacks."""

from __future__ import annotations

import functools
from typing import Any

import torch

from lite.torch.translate import find_row


@functools.cache
def decompositions() -> dict[Any, Any]:
    """By overload: what compiling and exporting give to torch."""
    from torch._decomp import core_aten_decompositions

    return {
        overload: function
        for overload, function in core_aten_decompositions().items()
        if isinstance(overload, torch._ops.OpOverload)
        and overload._schema.name.startswith("aten::")
        and find_row(overload) is None
        and "backward" not in overload._schema.name
        and torch.Tag.nondeterministic_seeded not in overload.tags
    }
