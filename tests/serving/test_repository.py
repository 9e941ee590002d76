"""`lite serve`'s folders: MLServer's settings, and Triton's repository run by a stand-in."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from api import tiny_models

import lite
from lite.api.serving_options import Options
from lite.errors import ConfigError
from lite.model.program import DataType, VarDesc
from lite.model.save import write_protobuf_dir
from lite.serving.repository import named, write_mlserver
from lite.tools.cli import main

STAND_IN = str(Path(__file__).with_name("stand_in"))


@pytest.fixture
def model(tmp_path: Path) -> str:
    """The folder of a Paddle model: y = softmax(x @ w + b)."""
    folder = str(tmp_path / "dense")
    program = tiny_models.dense()
    program.blocks[0].vars["y"] = VarDesc("y", dtype=DataType.FP32, shape=(-1, 3))
    write_protobuf_dir(program, folder)
    return folder


def test_names(tmp_path: Path, model: str) -> None:
    nb = tmp_path / "other.nb"
    nb.write_bytes(tiny_models.nb_bytes(tiny_models.dense()))
    assert named([model, str(nb), f"again={model}"]) == {
        "dense": model, "other": str(nb), "again": model,
    }  # fmt: skip
    with pytest.raises(ConfigError, match="NAME="):
        named([model, model])
    with pytest.raises(ConfigError, match="NAME="):
        named([f"a/b={model}"])
    with pytest.raises(FileNotFoundError, match="no_model"):
        named([str(tmp_path / "no_model")])


def test_mlserver_settings(tmp_path: Path, model: str) -> None:
    command = ["serve", model, "--repository", str(tmp_path / "out"), "--port", "9000",
               "--max-batch-size", "16", "--instances=2", "--warm-up", "x:3x4"]  # fmt: skip
    assert main(command) == 0
    settings = json.loads((tmp_path / "out/settings.json").read_text())
    assert settings["host"] == "127.0.0.1"
    assert [settings[f"{kind}_port"] for kind in ("http", "grpc", "metrics")] == [9000, 9001, 9002]
    assert settings["parallel_workers"] == 0
    said = json.loads((tmp_path / "out/dense/model-settings.json").read_text())
    assert said["implementation"] == "lite.serving.LiteModel"
    assert "max_batch_size" not in said  # MLServer's own batching stays off
    assert said["parameters"]["uri"] == model
    extra = {"max_batch_size": 16, "instances": 2, "warm_up": [{"x": [3, 4]}]}
    assert said["parameters"]["extra"] == extra
    assert Options.of(extra).changed() == extra


@pytest.mark.parametrize("port", [0, 65534, -1])
def test_ports(tmp_path: Path, model: str, port: int) -> None:
    with pytest.raises(ConfigError, match="port"):
        write_mlserver(tmp_path, {"m": model}, Options(), "127.0.0.1", port)


@pytest.mark.parametrize(
    ("settings", "part"),
    [
        ({"thread": 2}, "unknown options thread; known: threads"),
        ({"threads": 0}, "threads is 0"),
        ({"threads": "2"}, "threads must be an int"),
        ({"instances": 0}, "instances is 0"),
        ({"max_batch_size": -1}, "max_batch_size is -1"),
        ({"max_delay_ms": "1"}, "max_delay_ms"),
        ({"devices": 3}, "devices"),
        ({"warm_up": [[1, 2]]}, "warm_up takes shapes"),
        ({"warm_up": {"x": [1.5]}}, "dimension of 'x'"),
    ],
)
def test_options_that_make_no_sense(settings: dict[str, Any], part: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(part)):
        Options.of(settings)


def test_without_mlserver_the_command_says_what_to_install(
    model: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert main(["serve", model]) == 1
    assert "paddle-lite-predictor[serving]" in capsys.readouterr().err


class Triton:
    """Loads a model of a repository as the python backend does."""

    def __init__(self, repository: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.syspath_prepend(STAND_IN)
        folder = repository / name
        self.config = (folder / "config.pbtxt").read_text()
        spec = importlib.util.spec_from_file_location("triton_model", folder / "1/model.py")
        assert spec is not None
        assert spec.loader is not None
        module: ModuleType = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        self.utils: Any = importlib.import_module("triton_python_backend_utils")
        self.model = module.TritonPythonModel()
        found = re.search(r'key: "(\w+)" value: { string_value: ("(?:[^"\\]|\\.)*")', self.config)
        assert found is not None
        parameters = {found.group(1): {"string_value": json.loads(found.group(2))}}
        self.args = {
            "model_config": json.dumps({"name": name, "parameters": parameters}),
            "model_repository": str(folder),
            "model_version": "1",
            "model_name": name,
        }

    def ask(self, *requests: dict[str, np.ndarray]) -> list[Any]:
        """Responses to requests that come at once."""
        tensors = [[self.utils.Tensor(*pair) for pair in one.items()] for one in requests]
        return list(self.model.execute([self.utils.InferenceRequest(*some) for some in tensors]))


def test_triton(tmp_path: Path, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = tmp_path / "triton"
    command = ["serve", model, "--triton-repository", str(repository), "--max-batch-size=8",
               "--max-delay-ms=2"]  # fmt: skip
    assert main(command) == 0
    triton = Triton(repository, "dense", monkeypatch)
    assert 'backend: "python"' in triton.config
    assert "max_batch_size: 8" in triton.config
    assert 'input [ { name: "x" data_type: TYPE_FP32 dims: [ 4 ] } ]' in triton.config
    assert "max_queue_delay_microseconds: 2000" in triton.config
    Path(model, "model").unlink()  # the folder is complete in itself
    triton.model.initialize(triton.args)
    inputs = [
        np.random.default_rng(seed).random((1 + seed % 3, 4), np.float32) for seed in range(9)
    ]
    bad = np.zeros((2, 5), np.float32)
    responses = triton.ask(*({"x": x} for x in inputs), {"x": bad}, {"z": bad})
    for x, response in zip(inputs, responses, strict=False):
        assert not response.has_error()
        (tensor,) = response.output_tensors()
        np.testing.assert_allclose(tensor.as_numpy(), tiny_models.dense_result(x), atol=1e-6)
    assert [response.has_error() for response in responses] == [False] * 9 + [True] * 2
    assert "unknown: z" in responses[-1].error().message()
    triton.model.finalize()


def test_triton_without_batching_says_all_dimensions(
    tmp_path: Path, model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["serve", f"m={model}", "--triton-repository", str(tmp_path / "t")]) == 0
    triton = Triton(tmp_path / "t", "m", monkeypatch)
    assert "max_batch_size: 0" in triton.config
    assert "dims: [ -1, 4 ]" in triton.config
    (tmp_path / "t/m/1/model.nb").write_bytes(b"no model")
    with pytest.raises(triton.utils.TritonModelException, match=r"model\.nb"):
        triton.model.initialize(triton.args)


def test_nothing_of_it_is_imported_by_lite() -> None:
    import subprocess

    script = f"import sys; sys.path[:] = {sys.path!r}\nimport lite, lite.serving\n"
    script += "print([n for n in ('mlserver', 'ray', 'paddlex', 'pydantic') if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr
    assert lite.__version__
