"""lite: run, measure, print and convert models, and say what this installation is."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Container

import lite

from .report import Parser, reported

_COMMANDS = {
    "run": (".run", "run a model once"),
    "bench": (".bench.command", "measure a model's time and memory"),
    "print": (".print_model", "show a model as text"),
    "view": (".view", "show a model's graph, weights and times as an HTML page"),
    "convert": (".convert", "write a model in another format"),
    "pack": (".pack", "store a .nb model's weights as this machine's kernels read them"),
    "operators": (".operators", "show what a model uses and what of it is missing"),
    "build": (".build", "compile a model for a device, for boards without its compiler"),
    "quantize": (".quantize", "compile a model in int8 that keeps its accuracy"),
    "shapes": (".shapes", "propose a few shapes to compile a model for"),
    "partition": (".partition", "show what of a model a device takes"),
    "devices": (".devices", "show the devices that are here"),
    "device": (".device", "install what a device over a vendor's toolkit needs"),
    "compare": (".compare", "compare every operator on a device with a reference"),
    "bisect": (".bisect", "find the operators that go wrong on a device"),
    "batch": (".batch", "run a model over files on one machine or a Ray cluster"),
    "paddlex": (".paddlex", "show which of PaddleX's models run here, beside other engines"),
    "serve": (".serve", "serve models by MLServer, or write a folder for Triton"),
    "device-test": (".device_test", "check a device against NNAdapter's contract"),
    "sdk": (".sdk", "show where C++ applications find headers and libraries"),
    "env": (".env", "show versions, CPU and kernels"),
    "doctor": (".doctor.command", "show what is wrong with this installation"),
    "completion": (".completion", "print what bash or zsh needs to complete these commands"),
}


def main(argv: list[str] | None = None) -> int:
    """Runs a command; returns its exit code, 1 after an error."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] == ["opt"]:
        from .opt.main import main as opt_main

        return opt_main(words[1:])
    return reported("lite", lambda: _run(words))


def make_parser(chosen: Container[str] = _COMMANDS) -> Parser:
    """The parser; commands that are not chosen have no arguments, and need not be imported."""
    parser = Parser(prog="lite", description="Reads, optimises and runs Paddle models.")
    parser.add_argument("--version", action="version", version=lite.__version__)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    for name, (_, text) in _COMMANDS.items():
        _add(commands, name, text, name in chosen)
    commands.add_parser("opt", help="convert a model, as paddle_lite_opt does")
    return parser


def _run(words: list[str]) -> int:
    parser = make_parser(words[:1])
    flags = parser.parse_args(words)
    if flags.command is None:
        parser.print_help()
        return 0
    return int(importlib.import_module(_COMMANDS[flags.command][0], __package__).run(flags))


def _add(commands: argparse._SubParsersAction[Parser], name: str, text: str, chosen: bool) -> None:
    command = commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
    if chosen:
        importlib.import_module(_COMMANDS[name][0], __package__).add_arguments(command)


if __name__ == "__main__":
    sys.exit(main())
