"""lite bench: its report, its files and the engines beside it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from api import tiny_models
from model.pir_documents import document, feed, fetch, op, tensor

from lite.model.load import load_program
from lite.model.save import write_pdmodel_files
from lite.tools.bench import compare

from .conftest import Command


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare, "_ROUNDS", 3)
    monkeypatch.setattr(compare, "_SECONDS_A_ROUND", 0.001)


def _json(cli: Command, *words: object) -> dict:  # type: ignore[type-arg]
    done = cli("bench", *words, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def _failed(cli: Command, *words: object) -> str:
    done = cli("bench", *words)
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 1, done
    return done.stderr


def test_fields(cli: Command, model: Path) -> None:
    found = _json(cli, model, "--runs", 4, "--input", "x:3x4", "--threads", 2)
    assert (found["repeats"], found["threads"], found["inputs"]) == (4, 2, {"x": [3, 4]})
    for name in ("load_ms", "first_run_ms", "p50_ms", "p90_ms", "p99_ms", "throughput_per_s"):
        assert found[name] > 0
    assert found["gflop"] == pytest.approx(2 * (3 * 4 * 3 + 9) / 1e9)  # fc and softmax
    assert found["gflops"] > 0 and found["peak_share"] > 0
    assert found["peak"]["threads"] == 2 and found["peak"]["gflops"] > 0
    assert found["peak_rss_mb"] > 1
    assert "profile" not in found and "compare" not in found


@pytest.mark.parametrize("kind", ["nb", "pdmodel", "devices"])
def test_formats(cli: Command, model: Path, model_nb: Path, tmp_path: Path, kind: str) -> None:
    words: list[object] = [model_nb]
    if kind == "pdmodel":
        write_pdmodel_files(load_program(model), str(tmp_path / "dense.pdmodel"))
        words = [tmp_path / "dense.pdmodel"]
    if kind == "devices":
        words = [model, "--devices", "builtin_device"]
    found = _json(cli, *words, "--seconds", 0.01, "--profile")
    assert found["repeats"] >= 1
    types = [item["type"] for item in found["profile"]["operators"]]
    assert "softmax" in types
    assert ("subgraph" in types) == (kind == "devices")
    assert ("placement" in found) == (kind == "devices")


def test_a_folder_of_paddle_3(cli: Command, tmp_path: Path) -> None:
    relu = op("1.relu", [1], {2: tensor(-1, 3)})
    data = document(feed(1, "x", -1, 3), relu, fetch(3, 2, 0, -1, 3))
    (tmp_path / "inference.json").write_bytes(data)
    found = _json(cli, tmp_path, "--runs", 2, "--profile")
    assert found["inputs"] == {"x": [1, 3]}
    assert [item["type"] for item in found["profile"]["operators"]] == ["relu"]


def test_files(cli: Command, model: Path, tmp_path: Path) -> None:
    done = cli("bench", model, "--runs", 2, "--profile", "--trace", "t.json", "--html", "p.html")
    assert done.returncode == 0, done.stderr
    assert "wrote t.json" in done.stdout and "wrote p.html" in done.stdout
    assert "softmax" in done.stdout and "roof %" in done.stdout
    names = {
        event["name"] for event in json.loads((tmp_path / "t.json").read_text())["traceEvents"]
    }
    assert {"fc", "softmax"} <= names
    page = (tmp_path / "p.html").read_text()
    assert "<svg" in page and "softmax" in page and "Roofline" in page
    assert "http" not in page and "<script" not in page


def test_errors(cli: Command, model: Path, tmp_path: Path) -> None:
    assert "ConfigError" in _failed(cli, model, "--runs", 0)
    assert "ConfigError" in _failed(cli, model, "--warmup", -1)
    for seconds in ("0", "-1", "nan", "1e9"):
        assert "--seconds" in _failed(cli, model, "--seconds", seconds)
    assert "not allowed with" in _failed(cli, model, "--seconds", 1, "--runs", 2)
    assert "known are onnxruntime" in _failed(cli, model, "--compare", "tflite")
    assert "names no engine" in _failed(cli, model, "--compare", ",")
    assert "cannot be started" in _failed(
        cli, model, "--runs", 1, "--compare", "onnxruntime=/nowhere/python"
    )
    assert "no/such" in _failed(cli, model, "--runs", 1, "--html", "no/such/p.html")
    assert "FileNotFoundError" in _failed(cli, "nowhere", "--compare", "onnxruntime")


def test_onnxruntime_beside_it(cli: Command, model_nb: Path) -> None:
    pytest.importorskip("onnxruntime")
    found = _json(cli, model_nb, "--runs", 2, "--compare", "onnxruntime", "--threads", 2)
    assert (found["compare"]["rounds"], found["compare"]["precision"]) == (3, "float32")
    engines = found["compare"]["engines"]
    assert list(engines) == ["lite", "onnxruntime"]
    theirs = engines["onnxruntime"]
    assert theirs["ratio_range"][0] <= theirs["ratio"] <= theirs["ratio_range"][1]
    assert 0 <= theirs["difference"] < 1e-5 and theirs["p50_ms"] > 0 and theirs["version"]
    assert theirs["load_ms"] > 0 and theirs["first_run_ms"] > 0 and theirs["peak_rss_mb"] > 1
    assert "ratio" not in engines["lite"]
    table = compare.comparison_table(found["compare"])
    assert "onnxruntime" in table and theirs["version"] in table


def test_openvino_beside_it(cli: Command, model: Path, tmp_path: Path) -> None:
    pytest.importorskip("openvino")
    write_pdmodel_files(load_program(model), str(tmp_path / "dense.pdmodel"))
    for path in (tmp_path / "dense.pdmodel", model):
        found = _json(cli, path, "--runs", 2, "--compare", "openvino")
        assert found["compare"]["engines"]["openvino"]["ratio"] > 0


def test_an_engine_that_cannot_says_why(cli: Command, model_nb: Path, tmp_path: Path) -> None:
    from lite.model.naive_buffer import write_nb_file

    write_nb_file(tiny_models.pooled(), tmp_path / "pooled.nb")
    rows = np.arange(10, dtype=np.float32).reshape(5, 2)
    np.savez(tmp_path / "x.npz", **{"x": rows, "x.lod0": np.array([0, 2, 5])})
    found = _json(cli, "pooled.nb", "--input", "x=x.npz", "--runs", 1, "--compare", "onnxruntime")
    assert "LoD" in found["compare"]["engines"]["onnxruntime"]["error"]
    found = _json(cli, model_nb, "--runs", 1, "--compare", f"paddlelite={sys.executable}")
    engines = found["compare"]["engines"]
    assert "drop-in" in engines["paddlelite"]["error"]
    table = compare.comparison_table(found["compare"])
    assert engines["paddlelite"]["error"] in table
