"""lite convert, and lite partition --export-onnx."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort
import paddle_oracle
import pytest
from api import tiny_models

import lite
from lite.model.load import load_program
from lite.model.onnx import export_model, write_onnx
from lite.model.program import OpDesc
from lite.model.save import write_protobuf_dir
from lite.model.text import parse_program, print_program

from .conftest import Command

X = np.linspace(-2, 2, 8, dtype=np.float32).reshape(2, 4)
WANTED = tiny_models.dense_result(X)


def onnx_result(path: Path) -> np.ndarray:
    session = ort.InferenceSession(path, providers=["CPUExecutionProvider"])
    (result,) = session.run(None, {"x": X})
    return np.asarray(result)


@pytest.mark.parametrize("output", ["made.onnx", "made"])
def test_to_onnx(cli: Command, model: Path, tmp_path: Path, output: str) -> None:
    done = cli("convert", model, "--to", "onnx", "-o", output)
    assert (done.returncode, done.stdout) == (0, "wrote made.onnx\n"), done.stderr
    made = onnx.load(tmp_path / "made.onnx")
    onnx.checker.check_model(made, full_check=True)
    assert (made.ir_version, made.opset_import[0].version) == (8, 17)
    assert np.allclose(onnx_result(tmp_path / "made.onnx"), WANTED, atol=1e-5)


@pytest.mark.parametrize("opset", [13, 18, 21, 25])
def test_the_operator_set_is_a_choice(
    cli: Command, model: Path, tmp_path: Path, opset: int
) -> None:
    assert cli("convert", model, "--to", "onnx", "-o", "a", "--opset", opset).returncode == 0
    made = onnx.load(tmp_path / "a.onnx")
    assert made.opset_import[0].version == opset
    if opset <= 21:  # what the oldest ONNX Runtime that is tested reads
        assert np.allclose(onnx_result(tmp_path / "a.onnx"), WANTED, atol=1e-5)
    else:
        assert made.ir_version == 13


def test_constants_may_stand_beside_the_model(tmp_path: Path) -> None:
    program = tiny_models.dense()
    program.params["w"] = np.zeros((4, 3000), np.float32)
    program.params["w"][:, ::7] = 0.25
    program.params["b"] = np.zeros(3000, np.float32)
    names = {op.type: op for op in program.root.ops}
    weights = [n for op in names.values() for n in op.input_names() if n in program.params]
    for name in weights:
        wide = (4, 3000) if program.params[name].ndim == 2 else (3000,)
        program.params[name] = np.resize(program.params[name], wide)
    written = write_onnx(program, tmp_path / "a.onnx", largest=1000)
    assert [Path(path).name for path in written] == ["a.onnx", "a.onnx.data"]
    whole = ort.InferenceSession(export_model(program).SerializeToString())
    assert np.array_equal(onnx_result(tmp_path / "a.onnx"), whole.run(None, {"x": X})[0])


def test_to_nb(cli: Command, model: Path, tmp_path: Path) -> None:
    assert cli("convert", model, "--to", "nb", "-o", "made").returncode == 0
    (result,) = lite.load(tmp_path / "made.nb").run({"x": X}).values()
    assert np.allclose(result, WANTED, atol=1e-6)


def test_to_nb_says_what_real_paddle_lite_lacks(cli: Command, tmp_path: Path) -> None:
    write_protobuf_dir(tiny_models.beyond_paddle_lite(), str(tmp_path / "m"))
    done = cli("convert", tmp_path / "m", "--to", "nb", "-o", "made")
    assert done.stdout.splitlines() == [
        "made.nb runs here; real Paddle Lite 2.14 lacks: gelu by tanh, exact there (2x), cosh (1x)",
        "wrote made.nb",
    ]


def test_to_text(cli: Command, model: Path, tmp_path: Path) -> None:
    done = cli("convert", model, "--to", "text", "-o", "made.txt")
    assert done.stdout == "wrote made.txt\nwrote made.pdiparams\n"
    program = load_program(model)
    assert parse_program((tmp_path / "made.txt").read_text()) == program
    assert (tmp_path / "made.txt").read_text() == print_program(program)


def test_to_pdmodel(cli: Command, model: Path, tmp_path: Path) -> None:
    done = cli("convert", model, "--to", "pdmodel", "-o", "made")
    assert done.stdout == "wrote made.pdmodel\nwrote made.pdiparams\n"
    made, read = load_program(tmp_path / "made.pdmodel"), load_program(model)
    assert made == read
    assert all(np.array_equal(made.params[name], read.params[name]) for name in read.params)


@pytest.mark.paddle
@pytest.mark.skipif(not paddle_oracle.available(), reason="needs paddlepaddle 2.6")
def test_paddle_runs_the_pdmodel(cli: Command, model: Path, tmp_path: Path) -> None:
    import paddle.inference

    cli("convert", model, "--to", "pdmodel", "-o", "made")
    files = [str(tmp_path / f"made.{suffix}") for suffix in ("pdmodel", "pdiparams")]
    config = paddle.inference.Config(*files)
    config.disable_glog_info()
    predictor = paddle.inference.create_predictor(config)
    predictor.get_input_handle("x").copy_from_cpu(X)
    predictor.run()
    result = predictor.get_output_handle(predictor.get_output_names()[0]).copy_to_cpu()
    assert np.allclose(result, WANTED, atol=1e-5)


def test_what_onnx_cannot_hold_is_named_in_one_line(cli: Command, tmp_path: Path) -> None:
    program = tiny_models.dense()
    fetch = next(op for op in program.root.ops if op.type == "fetch")
    read = fetch.inputs["X"][0]
    made = [OpDesc("lod_reset", {"X": [read]}, {"Out": ["a"]})]
    made.append(OpDesc("sequence_softmax", {"X": ["a"]}, {"Out": ["b"]}))
    program.root.ops[-1:-1] = made
    fetch.inputs["X"] = ["b"]
    write_protobuf_dir(program, tmp_path / "lod")
    done = cli("convert", "lod", "--to", "onnx", "-o", "a.onnx")
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 1
    assert "lod_reset, sequence_softmax" in done.stderr
    assert not (tmp_path / "a.onnx").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--to", "onnx", "-o", "a", "--opset", 99], "opset is 99"),
        (["--to", "nb", "-o", "a", "--opset", 17], "--opset"),
        (["--to", "tflite", "-o", "a"], "tflite"),
        (["--to", "onnx"], "-o"),
        (["--to", "onnx", "-o", "nowhere/a.onnx"], "nowhere"),
    ],
)
def test_wrong_arguments(cli: Command, model: Path, words: list[object], said: str) -> None:
    done = cli("convert", model, *words)
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 1
    assert said in done.stderr


def test_subgraphs_of_a_partition(cli: Command, model: Path, tmp_path: Path) -> None:
    words = ["--device", "builtin_device", "--input", "x:2x4", "--export-onnx", "parts"]
    done = cli("partition", model, *words)
    assert done.returncode == 0, done.stderr
    (path,) = (tmp_path / "parts").iterdir()
    assert path.name == "subgraph_0.onnx" and f"wrote {Path('parts') / path.name}" in done.stdout
    dims = onnx.load(path).graph.input[0].type.tensor_type.shape.dim
    assert [dim.dim_value for dim in dims] == [2, 4]
    assert np.allclose(onnx_result(path), WANTED, atol=1e-5)
