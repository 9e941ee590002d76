"""What a worker asks of tpu-mlir, in the toolkit's own interpreter.

Its programs are run one after the other in a folder for each model, with the environment that its
package makes for them.
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import distribution
from pathlib import Path
from uuid import uuid4

import numpy as np
import onnx
from onnx.helper import tensor_dtype_to_np_dtype
from tool_names import in_order

import __main__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PACKAGE = Path(str(distribution("tpu-mlir").locate_file("tpu_mlir")))
LIBRARIES = PACKAGE / "lib" / "third_party"
OF_ANOTHER_SYSTEM = (
    *("libc.so.6", "libm.so.6", "libpthread.so.0", "libz.so.1", "libgcc_s.so.1"),
    *("libstdc++.so.6", "liblzma.so.5"),
)
"""The wheel brings Ubuntu's C library, with which nothing starts where the system has another."""

MOST_TO_TRY = 1 << 18
"""Bytes of a model."""

PROGRAMS = ("model.bmodel", "model.cvimodel")

_programs: dict[str, Path] = {}


def _without_another_system() -> None:
    aside = LIBRARIES / "aside"
    aside.mkdir(exist_ok=True)
    for name in OF_ANOTHER_SYSTEM:
        if (LIBRARIES / name).exists():
            (LIBRARIES / name).rename(aside / name)


_without_another_system()


def _environment() -> dict[str, str]:
    libraries = [PACKAGE / "lib", PACKAGE / "lib" / "capi", LIBRARIES]
    programs = [PACKAGE / "bin", PACKAGE / "python" / "tools"]
    changes = {
        "TPUC_ROOT": str(PACKAGE),
        "PPL_PROJECT_ROOT": str(PACKAGE / "cross_toolchains" / "ppl_compile"),
        "PYTHONPATH": f"{PACKAGE}{os.pathsep}{PACKAGE / 'python'}",
        "LD_LIBRARY_PATH": os.pathsep.join(map(str, libraries)),
        "PATH": os.pathsep.join([*map(str, programs), os.environ.get("PATH", "")]),
        "OMP_NUM_THREADS": str(os.cpu_count() or 1),
    }
    return {**os.environ, **changes}


def _call(program: str, folder: Path, *arguments: str) -> None:
    """Runs one of its programs. Raises RuntimeError with its last words."""
    runner = Path(__file__).with_name("tool_runner.py")
    shared = Path(__main__.__file__).parent
    path = PACKAGE / "python" / "tools" / f"{program}.py"
    done = subprocess.run(
        [sys.executable, runner, shared, path, *arguments],
        cwd=folder,
        env=_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
    )
    if done.returncode:
        said = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        raise RuntimeError(f"{program}: {said[-1] if said else f'ends with {done.returncode}'}")


def _program_of(chip: str) -> str:
    """The file of a compiled model; its suffix says what it is."""
    return PROGRAMS[chip in ("cv180x", "cv181x")]


def _compile(arguments: dict[str, Any], model: bytes) -> Path:
    """A folder with the model, and what was compiled of it. Arguments: chip, floats."""
    chip = arguments["chip"]
    folder = Path(tempfile.mkdtemp(dir="."))
    try:
        (folder / "model.onnx").write_bytes(model)
        names = ("--model_name", "model", "--model_def", "model.onnx", "--mlir", "model.mlir")
        _call("model_transform", folder, *names)
        kind = ("--quantize", arguments["floats"], "--chip", chip, "--skip_validation")
        program = _program_of(chip)
        _call("model_deploy", folder, "--mlir", "model.mlir", *kind, "--model", program)
        if not (folder / program).exists():
            raise RuntimeError(f"model_deploy writes no {program}")
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return folder


def _described(values: Any) -> list[tuple[Any, list[int]]]:
    found = []
    for value in values:
        tensor = value.type.tensor_type
        shape = [dim.dim_value for dim in tensor.shape.dim]
        found.append((tensor_dtype_to_np_dtype(tensor.elem_type), shape))
    return found


def _run(folder: Path, arrays: list[Any]) -> list[Any]:
    """In the simulator; outputs as the ONNX declares them."""
    graph = onnx.load(str(folder / "model.onnx")).graph
    np.savez(folder / "in.npz", **{f"input{at}": array for at, array in enumerate(arrays)})
    program = next(name for name in PROGRAMS if (folder / name).exists())
    files = ("--input", "in.npz", "--model", program, "--output", "out.npz")
    (folder / "out.npz").unlink(missing_ok=True)
    _call("model_runner", folder, *files)
    with np.load(folder / "out.npz") as file:
        results = in_order({name: file[name] for name in file.files})
    outputs = _described(graph.output)
    if len(results) != len(outputs):
        raise RuntimeError(f"the simulator gives {len(results)} of {len(outputs)} outputs")
    return [
        result.astype(dtype, copy=False).reshape(shape)
        for result, (dtype, shape) in zip(results, outputs, strict=True)
    ]


def _tried(arguments: dict[str, Any], model: bytes) -> Path:
    """Much compiles that the simulator does not run, or of which it gives fewer outputs; large
    models are not run, which takes it minutes."""
    folder = _compile(arguments, model)
    if len(model) > MOST_TO_TRY:
        return folder
    try:
        inputs = _described(onnx.load_from_string(model).graph.input)
        _run(folder, [np.zeros(shape, dtype) for dtype, shape in inputs])
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return folder


def check(arguments: dict[str, Any], blobs: list[bytes]) -> tuple[Any, list[bytes]]:
    """Compiles a model, runs it once and forgets it. Arguments: chip, floats."""
    shutil.rmtree(_tried(arguments, blobs[0]), ignore_errors=True)
    return None, []


def build(arguments: dict[str, Any], blobs: list[bytes]) -> tuple[Any, list[bytes]]:
    """A program's name and what a board runs. Arguments: chip, floats, and the programs that are
    released."""
    for name in arguments["released"]:
        if name in _programs:
            shutil.rmtree(_programs.pop(name), ignore_errors=True)
    folder = _compile(arguments, blobs[0])
    name = uuid4().hex
    _programs[name] = folder
    return name, [(folder / _program_of(arguments["chip"])).read_bytes()]


def run(name: str, blobs: list[bytes]) -> tuple[Any, list[bytes]]:
    """A program's outputs for its inputs, each in numpy's format; false without the program."""
    folder = _programs.get(name)
    if folder is None:
        return False, []
    made = []
    for result in _run(folder, [np.load(io.BytesIO(blob)) for blob in blobs]):
        file = io.BytesIO()
        np.save(file, result, allow_pickle=False)
        made.append(file.getvalue())
    return True, made
