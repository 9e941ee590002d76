"""What PaddleX's pipelines say of drawn pages.

pipelines.py ENGINE FOLDERS PIPELINE...   their answers, a JSON object, a result a pipeline
pipelines.py yaml FOLDERS PIPELINE FILE   writes a pipeline's YAML with local models
pipelines.py read YAML PAGES              engine lite's answers for PAGES/*.npy, *.pdf: a JSON list

FOLDERS holds export_families.py's models and the published PP-OCRv5, which read and find the text.
Formulas and charts are left out, and unwarping: with
random weights it tears the picture.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import paddlex
import yaml
from client import CONFIGS
from PIL import Image, ImageDraw, ImageFont

LEFT_OUT = {
    "use_doc_orientation_classify": False,
    "use_doc_unwarping": False,
    "use_formula_recognition": False,
    "use_chart_recognition": False,
    "use_doc_preprocessor": False,
}

DETECTORS = ("Layout", "RT-DETR")
"""Paddle's engine runs them in any case: random ones give hundreds of boxes, some of which have
scores that are nearer than rounding, and each takes another part of the page."""


def draw_document(seed: int, width: int = 900, height: int = 1200) -> np.ndarray[Any, Any]:
    """A title, two paragraphs, a table with lines and a round seal, [height, width, 3] of uint8."""
    random = np.random.default_rng(seed)
    page = Image.new("RGB", (width, height), "white")
    draw = ImageDraw.Draw(page)
    small, large = ImageFont.load_default(24), ImageFont.load_default(40)

    def words(count: int) -> str:
        made = (random.integers(97, 123, random.integers(2, 9)) for _ in range(count))
        return " ".join("".join(map(chr, letters)) for letters in made)

    draw.text((200, 40), f"Report {words(1)}", "black", large)
    for row in range(18):
        top = 120 + row * 34 if row < 12 else 900 + (row - 12) * 34
        draw.text((60, top), words(9), "black", small)
    for row in range(7):
        draw.line((60, 560 + row * 50, 840, 560 + row * 50), "black", 2)
        for column in range(4 * (row < 6)):
            text = f"{words(1)} {random.integers(10**4)}"
            draw.text((80 + column * 195, 572 + row * 50), text, "black", small)
    for column in range(5):
        draw.line((60 + column * 195, 560, 60 + column * 195, 860), "black", 2)
    draw.ellipse((600, 1050, 800, 1190), outline="red", width=6)
    return np.ascontiguousarray(np.array(page)[:, :, ::-1])


def model_for(name: str, folders: Path) -> str:
    """The model that stands in for one that is not here: of the same kind and outputs."""
    if (folders / name).is_dir() and not name.endswith(("server_det", "server_rec")):
        return name
    if name.endswith("_det") and "table" not in name:
        return "PP-OCRv5_mobile_det"
    if name.endswith("_textline_ori"):
        return "PP-LCNet_x0_25_textline_ori"
    if "_rec" in name:
        return "PP-OCRv5_mobile_rec"
    if "ayout" in name:
        return "PP-DocLayout_plus-L"
    return name


def localise(config: Any, folders: Path) -> None:
    """Gives every model of a pipeline's YAML its folder, and leaves out what is left out."""
    if not isinstance(config, dict):
        return
    config.update((word, value) for word, value in LEFT_OUT.items() if word in config)
    if "model_name" in config and "model_dir" in config:
        config["model_name"] = model_for(config["model_name"].strip(), folders)
        config["model_dir"] = str(folders / config["model_name"])
        if any(part in config["model_name"] for part in DETECTORS):
            config.update(engine="paddle_static", engine_config=CONFIGS["paddle_static"])
    for part in config.values():
        localise(part, folders)


def configuration(folders: Path, name: str) -> Any:
    """A pipeline's YAML with local models."""
    source = Path(paddlex.__file__).parent / "configs" / "pipelines" / f"{name}.yaml"
    config = yaml.safe_load(source.read_text(encoding="utf-8"))
    localise(config, folders)
    if name == "layout_parsing":  # reads each box, of which a random detector finds hundreds
        config["SubModules"]["LayoutDetection"].update(
            layout_nms=True, layout_merge_bboxes_mode="large"
        )
    return config


def answers(engine: str, folders: Path, name: str, pages: int = 2) -> list[Any]:
    """A result a page, as the pipeline's own JSON."""
    pipeline = paddlex.create_pipeline(
        config=configuration(folders, name),
        engine=engine,
        engine_config=CONFIGS[engine],
        device="cpu",
    )
    drawn = map(draw_document, range(pages))
    return [result.json["res"] for page in drawn for result in pipeline.predict(page)]


def read(file: Path, pages: Path) -> list[Any]:
    """A result a page, in the order of their names."""
    pipeline = paddlex.create_pipeline(
        config=yaml.safe_load(file.read_text(encoding="utf-8")), engine="lite", device="cpu"
    )
    images: list[Any] = [np.load(path) for path in sorted(pages.glob("*.npy"))]
    images += map(str, sorted(pages.glob("*.pdf")))
    return [result.json["res"] for image in images for result in pipeline.predict(image)]


def main(word: str, *words: str) -> None:
    """Prints the answers, or writes the YAML."""
    if word == "yaml":
        folders, name, file = words
        content = yaml.safe_dump(configuration(Path(folders), name))
        Path(file).write_text(content, encoding="utf-8")
        return
    if word in ("lite", "read"):
        import lite.paddlex  # noqa: F401
    if word == "read":
        print(json.dumps(read(*map(Path, words))))
    else:
        print(json.dumps({name: answers(word, Path(words[0]), name) for name in words[1:]}))


if __name__ == "__main__":
    main(*sys.argv[1:])
