"""docs/errors.md cites messages that the sources hold."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

import lite.errors

ROOT = Path(__file__).parents[1]
ROW = re.compile(r"^\| `(?:(?P<kind>\w*Error): )?(?P<text>.+?)` \|", re.MULTILINE)
CITED = [(row["kind"], row["text"]) for row in ROW.finditer((ROOT / "docs/errors.md").read_text())]
# String literals that stand one after the other are one text.
LITERALS = re.compile(r'(?:"(?:[^"\\\n]|\\.)*"\s*)+')


def _python_texts(source: str) -> list[str]:
    return [
        node.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]


def _cpp_texts(source: str) -> list[str]:
    code = re.sub(r"//.*", "", source)
    return [
        "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', found)).replace("\\n", "\n")
        for found in LITERALS.findall(code)
    ]


@cache
def _sources() -> dict[str, list[str]]:
    texts = {}
    for path in sorted((ROOT / "lite").rglob("*")):
        if path.suffix == ".py":
            texts[str(path)] = _python_texts(path.read_text())
        elif path.suffix in (".cc", ".h"):
            texts[str(path)] = _cpp_texts(path.read_text())
    texts["setup.py"] = _python_texts((ROOT / "setup.py").read_text())
    return texts


@pytest.mark.parametrize(("kind", "text"), CITED, ids=lambda item: str(item)[:30])
def test_a_cited_message_exists(kind: str | None, text: str) -> None:
    """``...`` stands for what differs; every other part is in one file's texts."""
    if kind is not None and kind != "ImportError":
        assert hasattr(lite.errors, kind)
    parts = [part.strip() for part in text.split("...")]
    parts = [part.strip(", ") for part in parts if part]
    assert sum(map(len, parts)) >= 8, "this says too little to be looked for"
    holding = [
        path
        for path, texts in _sources().items()
        if all(any(part in found for found in texts) for part in parts)
    ]
    assert holding, f"no file's messages hold {parts}"


def test_all_rows_are_read() -> None:
    assert len(CITED) > 18
