"""Java programs against the jars, and what Python computes for the same."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import numpy as np

import lite

ROOT = Path(__file__).resolve().parents[2]
READER = ROOT / "android" / "src" / "main" / "java"


def java(
    folder: Path,
    kind: str,
    program: str,
    *arguments: object,
    typed: str = "",
    **environment: str,
) -> str:
    """What a program prints, which has nothing to warn of."""
    path = os.pathsep.join([str(folder / f"{kind}.jar"), str(folder / "classes")])
    command = ["java", "-Xmx64m", "-Xcheck:jni", "-cp", path, program, *map(str, arguments)]
    environment = {**os.environ, **environment}
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment, input=typed, timeout=600
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    assert not done.stderr and "WARNING" not in done.stdout, done.stderr + done.stdout
    return done.stdout


def numbers(text: str) -> np.ndarray:
    return np.array([float(line) for line in text.split()], np.float32)


def picture(side: int) -> np.ndarray:
    return np.float32(np.arange(3 * side * side) % 5 / 5 - 0.4).reshape(1, 3, side, side)


def first(model: Path, *arrays: np.ndarray) -> np.ndarray:
    return next(iter(lite.load(model).run(list(arrays)).values())).ravel()
