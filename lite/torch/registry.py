"""The adapters: what `operators.yaml` cannot say in statements, by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from lite.torch.values import Tensor

Adapter = Callable[..., Any]
ADAPTERS: dict[str, Adapter] = {}
"""What `adapter:` of the table names. An adapter takes the builder, the metas of the results that
torch expects and the schema's arguments by name; it returns a Tensor, or a list of Tensor | None.
"""


def adapter(function: Adapter) -> Adapter:
    """Registers an adapter under its function's name."""
    ADAPTERS[function.__name__.rstrip("_")] = function
    return function


def promoted(values: Sequence[Any]) -> torch.dtype:
    """torch's type of an elementwise operator: 0-D tensors and numbers are weak."""
    stand_ins = [
        torch.empty((1,) * v.rank, dtype=v.dtype, device="meta") if isinstance(v, Tensor) else v
        for v in values
    ]
    result = stand_ins[0]
    for other in stand_ins[1:]:
        dtype = torch.result_type(result, other)
        rank = max(getattr(result, "ndim", 0), getattr(other, "ndim", 0))
        result = torch.empty((1,) * rank, dtype=dtype, device="meta")
    return result.dtype
