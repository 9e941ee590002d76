"""The rooms stand one above the other: nothing includes or imports what is above it, no circle."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# From the bottom up: a room uses those before it. The first prefix that fits is a file's room.
CPP_ROOMS = (
    "lite/python",
    "lite/nnadapter/include",
    "lite/core/base",
    "lite/core",
    "lite/kernels/cpu/math",
    "lite/kernels/nnadapter",
    "lite/kernels",
    "lite/nnadapter",
    "lite/nnadapter/nnapi",
    "lite/api",
)
PYTHON_ROOMS = (
    "lite.errors",
    "lite._core",
    "lite.model",
    "lite.core",
    "lite.core.optimizer",
    "lite.model.onnx",
    "lite.core.partition",
    "lite.report",
    "lite.nnadapter",
    "lite.api",
    "lite.tools",
)
"""``lite._core`` is what the rooms in C++ offer Python; the others are Python's."""

APART = {
    # math/ computes on raw pointers and is built without core, too.
    ("lite/kernels/cpu/math", "lite/core"),
}
"""Rooms in C++ of which the first uses nothing of the second, although it stands above."""

LAZY = {
    # The report's methods find their renderer when they are called.
    ("lite.core.partition.placement", "lite.report"),
}
"""Modules that import a room above them inside of functions."""


def _cpp_files() -> dict[str, list[str]]:
    """What each file includes of the tree."""
    found = {}
    for path in sorted((ROOT / "lite").rglob("*")):
        if path.suffix in (".h", ".cc"):
            named = re.findall(r'^#include "(lite/[^"]+)"', path.read_text(), re.MULTILINE)
            found[str(path.relative_to(ROOT))] = named
    return found


def _room(name: str, rooms: tuple[str, ...]) -> str | None:
    fitting = [room for room in rooms if re.match(re.escape(room) + r"(?:$|[./])", name)]
    return max(fitting, key=len, default=None)


class _Imports(ast.NodeVisitor):
    """The modules of `lite` that a file names: when it is imported, and inside of functions."""

    def __init__(self) -> None:
        self.early: set[str] = set()
        self.late: set[str] = set()
        self._depth = 0

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._depth += 1
        self.generic_visit(node)
        self._depth -= 1

    def _add(self, name: str) -> None:
        if name == "lite" or name.startswith("lite."):
            (self.late if self._depth else self.early).add(name)

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._add(alias.name)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if node.level == 0 and node.module is not None:
            for alias in node.names:
                self._add(f"{node.module}.{alias.name}")


def _python_files() -> dict[str, _Imports]:
    """What each module imports of the package, as modules that exist."""
    paths = {}
    for folder, package in (("lite", "lite"), ("tools", "lite.tools")):
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = path.relative_to(ROOT / folder).with_suffix("").parts
            name = ".".join((package, *parts)).removesuffix(".__init__")
            paths[name] = path
    found = {}
    for name, path in paths.items():
        imports = _Imports()
        imports.visit(ast.parse(path.read_text()))
        for names in (imports.early, imports.late):
            known = {item if item in paths else item.rpartition(".")[0] for item in names}
            core = {"lite._core" for item in names if item.startswith("lite._core")}
            names.clear()
            names.update((known | core) - {name, "lite"})
        found[name] = imports
    return found


CPP = _cpp_files()
PYTHON = _python_files()


def _circles(edges: dict[str, set[str]]) -> list[list[str]]:
    """Groups of files that reach each other (Tarjan's strongly connected components)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in edges.get(node, ()):
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            group = []
            while not group or group[-1] != node:
                group.append(stack.pop())
            if len(group) > 1:
                found.append(sorted(group))

    for node in list(edges):
        if node not in index:
            visit(node)
    return found


def _above(used: str | None, user: str | None, rooms: tuple[str, ...]) -> bool:
    return used is not None and user is not None and rooms.index(used) > rooms.index(user)


def test_no_file_includes_what_is_above_it() -> None:
    wrong = [
        f"{path} includes {named}"
        for path, includes in CPP.items()
        for named in includes
        if _above(used := _room(named, CPP_ROOMS), user := _room(path, CPP_ROOMS), CPP_ROOMS)
        or (user, used) in APART
    ]
    assert not wrong


def test_no_circle_of_headers() -> None:
    headers = {path: set(named) for path, named in CPP.items() if path.endswith(".h")}
    assert not _circles(headers)


def _wrong_imports(late: bool) -> Iterator[tuple[str, str]]:
    for name, imports in PYTHON.items():
        for used in imports.late if late else imports.early:
            if _above(_room(used, PYTHON_ROOMS), _room(name, PYTHON_ROOMS), PYTHON_ROOMS):
                yield name, used


def test_no_module_imports_what_is_above_it() -> None:
    assert not sorted(_wrong_imports(late=False))


def test_functions_import_upward_only_where_it_is_known() -> None:
    found = {(name, _room(used, PYTHON_ROOMS)) for name, used in _wrong_imports(late=True)}
    assert found == LAZY


def test_no_circle_of_modules() -> None:
    # A package's own file gathers what its modules hold.
    edges = {
        name: {used for used in imports.early if not name.startswith(used + ".")}
        for name, imports in PYTHON.items()
    }
    assert not _circles(edges)


@pytest.mark.parametrize("files", [CPP, PYTHON])
def test_files_are_found(files: dict[str, object]) -> None:
    assert len(files) > 200
