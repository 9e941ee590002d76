"""docs/generated/nnadapter_operations.md says what the registry says."""

from __future__ import annotations

from pathlib import Path

from lite.nnadapter import generate_docs
from lite.nnadapter.operations import operations

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "generated" / "nnadapter_operations.md"


def test_the_document_is_current() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == generate_docs.text(), (
        "run python -m lite.nnadapter.generate_docs docs/generated/nnadapter_operations.md"
    )


def test_every_operand_is_documented(tmp_path: Path) -> None:
    path = tmp_path / "operations.md"
    assert generate_docs.main([str(path)]) == 0
    sections = path.read_text(encoding="utf-8").split("\n## ")[1:]
    assert len(sections) == len(operations()) == 96
    for section, info in zip(sections, operations().values(), strict=True):
        assert section.startswith(f"{info.name}\n\nCode {int(info.type)}. ")
        rows = [line for line in section.splitlines() if line.startswith(("| in ", "| out "))]
        names = [row.split("|")[2].split()[0] for row in rows]
        assert names == [operand.name for operand in (*info.inputs, *info.outputs)]
        assert all(row.rstrip(" |").count("|") >= 3 for row in rows), section


def test_places_around_a_repeated_operand() -> None:
    section = next(s for s in generate_docs.text().split("\n## ") if s.startswith("CONCAT"))
    assert "| in 0 .. n - 1 | input |" in section
    assert "| in n | axis | int |" in section
