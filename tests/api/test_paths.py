"""Paths that are no ordinary files, in every place that takes one."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from api import tiny_models
from api.isolated import run_isolated

import lite
from lite.model.naive_buffer import write_nb_file
from lite.model.save import write_protobuf_dir


class PathOfBytes:
    """A path-like whose path is bytes."""

    def __fspath__(self) -> bytes:
        return b"model.nb"


def _odd_paths(folder: Path) -> dict[str, Any]:
    (folder / "folder").mkdir()
    (folder / "folder.nb").mkdir()
    (folder / "empty").write_bytes(b"")
    (folder / "empty.nb").write_bytes(b"")
    (folder / "text.nb").write_text("this is text\n" * 50)
    os.mkfifo(folder / "fifo")
    os.mkfifo(folder / "fifo.nb")
    (folder / "loop.nb").symlink_to("loop.nb")
    (folder / "dangling.nb").symlink_to("nowhere")
    (folder / "secret.nb").write_bytes(b"x")
    (folder / "secret.nb").chmod(0)
    return {
        "missing": folder / "no" / "such.nb",
        "empty text": "",
        "folder": str(folder / "folder"),
        "folder.nb": folder / "folder.nb",
        "empty file": folder / "empty",
        "empty .nb": folder / "empty.nb",
        "text": folder / "text.nb",
        "under a file": folder / "empty" / "x.nb",
        "fifo": folder / "fifo",
        "fifo.nb": folder / "fifo.nb",
        "loop": folder / "loop.nb",
        "dangling": folder / "dangling.nb",
        "secret": folder / "secret.nb",
        "/dev/zero": "/dev/zero",
        "/dev/null": "/dev/null",
        "/proc/self/mem": "/proc/self/mem",
        "too long": "x" * 300 + ".nb",
        "much too long": "/x" * 5000 + ".nb",
        "NUL": "model\0.nb",
        "surrogate escape": "\udcff.nb",
        "lone surrogate": "\ud800.nb",
        "newline": "a\nb.nb",
        "bytes": b"model.nb",
        "bytes path-like": PathOfBytes(),
        "number": 3,
        "None": None,
    }


def _mobile(path: Any) -> None:
    config = lite.MobileConfig()
    config.set_model_from_file(path)
    lite.create_paddle_predictor(config)


def _mobile_dir(path: Any) -> None:
    config = lite.MobileConfig()
    config.set_model_dir(path)
    lite.create_paddle_predictor(config)


def _cxx_dir(path: Any) -> None:
    config = lite.CxxConfig()
    config.set_model_dir(path)
    lite.create_paddle_predictor(config)


def _cxx_file(path: Any) -> None:
    config = lite.CxxConfig()
    config.set_model_file(path)
    lite.create_paddle_predictor(config)


def _cxx_param(path: Any) -> None:
    config = lite.CxxConfig()
    config.set_model_file("good/model")
    config.set_param_file(path)
    lite.create_paddle_predictor(config)


def _load_params(path: Any) -> None:
    lite.load("good/model", path)


def _visualize(path: Any) -> None:
    lite.Opt().visualize_optimized_nb_model(path, "dots")


def _opt_model(path: Any) -> None:
    lite.Opt().run_optimize("", path, "", "naive_buffer", "x86", "out")


def _opt_set(path: Any) -> None:
    opt = lite.Opt()
    opt.set_modelset_dir(path)
    opt.set_optimize_out("out")
    opt.run()


READERS: tuple[Callable[[Any], object], ...] = (
    _mobile, _mobile_dir, _cxx_dir, _cxx_file, _cxx_param, _load_params, lite.load, _visualize,
    _opt_model, _opt_set,
)  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_protobuf_dir(tiny_models.dense(), tmp_path / "good")
    write_nb_file(tiny_models.dense(), tmp_path / "good.nb")
    return tmp_path


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.__name__)
def test_reading(folder: Path, reader: Callable[[Any], object]) -> None:
    wrong = {}
    for name, path in _odd_paths(folder).items():

        def case(path: Any = path) -> object:
            os.chdir(folder)
            return reader(path)

        outcome = run_isolated(case)
        # An empty parameter file means "beside the model", an empty model set means none.
        harmless = outcome.kind == "ok" and name in ("empty text", "None")
        if outcome.kind != "raised" and not harmless:
            wrong[name] = outcome
    assert not wrong, "\n".join(f"{name}: {outcome}" for name, outcome in wrong.items())


def _save(path: Any) -> None:
    config = lite.CxxConfig()
    config.set_model_dir("good")
    lite.create_paddle_predictor(config).save_optimized_model(path)  # type: ignore[attr-defined]


def _save_pb(path: Any) -> None:
    config = lite.CxxConfig()
    config.set_model_dir("good")
    lite.create_paddle_predictor(config).save_optimized_pb_model(path)  # type: ignore[attr-defined]


def _opt_out(path: Any) -> None:
    lite.Opt().run_optimize("good", "", "", "naive_buffer", "x86", path)


def _opt_out_pb(path: Any) -> None:
    lite.Opt().run_optimize("good", "", "", "protobuf", "x86", path)


def _dots(path: Any) -> None:
    lite.Opt().visualize_optimized_nb_model("good.nb", path)


WRITERS: tuple[Callable[[Any], object], ...] = (_save, _save_pb, _opt_out, _opt_out_pb, _dots)


@pytest.mark.parametrize("writer", WRITERS, ids=lambda writer: writer.__name__)
def test_writing(folder: Path, writer: Callable[[Any], object]) -> None:
    wrong = {}
    for name, path in _odd_paths(folder).items():
        before = {entry.name for entry in folder.iterdir()}

        def case(path: Any = path) -> object:
            os.chdir(folder)
            return writer(path)

        outcome = run_isolated(case)
        left = {entry.name for entry in folder.iterdir()} - before
        half = [entry for entry in left if "tmp" in entry]
        if not outcome.defined or half or (left and outcome.kind != "ok"):
            wrong[name] = (outcome, left)
    assert not wrong, "\n".join(f"{name}: {outcome}" for name, outcome in wrong.items())


@pytest.mark.parametrize("name", ["a b.nb", "模型.nb", "\udcff.nb", "a\nb.nb", "-x.nb"])
def test_odd_names_of_real_files_work(folder: Path, name: str) -> None:
    (folder / name).write_bytes((folder / "good.nb").read_bytes())
    assert lite.load(folder / name).inputs[0].name == "x"
    assert lite.load(str(folder / name)).inputs[0].name == "x"


def test_a_folder_with_an_nb_file_goes_the_same_way(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "one").mkdir()
    (folder / "one" / "good.nb").write_bytes((folder / "good.nb").read_bytes())
    monkeypatch.setattr("lite.model.load.load_program", None)
    for model in (folder / "one", folder / "one" / "good.nb"):
        assert [info.name for info in lite.load(model).inputs] == ["x"]


def test_errors_name_the_path(folder: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nowhere"):
        lite.load(folder / "nowhere.nb")
    with pytest.raises(lite.ModelFormatError, match="good"):
        (folder / "good" / "params").write_bytes(b"\0" * 10)
        lite.load(folder / "good")


def test_a_failed_conversion_keeps_the_old_file(folder: Path) -> None:
    out = folder / "out.nb"
    out.write_bytes(b"old")
    (folder / "good" / "params").write_bytes(b"\0" * 10)
    with pytest.raises(lite.ModelFormatError):
        lite.Opt().run_optimize(str(folder / "good"), "", "", "naive_buffer", "x86", str(out))
    assert out.read_bytes() == b"old"
    assert not [entry for entry in folder.iterdir() if "tmp" in entry.name]
