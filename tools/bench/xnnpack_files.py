"""Writes an ONNX model as ExecuTorch's or LiteRT's file, with XNNPACK: run in the engine's Python.

    python xnnpack_files.py executorch|litert MODEL.onnx FILE INPUTS.npz

Both convert PyTorch's modules, which onnx2torch makes of ONNX. Its views, slices and splits take
shapes and places from tensors, which torch.export refuses: they are kept from a first run.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from onnx2torch import convert
from onnx2torch.node_converters.expand import OnnxExpand
from onnx2torch.node_converters.reshape import OnnxReshape
from onnx2torch.node_converters.slice import OnnxSlice
from onnx2torch.node_converters.split import OnnxSplit13
from onnx2torch.node_converters.squeeze import OnnxSqueezeDynamicAxes
from onnx2torch.node_converters.unsqueeze import OnnxUnsqueezeDynamicAxes


def _keep_shape(view: Any, apply: Callable[..., Any] = torch.reshape) -> None:
    computed = view.forward

    def forward(self: Any, data: Any, argument: Any = None) -> Any:
        if not hasattr(self, "kept_shape"):
            result = computed(self, data, argument)
            self.kept_shape = tuple(result.shape)
            return result
        return apply(data, self.kept_shape)

    view.forward = forward


def _keep_slice() -> None:
    def forward(self: Any, data: Any, *bounds: Any) -> Any:
        if not hasattr(self, "kept_slices"):
            starts, ends, axes, steps = (*(bound.tolist() for bound in bounds), None, None)[:4]
            slices = [slice(None)] * data.dim()
            for at, start in enumerate(starts):
                slices[axes[at] if axes else at] = slice(start, ends[at], steps and steps[at])
            self.kept_slices = tuple(slices)
        return data[self.kept_slices]

    OnnxSlice.forward = forward


def _keep_split() -> None:
    def forward(self: Any, data: Any, sizes: Any = None) -> Any:
        if not hasattr(self, "kept_sizes"):
            even = data.shape[self.axis] // self.num_splits
            self.kept_sizes = even if sizes is None else sizes.tolist()
        return torch.split(data, self.kept_sizes, dim=self.axis)

    OnnxSplit13.forward = forward


def _write_executorch(module: Any, inputs: tuple[Any, ...], path: str) -> None:
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
    from executorch.exir import to_edge_transform_and_lower

    exported = torch.export.export(module, inputs)
    lowered = to_edge_transform_and_lower(exported, partitioner=[XnnpackPartitioner()])
    with open(path, "wb") as file:
        file.write(lowered.to_executorch().buffer)


def _write_litert(module: Any, inputs: tuple[Any, ...], path: str) -> None:
    import litert_torch

    litert_torch.convert(module, inputs).export(path)


def main(engine: str, model: str, path: str, feeds: str) -> None:
    """The inputs stand in the model's order."""
    with np.load(feeds) as archive:
        inputs = tuple(torch.from_numpy(archive[f"arr_{at}"]) for at in range(len(archive.files)))
    for view in (OnnxReshape, OnnxSqueezeDynamicAxes, OnnxUnsqueezeDynamicAxes):
        _keep_shape(view)
    _keep_shape(OnnxExpand, torch.broadcast_to)
    _keep_slice()
    _keep_split()
    module = convert(model).eval()
    with torch.no_grad():
        module(*inputs)
        (_write_executorch if engine == "executorch" else _write_litert)(module, inputs, path)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except Exception as error:  # what torch.export raises explains itself at length
        sys.exit(f"{type(error).__name__}: {' '.join(str(error).split())[:300]}")
