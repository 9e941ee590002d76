"""Models are read and written with every protobuf that the package may meet."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from api import tiny_models
from client_environments import client_python, run_client

from lite.model.save import write_protobuf_dir

_CLIENT = """
import json, sys, google.protobuf
import numpy as np, lite
from lite.tools.cli import main
folder, out = sys.argv[1:]
x = np.linspace(-2, 2, 8, dtype=np.float32).reshape(2, 4)
(y,) = lite.load(folder).run({"x": x}).values()
for kind, name in (("pdmodel", "copy.pdmodel"), ("onnx", "copy.onnx")):
    assert main(["convert", folder, "--to", kind, "-o", f"{out}/{name}"]) == 0
(again,) = lite.load(f"{out}/copy.pdmodel").run({"x": x}).values()
assert (y == again).all()
print(json.dumps({"protobuf": google.protobuf.__version__, "y": y.tolist()}))
"""


@pytest.mark.parametrize("version", ["3.20", "4", "5", "6", "7"])
def test_protobuf(tmp_path: Path, version: str) -> None:
    python = client_python(f"protobuf-{version}", f"protobuf=={version}.*")
    write_protobuf_dir(tiny_models.dense(), tmp_path / "model")
    script = tmp_path / "client.py"
    script.write_text(_CLIENT)
    said = json.loads(run_client(python, script, tmp_path / "model", tmp_path).splitlines()[-1])
    assert said["protobuf"].startswith(f"{version}.")
    x = np.linspace(-2, 2, 8, dtype=np.float32).reshape(2, 4)
    np.testing.assert_allclose(said["y"], tiny_models.dense_result(x), atol=1e-6)
    onnx = pytest.importorskip("onnx")
    onnx.checker.check_model(onnx.load(str(tmp_path / "copy.onnx")), full_check=True)
