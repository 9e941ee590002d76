"""lite convert: writes a model of any format as a .nb, Paddle, ONNX or text file."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace

from lite.api import arguments
from lite.api.build import Source, save_naive_buffer
from lite.api.system_errors import system_errors
from lite.api.targets import host_target
from lite.errors import ConfigError, LiteError
from lite.model.atomic import require_folder
from lite.model.program import Program
from lite.report.progress import Progress

from .named_model import add_model, named_model
from .partition import input_shape

_SUFFIXES = {"nb": ".nb", "pdmodel": ".pdmodel", "onnx": ".onnx", "text": ".txt"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_model(parser)
    parser.add_argument("--to", required=True, choices=sorted(_SUFFIXES), help="the format")
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="OUT",
        help="the file; its suffix is added where it is missing",
    )
    parser.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="NAME:1x3x224x224",
        help="an input's shape: the model is written for it, and arithmetic on shapes is done",
    )
    parser.add_argument(
        "--opset", type=int, help="ONNX's operator set (default 17; more where it is needed)"
    )


def run(flags: argparse.Namespace) -> int:
    """Runs the command."""
    output = arguments.path(flags.output, "the output")
    if flags.opset is not None and flags.to != "onnx":
        raise ConfigError(f"--opset is ONNX's; --to is {flags.to}")
    suffix = _SUFFIXES[flags.to]
    if not output.endswith(suffix):
        output += suffix
    require_folder(output)  # before minutes of work
    source = named_model(flags)
    with system_errors(LiteError):
        with Progress(f"converting to {flags.to}"):
            source = replace(source, shapes=_shapes(source, flags.input))
            files, remark = _write(source, flags.to, output, flags.opset)
        if remark:
            print(remark)
        for written in files:
            print(f"wrote {written}")
    return 0


def _shapes(source: Source, words: list[str]) -> dict[str, list[int]]:
    """What --input says."""
    if not words:
        return {}
    program = source.read()
    return dict(input_shape(word, program) for word in words)


def _write(source: Source, kind: str, output: str, opset: int | None) -> tuple[list[str], str]:
    """The files, and what there is to say of them."""
    if kind == "nb":
        return _write_nb(source, output)
    program = source.read()
    if kind == "onnx":
        from lite.model.onnx import DEFAULT_OPSET, write_onnx

        return write_onnx(program, output, opset=DEFAULT_OPSET if opset is None else opset), ""
    if kind == "pdmodel":
        from lite.model.save import write_pdmodel_files

        return write_pdmodel_files(program, output), ""
    return _write_text(program, output), ""


def _write_nb(source: Source, output: str) -> tuple[list[str], str]:
    """The file, and what of it real Paddle Lite cannot run."""
    from lite.core.optimizer.exchange.limits import limits, limits_line

    program = source.optimized(for_file=True)
    found = limits(program, source.targets or (host_target(),))
    written = save_naive_buffer(program, output)
    return [written], f"{written} {limits_line(found)}" if found else ""


def _write_text(program: Program, output: str) -> list[str]:
    """The text, and the parameters beside it, which the text only names."""
    from lite.model.atomic import replacing
    from lite.model.save import write_params
    from lite.model.text import print_program

    params = f"{os.path.splitext(output)[0]}.pdiparams"
    with replacing(output) as file:
        file.write(print_program(program).encode("utf-8", "surrogateescape"))
    if not program.params:
        return [output]
    with replacing(params) as file:
        write_params(program.params, file)
    return [output, params]
