"""paddle_lite_opt --pipe: optimises one model for the full C++ library, which asks on stdin.

Request and answer are fields: ``name length`` and a line end, then the bytes; ``end 0`` is the
last. The other side is lite/sdk/full.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import traceback
import warnings
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, BinaryIO

from lite.api.build import Source, save_naive_buffer, save_protobuf
from lite.api.config import CxxConfig
from lite.api.enums import Place, TargetType
from lite.api.placement import program_placement
from lite.api.tailoring import used_kernels, used_operators, write_lists
from lite.errors import LiteError
from lite.model.naive_buffer import write_nb
from lite.model.program import Program

if TYPE_CHECKING:
    from lite.core.partition import PartitionRequest

_GRACE = 10  # seconds beyond the limit: the library that asked stops a slow converter before

_TEXTS = {
    "model_dir": CxxConfig.set_model_dir,
    "model_file": CxxConfig.set_model_file,
    "param_file": CxxConfig.set_param_file,
    "context_properties": CxxConfig.set_nnadapter_context_properties,
    "partition_config": CxxConfig.set_nnadapter_subgraph_partition_config_buffer,
    "partition_config_path": CxxConfig.set_nnadapter_subgraph_partition_config_path,
    "mixed_precision_config": CxxConfig.set_nnadapter_mixed_precision_quantization_config_buffer,
    "mixed_precision_config_path": CxxConfig.set_nnadapter_mixed_precision_quantization_config_path,
}


class Request:
    """The fields of a request; a name may stand more than once."""

    def __init__(self, fields: list[tuple[str, bytes]]) -> None:
        self._fields = fields

    def data(self, name: str) -> bytes | None:
        """The first value of that name, as it came."""
        return next((value for key, value in self._fields if key == name), None)

    def text(self, name: str) -> str:
        """The first value of that name, or an empty text."""
        return os.fsdecode(self.data(name) or b"")

    def texts(self, name: str) -> list[str]:
        """All values of that name."""
        return [os.fsdecode(value) for key, value in self._fields if key == name]


def serve() -> int:
    """Answers one request; what else is printed goes to stderr."""
    answer = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        fields = _answer_or_error(sys.stdin.buffer)
    with answer:
        for warning in caught:
            _write(answer, "warning", str(warning.message).encode("utf-8", "surrogateescape"))
        for name, value in fields:
            _write(answer, name, value)
        _write(answer, "end", b"")
    return 0


def _answer_or_error(stdin: BinaryIO) -> list[tuple[str, bytes]]:
    try:
        return [("status", b"ok"), *_answer(Request(list(_read(stdin))))]
    except Exception as error:
        expected = isinstance(error, LiteError | OSError | ValueError | KeyError)
        if not expected or os.environ.get("GLOG_v", "0") not in ("", "0"):
            traceback.print_exc()
        said = error.args[0] if isinstance(error, KeyError) and error.args else error
        text = str(said).encode("utf-8", "surrogateescape")
        return [("status", b"error"), ("kind", type(error).__name__.encode()), ("text", text)]


def _read(file: BinaryIO) -> Iterator[tuple[str, bytes]]:
    while True:
        name, _, length = file.readline().decode().rstrip("\n").rpartition(" ")
        if name == "end":
            return
        value = file.read(int(length)) if name else b""
        if not name or len(value) != int(length):
            raise ValueError("the request ended early: paddle_lite_opt --pipe is for libraries")
        yield name, value


def _write(file: BinaryIO, name: str, value: bytes | memoryview) -> None:
    file.write(f"{name} {len(value)}\n".encode())
    file.write(value)


def _answer(request: Request) -> Iterator[tuple[str, bytes]]:
    # Whoever asked may be gone.
    signal.alarm(int(request.text("time_limit") or 0) + _GRACE)
    source = _source(request)
    partition = source.devices.request(offline=True) if request.text("offline") else None
    if request.text("action") == "load":
        yield from _load(source, partition)
        return
    program, _ = source.optimize(source.read(), partition=partition, for_file=True)
    naive = request.text("action") == "naive_buffer"
    path = (save_naive_buffer if naive else save_protobuf)(program, request.text("path"))
    if request.text("record_info"):
        folder = path.removesuffix(".nb")
        write_lists(folder, used_operators(program), used_kernels(program))


def _source(request: Request) -> Source:
    """What the request's configuration says; raises as create_paddle_predictor does."""
    config = CxxConfig()
    for name, setter in _TEXTS.items():
        if text := request.text(name):
            setter(config, text)
    config.set_nnadapter_device_names(request.texts("device"))
    config.set_nnadapter_dynamic_shape_info(
        dict(map(_shapes, request.texts("dynamic_shape"))),
    )
    config.set_valid_places([Place(TargetType(int(text))) for text in request.texts("place")])
    config.set_passes_internal(request.texts("pass"))
    config.keep_tensors(request.texts("keep"))
    for name in request.texts("discarded_pass"):
        config.add_discarded_pass(name)
    model = request.data("model_buffer")
    if model is not None:
        config.set_model_buffer(model, len(model), request.data("param_buffer") or b"")
    config._check_settings()
    sparse = request.text("sparse_threshold")
    return replace(
        Source.from_config(config),
        weight_bits=int(request.text("weight_bits") or 0),
        sparse_threshold=float(sparse) if sparse else None,
    )


def _shapes(text: str) -> tuple[str, list[list[int]]]:
    name, *shapes = text.split("\n")
    return name, [[int(dim) for dim in shape.split(",") if dim] for shape in shapes]


def _load(source: Source, partition: PartitionRequest | None) -> Iterator[tuple[str, bytes]]:
    program, placement = _partitioned(source, partition)
    if placement:
        yield "placement", placement.encode("utf-8", "surrogateescape")
    file = io.BytesIO()
    write_nb(program, file, meta_version=2)
    yield "nb", file.getvalue()


def _partitioned(source: Source, partition: PartitionRequest | None) -> tuple[Program, str]:
    """The optimised program, and the report as JSON where devices are set."""
    if not source.devices:
        return source.optimized(), ""
    program, placement = source.optimize(source.read(), partition=partition)
    report = placement or program_placement(program, source.devices)
    return program, report.json()
