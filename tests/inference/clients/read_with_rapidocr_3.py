"""Reads pages with rapidocr 3 and models of a folder: a program that knows nothing of lite."""

import json
import os
import sys

from rapidocr import EngineType, OCRVersion, RapidOCR

models = sys.argv[1]
params = {"Global.log_level": "error"}
for part in ("Det", "Cls", "Rec"):
    params[f"{part}.engine_type"] = EngineType.PADDLE
    params[f"{part}.model_dir"] = os.path.join(models, part)
for part in ("Det", "Rec"):
    params[f"{part}.ocr_version"] = OCRVersion.PPOCRV5
params["Rec.rec_keys_path"] = os.path.join(models, "characters.txt")
engine = RapidOCR(params=params)
answers = []
for path in sys.argv[2:]:
    read = engine(path)
    answers.append(
        [
            {"box": box.tolist(), "text": text, "score": score}
            for box, text, score in zip(read.boxes, read.txts, read.scores, strict=True)
        ]
    )
print(json.dumps(answers, default=float))
