"""Fixtures of the command-line tests: a tiny model in a folder, and the commands."""

from __future__ import annotations

import contextlib
import io
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from api import tiny_models

from lite.model.naive_buffer import write_nb_file
from lite.model.save import write_protobuf_dir
from lite.tools.cli import main as cli_main
from lite.tools.opt.main import main as opt_main

Command = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def model(tmp_path: Path) -> Path:
    write_protobuf_dir(tiny_models.dense(), tmp_path / "model")
    return tmp_path / "model"


@pytest.fixture
def model_nb(tmp_path: Path) -> Path:
    write_nb_file(tiny_models.dense(), tmp_path / "dense.nb")
    return tmp_path / "dense.nb"


def _command(main: Callable[[list[str]], int], monkeypatch: pytest.MonkeyPatch) -> Command:
    def run(*arguments: object) -> subprocess.CompletedProcess[str]:
        words = [str(argument) for argument in arguments]
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = main(words)
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else 0
        return subprocess.CompletedProcess(words, code, out.getvalue(), err.getvalue())

    monkeypatch.setenv("GLOG_v", "0")
    return run


@pytest.fixture
def opt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """paddle_lite_opt in the folder ``tmp_path``."""
    monkeypatch.chdir(tmp_path)
    return _command(opt_main, monkeypatch)


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """lite in the folder ``tmp_path``."""
    monkeypatch.chdir(tmp_path)
    return _command(cli_main, monkeypatch)
