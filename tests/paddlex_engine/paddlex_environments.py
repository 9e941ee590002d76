"""Environments with PaddleX and PaddleOCR in the versions that are supported."""

from __future__ import annotations

from pathlib import Path

from client_environments import client_python, declared

VERSIONS = {"3.5": ("3.5.0", "3.5.0"), "3.6": ("3.6.1", "3.6.0"), "3.7": ("3.7.2", "3.7.0")}
"""Of paddlex and paddleocr: the first of 3.5, the latest of the others."""


def environment(version: str, *more: str) -> Path:
    """An environment of the extra [paddlex], in one of the versions; without paddlepaddle."""
    paddlex, paddleocr = VERSIONS[version]
    names = [requirement.split(">")[0] for requirement in declared("paddlex")]
    assert names == ["paddlex", "paddleocr"]
    pins = (f"paddlex=={paddlex}", f"paddleocr=={paddleocr}")
    return client_python("-".join(["paddlex", version, *more[:1]]), *pins, *more)


def with_paddle() -> Path:
    """The newest version beside Paddle, whose engine is the judge."""
    return environment("3.7", "paddlepaddle==3.3.1", "setuptools", "paddlex[ocr]")


def quiet(scratch: Path) -> dict[str, str]:
    """What keeps PaddleX from the home folder and from asking whether its hosts answer."""
    return {
        "PADDLE_PDX_CACHE_HOME": str(scratch / "cache"),
        "PADDLE_PDX_DISABLE_MODEL_SOURCE_CHECK": "1",
    }
