"""A Program to a `.nb` file.

Layout: u16 meta version; 16 bytes of release text; u64 length of the program section; the
section; the parameters. Meta version 2: u16 0, u16 0, u16 6 (bytes of header that follow), u16
count, u32 bytes of the largest tensor, and for each parameter u32 length, u32 4 + slack, slack,
flatbuffer. Meta version 1: one flatbuffer.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Mapping, Sequence
from typing import BinaryIO

import numpy as np

from lite.errors import ConfigError, LiteError
from lite.model.atomic import replacing
from lite.model.naive_buffer.flat_builder import Chunk, External
from lite.model.naive_buffer.param_writer import (
    combined_chunks,
    param_chunks,
    size_of,
    slack_before,
)
from lite.model.naive_buffer.program_writer import program_bytes
from lite.model.params import write_data
from lite.model.program import Program

RELEASE = "v2.14-rc"
"""The release text that real Paddle Lite 2.14 takes without a warning."""

MAX_PARAMS = 65535
_META_1_VARIABLE = "PADDLE_LITE_MODEL_VERSION1"


def _write_chunks(
    file: BinaryIO, chunks: Sequence[Chunk], params: Mapping[str, np.ndarray]
) -> None:
    for chunk in chunks:
        if isinstance(chunk, External):
            write_data(file.write, params[chunk.key])
        else:
            file.write(chunk)


def _write_params(
    file: BinaryIO, names: list[str], params: Mapping[str, np.ndarray], align: bool
) -> None:
    start = file.tell()
    file.write(bytes(12))
    largest = 0
    for name in names:
        array = params[name]
        chunks = param_chunks(name, array)
        largest = max(largest, array.nbytes)
        slack = slack_before(chunks, file.tell() + 8) if align else 0
        file.write(struct.pack("<II", 4 + slack + size_of(chunks), 4 + slack) + bytes(slack))
        _write_chunks(file, chunks, {name: array})
    end = file.tell()
    file.seek(start)
    file.write(struct.pack("<HHHHI", 0, 0, 6, len(names), largest))
    file.seek(end)


def write_nb(
    program: Program,
    file: BinaryIO,
    *,
    params: Mapping[str, np.ndarray] | None = None,
    meta_version: int | None = None,
    release: str = RELEASE,
    align: bool = True,
) -> None:
    """Writes a `.nb` file from the current position of a seekable ``file``, here taken for its
    beginning.

    ``params`` replaces ``program.params``; each array is asked for when its turn comes, so that a
    mapping may load them one at a time. The meta version is 2, or 1 where the environment has
    PADDLE_LITE_MODEL_VERSION1. With ``align`` the data of every tensor begins on 64 bytes (meta
    version 2 only); without it the file is byte for byte real Paddle Lite's.

    Raises LiteError for what the format cannot hold, ConfigError for an unknown meta version.
    """
    params = program.params if params is None else params
    if meta_version is None:
        meta_version = 1 if os.environ.get(_META_1_VARIABLE) else 2
    if meta_version not in (1, 2):
        raise ConfigError(f".nb files of meta version 1 and 2 can be written, not {meta_version}")
    names = sorted(params, key=lambda name: name.encode("utf-8", "surrogateescape"))
    if len(names) > MAX_PARAMS and meta_version == 2:
        raise LiteError(
            f"the program has {len(names)} parameters, a .nb file holds {MAX_PARAMS} at most"
        )
    section = program_bytes(program)
    text = release.encode()[:15]
    file.write(struct.pack("<H16sQ", meta_version, text, len(section)))
    file.write(section)
    if meta_version == 2:
        _write_params(file, names, params, align)
    else:
        _write_chunks(file, combined_chunks(names, params), params)


def write_nb_file(
    program: Program,
    path: str | os.PathLike[str],
    *,
    params: Mapping[str, np.ndarray] | None = None,
    meta_version: int | None = None,
    release: str = RELEASE,
    align: bool = True,
) -> None:
    """``write_nb`` to a path, all or nothing: a file that was there stays until the new one is
    whole, and stays when writing fails.

    Raises OSError where the folder cannot be written, ConfigError where ``path`` is a device or a
    pipe, and as ``write_nb``.
    """
    with replacing(path) as file:
        write_nb(
            program,
            file,
            params=params,
            meta_version=meta_version,
            release=release,
            align=align,
        )
