"""A Program that runs on torch's tensors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from lite.api.build import Source, make_core
from lite.api.devices import DeviceOptions
from lite.model.program import Program
from lite.torch.values import Meta, is_symbolic


@dataclass(frozen=True)
class Options:
    """What ``torch.compile(..., options={...})`` takes."""

    threads: int = 0  # torch.get_num_threads()
    devices: tuple[str, ...] = ()
    strict: bool = False


def as_array(tensor: torch.Tensor) -> np.ndarray[Any, Any]:
    """A tensor's elements, row-major; without a copy where they lie so."""
    array: np.ndarray[Any, Any] = tensor.detach().contiguous().numpy()
    return array


class Engine:
    """An optimised Program and its predictor core.

    ``program`` is consumed. Tensors that are fed are read; results are memory of their own.
    """

    def __init__(self, program: Program, options: Options) -> None:
        threads = options.threads or torch.get_num_threads()
        source = Source(devices=DeviceOptions(options.devices), threads=threads)
        self._core = make_core(source.optimize(program)[0], source.core_settings())
        self._core.set_threads(threads)

    def run(self, feeds: Sequence[torch.Tensor | int]) -> list[torch.Tensor]:
        """The outputs in the order in which they are fetched."""
        arrays: list[tuple[np.ndarray[Any, Any], list[list[int]]]] = [
            (
                as_array(feed) if isinstance(feed, torch.Tensor) else np.asarray([feed], np.int32),
                [],
            )
            for feed in feeds
        ]
        return [torch.from_numpy(array) for array, _ in self._core.run_with(arrays)]


def with_strides(tensor: torch.Tensor, meta: Meta) -> torch.Tensor:
    """A result in the memory order that torch's graph expects; what follows may view it."""
    if not meta.strides or any(is_symbolic(step) for step in (*meta.strides, *meta.shape)):
        return tensor
    wanted = tuple(int(step) for step in meta.strides)
    if tensor.dim() != len(wanted) or tensor.stride() == wanted or tensor.numel() == 0:
        return tensor
    if 0 in wanted or tensor.shape != tuple(int(dim) for dim in meta.shape):
        return tensor
    made = torch.empty_strided(tensor.shape, wanted, dtype=tensor.dtype)
    return made.copy_(tensor)
