"""PaddleOCR's and PaddleX's command lines with engine ``lite``.

python -m lite.paddlex paddleocr ocr -i page.png --engine lite
"""

from __future__ import annotations

import runpy
import sys

import lite.paddlex  # noqa: F401  registers the engine

PROGRAMS = ("paddleocr", "paddlex")


def main(words: list[str]) -> int:
    """Runs one of the programs with the rest of the words."""
    if not words or words[0] not in PROGRAMS:
        print(f"usage: python -m lite.paddlex {{{','.join(PROGRAMS)}}} ...", file=sys.stderr)
        return 2
    sys.argv[1:] = words[1:]
    runpy.run_module(words[0], run_name="__main__", alter_sys=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
