"""What a worker asks of rknn-toolkit2, in the toolkit's own interpreter.

A program is in the process that built it: the simulator takes nothing else.
"""

from __future__ import annotations

import io
import json
import logging
import os
import re
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import __main__

MOST_RULES = 8


# It serves one kind of quantisation, and is five gigabytes.
__main__.stand_in_for("torch")
os.environ["TQDM_DISABLE"] = "1"

import numpy as np  # noqa: E402
import onnx  # noqa: E402
import tool_files as files  # noqa: E402
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
    """A model that was built for a chip: of ONNX, or of what `calibrate` made of it."""

    def __init__(self, platform: str, model: bytes, int8: bool) -> None:
        if int8:
            types = files.unpack(model)
            self.rknn = _finish()
        else:
            types = files.write_onnx(model)
            self.rknn = _make(platform, _build)
        self.inputs, self.outputs = (
            [(np.dtype(dtype), shape) for dtype, shape in some] for some in types
        )

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


def _make(platform: str, how: Callable[[RKNN], None]) -> RKNN:
    """Without the rules of the toolkit's optimizer that fail."""
    # Keeps more than "normal"; "mmse" keeps most, in a minute where these take one second.
    config = {"target_platform": platform, "quantized_algorithm": "kl_divergence"}
    rules: list[str] = []
    while True:
        _failed.names.clear()
        rknn = RKNN(verbose=False)
        try:
            _succeed(rknn.config(**config, disable_rules=rules), "config")
            how(rknn)
            return rknn
        except ValueError:
            rknn.release()
            failed = [name for name in _failed.names if name not in rules]
            if not failed or len(rules) >= MOST_RULES:
                raise
            rules += failed


def _build(rknn: RKNN) -> None:
    _succeed(rknn.load_onnx(files.MODEL), "load_onnx")
    _succeed(rknn.build(do_quantization=False), "build")


def _calibrate(rknn: RKNN) -> None:
    _succeed(rknn.load_onnx(files.MODEL), "load_onnx")
    _succeed(rknn.hybrid_quantization_step1(dataset=files.SAMPLES), "hybrid_quantization_step1")


def _finish() -> RKNN:
    """Chip and rules are those of `_calibrate`."""
    rknn = RKNN(verbose=False)
    try:
        _succeed(rknn.hybrid_quantization_step2(*files.CALIBRATED), "hybrid_quantization_step2")
    except BaseException:
        rknn.release()
        raise
    return rknn


def _succeed(code: int, call: str) -> None:
    if code != 0:
        raise RuntimeError(f"{call} returns {code}")


def check(arguments: dict[str, Any], blobs: list[bytes]) -> tuple[Any, list[bytes]]:
    """Builds a model, runs it once and forgets it. Arguments: platform."""
    _tried(arguments["platform"], blobs[0]).rknn.release()
    return None, []


def _tried(platform: str, model: bytes, int8: bool = False) -> _Program:
    """Much compiles that the simulator does not run, or of which it gives fewer outputs."""
    program = _Program(platform, model, int8)
    try:
        _succeed(program.rknn.init_runtime(), "init_runtime")
        program.run([np.zeros(shape, dtype) for dtype, shape in program.inputs])
    except BaseException:
        program.rknn.release()
        raise
    return program


def calibrate(arguments: dict[str, Any], blobs: list[bytes]) -> tuple[Any, list[bytes]]:
    """The layers of an ONNX that can be int8, those that need not be, and what to `build` of.

    Arguments: platform. The blobs after the model are inputs: each sample's, one after the other.
    """
    types = files.write_onnx(blobs[0])
    files.write_samples(blobs[1:], len(types[0]))
    _make(arguments["platform"], _calibrate).release()
    layers = files.layers(onnx.load(files.MODEL).graph)
    packed = files.pack(types)
    return [layers, _that_may_stay(layers, packed)], [packed]


def _that_may_stay(layers: list[str], packed: bytes) -> list[str]:
    """Without those that it does not know when it builds; none for chips without floats."""
    names = list(layers)
    while names:
        files.unpack(json.dumps(names).encode() + b"\n" + packed)
        try:
            _finish().release()
            break
        except ValueError as error:
            unknown = re.search(r"Invalid operands name '(.+?)' in custom", str(error))
            if unknown is None:
                return []
            names.remove(unknown[1])
    return names


def build(arguments: dict[str, Any], blobs: list[bytes]) -> tuple[Any, list[bytes]]:
    """A program's name and its .rknn. Arguments: platform, the programs that are released, and
    whether it is int8: then the model is a line with the layers that are not, and what `calibrate`
    gave."""
    for name in arguments["released"]:
        if name in _programs:
            _programs.pop(name).rknn.release()
    program = _tried(arguments["platform"], blobs[0], arguments["int8"])
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
