"""lite operators: every format, without parameters; what is missing, with exit status 1."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from api import tiny_models
from model.pir_documents import document, feed, fetch, op, tensor

import lite
from lite.api.op_support import operators_here
from lite.model.naive_buffer import write_nb_file
from lite.model.save import write_protobuf_dir
from lite.model.text import parse_program

from .conftest import Command

DATA = Path(__file__).parents[1] / "model" / "data"


def listed(cli: Command, model: Path, status: int = 0) -> dict[str, Any]:
    done = cli("operators", model, "--json")
    assert done.returncode == status, done.stderr
    return {row.pop("operator"): row for row in json.loads(done.stdout)["operators"]}


def test_a_program_needs_no_parameters(cli: Command, tmp_path: Path) -> None:
    write_protobuf_dir(tiny_models.dense(), str(tmp_path / "m"))
    (tmp_path / "m" / "params").unlink()
    yes = {"count": 1, "runs": "yes", "nnadapter": True}
    assert listed(cli, tmp_path / "m") == dict.fromkeys(("elementwise_add", "mul", "softmax"), yes)
    text = cli("operators", tmp_path / "m" / "model").stdout
    assert "all 3 operators run here" in text and "softmax" in text


def test_blocks_of_loops_count(cli: Command, tmp_path: Path) -> None:
    shutil.copy(DATA / "loop.pdmodel", tmp_path)
    found = listed(cli, tmp_path / "loop")
    assert found["while"]["runs"] == "yes" and not found["while"]["nnadapter"]
    assert set(found) <= operators_here() and "less_than" in found


def test_nb_files(cli: Command, tmp_path: Path) -> None:
    write_nb_file(tiny_models.pooled(), str(tmp_path / "pooled.nb"))
    assert list(listed(cli, tmp_path / "pooled.nb")) == ["sequence_pool"]


UNKNOWN = """program version 2006002
block 0 parent -1 {
  var feed: feed_minibatch
  var fetch: fetch_list
  var x: lod_tensor fp32[-1,4]
  Out: [x] = feed(X: [feed]) {col: int 0}
  Out: [a] = my_a(X: [x])
  Out: [b] = my_b(X: [a])
  Out: [y] = my_a(X: [b])
  Out: [fetch] = fetch(X: [y]) {col: int 0}
}"""


def test_what_is_missing(cli: Command, tmp_path: Path) -> None:
    write_protobuf_dir(parse_program(UNKNOWN), str(tmp_path / "m"))
    found = listed(cli, tmp_path / "m", status=1)
    assert found["my_a"] == {"count": 2, "runs": "no", "nnadapter": False}
    done = cli("operators", tmp_path / "m")
    assert done.returncode == 1
    assert "2 of 2 operators are missing: my_a, my_b" in done.stdout


def test_pir_programs(cli: Command, tmp_path: Path) -> None:
    two = tensor(-1, 3)
    x, relu = feed(1, "x", -1, 3), op("1.relu", [1], {2: two})
    (tmp_path / "good.json").write_bytes(document(x, relu, fetch(3, 2)))
    assert list(listed(cli, tmp_path / "good")) == ["relu"]
    bad = [op("1.frobnicate", [2], {4: two}), op("3.mine", [4], {5: two})]
    (tmp_path / "bad.json").write_bytes(document(x, relu, *bad, fetch(6, 5)))
    found = listed(cli, tmp_path / "bad.json", status=1)
    assert {name: row["runs"] for name, row in found.items()} == {
        "pd_op.data": "yes",
        "pd_op.relu": "yes",
        "pd_op.frobnicate": "no",
        "custom_op.mine": "no",
        "pd_op.fetch": "yes",
    }


def test_operators_in_python_and_on_devices(tmp_path: Path) -> None:
    from lite.tools.operators import uses

    write_protobuf_dir(parse_program(UNKNOWN), str(tmp_path / "m"))
    lite.operator("my_a", inputs=["X"])(lambda x: x)
    try:
        found = {use.operator: use.runs for use in uses(str(tmp_path / "m" / "model"))}
    finally:
        lite.remove_operator("my_a")
    assert found == {"my_a": "python", "my_b": "no"}


@pytest.mark.parametrize("name", ["missing", "empty", "text"])
def test_what_is_no_model(cli: Command, tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "text").write_text("no model", encoding="utf-8")
    done = cli("operators", tmp_path / name)
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 1, done
    assert name in done.stderr


def test_an_operators_declaration(cli: Command) -> None:
    done = cli("operators", "concat")
    first, *rows = done.stdout.splitlines()
    assert done.returncode == 0
    assert first == "concat: lite/kernels/cpu/shape/concat.cc"
    assert "  input     X (many)" in rows and "  attribute axis: int = 0" in rows
    row = json.loads(cli("operators", "while", "--json").stdout)
    assert (row["type"], row["file"]) == ("while", "lite/kernels/control_flow/while.cc")
