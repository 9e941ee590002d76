"""Real Paddle Lite runs our `.nb` files, ours runs theirs, and both give Paddle's numbers.

Interpreters come from LITE_INTEROP_PYTHONS (colon separated) or pyenv; one needs paddlepaddle.
The PP-OCR models are found below LITE_TEST_MODELS.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from .exchange import OPT_CRASHES, Case, error, our_nb, real_nb, run_ours, run_real
from .interpreters import Interpreter

TOLERANCE = 1e-4


def test_ours_runs_ours(case: Case, folder: Path, table: dict[str, str]) -> None:
    for target in ("x86", "arm"):
        found = error(run_ours(our_nb(case, folder, target), case), case)
        table[f"{case.name}: our {target} .nb in our runtime"] = f"{found:.1e}"
        assert found < TOLERANCE


def test_real_runs_ours(case: Case, real: Interpreter, folder: Path, table: dict[str, str]) -> None:
    found = error(run_real(our_nb(case, folder), case, real, folder), case)
    table[f"{case.name}: our x86 .nb in real {real.lite_version}"] = f"{found:.1e}"
    assert found < TOLERANCE


@pytest.mark.parametrize("target", ["x86", "arm"])
def test_ours_runs_real(
    case: Case, real: Interpreter, target: str, folder: Path, table: dict[str, str]
) -> None:
    what = f"{case.name}: {target} .nb of real {real.lite_version} in our runtime"
    nb = real_nb(case, real, target, folder)
    if (real.lite_version, target, case.name) in OPT_CRASHES:
        assert nb is None, "this opt does not crash any more: take it out of OPT_CRASHES"
        table[what] = "- (its opt crashes)"
        return
    assert nb is not None
    found = error(run_ours(nb, case), case)
    table[what] = f"{found:.1e}"
    assert found < TOLERANCE
