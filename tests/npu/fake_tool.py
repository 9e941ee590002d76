"""A vendor's tool as the worst of them are: what it does depends on the operators of a model."""

from __future__ import annotations

import io
import json
import os
import sys
import time
from typing import Any

import numpy as np
import onnxruntime as ort

_sessions: dict[str, Any] = {}
print("\x1b[33mwelcome to the fake toolkit\x1b[0m", flush=True)


def check(arguments: dict[str, Any], blobs: list[bytes]) -> tuple[Any, list[bytes]]:
    """Refuses Cos, dies of Sin, hangs for Log, answers nonsense for Floor."""
    print("compiling ...", flush=True)
    model = blobs[0]
    if b"Cos" in model:
        raise RuntimeError("a traceback of a screen\ncannot parse Cos")
    if b"Sin" in model:
        print("\x1b[31mAssertion failed\x1b[0m", flush=True)
        os.abort()
    if b"Log" in model:
        time.sleep(3600)
    if b"Floor" in model:
        os.write(int(sys.argv[1]), b"\xff" * 64)
    return None, []


def build(arguments: dict[str, Any], blobs: list[bytes]) -> tuple[Any, list[bytes]]:
    """A program of ONNX Runtime; its binary says how many there are, and is the ONNX."""
    for name in arguments["released"]:
        _sessions.pop(name, None)
    check(arguments, blobs)
    if arguments.get("chip") == "whole" and not arguments["int8"]:
        raise RuntimeError("the chip has no floats")
    name = f"{os.getpid()}.{time.monotonic_ns()}"
    model, noise = _of_int8(blobs[0]) if arguments["int8"] else (blobs[0], 0.0)
    _sessions[name] = ort.InferenceSession(model, providers=["CPUExecutionProvider"]), noise
    return name, [f"{arguments.get('chip')} {len(_sessions)}\n".encode() + model]


NOISE = {f"layer{number}": 1e-6 for number in range(12)} | {"layer3": 0.4, "layer8": 0.004}
"""What a layer in int8 adds to each output."""


def calibrate(arguments: dict[str, Any], blobs: list[bytes]) -> tuple[Any, list[bytes]]:
    """Layers that lose what they lose, whatever the samples are."""
    samples = [np.load(io.BytesIO(blob)) for blob in blobs[1:]]
    if any((sample == 15).any() for sample in samples):
        raise RuntimeError("cannot find ranges")
    return [list(NOISE), list(NOISE) if arguments.get("chip") != "whole" else []], [
        b"calibrated " + blobs[0]
    ]


def _of_int8(blob: bytes) -> tuple[bytes, float]:
    head, _, rest = blob.partition(b"\n")
    kept = json.loads(head)
    return rest.removeprefix(b"calibrated "), sum(NOISE[name] for name in NOISE if name not in kept)


def run(name: str, blobs: list[bytes]) -> tuple[Any, list[bytes]]:
    """The outputs; dies where an input has a 13, gives a shorter tensor where it has a 14."""
    if name not in _sessions:
        return False, []
    session, noise = _sessions[name]
    arrays = [np.load(io.BytesIO(blob)) for blob in blobs]
    if any((array == 13).any() for array in arrays):
        os.kill(os.getpid(), 11)
    feeds = {f"input{i}": array for i, array in enumerate(arrays)}
    made = []
    for exact in session.run(None, feeds):
        result = exact + exact.dtype.type(noise) * (np.arange(exact.size) % 2).reshape(exact.shape)
        result = result.astype(exact.dtype)
        file = io.BytesIO()
        short = any((array == 14).any() for array in arrays)
        np.save(file, result[:-1] if short else result, allow_pickle=False)
        made.append(file.getvalue())
    return True, made
