"""Programs written for Paddle."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from model.samples import program_of

from lite.errors import LiteError
from lite.model.load import load_program
from lite.model.params import NUMPY_TYPES
from lite.model.program import DataType
from lite.model.save import write_protobuf_dir

DATA = Path(__file__).parent / "data"


@pytest.mark.parametrize("name", ["conv", "dtypes", "loop"])
def test_models_are_read_again(name: str, tmp_path: Path) -> None:
    program = load_program(DATA / f"{name}.pdmodel")
    write_protobuf_dir(program, tmp_path / "out")
    assert sorted(os.listdir(tmp_path / "out")) == ["model", "params"]
    # The same records in the same order as Paddle wrote them.
    assert (tmp_path / "out" / "params").read_bytes() == (DATA / f"{name}.pdiparams").read_bytes()
    again = load_program(tmp_path / "out")
    assert again == program
    for key, array in program.params.items():
        assert again.params[key].tobytes() == array.tobytes()


def test_parameters_are_declared_as_they_are(tmp_path: Path) -> None:
    shapes = {dtype.name: (dtype, (2, 3)) for dtype in NUMPY_TYPES}
    program = program_of({**shapes, "gone": (DataType.FP32, (1,)), "BF": (DataType.BF16, (1,))})
    program.root.ops[1].inputs["X"].remove("gone")
    program.root.ops[1].inputs["X"].append("folded")
    program.params = {
        name: np.ones((2, 3), NUMPY_TYPES[dtype]) for name, (dtype, _) in shapes.items()
    }
    program.params |= {"folded": np.ones((), np.float32), "BF": np.ones(4, np.float32)}
    before = program.root.vars["FP32"]
    write_protobuf_dir(program, tmp_path)
    again = load_program(tmp_path)
    assert again.params.keys() == program.params.keys()
    assert not again.root.vars["gone"].persistable
    assert again.root.vars["folded"].shape == ()
    assert again.root.vars["BF"].shape == (4,)
    assert program.root.vars["FP32"] is before and "folded" not in program.root.vars


def test_a_failure_keeps_the_old_files(tmp_path: Path) -> None:
    (tmp_path / "params").write_bytes(b"old")
    program = program_of({"w": (DataType.FP32, (1,))})
    program.params["w"] = np.zeros(1, np.uint16)
    with pytest.raises(LiteError, match="'w' has uint16"):
        write_protobuf_dir(program, tmp_path)
    assert (tmp_path / "params").read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["params"]


@pytest.mark.paddle
@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("conv", np.linspace(-1, 1, 2 * 192, dtype=np.float32).reshape(2, 3, 8, 8)),
        ("loop", np.linspace(-1, 1, 8, dtype=np.float32).reshape(2, 4)),
        ("dtypes", np.array([[0, 5], [3, 1]])),
    ],
)
def test_paddle_runs_what_is_written(name: str, values: np.ndarray, tmp_path: Path) -> None:
    pytest.importorskip("paddle")
    from paddle import inference

    def run(model: Path, params: Path) -> np.ndarray:
        config = inference.Config(str(model), str(params))
        config.disable_glog_info()
        predictor = inference.create_predictor(config)
        predictor.get_input_handle("x").copy_from_cpu(values)
        predictor.run()
        output: np.ndarray = predictor.get_output_handle(
            predictor.get_output_names()[0]
        ).copy_to_cpu()
        return output

    write_protobuf_dir(load_program(DATA / f"{name}.pdmodel"), tmp_path)
    expected = run(DATA / f"{name}.pdmodel", DATA / f"{name}.pdiparams")
    assert np.array_equal(run(tmp_path / "model", tmp_path / "params"), expected)
