"""What a worker asks of rknn-toolkit2, in the toolkit's own interpreter.

A program is in the process that built it: the simulator takes nothing else.
"""

from __future__ import annotations

import importlib.util
import io
import logging
import os
import re
import sys
import types
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from typing import Any
from uuid import uuid4

MOST_RULES = 8


class _StandIn(types.ModuleType, MetaPathFinder, Loader):
    """Packages of which the toolkit only wants the names: torch serves one kind of quantisation,
    and is five gigabytes."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        ours = name.split(".")[0] == "torch"
        return ModuleSpec(name, self, is_package=True) if ours else None

    def create_module(self, spec: ModuleSpec) -> types.ModuleType:
        return _StandIn(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        # A base class, a decorator that is called, or one that is not.
        made = {"__init__": lambda *_, **__: None, "__call__": lambda _, given=None: given}
        return type(name, (), made)


if importlib.util.find_spec("torch") is None:
    sys.meta_path.append(_StandIn("torch"))
os.environ["TQDM_DISABLE"] = "1"

import numpy as np  # noqa: E402
import onnx  # noqa: E402
from onnx.helper import tensor_dtype_to_np_dtype  # noqa: E402
from rknn.api import RKNN  # noqa: E402

_programs: dict[str, _Program] = {}


class _FailedRules(logging.Handler):
    """The rules of the toolkit's optimizer that fail, by the names that it prints."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.names += re.findall(r"disable_rules=\['(\w+)'\]", record.getMessage())


_failed = _FailedRules()
logging.getLogger("rknnLogger").addHandler(_failed)


class _Program:
    """A model that was built for a chip."""

    def __init__(self, platform: str, model: bytes) -> None:
        graph = onnx.load_from_string(model).graph
        self.inputs = [_type_of(value) for value in graph.input]
        self.outputs = [_type_of(value) for value in graph.output]
        with open("model.onnx", "wb") as file:
            file.write(model)
        rules: list[str] = []
        while not self._built(platform, rules):
            pass

    def _built(self, platform: str, rules: list[str]) -> bool:
        """False where a rule of the toolkit's optimizer failed, which is then one of `rules`."""
        _failed.names.clear()
        self.rknn = RKNN(verbose=False)
        try:
            _succeed(self.rknn.config(target_platform=platform, disable_rules=rules), "config")
            _succeed(self.rknn.load_onnx("model.onnx"), "load_onnx")
            _succeed(self.rknn.build(do_quantization=False), "build")
        except ValueError:
            self.rknn.release()
            failed = [name for name in _failed.names if name not in rules]
            if not failed or len(rules) >= MOST_RULES:
                raise
            rules += failed
            return False
        return True

    def exported(self) -> bytes:
        """The .rknn that a board runs."""
        _succeed(self.rknn.export_rknn("model.rknn"), "export_rknn")
        with open("model.rknn", "rb") as file:
            return file.read()

    def run(self, arrays: list[Any]) -> list[Any]:
        """In the simulator; outputs as the ONNX declares them."""
        results = self.rknn.inference(inputs=arrays, data_format=["nchw"] * len(arrays))
        count = 0 if results is None else len(results)
        if count != len(self.outputs):  # of equal tensors it keeps one
            raise RuntimeError(f"the simulator gives {count} of {len(self.outputs)} outputs")
        return [
            np.asarray(result).astype(dtype, copy=False).reshape(shape)
            for result, (dtype, shape) in zip(results, self.outputs, strict=True)
        ]


def _type_of(value: Any) -> tuple[Any, list[int]]:
    tensor = value.type.tensor_type
    dtype = tensor_dtype_to_np_dtype(tensor.elem_type)
    return dtype, [dim.dim_value for dim in tensor.shape.dim]


def _succeed(code: int, call: str) -> None:
    if code != 0:
        raise RuntimeError(f"{call} returns {code}")


def check(arguments: dict[str, str], blobs: list[bytes]) -> tuple[Any, list[bytes]]:
    """Builds a model, runs it once and forgets it. Arguments: platform."""
    _tried(arguments["platform"], blobs[0]).rknn.release()
    return None, []


def _tried(platform: str, model: bytes) -> _Program:
    """Much compiles that the simulator does not run, or of which it gives fewer outputs."""
    program = _Program(platform, model)
    try:
        _succeed(program.rknn.init_runtime(), "init_runtime")
        program.run([np.zeros(shape, dtype) for dtype, shape in program.inputs])
    except BaseException:
        program.rknn.release()
        raise
    return program


def build(arguments: dict[str, Any], blobs: list[bytes]) -> tuple[Any, list[bytes]]:
    """A program's name and its .rknn. Arguments: platform, and the programs that are released."""
    for name in arguments["released"]:
        if name in _programs:
            _programs.pop(name).rknn.release()
    program = _tried(arguments["platform"], blobs[0])
    name = uuid4().hex
    _programs[name] = program
    return name, [program.exported()]


def run(name: str, blobs: list[bytes]) -> tuple[Any, list[bytes]]:
    """A program's outputs for its inputs, each in numpy's format; false without the program."""
    program = _programs.get(name)
    if program is None:
        return False, []
    made = []
    for result in program.run([np.load(io.BytesIO(blob)) for blob in blobs]):
        file = io.BytesIO()
        np.save(file, result, allow_pickle=False)
        made.append(file.getvalue())
    return True, made
