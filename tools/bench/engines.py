"""What other engines need: their files, made of the model, and their worker processes."""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from lite.api.build import Source
from lite.errors import ConfigError, LiteError
from lite.model.find import find_model
from lite.model.legacy import as_legacy
from lite.model.program import AttrType, Program, VarDesc

ENGINES = {
    "onnxruntime": "onnxruntime",
    "openvino": "openvino",
    "ncnn": "ncnn",
    "mnn": "MNN",
    "executorch": "executorch",
    "litert": "ai_edge_litert",
    "paddlelite": "paddlelite",
    "paddle": "paddle",
    "paddle_onednn": "paddle",
}
"""Their modules by name."""
_PACKAGES = {
    "executorch": "executorch onnx2torch",
    "litert": "ai-edge-litert litert-torch onnx2torch",
}
"""What is installed, where it is not called as the module."""
_START_LIMIT = 300.0
_TAIL = 400


class EngineError(LiteError):
    """An engine cannot run the model."""


class ModelFiles:
    """The model in the formats of the engines, written into a folder when they are asked for.

    The folder has the inputs, as ``inputs.npz``.
    """

    def __init__(self, source: Source, folder: Path, shapes: list[tuple[int, ...]]) -> None:
        self._source = source
        self._folder = folder
        self._shapes = shapes
        self._onnx = ""

    def of(self, engine: str, python: str) -> dict[str, Any]:
        """The files of an engine that is in ``python``.

        EngineError or the exporter's error where that fails.
        """
        module = ENGINES[engine]
        if python == sys.executable and find_spec(module) is None:
            package = _PACKAGES.get(engine, module)
            raise EngineError(f"it is not installed in this Python: pip install {package}")
        makers: dict[str, Callable[[], dict[str, Any]]] = {
            "onnxruntime": lambda: {"onnx": self._as_onnx()},
            "openvino": self._for_openvino,
            "ncnn": lambda: self._for_ncnn(python),
            "mnn": lambda: self._for_mnn(python),
            "executorch": lambda: self._for_xnnpack("executorch", python),
            "litert": lambda: self._for_xnnpack("litert", python),
            "paddlelite": self._for_paddlelite,
            "paddle": lambda: self._for_paddle(onednn=False),
            "paddle_onednn": lambda: self._for_paddle(onednn=True),
        }
        return makers[engine]()

    def _as_onnx(self) -> str:
        """An ONNX model is given as it is."""
        if self._source.model_file.endswith(".onnx"):
            return os.path.abspath(self._source.model_file)
        if not self._onnx:
            from lite.model.onnx import write_onnx

            path = str(self._folder / "model.onnx")
            write_onnx(self._source.read(), path)
            self._onnx = path
        return self._onnx

    def _for_openvino(self) -> dict[str, Any]:
        """Paddle's own file where there is one: its reader is part of OpenVINO."""
        path, params = self._source.model_file, self._source.param_file
        beside = path.removesuffix(".pdmodel") + ".pdiparams"
        own = path.endswith(".pdmodel") and (params or beside) == beside and os.path.isfile(beside)
        try:
            return {"pdmodel": path if own else "", "onnx": self._as_onnx()}
        except LiteError:
            if not own:
                raise
            return {"pdmodel": path, "onnx": path}

    def _for_ncnn(self, python: str) -> dict[str, Any]:
        pnnx = _native_pnnx(python) or shutil.which("pnnx")
        if pnnx is None:
            raise EngineError("ncnn's converter is not here: pip install pnnx")
        if any(not shape or shape[0] != 1 for shape in self._shapes):
            raise EngineError("ncnn has no batch: every input's first dimension must be 1")
        folder = self._folder / "ncnn"
        folder.mkdir()
        model = folder / "model.onnx"  # pnnx writes beside it
        model.symlink_to(self._as_onnx())
        sizes = ",".join(str(list(shape)).replace(" ", "") for shape in self._shapes)
        done = subprocess.run(
            [pnnx, str(model), f"inputshape={sizes}", "fp16=0"],
            cwd=folder, capture_output=True, text=True, errors="replace", timeout=_START_LIMIT,
        )  # fmt: skip
        files = {"param": folder / "model.ncnn.param", "bin": folder / "model.ncnn.bin"}
        if done.returncode != 0 or not all(path.is_file() for path in files.values()):
            raise EngineError(f"pnnx cannot convert the model: {_tail(done.stderr)}")
        return {name: str(path) for name, path in files.items()}

    def _for_mnn(self, python: str) -> dict[str, Any]:
        """Converted by what MNN's script calls; the script itself reports to its makers."""
        script = "import sys, _tools; _tools.mnnconvert(['', *sys.argv[1:]])"
        path = self._folder / "model.mnn"
        options = ["-f", "ONNX", "--modelFile", self._as_onnx(), "--MNNModel", str(path)]
        done = subprocess.run(
            [python, "-c", script, *options, "--bizCode", "bench"],
            cwd=self._folder, capture_output=True, text=True, errors="replace",
            timeout=_START_LIMIT,
        )  # fmt: skip
        if done.returncode != 0 or not path.is_file():
            raise EngineError(f"MNN cannot convert the model: {_tail(done.stdout + done.stderr)}")
        return {"mnn": str(path), "outputs": self._source.read().fetch_names()}

    def _for_xnnpack(self, engine: str, python: str) -> dict[str, Any]:
        """Through PyTorch, which both convert."""
        path = self._folder / f"model.{engine}"
        script = Path(__file__).with_name("xnnpack_files.py")
        words = [engine, self._as_onnx(), str(path), str(self._folder / "inputs.npz")]
        done = subprocess.run(
            [python, str(script), *words], cwd=self._folder,
            capture_output=True, text=True, errors="replace", timeout=_START_LIMIT,
        )  # fmt: skip
        if done.returncode != 0 or not path.is_file():
            reason = done.stderr.strip().rpartition("\n")[2]
            raise EngineError(f"PyTorch cannot convert the model: {_tail(reason)}")
        return {"model": str(path)}

    def _for_paddle(self, onednn: bool) -> dict[str, Any]:
        """Its own two files."""
        folder, file = self._source.model_dir, self._source.model_file
        model = find_model(folder) if folder else file
        params = self._source.param_file or f"{os.path.splitext(model)[0]}.pdiparams"
        if not model.endswith((".json", ".pdmodel")) or not os.path.isfile(params):
            raise EngineError("it reads inference.json or .pdmodel beside one .pdiparams only")
        return {"program": model, "params": params, "onednn": onednn}

    def _for_paddlelite(self) -> dict[str, Any]:
        from lite.model.save import write_protobuf_dir

        folder = self._folder / "paddlelite"
        write_protobuf_dir(_with_old_exporter_habits(self._source.read()), str(folder))
        return {"pb_model": str(folder / "model"), "pb_params": str(folder / "params")}


def _native_pnnx(python: str) -> str | None:
    """The program inside of the wheel: the script beside it asks for PyTorch."""
    script = "import importlib.util as u; print(*u.find_spec('pnnx').submodule_search_locations)"
    done = subprocess.run([python, "-c", script], capture_output=True, text=True)
    path = os.path.join(done.stdout.strip(), "pnnx")
    return path if done.returncode == 0 and os.access(path, os.X_OK) else None


_WITH_XSHAPE = frozenset(
    "flatten2 flatten_contiguous_range reshape2 squeeze2 transpose2 unsqueeze2".split()
)


def _with_old_exporter_habits(program: Program) -> Program:
    """What real Paddle Lite 2.13 asks for: Paddle 2's words, XShape outputs, relu6's threshold."""
    program = as_legacy(program)
    for number, op in enumerate(program.root.ops):
        if op.type in _WITH_XSHAPE and not op.output("XShape"):
            name = f"xshape_{number}"
            program.root.vars[name] = VarDesc(name)
            op.outputs["XShape"] = [name]
        if op.type == "relu6" and "threshold" not in op.attrs:
            op.set_attr("threshold", AttrType.FLOAT, 6.0)
    return program


def _tail(text: str) -> str:
    return " ".join(text.split())[-_TAIL:] or "it says nothing"


class Worker:
    """An engine in a process of its own."""

    def __init__(self, python: str, job: dict[str, Any]) -> None:
        self._log = tempfile.TemporaryFile()  # noqa: SIM115
        environment = dict(os.environ)
        if python == sys.executable:
            environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
        else:
            environment.pop("PYTHONPATH", None)
        command = [python, str(Path(__file__).with_name("worker.py")), json.dumps(job)]
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log,
                env=environment, start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            self._log.close()
            raise ConfigError(f"--compare: {python} cannot be started: {error.strerror}") from None
        self._rest = b""

    def start(self) -> dict[str, Any]:
        """Waits until the model has run; EngineError where it cannot."""
        ready: dict[str, Any] = self._answer(_START_LIMIT)
        if "error" in ready:
            raise EngineError(ready["error"])
        return ready

    def measure(self, runs: int, limit: float) -> list[float]:
        """Milliseconds of so many runs, which may take ``limit`` seconds together."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(b"%d\n" % runs)
            self._process.stdin.flush()
        except BrokenPipeError:
            raise EngineError(self._death()) from None
        times: list[float] = self._answer(limit)
        return times

    def _answer(self, limit: float) -> Any:
        assert self._process.stdout is not None
        until = time.monotonic() + limit
        while b"\n" not in self._rest:
            ready, _, _ = select.select([self._process.stdout], [], [], until - time.monotonic())
            if not ready:
                raise EngineError(f"no answer within {limit:.0f} s")
            part = os.read(self._process.stdout.fileno(), 1 << 16)
            if not part:
                raise EngineError(self._death())
            self._rest += part
        line, _, self._rest = self._rest.partition(b"\n")
        return json.loads(line)

    def _death(self) -> str:
        code = self._process.wait()
        self._log.seek(0)
        said = _tail(self._log.read().decode(errors="replace"))
        return f"its process ended with code {code}: {said}"

    def close(self) -> None:
        """Ends the process."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        self._process.wait()
        for file in (self._process.stdin, self._process.stdout, self._log):
            if file is not None:
                with contextlib.suppress(OSError):
                    file.close()
