"""An ONNX model on disk: one file, or one with its constants beside it where they are large."""

from __future__ import annotations

import os
from typing import Any

from lite.model.atomic import replacing
from lite.model.onnx.export import DEFAULT_OPSET, export_model
from lite.model.program import Program

LARGEST_FILE = 2**31 - 2**24
"""protobuf writes no message of 2 GB."""

_ALIGNMENT = 4096
_EXTERNAL = 1


def write_onnx(
    program: Program,
    path: str | os.PathLike[str],
    *,
    opset: int = DEFAULT_OPSET,
    largest: int = LARGEST_FILE,
) -> list[str]:
    """Writes a program as an ONNX file; returns the paths written.

    Where the constants are more than ``largest`` bytes, they go into PATH.data, which has to stay
    beside the file. Raises what ``export_model`` raises, and OSError.
    """
    model = export_model(program, opset)
    name = os.fspath(path)
    written = [name]
    if sum(len(tensor.raw_data) for tensor in model.graph.initializer) > largest:
        written.append(_move_out(model.graph, f"{name}.data"))
    with replacing(name) as file:
        file.write(model.SerializeToString())
    return written


def _move_out(graph: Any, path: str) -> str:
    """Writes the constants of more than a page into a file of their own."""
    with replacing(path) as file:
        offset = 0
        for tensor in graph.initializer:
            data = tensor.raw_data
            if len(data) < _ALIGNMENT:
                continue
            file.write(bytes(-offset % _ALIGNMENT))
            offset += -offset % _ALIGNMENT
            entries = {"location": os.path.basename(path), "offset": offset, "length": len(data)}
            for key, value in entries.items():
                tensor.external_data.add(key=key, value=str(value))
            tensor.data_location = _EXTERNAL
            file.write(data)
            offset += len(data)
            tensor.ClearField("raw_data")
    return path
