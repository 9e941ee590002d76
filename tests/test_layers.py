"""The rooms stand one above the other: nothing includes or imports what is above it, no circle."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# From the bottom up: a room uses those before it. The first prefix that fits is a file's room.
CPP_ROOMS = (
    "lite/nnadapter/include",
    "lite/core/base",
    "lite/core",
    "lite/kernels/cpu/math",
    "lite/kernels/nnadapter",
    "lite/kernels",
    "lite/nnadapter",
    "lite/nnadapter/nnapi",
    "lite/api",
    "lite/sdk",
)
FRONT_DOORS = (
    "lite.inference",
    "lite.onnxruntime",
    "lite.torch",
    "lite.paddlex",
    "lite.serving",
    "lite.ray",
    "lite.sdk",
    "lite.nnadapter.nnapi",
)
"""The top floor: each uses the engine, none uses another, nothing but the tools uses them."""

DOORS_TESTS = (
    "inference",
    "onnx_session",
    "pytorch",
    "paddlex_engine",
    "serving",
    "ray_data",
    "sdk",
    "java",
    "js",
    "windows",
    "nnapi",
    "interop",
    "tools",
    "fuzz",
    "examples",
    "cross",
    "mutation",
    "test_layers.py",
    "test_packaging.py",
    "test_pages.py",
)
"""In tests/: those of the doors and of commands that open one, which `.ci/doors` takes away."""

PYTHON_ROOMS = (
    "lite._source_tree",
    "lite.errors",
    "lite._core",
    "lite.model",
    "lite.core",
    "lite.core.optimizer",
    "lite.model.onnx",
    "lite.report",
    "lite.core.partition",
    "lite.kernels",
    "lite.nnadapter",
    "lite.api",
    *FRONT_DOORS,
    "lite.tools",
    "lite.__main__",
    "lite.__pyinstaller",
)
"""``lite._core`` is what the rooms in C++ offer Python; the others are Python's."""

APART = {
    # math/ computes on raw pointers and is built without core, too.
    ("lite/kernels/cpu/math", "lite/core"),
}
"""Rooms in C++ of which the first uses nothing of the second, although it stands above."""


@cache
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


def test_one_room_asks_the_system() -> None:
    """Nothing else of what runs everywhere includes headers of a system's own."""
    header = re.compile(
        r"#include <(sys/\w|unistd|fcntl|sched|dlfcn|pthread|signal|elf|link|poll|spawn|execinfo|"
        r"dirent|windows|io|process|malloc)(\.h)?"
    )
    rooms = ("core", "kernels", "api", "sdk")
    files = [path for room in rooms for path in (ROOT / "lite" / room).rglob("*.[ch]*")]
    found = {
        str(path.relative_to(ROOT))
        for path in files
        if path.suffix in (".cc", ".h")
        and "android" not in path.parts  # made by the build
        and header.search(path.read_text())
    }
    others = {
        "lite/sdk/full/child_process.cc",  # its converter is a child process
        "lite/sdk/full/converter.cc",
        "lite/sdk/include/paddle_api.h",  # as public programs expect
    }
    assert {name for name in found if not name.startswith("lite/core/base/system_")} == others
    assert len(found) == len(others) + 4


def _named(source: str, package: str) -> Iterator[str]:
    """The modules of `lite` that a file of a package imports, also inside of functions."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            outer = package.split(".")[: package.count(".") + 2 - node.level] if node.level else []
            module = ".".join(filter(None, [*outer, node.module]))
            names = [f"{module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (name for name in names if name == "lite" or name.startswith("lite."))


@cache
def _python_files() -> dict[str, set[str]]:
    """What each module imports of the package, as modules that exist."""
    paths = {}
    for folder, package in (("lite", "lite"), ("tools", "lite.tools")):
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = path.relative_to(ROOT / folder).with_suffix("").parts
            name = ".".join((package, *parts)).removesuffix(".__init__")
            paths[name] = path
    found = {}
    for name, path in paths.items():
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        names = set(_named(path.read_text(), package))
        known = {item if item in paths else item.rpartition(".")[0] for item in names}
        core = {"lite._core" for item in names if item.startswith("lite._core")}
        found[name] = (known | core) - {name, "lite"}
    return found


def _imports() -> Iterator[tuple[str, str]]:
    return ((name, used) for name, imports in _python_files().items() for used in imports)


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
        for path, includes in _cpp_files().items()
        for named in includes
        if _above(used := _room(named, CPP_ROOMS), user := _room(path, CPP_ROOMS), CPP_ROOMS)
        or (user, used) in APART
    ]
    assert not wrong


def test_no_circle_of_headers() -> None:
    headers = {path: set(named) for path, named in _cpp_files().items() if path.endswith(".h")}
    assert not _circles(headers)


def test_every_file_has_a_room() -> None:
    assert not [path for path in _cpp_files() if _room(path, CPP_ROOMS) is None]
    # `lite` itself is the door to all rooms; it finds what it holds by name.
    assert [name for name in _python_files() if _room(name, PYTHON_ROOMS) is None] == ["lite"]


def test_no_module_imports_what_is_above_it() -> None:
    """Not inside of functions either."""
    wrong = [
        f"{name} imports {used}"
        for name, used in _imports()
        if _above(_room(used, PYTHON_ROOMS), _room(name, PYTHON_ROOMS), PYTHON_ROOMS)
    ]
    assert not wrong


def test_front_doors_can_be_taken_away() -> None:
    wrong = [
        f"{name} imports {used}"
        for name, used in _imports()
        if (door := _room(used, FRONT_DOORS)) is not None
        and _room(name, FRONT_DOORS) != door
        and _room(name, PYTHON_ROOMS) != "lite.tools"
    ]
    assert not wrong


def test_the_other_tests_open_no_door() -> None:
    """Nor does what they import of the doors' tests."""
    doors = {name.removesuffix(".py") for name in DOORS_TESTS}
    wrong = []
    for path in sorted((ROOT / "tests").rglob("*.py")):
        inside = path.relative_to(ROOT / "tests")
        if inside.parts[0] in DOORS_TESTS:
            continue
        heads = re.findall(r"^(?:from|import) (\w+)", path.read_text(), re.MULTILINE)
        wrong += [f"{inside} imports {head}" for head in heads if head in doors]
    assert not wrong


def test_no_circle_of_modules() -> None:
    # A package's own file gathers what its modules hold.
    edges = {
        name: {used for used in imports if not name.startswith(used + ".")}
        for name, imports in _python_files().items()
    }
    assert not _circles(edges)


@pytest.mark.parametrize("files", [_cpp_files, _python_files])
def test_files_are_found(files: Callable[[], dict[str, object]]) -> None:
    assert len(files()) > 200
