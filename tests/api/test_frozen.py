"""A program that PyInstaller froze opens models through every door that needs no other package.

Opt-in, see client_environments.py.
"""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import numpy as np
from client_environments import client_env, client_python, run_client

import lite

DATA = Path(__file__).parents[1] / "model" / "data"
CONV = [str(DATA / f"conv.{end}") for end in ("pdmodel", "pdiparams")]
PROGRAM = """
import sys
import numpy as np
import lite
import lite.inference
import lite.onnxruntime
nb, program, params, onnx = sys.argv[1:]
image = np.sin(np.arange(384, dtype=np.float32)).reshape(2, 3, 8, 8)
def show(output):
    print(*output.ravel())
for predictor in (
    lite.load(nb),
    lite.load(program, params),
    lite.load(onnx),
    lite.load(program, params, devices=["builtin_device"]),
):
    (output,) = predictor.run([image]).values()
    show(output)
predictor = lite.inference.create_predictor(lite.inference.Config(program, params))
predictor.get_input_handle("x").copy_from_cpu(image)
predictor.run()
show(predictor.get_output_handle(predictor.get_output_names()[0]).copy_to_cpu())
session = lite.onnxruntime.InferenceSession(onnx)
show(session.run(None, {"x": image})[0])
"""


def test_pyinstaller(tmp_path: Path) -> None:
    python = client_python("frozen", "pyinstaller>=6.5,<7", copied=True)
    (tmp_path / "program.py").write_text(PROGRAM)
    onnx = tmp_path / "conv.onnx"
    words = [CONV[0], "--params", CONV[1], "--to", "onnx", "-o", onnx]
    subprocess.run([sys.executable, "-m", "lite.tools.cli", "convert", *words], check=True)
    hooks = Path(lite.__file__).parent / "__pyinstaller"
    places = [f"--{name}={tmp_path / name}" for name in ("distpath", "workpath", "specpath")]
    words = ["--noconfirm", "--log-level=WARN", f"--additional-hooks-dir={hooks}", *places]
    run_client(python, "-m", "PyInstaller", *words, tmp_path / "program.py")
    frozen = [tmp_path / "distpath/program/program", DATA / "conv.x86.214.nb", *CONV, onnx]
    done = subprocess.run(frozen, env=client_env(), capture_output=True, text=True, cwd="/")
    assert done.returncode == 0, done.stderr
    lines = [np.array(line.split(), np.float32) for line in done.stdout.splitlines()]
    assert [line.size for line in lines] == [10] * 6
    for line in lines[1:]:
        np.testing.assert_allclose(line, lines[0], rtol=1e-5)


def test_pyinstaller_finds_the_hook() -> None:
    """An installed package says where its hooks are; one that was built in place may be older."""
    found = [p for p in entry_points(group="pyinstaller40") if p.value.startswith("lite.")]
    assert found or not (Path(lite.__file__).parent / "tools").exists()
    for point in found:
        (folder,) = point.load()()
        assert (Path(folder) / "hook-lite.py").is_file()
