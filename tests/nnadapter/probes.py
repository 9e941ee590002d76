"""Drivers for tests, built from drivers/probe.cc by the system's C++ compiler."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
from nnadapter.compiling import INCLUDE

from lite.nnadapter.capi import Model, Operand

HERE = Path(__file__).resolve().parent


def build(folder: Path, name: str, source: str = "probe.cc", **defines: object) -> Path:
    """Compiles lib<name>.so into a folder; `defines` are PROBE_<KEY>=value."""
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    assert compiler, "these tests need a C++ compiler"
    result = folder / f"lib{name}.so"
    macros = [f"-DPROBE_{key.upper()}={value}" for key, value in defines.items()]
    subprocess.run(
        [
            *(compiler, "-std=c++17", "-shared", "-fPIC", f"-I{INCLUDE}"),
            *(f"-DPROBE_NAME={name}", *macros, str(HERE / "drivers" / source), "-o", str(result)),
        ],
        check=True,
        capture_output=True,
        text=True,
    )
    return result


def binary(model: Model, kind: str, a: Operand, b: Operand) -> Operand:
    """a `kind` b, without a fused activation."""
    return model.operation(kind, [a, b, model.constant(0)])[0]


def diamond(length: int = 3) -> tuple[Model, list[np.ndarray]]:
    """relu(x * w) + x, and the product itself, which is an output that other operations read."""
    rng = np.random.default_rng(7)
    weight = (rng.random(length, np.float32) - 0.5).astype(np.float32)
    model = Model()
    x = model.tensor(np.float32, [-1, length])
    product = binary(model, "MUL", x, model.constant(weight))
    (positive,) = model.operation("RELU", [product])
    total = binary(model, "ADD", positive, x)
    return model.finish([x], [product, total]), [weight]


def diamond_result(x: np.ndarray, weight: np.ndarray) -> list[np.ndarray]:
    """What `diamond` computes."""
    product = x * weight
    return [product, np.maximum(product, 0) + x]
