"""Applications that set a locale, as German desktop programs do: numbers keep their points."""

from __future__ import annotations

import os
import platform
import struct
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import locale
from lite import _core, errors
locale.setlocale(locale.LC_NUMERIC, "comma")
assert locale.str(0.5) == "0,5"
def filled(text):
    attrs = {"shape": [1], "str_value": text, "dtype": 6}
    ((array, _),) = _core.run_op("fill_constant", {}, {"Out": 1}, attrs)["Out"]
    return array.item()
for text in ("-7.5", " 1e-3", ".5e2", "inf", "7", "1.5", "12345678.25"):
    assert filled(text) == float(text), text
for text in ("7,5", "1.5x", "1.000.000", "1.5,5"):
    try:
        raise AssertionError(f"{text} is {filled(text)}")
    except errors.LiteError as error:
        assert "expected a number" in str(error)
"""


@pytest.fixture
def comma(tmp_path: Path) -> Path:
    """A folder with the locale ``comma`` of glibc: 1.000,5."""
    if platform.libc_ver()[0] != "glibc":
        pytest.skip("other C libraries have locales of their own, or none")
    words = b",\0.\0\3\3\0\0" + struct.pack("<2I", ord(","), ord(".")) + b"ANSI_X3.4-1968\0"
    offsets = (32, 34, 36, 40, 44, 48)
    (tmp_path / "comma").mkdir()
    (tmp_path / "comma" / "LC_NUMERIC").write_bytes(
        struct.pack("<8I", 0x20031114, len(offsets), *offsets) + words
    )
    return tmp_path


def test_a_comma_for_the_point(comma: Path) -> None:
    env = {**os.environ, "LOCPATH": str(comma)}
    words = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(words, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
