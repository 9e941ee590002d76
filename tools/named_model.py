"""The arguments by which commands are told a model."""

from __future__ import annotations

import argparse
from typing import Any

from lite.api import arguments
from lite.api.build import Source


def add_model(parser: argparse.ArgumentParser) -> None:
    """Adds MODEL and --params."""
    parser.add_argument(
        "model", help="a folder, or an inference.json, .pdmodel, __model__, .nb or .onnx file"
    )
    parser.add_argument("--params", help="the combined parameters, when not beside the model")


def named_model(flags: argparse.Namespace, **more: Any) -> Source:
    """The model that the flags name. Raises ConfigError."""
    path = arguments.path(flags.model, "the model")
    if flags.params:
        return Source(model_file=path, param_file=flags.params, **more)
    return Source(path, **more)
