"""Prints the table of what was exchanged, or that nothing was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .exchange import EXPORTED, SHAPES, Case, make_case, model_prefix
from .interpreters import NOT_RUN, paddle_python, real_lites, run_script

ROWS = pytest.StashKey[dict[str, str]]()


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("interop")


@pytest.fixture(scope="session")
def exported(folder: Path) -> Path:
    paddle = paddle_python()
    if paddle is None:
        pytest.skip(f"{NOT_RUN}: no interpreter with paddlepaddle")
    assert run_script(paddle, "paddle_side.py", "export", str(folder)) == 0
    assert all((folder / name / "inference.pdmodel").exists() for name in EXPORTED)
    return folder


@pytest.fixture(scope="session", params=list(SHAPES))
def case(request: pytest.FixtureRequest, exported: Path) -> Case:
    paddle = paddle_python()
    assert paddle is not None
    prefix = model_prefix(request.param, exported)
    if prefix is None:
        pytest.skip(f"LITE_TEST_MODELS holds no {request.param}")
    return make_case(request.param, prefix, paddle, exported)


@pytest.fixture
def table(request: pytest.FixtureRequest) -> dict[str, str]:
    """Lines for the table: what -> maximal relative error."""
    return request.config.stash.setdefault(ROWS, {})


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    rows = config.stash.get(ROWS, {})
    if not real_lites():
        terminalreporter.write_line(f"{NOT_RUN}: no interpreter with a real paddlelite")
    if not rows:
        return
    terminalreporter.section("interop: max error relative to the largest output")
    for what, value in sorted(rows.items()):
        terminalreporter.write_line(f"{what:70} {value}")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "real" in metafunc.fixturenames:
        found = real_lites()
        metafunc.parametrize(
            "real", found, ids=[one.lite_version for one in found], scope="session"
        )
