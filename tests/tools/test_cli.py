"""The lite command: run, bench, print, env and opt."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from api import tiny_models

import lite
from lite.api.op_support import operators_here
from lite.model.load import load_program
from lite.model.naive_buffer import write_nb_file
from lite.model.text import parse_program

from .conftest import Command

X = np.linspace(-2, 2, 8, dtype=np.float32).reshape(2, 4)


def _failed(done: object, *words: str) -> None:
    assert done.returncode == 1, done  # type: ignore[attr-defined]
    lines = done.stderr.splitlines()  # type: ignore[attr-defined]
    assert len(lines) == 1, lines
    for word in words:
        assert word in lines[0]


@pytest.mark.parametrize("spec", ["x=x.npy", "x.npy", "x=x.npz"])
def test_run_with_a_file(cli: Command, model: Path, tmp_path: Path, spec: str) -> None:
    np.save(tmp_path / "x.npy", X)
    np.savez(tmp_path / "x.npz", x=X, other=X[:1])
    done = cli("run", model, "--input", spec, "--output", "out.npz", "--threads", 2)
    assert done.returncode == 0, done.stderr
    with np.load(tmp_path / "out.npz") as outputs:
        assert np.allclose(outputs["y"], tiny_models.dense_result(X), atol=1e-6)
    assert "output y: 2x3 float32" in done.stdout


@pytest.mark.parametrize("spec", ["x:5x4", "5x4"])
def test_run_with_random_numbers(cli: Command, model_nb: Path, tmp_path: Path, spec: str) -> None:
    done = cli("run", model_nb, "--input", spec, "--seed", 3, "--output", "a.npz")
    assert done.returncode == 0, done.stderr
    assert "random, seed 3" in done.stdout
    x = np.random.default_rng(3).standard_normal((5, 4), np.float32)
    with np.load(tmp_path / "a.npz") as outputs:
        assert np.allclose(outputs["y"], tiny_models.dense_result(x), atol=1e-6)


def test_run_with_complex_numbers(cli: Command, tmp_path: Path) -> None:
    text = """
    program version 2006002
    block 0 parent -1 {
      var feed: feed_minibatch persistable
      var fetch: fetch_list persistable
      var z: lod_tensor complex64[2,3]
      var y: lod_tensor complex64[2,3]
      Out: [z] = feed(X: [feed]) {col: int 0}
      Out: [y] = conj(X: [z])
      Out: [fetch] = fetch(X: [y]) {col: int 0}
    }
    """
    write_nb_file(parse_program(text), tmp_path / "m.nb")
    done = cli("run", tmp_path / "m.nb", "--output", "y.npz")
    assert (done.returncode, done.stderr) == (0, "")
    assert "input  z: 2x3 complex64 (random, seed 0)" in done.stdout
    assert "sizes: min" in done.stdout
    with np.load(tmp_path / "y.npz") as outputs:
        assert outputs["y"].dtype == np.complex64 and outputs["y"].imag.any()


def test_run_without_inputs_takes_the_declared_shape(cli: Command, model: Path) -> None:
    assert "input  x: 1x4 float32 (random, seed 0)" in cli("run", model).stdout


def test_lod_goes_in_and_out(cli: Command, tmp_path: Path) -> None:
    write_nb_file(tiny_models.pooled(), tmp_path / "pooled.nb")
    rows = np.arange(10, dtype=np.float32).reshape(5, 2)
    np.savez(tmp_path / "x.npz", **{"x": rows, "x.lod0": np.array([0, 2, 5])})
    done = cli("run", "pooled.nb", "--input", "x=x.npz", "--output", "y.npz")
    assert done.returncode == 0, done.stderr
    assert "LoD [[0, 2, 5]]" in done.stdout
    with np.load(tmp_path / "y.npz") as outputs:
        assert outputs["y"].tolist() == [[2, 4], [18, 21]]


def test_dump(cli: Command, model: Path, model_nb: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", X)
    for path in (model, model_nb):
        done = cli("run", path, "--input", "x.npy", "--dump", "all.npz")
        assert done.returncode == 0, done.stderr
        with np.load(tmp_path / "all.npz") as results:
            z = X @ tiny_models.WEIGHT + tiny_models.BIAS
            assert np.allclose(results["z"], z, atol=1e-6)
            assert np.allclose(results["y"], tiny_models.dense_result(X), atol=1e-6)


def test_run_errors(cli: Command, model: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "wide.npy", np.ones((2, 5), np.float32))
    np.save(tmp_path / "ints.npy", np.ones((2, 4), np.int64))
    np.save(tmp_path / "objects.npy", np.array([None]), allow_pickle=True)
    (tmp_path / "text.npy").write_text("no array")
    _failed(cli("run", "nowhere"), "nowhere")
    _failed(cli("run", model, "--input", "z:1x4"), "names no input", "x")
    _failed(cli("run", model, "--input", "x:1xa"), "no shape")
    _failed(cli("run", model, "--input", "x=nowhere.npy"), "nowhere.npy")
    _failed(cli("run", model, "--input", "x=text.npy"), "text.npy")
    _failed(cli("run", model, "--input", "x=objects.npy"), "objects.npy")
    _failed(cli("run", model, "--input", "x=wide.npy"), "ShapeError")
    _failed(cli("run", model, "--input", "x=ints.npy"), "DataTypeError", "int64")
    _failed(cli("run", model, "--input", "x:999999999999x4"), "Error")
    _failed(cli("run", model, "--threads", "0"), "threads")
    _failed(cli("run", model, "--threads", "many"), "invalid int")
    _failed(cli("run", model, "--output", "no/such/out.npz"), "no/such")
    _failed(cli("run"), "model")
    _failed(cli("nonsense"), "nonsense")


def test_bench(cli: Command, model: Path) -> None:
    done = cli("bench", model, "--repeats", 7, "--warmup", 1, "--input", "x:3x4", "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["inputs"] == {"x": [3, 4]}
    assert result["repeats"] == 7
    assert 0 < result["min_ms"] <= result["p50_ms"] <= result["p90_ms"] <= result["p99_ms"]
    assert result["load_ms"] > 0
    assert result["first_run_ms"] > 0
    assert result["peak_rss_mb"] > 1
    readable = cli("bench", model, "--repeats", 3).stdout
    for word in ("load", "first run", "p50", "p90", "p99", "peak RSS"):
        assert re.search(rf"^{word} +[\d.]+ (ms|MB)", readable, re.M)
    _failed(cli("bench", model, "--repeats", 0), "repeats")


def test_print(cli: Command, model: Path, model_nb: Path) -> None:
    for path in (model, model / "model", model_nb):
        done = cli("print", path)
        assert done.returncode == 0, done.stderr
        assert parse_program(done.stdout) == load_program(path)
    optimized = cli("print", model, "--optimized").stdout
    assert "fc(" in optimized
    assert "mul(" not in optimized
    _failed(cli("print", model, "--optimized", "--valid_targets=npu"), "known are")


def test_print_into_a_closed_pipe(model: Path, cli: Command) -> None:
    import shlex
    import subprocess
    import sys

    script = f"{shlex.quote(sys.executable)} -m lite.tools.cli print {model} | head -1"
    root = str(Path(lite.__file__).parent.parent)
    done = subprocess.run(
        ["sh", "-c", script], capture_output=True, text=True, env={"PYTHONPATH": root}, timeout=60
    )
    assert done.stdout.startswith("program version")
    assert "Traceback" not in done.stderr


def test_env(cli: Command) -> None:
    facts = json.loads(cli("env", "--json").stdout)
    assert facts["lite"] == lite.__version__
    assert facts["numpy"] == np.__version__
    assert facts["operators"] == len(facts["operator types"]) == len(operators_here())
    assert facts["operator types"] == sorted(operators_here())
    levels = ("baseline", "avx2", "avx512", "amx", "neon", "dotprod")
    assert facts["isa"].split()[0] in levels
    text = cli("env").stdout
    assert "python" in text
    assert set(facts["operator types"]) <= set(text.split())


def test_opt_is_an_alias(cli: Command, model: Path, tmp_path: Path) -> None:
    assert cli("opt", f"--model_dir={model}", "--optimize_out=out").returncode == 0
    assert (tmp_path / "out.nb").exists()


def test_help_and_version(cli: Command) -> None:
    for command in ("run", "bench", "print", "env", "opt"):
        assert command in cli().stdout
        assert cli(command, "--help").returncode == 0
    assert "against NNAdapter's contract." in cli("device-test", "--help").stdout
    assert cli("--version").stdout.strip() == lite.__version__


def test_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "lite", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == lite.__version__
