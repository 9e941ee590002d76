"""A Program from a path, a folder or bytes of any format that is read here."""

from __future__ import annotations

import os
from collections.abc import Callable

from lite.errors import LiteError, ModelFormatError
from lite.model.channels_first import put_channels_first
from lite.model.check import check_program
from lite.model.find import Found, PathLike, find_params, find_program
from lite.model.fused_operators import take_apart
from lite.model.params import load_combined, load_separate, persistable_vars
from lite.model.pdmodel import read_pdmodel
from lite.model.program import Program
from lite.model.sniff import Kind
from lite.model.source import Buffer, BufferSource, FileSource
from lite.model.static_rnn import unroll_static_rnns
from lite.model.widen import widen_halves


def _load_params(
    program: Program, found: Found, param_file: PathLike | None, param_bytes: Buffer | None
) -> None:
    if param_file is not None and param_bytes is not None:
        raise ValueError("expected param_file or param_bytes, got both")
    variables = persistable_vars(program)
    if param_bytes is not None:
        load_combined(program, BufferSource(param_bytes, "parameter bytes"))
        return
    if param_file is not None:
        path = os.fspath(param_file)
        if variables or os.path.exists(path):
            load_combined(program, FileSource(path, "parameter file"))
        return
    if not variables:
        return
    if found.folder is None:
        raise ModelFormatError(
            f"{found.name}: the program has {len(variables)} parameters (first: "
            f"{variables[0].name!r}); give them as param_bytes or param_file"
        )
    combined = find_params(found.name, {var.name for var in variables})
    if combined is not None:
        load_combined(program, FileSource(combined, "parameter file"))
    else:
        load_separate(program, found.folder or ".")


def refuse_params(found: Found, param_file: PathLike | None, param_bytes: Buffer | None) -> None:
    """Raises ValueError where parameters are given for a file that holds its own."""
    if param_file is not None or param_bytes is not None:
        raise ValueError(
            f"{found.name} is an {found.kind.name} file, which holds its parameters: give no others"
        )


def _load_nb(found: Found) -> Program:
    from lite.model.naive_buffer import read_nb

    return read_nb(found.name if found.data is None else found.data)


def read_program(found: Found) -> Program:
    """A program of Paddle's without its parameters, in operators that stand for themselves."""
    if found.kind is Kind.PIR:
        from lite.model.pir import read_pir

        program = read_pir(found.read(), found.name)
    else:
        program = read_pdmodel(found.read(), found.name)
    try:
        unroll_static_rnns(program)
        take_apart(program)
    except LiteError as error:
        raise type(error)(f"{found.name}: {error}") from None
    return program


def _make_portable(program: Program) -> None:
    """Says in other words what no kernel here computes as it stands."""
    widen_halves(program)
    put_channels_first(program)


def load_program(
    path_or_dir: PathLike | None = None,
    model_file: PathLike | None = None,
    param_file: PathLike | None = None,
    model_bytes: Buffer | None = None,
    param_bytes: Buffer | None = None,
) -> Program:
    """A checked Program with its parameters.

    The program comes from one of ``path_or_dir`` (a model's folder, a program file, or the path
    of a `.json` or `.pdmodel` without its suffix), ``model_file`` and ``model_bytes``. Its
    parameters come from ``param_file`` or ``param_bytes`` (combined), else from the files beside
    the program. A `.nb` file holds both.

    Raises ModelFormatError where a file is not what it should be, FileNotFoundError,
    PermissionError or IsADirectoryError where one cannot be read, ValueError or TypeError for
    arguments that do not fit together.
    """
    found = find_program(path_or_dir, model_file, model_bytes)
    return load_found(found, param_file, param_bytes)


def load_found(
    found: Found,
    param_file: PathLike | None = None,
    param_bytes: Buffer | None = None,
    onnx: Callable[[Found], Program] | None = None,
) -> Program:
    """The same of what was found; ``onnx`` reads ONNX models, which stand a floor above."""
    if found.kind is Kind.ONNX:
        if onnx is None:
            raise ModelFormatError(f"{found.name} is an ONNX model: load it with lite.load")
        refuse_params(found, param_file, param_bytes)
        program = onnx(found)
    elif found.kind is Kind.NB:
        refuse_params(found, param_file, param_bytes)
        program = _load_nb(found)
    else:
        program = read_program(found)
        _load_params(program, found, param_file, param_bytes)
    try:
        check_program(program)
    except ModelFormatError as error:
        raise ModelFormatError(f"{found.name}: {error}") from None
    if found.kind in (Kind.PIR, Kind.PROGRAM):
        _make_portable(program)
    return program
