"""A Program to the files that Paddle reads: a ProgramDesc and combined parameters."""

from __future__ import annotations

import os
import struct
from collections.abc import Mapping
from dataclasses import replace
from typing import BinaryIO

import numpy as np

from lite.errors import LiteError
from lite.model.atomic import replacing
from lite.model.legacy import as_legacy
from lite.model.params import DATA_TYPES, write_data
from lite.model.pdmodel import write_pdmodel
from lite.model.program import Program, VarDesc, VarType


def _bytewise(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")


def write_params(params: Mapping[str, np.ndarray], file: BinaryIO) -> None:
    """The combined parameter file, in bytewise order of the names, one array at a time.

    Raises LiteError for an element type that it cannot hold.
    """
    from lite.model.framework_proto import message_class

    for name in sorted(params, key=_bytewise):
        array = params[name]
        dtype = DATA_TYPES.get(array.dtype.newbyteorder("="))
        if dtype is None:
            raise LiteError(f"parameter {name!r} has {array.dtype}, which cannot be written")
        desc = message_class("TensorDesc")(data_type=int(dtype), dims=array.shape)
        data = desc.SerializeToString()
        file.write(struct.pack("<IQIi", 0, 0, 0, len(data)) + data)
        write_data(file.write, array)


def _declared(program: Program, params: Mapping[str, np.ndarray]) -> Program:
    """A copy in which exactly the parameters are persistable tensors, as they are."""
    blocks = [replace(block, vars=dict(block.vars)) for block in program.blocks]
    for block in blocks:
        for name, var in block.vars.items():
            if var.type is VarType.LOD_TENSOR and var.persistable and name not in params:
                block.vars[name] = replace(var, persistable=False)
    for name, array in params.items():
        home = next((block for block in blocks if name in block.vars), blocks[0])
        var = home.vars.get(name, VarDesc(name))
        dtype = DATA_TYPES.get(array.dtype.newbyteorder("="))
        home.vars[name] = replace(var, dtype=dtype, shape=array.shape, persistable=True)
    return replace(program, blocks=blocks)


def write_protobuf_dir(
    program: Program,
    folder: str | os.PathLike[str],
    *,
    params: Mapping[str, np.ndarray] | None = None,
) -> None:
    """Writes ``model`` and ``params`` into a folder, which is made where it is missing.

    ``params`` replaces ``program.params``. Each file is written whole or not at all. Raises
    LiteError for what cannot be written, OSError where the folder cannot be.
    """
    os.makedirs(folder, exist_ok=True)
    _write_pair(program, params, os.path.join(folder, "model"), os.path.join(folder, "params"))


def write_pdmodel_files(program: Program, path: str) -> list[str]:
    """Writes NAME.pdmodel and, where there are parameters, NAME.pdiparams; returns their paths.

    Each file is written whole or not at all. Raises UnsupportedOperatorError for operators that
    Paddle 2.6 does not have, LiteError for what else cannot be written.
    """
    program = as_legacy(program)
    params = f"{path.removesuffix('.pdmodel')}.pdiparams" if program.params else None
    _write_pair(program, None, path, params)
    return [path, params] if params else [path]


def _write_pair(
    program: Program,
    params: Mapping[str, np.ndarray] | None,
    model_path: str,
    params_path: str | None,
) -> None:
    params = program.params if params is None else params
    data = write_pdmodel(_declared(program, params))
    if params_path is not None:
        with replacing(params_path) as file:
            write_params(params, file)
    with replacing(model_path) as file:
        file.write(data)
