"""Interpolation in one piece: while it traces, torch takes it apart into gathers."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch._C import DispatchKey

_OPERATORS = ("upsample_nearest2d", "upsample_bilinear2d", "upsample_bicubic2d")
_KEYS = (DispatchKey.Autograd, DispatchKey.CompositeImplicitAutograd)


def _by_size(overload: Any) -> Callable[..., Any]:
    """The ``vec`` form, by sizes or by scales, as the form by sizes; torch's own in C++ would make
    constants of symbolic sizes."""

    def run(
        input: torch.Tensor, output_size: Sequence[Any] | None, *rest: Any, **named: Any
    ) -> Any:
        *corners, scales = (*rest, *named.values())
        if output_size is None:
            output_size = [
                dim * int(scale) if scale == int(scale) else torch.sym_int(dim * scale)
                for dim, scale in zip(input.shape[2:], scales, strict=True)
            ]
        return overload(input, output_size, *corners, *(scales or (None, None)))

    return run


@contextlib.contextmanager
def kept_whole() -> Iterator[None]:
    """Within, graphs that are traced hold ``aten.upsample_*2d``."""
    packets = [getattr(torch.ops.aten, name) for name in _OPERATORS]
    overloads = [overload for packet in packets for overload in (packet.default, packet.vec)]
    before = [dict(overload.py_kernels) for overload in overloads]
    try:
        for overload in overloads:
            for key in _KEYS:
                overload.py_kernels.pop(key, None)
            overload._dispatch_cache.clear()
        for packet in packets:
            packet.vec.py_kernels[DispatchKey.CompositeImplicitAutograd] = _by_size(packet.default)
        yield
    finally:
        for overload, kernels in zip(overloads, before, strict=True):
            overload.py_kernels.clear()
            overload.py_kernels.update(kernels)
            overload._dispatch_cache.clear()
