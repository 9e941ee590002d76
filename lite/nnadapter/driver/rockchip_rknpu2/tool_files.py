"""What rknn-toolkit2 reads, and where it keeps what it calibrated: files in a worker's folder."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Sequence
from typing import Any

import onnx
from onnx.helper import tensor_dtype_to_np_dtype
from ruamel.yaml import YAML

MODEL, SAMPLES, _TYPES = "model.onnx", "samples.txt", "types.json"
_RANGES, _NOTHING_KEPT = "model.quantization.cfg", "custom_quantize_layers: {}\n"
CALIBRATED = ("model.model", "model.data", _RANGES)  # by the toolkit's own naming


def write_onnx(model: bytes) -> Any:
    """Writes the model; the types of its inputs and outputs, as JSON has them."""
    graph = onnx.load_from_string(model).graph
    with open(MODEL, "wb") as file:
        file.write(model)
    return [[_type_of(value) for value in some] for some in (graph.input, graph.output)]


def _type_of(value: Any) -> tuple[str, list[int]]:
    tensor = value.type.tensor_type
    dtype = tensor_dtype_to_np_dtype(tensor.elem_type)
    return dtype.str, [dim.dim_value for dim in tensor.shape.dim]


def write_samples(arrays: Sequence[bytes], count: int) -> None:
    """Each sample's ``count`` inputs in numpy's format, one after the other."""
    for number, array in enumerate(arrays):
        with open(f"sample{number}.npy", "wb") as file:
            file.write(array)
    with open(SAMPLES, "w", encoding="utf-8") as lines:
        for first in range(0, len(arrays), count):
            lines.write(" ".join(f"sample{first + i}.npy" for i in range(count)) + "\n")


def layers(graph: Any) -> list[str]:
    """Those that were calibrated, and are computed."""
    with open(_RANGES, encoding="utf-8") as file:
        ranges = YAML(typ="safe").load(file)["quantize_parameters"]
    constants = _constants(graph)
    return [name for name in ranges if ranges[name]["dtype"] == "int8" and name not in constants]


def _constants(graph: Any) -> set[str]:
    """The weights of the model, and what is computed of nothing else."""
    found = {value.name for value in graph.initializer}
    for node in graph.node:
        if found.issuperset(filter(None, node.input)):
            found.update(node.output)
    return found


def pack(types: Any) -> bytes:
    """What a program is built of: the calibrated model, and the types of its inputs and outputs."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_TYPES, json.dumps(types))
        for name in CALIBRATED:
            archive.write(name)
    return file.getvalue()


def unpack(model: bytes) -> Any:
    """Writes what `pack` read, with the layers of the first line in floats; the types."""
    head, _, packed = model.partition(b"\n")
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        types = json.loads(archive.read(_TYPES))
        for name in CALIBRATED:
            archive.extract(name)
    with open(_RANGES, encoding="utf-8") as file:
        ranges = file.read()  # the numbers must keep their digits
    kept = json.dumps(dict.fromkeys(json.loads(head), "float16"))
    with open(_RANGES, "w", encoding="utf-8") as file:
        file.write(ranges.replace(_NOTHING_KEPT, f"custom_quantize_layers: {kept}\n", 1))
    return types
