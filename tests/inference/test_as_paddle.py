"""as_paddle() and ``python -m lite.inference``: with and without paddlepaddle, in new processes."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest
from api import tiny_models

# Finds everything but paddle.
_NO_PADDLE = """
import importlib.abc, sys
class Hidden(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == "paddle" or name.startswith("paddle."):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Hidden())
import importlib.util
find_spec = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "paddle" else find_spec(name, *rest)
"""


def python(
    *arguments: object, cwd: Path | None = None, paddle: bool = False
) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    words = [str(word) for word in arguments]
    if not paddle and words[0] == "-c":
        words[1] = _NO_PADDLE + words[1]
    return subprocess.run(
        [sys.executable, *words], env=environment, cwd=cwd, capture_output=True, text=True
    )


def said(*arguments: object, cwd: Path | None = None, paddle: bool = False) -> str:
    done = python(*arguments, cwd=cwd, paddle=paddle)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.strip()


def test_stand_in_without_paddle() -> None:
    assert said(
        "-c",
        """
import lite
lite.inference.as_paddle()
import paddle, paddle.device
from paddle import inference
from paddle.inference import Config, create_predictor
import paddle.inference as again
assert inference is again is lite.inference and Config is lite.inference.Config
assert paddle.is_compiled_with_cuda() is False and paddle.get_device() == "cpu"
assert paddle.device.is_compiled_with_cuda() is False and paddle.device.get_device() == "cpu"
assert not paddle.device.is_compiled_with_rocm() and not hasattr(paddle, "nn")
try:
    paddle.to_tensor
except AttributeError as error:
    print(error)
""",
    ).startswith("paddle.to_tensor: paddlepaddle is not installed")


def test_a_block_ends_it() -> None:
    said(
        "-c",
        """
import sys
from lite.inference import as_paddle
with as_paddle() as outer:
    import paddle
    with as_paddle():
        import paddle.inference as inner
    import paddle.inference
    assert paddle.inference is inner
assert not [name for name in sys.modules if name.split(".")[0] == "paddle"]
outer.undo()
try:
    import paddle.inference
except ModuleNotFoundError:
    pass
else:
    raise AssertionError
""",
    )


def test_nothing_of_it_without_being_asked() -> None:
    said("-c", "import lite.inference, sys; assert 'paddle' not in sys.modules", paddle=True)
    said("-c", "import lite, sys; assert 'lite.inference' not in sys.modules", paddle=True)


@pytest.mark.paddle
@pytest.mark.skipif(importlib.util.find_spec("paddle") is None, reason="needs paddlepaddle")
def test_real_paddle_keeps_the_rest() -> None:
    said(
        "-c",
        """
import sys
from lite.inference import as_paddle
import lite.inference
with as_paddle():
    assert "paddle" not in sys.modules
    from paddle.inference import Config
    assert Config is lite.inference.Config and "paddle" not in sys.modules
    import paddle
    assert paddle.inference is lite.inference
    assert paddle.to_tensor([1.0]).numpy().tolist() == [1.0]
assert getattr(paddle, "inference", None) is not lite.inference
import paddle.inference as real
assert real.Config.__module__.startswith("paddle")
assert paddle.inference is real
with as_paddle():
    assert paddle.inference is lite.inference
assert paddle.inference is real and sys.modules["paddle.inference"] is real
""",
        paddle=True,
    )


@pytest.mark.paddle
@pytest.mark.skipif(importlib.util.find_spec("paddle") is None, reason="needs paddlepaddle")
def test_paddle_tensors_go_in_and_come_out(tmp_path: Path) -> None:
    (tmp_path / "m.nb").write_bytes(tiny_models.nb_bytes(tiny_models.dense()))
    said(
        "-c",
        """
import sys
import numpy, paddle
from lite.inference import Config, create_predictor
predictor = create_predictor(Config(sys.argv[1]))
x = numpy.ones((2, 4), "float32")
(y,) = predictor.run([paddle.to_tensor(x)])
assert isinstance(y, paddle.Tensor) and y.shape == [2, 3]
predictor.get_input_handle("x").share_external_data(paddle.to_tensor(x))
predictor.run()
assert (predictor.get_output_handle("y").copy_to_cpu() == y.numpy()).all()
""",
        tmp_path / "m.nb",
        paddle=True,
    )


SCRIPT = """
import sys
import helper
from paddle.inference import Config, create_predictor
import numpy
print(__name__, sys.argv[1:], helper.WORD)
predictor = create_predictor(Config(sys.argv[1]))
predictor.get_input_handle("x").copy_from_cpu(numpy.zeros((1, 4), "float32"))
predictor.run()
print(predictor.get_output_handle("y").copy_to_cpu().shape)
sys.exit(3 if "fail" in sys.argv else 0)
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "m.nb").write_bytes(tiny_models.nb_bytes(tiny_models.dense()))
    (tmp_path / "helper.py").write_text("WORD = 'beside'\n")
    (tmp_path / "deploy.py").write_text(SCRIPT)
    return tmp_path


def test_script(program: Path) -> None:
    model = program / "m.nb"
    expected = f"__main__ [{str(model)!r}, '--flag'] beside\n(1, 3)"
    assert said("-m", "lite.inference", program / "deploy.py", model, "--flag") == expected
    assert python("-m", "lite.inference", program / "deploy.py", model, "fail").returncode == 3


def test_module(program: Path) -> None:
    words = ("-m", "lite.inference", "-m", "deploy", "m.nb", "x")
    assert said(*words, cwd=program) == "__main__ ['m.nb', 'x'] beside\n(1, 3)"


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        ([], 2, "usage"),
        (["-m"], 2, "usage"),
        (["--help"], 0, "usage"),
        (["no_such.py"], 2, "there is no such script"),
        (["-m", "no_such_module"], 1, "no_such_module"),
    ],
)
def test_wrong_commands(words: list[str], code: int, text: str) -> None:
    done = python("-m", "lite.inference", *words)
    assert done.returncode == code
    assert text in done.stdout + done.stderr
