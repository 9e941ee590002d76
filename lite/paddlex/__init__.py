"""Engine ``lite`` of PaddleX and PaddleOCR 3: importing this module registers it.

>>> import lite.paddlex
>>> from paddleocr import PaddleOCR
>>> ocr = PaddleOCR(engine="lite", engine_config={"threads": 2})

Before or after ``paddleocr``, once or more often; no paddlepaddle is needed. Their command lines:
``python -m lite.paddlex paddleocr ocr -i page.png --engine lite``. See docs/paddlex.md.
Raises ImportError where PaddleX is not installed, ConfigError for a version that is not known.
"""

from __future__ import annotations

import importlib.metadata
import re

from lite.errors import ConfigError

TESTED = ("3.5", "3.6", "3.7")
"""The PaddleX versions whose inner names ``lite.paddlex.engine`` knows."""


def register() -> None:
    """Makes engine ``lite`` known to PaddleX and, where it is installed, to PaddleOCR."""
    _check_version()
    from lite.paddlex import engine

    engine.register()


def _check_version() -> None:
    try:
        found = importlib.metadata.version("paddlex")
    except importlib.metadata.PackageNotFoundError:
        raise ModuleNotFoundError(
            "lite.paddlex needs PaddleX: pip install 'paddle-lite-predictor[paddlex]'",
            name="paddlex",
        ) from None
    release = re.match(r"\d+\.\d+", found)
    if release is None or release.group() not in TESTED:
        raise ConfigError(
            f"PaddleX {found} is installed, but engine 'lite' is tested with "
            f"{', '.join(TESTED)} only, and registers through inner names of PaddleX: "
            f"pip install 'paddlex>={TESTED[0]},<3.8'"
        )


register()
