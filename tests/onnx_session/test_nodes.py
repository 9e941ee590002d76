"""ONNX's own node tests: most are right, the others are refused with their operator and reason."""

from __future__ import annotations

import onnx
import onnx_node_tests
import pytest
from onnx_session import node_cases, onnx_operators_page

PARTS = 8
RIGHT = 0.85
"""The share of all cases, those of 8 and fewer bits of floating point among them."""


@pytest.mark.long  # half a minute, half of it the package's making of its cases
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of the package's own references
@pytest.mark.parametrize("part", range(PARTS))
def test_right_or_refused(part: int) -> None:
    found = dict(node_cases.outcomes(part, PARTS))
    wrong = {name: text for name, text in found.items() if text.startswith("wrong")}
    assert not wrong
    assert all(" not read: " in text for text in found.values() if text)
    right = sum(not text for text in found.values()) / len(found)
    assert right > RIGHT - 0.05, f"{right:.3f} of {len(found)} cases are right"


STALE = "stale: run python tests/onnx_session/onnx_operators_page.py"


def test_the_page_is_current() -> None:
    table = onnx_operators_page.PAGE.read_text().partition("\n## ")[0]
    assert table == onnx_operators_page.operators(), STALE


@pytest.mark.long
def test_the_page_counts_all_cases() -> None:
    rest = onnx_operators_page.PAGE.read_text().partition("\n## ")[2]
    assert f"{len(onnx_node_tests.cases())} cases" in rest or onnx.__version__ not in rest, STALE
