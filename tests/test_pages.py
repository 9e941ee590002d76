"""The pages: links lead somewhere in a clone, the index is whole, what is generated is current."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [*sorted(DOCS.glob("**/*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
PROSE = re.compile(r"```.*?```", re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)\)")


def _prose(page: Path) -> str:
    return PROSE.sub("", page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = _prose(page)
    links = [link for link in LINK.findall(text) if "://" not in link]
    lost = [link for link in links if not (page.parent / link).exists()]
    places = (page.parent, DOCS, ROOT)
    named = re.findall(r"`([\w/]+\.md)`", text)
    lost += [name for name in named if not any((place / name).exists() for place in places)]
    assert not lost


def test_the_index_has_every_page() -> None:
    listed = set(LINK.findall(_prose(DOCS / "README.md")))
    pages = {str(page.relative_to(DOCS)) for page in DOCS.glob("**/*.md")} - {"README.md"}
    assert listed == pages


def test_three_paths_of_at_most_eight_links() -> None:
    way = _prose(ROOT / "README.md").partition("## Find your way")[2]
    paths = re.findall(r"^\*\*.*?(?:\n\n)", way, re.MULTILINE | re.DOTALL)
    assert len(paths) == 3 and all(0 < len(LINK.findall(path)) <= 8 for path in paths)


@pytest.mark.parametrize(
    ("script", "page"),
    [
        (["lite/nnadapter/include/generate.py", "--declarations"], "nnadapter_operations.md"),
        (["lite/nnadapter/nnapi/generate.py", "--table"], "nnapi_operations.md"),
    ],
)
def test_the_page_is_what_the_build_writes(script: list[str], page: str, tmp_path: Path) -> None:
    made = [str(tmp_path / "made.cc"), "--headers", str(tmp_path), "--page", str(tmp_path / page)]
    subprocess.run([sys.executable, *script, *made], cwd=ROOT, check=True)
    current = (DOCS / "generated" / page).read_text(encoding="utf-8")
    assert (tmp_path / page).read_text(encoding="utf-8") == current


def test_the_program_of_paddle_lite_classes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (DOCS / "paddle_lite_classes.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    monkeypatch.chdir(ROOT)
    exec(program, {})
    assert "'hardswish_0.tmp_0'] (1, 8, 8, 8)" in capsys.readouterr().out
