"""The table as a file: what it may hold, versions, inheritance, and its page."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lite.errors import ConfigError
from lite.torch import table

ROOT = Path(__file__).parents[2]


def test_rows_have_a_meaning() -> None:
    rows = table.official()
    assert len({name.partition(".")[0].rstrip("_") for name in rows}) >= 110
    for same in rows.values():
        for row in same:
            assert row.meaning.statements or row.meaning.adapter, row.name


def test_forms_share_one_meaning() -> None:
    rows = table.official()
    functional, out, in_place = (rows[f"aten::{name}"][0] for name in ("abs", "abs.out", "abs_"))
    assert functional.inherits == in_place.inherits == "abs.out"
    assert functional.meaning is out.meaning is in_place.meaning


def _load(tmp_path: Path, text: str) -> dict[str, list[table.Row]]:
    path = tmp_path / "rows.yaml"
    path.write_text("all_version: [v2.11, v2.12, v2.13]\n" + text)
    return table.load_table(path)


def test_versions(tmp_path: Path) -> None:
    rows = _load(
        tmp_path,
        """
official:
  - {func: 'f(Tensor a) -> Tensor', lite_op: 'v2.11', gen_lite: {exec: 'relu, X=a'}}
  - {func: 'f(Tensor b) -> Tensor', lite_op: [v2.12, newest], gen_lite: {exec: 'relu, X=b'}}
""",
    )
    older, newer = rows["aten::f"]
    assert older.versions == ("v2.11",) and newer.versions == ("v2.12", "v2.13")
    assert table.find("aten::f", "2.11.1+cpu", (rows,)) is older
    assert table.find("aten::f", "2.13.0", (rows,)) is newer
    assert table.find("aten::f", "2.99.0", (rows,)) is newer
    assert table.find("aten::f", "2.5.0", (rows,)) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mine: []", "unknown section"),
        ("official: [{gen_lite: {exec: 'relu, X=a'}}]", "no func"),
        ("official: [{func: 'f(Tensor a) -> Tensor'}]", "neither exec"),
        ("official: [{func: 'f()', gen_lite: {exec: x}, other: 1}]", "unknown key 'other'"),
        ("official: [{func: 'f()', gen_lite: {run: x}}]", "unknown key 'run'"),
        ("official: [{func: 'f()', lite_op: v1.0, gen_lite: {exec: x}}]", "names no releases"),
        ("official: [{func: 'f()', gen_lite: {dtypes: big, exec: x}}]", "dtypes 'big'"),
        ("official: [{func: 'f()', gen_lite: {structured_inherit: g.out}}]", "no meaning"),
        (
            "official: [{func: 'f()', forms: f_, gen_lite: {exec: 'abs'}}]",
            "a list of operators' names",
        ),
        ("official: [", "expected"),
    ],
)
def test_wrong_tables(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        _load(tmp_path, text)


def test_nothing_of_torch_is_imported() -> None:
    code = "import sys, lite; sys.exit('torch' in sys.modules or 'lite.torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_page_is_generated() -> None:
    from torch_operators_page import page

    assert (ROOT / "docs" / "generated" / "torch_operators.md").read_text() == page()
