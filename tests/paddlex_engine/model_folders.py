"""Published models as the folders that PaddleX reads: program, parameters, inference.yml."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

V5 = ("PP-OCRv5_mobile_det", "PP-OCRv5_mobile_rec")
V4 = ("PP-OCRv4_mobile_det", "PP-OCRv4_mobile_rec", "PP-LCNet_x0_25_textline_ori")
"""Names of PaddleX; the last one's folder holds the PP-OCR classifier, which answers the same."""

_IMAGE_NET = {"mean": [0.485, 0.456, 0.406], "std": [0.229, 0.224, 0.225]}
_TO_CHW = {"ToCHWImage": None}


def _detector() -> dict[str, Any]:
    steps = [
        {"DecodeImage": {"channel_first": False, "img_mode": "BGR"}},
        {"DetLabelEncode": None},
        {"DetResizeForTest": {"resize_long": 960}},
        {"NormalizeImage": {**_IMAGE_NET, "order": "hwc", "scale": "1./255."}},
        _TO_CHW,
        {"KeepKeys": {"keep_keys": ["image", "shape", "polys", "ignore_tags"]}},
    ]
    after = {"name": "DBPostProcess", "thresh": 0.3, "box_thresh": 0.6}
    return {
        "PreProcess": {"transform_ops": steps},
        "PostProcess": {**after, "max_candidates": 1000, "unclip_ratio": 1.5},
    }


def _recogniser(characters: list[str]) -> dict[str, Any]:
    steps = [
        {"DecodeImage": {"channel_first": False, "img_mode": "BGR"}},
        {"MultiLabelEncode": {"gtc_encode": "NRTRLabelEncode"}},
        {"RecResizeImg": {"image_shape": [3, 48, 320]}},
        {"KeepKeys": {"keep_keys": ["image", "label_ctc", "label_gtc", "length", "valid_ratio"]}},
    ]
    after = {"name": "CTCLabelDecode", "character_dict": characters}
    return {"PreProcess": {"transform_ops": steps}, "PostProcess": after}


def _classifier() -> dict[str, Any]:
    normalize = {"mean": [0.5] * 3, "std": [0.5] * 3, "scale": 1 / 255, "order": ""}
    steps = [
        {"ResizeImage": {"size": [192, 48]}},
        {"NormalizeImage": {**normalize, "channel_num": 3}},
        _TO_CHW,
    ]
    after = {"Topk": {"topk": 1, "label_list": ["0_degree", "180_degree"]}}
    return {"PreProcess": {"transform_ops": steps}, "PostProcess": after}


def write_yml(folder: Path, name: str, content: dict[str, Any]) -> None:
    """Writes inference.yml; JSON is YAML."""
    whole = {"Global": {"model_name": name}, **content}
    (folder / "inference.yml").write_text(json.dumps(whole, ensure_ascii=False), encoding="utf-8")


def make_folders(models: Path, target: Path) -> None:
    """TARGET/NAME for the models that tests/fetch_models.py put below ``models``."""
    for name in V5:
        (source,) = models.rglob(f"{name}/inference.yml")
        _copy(source.parent, target / name, source.name)
    characters = next(models.rglob("ppocr_keys_v1.txt")).read_text(encoding="utf-8").split("\n")
    contents = (_detector(), _recogniser([c for c in characters if c]), _classifier())
    published = ("ch_PP-OCRv4_det_infer", "ch_PP-OCRv4_rec_infer", "ch_ppocr_mobile_v2_cls_infer")
    for name, folder, content in zip(V4, published, contents, strict=True):
        _copy(sorted(models.rglob(folder))[0], target / name)
        write_yml(target / name, name, content)


def _copy(source: Path, target: Path, *more: str) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for file in ("inference.json", "inference.pdmodel", "inference.pdiparams", *more):
        if (source / file).exists():
            shutil.copy(source / file, target)
