"""Reads pages with rapidocr-paddle 1.4: a program that knows nothing of lite."""

import json
import sys

from rapidocr_paddle import RapidOCR

engine = RapidOCR()
answers = []
for path in sys.argv[1:]:
    lines, _ = engine(path)
    answers.append([{"box": box, "text": text, "score": score} for box, text, score in lines])
print(json.dumps(answers, default=float))
