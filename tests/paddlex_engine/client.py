"""What PaddleX's users do, in an environment with paddlex and paddleocr; prints one JSON line.

client.py register before|after|never     which engines and how many models are known
client.py answers ENGINE FOLDERS PAGES    what OCR, a classifier and a detector answer
client.py soak FOLDERS PAGES COUNT        8 threads that read COUNT pages with one PaddleOCR
client.py refused FOLDERS                 what wrong configurations are told
"""

from __future__ import annotations

import importlib
import json
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np

CONFIGS: dict[str, dict[str, Any]] = {
    "lite": {"lite": {"threads": 2}},
    "onnxruntime": {"onnxruntime": {"intra_op_num_threads": 2}},
    "paddle_static": {"paddle_static": {"run_mode": "paddle", "cpu_threads": 2}},
}
THREADS = 8


def register(order: str) -> dict[str, Any]:
    """Imports in the given order, and what is registered after it."""
    started = time.perf_counter()
    if order == "before":
        import lite.paddlex
    import paddleocr._common_args as common

    if order == "after":
        import lite.paddlex
    from paddlex.inference.models import _flatten_bucketed_engine_config
    from paddlex.inference.models.bindings import default_registry
    from paddlex.inference.models.engines import InferenceEngine

    if order != "never":
        importlib.reload(lite.paddlex)
        lite.paddlex.register()
    models = default_registry._registry.values()
    return {
        "engines": sorted(InferenceEngine.all()),
        "paddleocr": common.SUPPORTED_INFERENCE_ENGINE_LIST,
        "lite": sum("lite" in engines for engines in models),
        "paddle_static": sum("paddle_static" in engines for engines in models),
        "config": _flatten_bucketed_engine_config("lite", {"lite": {"threads": 2}}),
        "heavy": [name for name in ("paddle", "torch") if name in sys.modules],
        "seconds": time.perf_counter() - started,
    }


def make_ocr(folders: Path, engine: str, version: str, **more: Any) -> Any:
    """A PaddleOCR of local models."""
    from paddleocr import PaddleOCR

    det, rec = f"PP-OCR{version}_mobile_det", f"PP-OCR{version}_mobile_rec"
    ori = "PP-LCNet_x0_25_textline_ori"
    return PaddleOCR(
        engine=engine,
        engine_config=CONFIGS[engine],
        text_detection_model_name=det,
        text_detection_model_dir=str(folders / det),
        text_recognition_model_name=rec,
        text_recognition_model_dir=str(folders / rec),
        textline_orientation_model_name=ori,
        textline_orientation_model_dir=str(folders / ori),
        use_doc_orientation_classify=False,
        use_doc_unwarping=False,
        **more,
    )


def read(ocr: Any, page: np.ndarray[Any, Any]) -> dict[str, Any]:
    """Texts, scores and boxes of one page."""
    (found,) = ocr.predict(page)
    boxes = [np.asarray(box).tolist() for box in found["dt_polys"]]
    return {
        "texts": list(found["rec_texts"]),
        "scores": [float(score) for score in found["rec_scores"]],
        "boxes": boxes,
        "angles": [int(angle) for angle in found["textline_orientation_angles"]],
    }


def answers(engine: str, folders: Path, pages: Path) -> dict[str, Any]:
    """All answers, by model."""
    if engine == "onnxruntime":
        import lite.onnxruntime

        lite.onnxruntime.as_onnxruntime()
    from paddlex import create_model

    if engine == "lite":
        import lite.paddlex
    images = [np.load(path) for path in sorted(pages.glob("*.npy"))]
    result: dict[str, Any] = {}
    for version in ("v5", "v4"):
        ocr = make_ocr(folders, engine, version)
        started = time.perf_counter()
        result[version] = [read(ocr, image) for image in images]
        result[f"{version}_seconds"] = time.perf_counter() - started
        ocr.close()
    name = "PP-LCNet_x0_25_textline_ori"
    classifier = create_model(
        name,
        model_dir=str(folders / name),
        engine=engine,
        engine_config=CONFIGS[engine][engine],
    )
    lines = [image[top : top + 40, 20:300] for image in images for top in (8, 60)]
    found = [next(iter(classifier.predict(line))) for line in (*lines, *lines[0][None, ::-1])]
    result["classifier"] = [
        [*map(int, one["class_ids"]), *map(float, one["scores"])] for one in found
    ]
    detector = create_model(
        "RT-DETR-L",
        model_dir=str(folders / "RT-DETR-L"),
        engine=engine,
        engine_config=CONFIGS[engine][engine],
    )
    found = [next(iter(detector.predict(image)))["boxes"] for image in images]
    result["detector"] = [
        [[float(v) for v in (box["cls_id"], box["score"], *box["coordinate"])] for box in boxes]
        for boxes in found
    ]
    return result


def resident() -> int:
    """MB of memory in use."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 // 1_000_000


def soak(folders: Path, pages: Path, count: int) -> dict[str, Any]:
    """Reads pages by turns from all threads; what differs from the answers of one thread."""
    import lite.paddlex  # noqa: F401

    limits = {"text_det_limit_type": "min", "text_det_limit_side_len": 32}
    ocr = make_ocr(folders, "lite", "v5", use_textline_orientation=False, **limits)
    images = [np.load(path) for path in sorted(pages.glob("*.npy"))]
    expected = [read(ocr, image) for image in images]
    turns, lock, wrong, memory = iter(range(count)), threading.Lock(), [], {}

    def work() -> None:
        while True:
            with lock:
                turn = next(turns, None)
            if turn is None:
                return
            try:
                same = read(ocr, images[turn % len(images)]) == expected[turn % len(images)]
            except Exception as error:
                wrong.append(f"{turn}: {error!r}")
                continue
            if not same:
                wrong.append(f"{turn}: another answer")
            if turn % 50 == 0:
                memory[turn] = resident()

    workers = [threading.Thread(target=work) for _ in range(THREADS)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return {"wrong": wrong, "memory": [memory[turn] for turn in sorted(memory)]}


def refused(folders: Path) -> list[str]:
    """The errors for configurations that mean nothing, and a model that is no model."""
    from paddlex import create_model

    import lite.paddlex  # noqa: F401

    name = "PP-OCRv5_mobile_rec"
    configs: list[dict[str, Any]] = [
        {"lite": {"threads": 0}},
        {"lite": {"threads": True}},
        {"cpu_threads": 2},
        {"precision": "fp16"},
        {"devices": ["no_such_device"]},
    ]
    said = []
    for config in configs:
        try:
            create_model(name, model_dir=str(folders / name), engine="lite", engine_config=config)
            said.append("nothing")
        except Exception as error:
            said.append(f"{type(error).__name__}: {error}")
    return said


def main(command: str, *words: str) -> None:
    """Runs one command."""
    functions: dict[str, Any] = {
        "register": lambda order: register(order),
        "answers": lambda engine, folders, pages: answers(engine, Path(folders), Path(pages)),
        "soak": lambda folders, pages, count: soak(Path(folders), Path(pages), int(count)),
        "refused": lambda folders: refused(Path(folders)),
    }
    print(json.dumps(functions[command](*words)))


if __name__ == "__main__":
    main(*sys.argv[1:])
