"""What the real Paddle Lite says of inputs before they are set, and ours."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from api import tiny_models

import lite
from lite.model.save import write_protobuf_dir

from .interpreters import Interpreter, run_script


def our_shapes(folder: Path) -> dict[str, list[int]]:
    config = lite.CxxConfig()
    config.set_model_file(str(folder / "model"))
    config.set_param_file(str(folder / "params"))
    config.set_valid_places([lite.Place(lite.TargetType.X86, lite.PrecisionType.FP32)])
    cxx = lite.create_paddle_predictor(config)
    cxx.save_optimized_model(str(folder / "ours"))
    mobile = lite.MobileConfig()
    mobile.set_model_from_file(str(folder / "ours.nb"))
    light = lite.create_paddle_predictor(mobile)
    return {"cxx": cxx.get_input(0).shape(), "mobile": light.get_input(0).shape()}


@pytest.mark.parametrize("rows", [2, -1])
def test_first_shapes(real: Interpreter, tmp_path: Path, rows: int) -> None:
    program = tiny_models.dense()
    program.blocks[0].vars["x"].shape = (rows, 4)
    folder = tmp_path / "m"
    write_protobuf_dir(program, str(folder))
    out = tmp_path / "shapes.json"
    assert run_script(real, "real_lite_side.py", "shapes", str(folder), str(out)) == 0
    assert json.loads(out.read_text()) == our_shapes(folder)
