"""`lite serve` by its real clients: MLServer, and tritonclient over HTTP and gRPC.

Needs LITE_TEST_CLIENTS (see client_environments).
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from api import tiny_models
from client_environments import client_python, declared, run_client

from lite.model.load import load_program
from lite.model.save import write_protobuf_dir

HERE = Path(__file__).parent
_MOBILENET = """
import sys, paddle
paddle.seed(0)
network = paddle.vision.models.mobilenet_v1()
network.eval()
spec = paddle.static.InputSpec([-1, 3, 224, 224], "float32", "x")
paddle.jit.save(network, sys.argv[1] + "/inference", input_spec=[spec])
"""


def ask(*words: str | Path) -> Any:
    """The JSON that client.py prints."""
    python = client_python("serving", *declared("serving"), "tritonclient[http,grpc]")
    return json.loads(run_client(python, HERE / "client.py", *words).splitlines()[-1])


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("serving")
    for name in ("dense", "looked_up", "positions"):
        write_protobuf_dir(getattr(tiny_models, name)(), str(folder / name))
    conv = load_program(model_file=str(HERE.parent / "model/data/conv.pdmodel"))
    write_protobuf_dir(conv, str(folder / "conv"))
    return folder


def test_64_clients_at_once(models: Path) -> None:
    found = ask("answers", models)
    assert found["wrong"] == []
    assert found["lost"] == []
    assert found["right"] + found["refused"] == 64 * 20
    assert found["refused"] > 50
    assert found["metadata"]["inputs"] == [{"name": "x", "datatype": "FP32", "shape": [-1, 4]}]
    right, *refused = found["malformed"]
    assert json.loads(right)["outputs"][0]["shape"][0] == 1
    parts = ["the body has", "the body has", "JSON decode error", *["binary_data_size is"] * 3]
    parts += ["4 bytes are left", "its shape [1, 4] does not hold", "15 bytes of FP32"]
    for said, part in zip(refused, parts, strict=True):
        assert said.startswith("4")
        assert part in said
    figures = "\n".join(found["figures"])
    for name in ("batch_rows", "run_seconds", "request_seconds", "refused", "waiting"):
        assert f"lite_{name}" in figures
    assert all("127.0.0.1" in line for line in found["listening"])


def test_many_clients_get_more_than_one(tmp_path: Path) -> None:
    script = [sys.executable, "-c", _MOBILENET, tmp_path / "mobilenet"]
    if subprocess.run(script, capture_output=True).returncode:
        pytest.skip("needs paddlepaddle to export MobileNetV1")
    found = ask("speed", tmp_path / "mobilenet")
    print(found)
    assert max(list(found.values())[1:]) > found["one client"]


def test_a_model_that_does_not_load(tmp_path: Path) -> None:
    (tmp_path / "model.nb").write_bytes(b"no model")
    found = ask("broken", tmp_path / "model.nb")
    assert found["code"] == 1
    assert str(tmp_path / "model.nb") in found["said"]
