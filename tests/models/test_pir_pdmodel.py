"""Programs of Paddle 3 as `.pdmodel` in Paddle 2.6.2, and in Paddle 3 where there is one.

LITE_TEST_PADDLE3 is a Python with Paddle 3. The cases are those of test_pir.py.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import paddle_oracle
import pytest
from models.test_pir import FOLDER, cases, unpack

from lite.errors import UnsupportedOperatorError
from lite.model.load import load_program
from lite.model.save import write_pdmodel_files

sys.path.insert(0, str(Path(__file__).parent / "pir"))

needs_paddle = pytest.mark.skipif(not paddle_oracle.available(), reason="needs paddlepaddle 2.6")
PADDLE_3 = os.environ.get("LITE_TEST_PADDLE3", "")

NEWER = frozenset(
    """
binomial bitwise_left_shift bitwise_right_shift copysign fractional_max_pool2d gammaincc lp_pool2d
median nansum reduce_as rint std svdvals trunc_divide var
""".split()
)
"""Operators that Paddle 2.6 lacks: models with them are refused."""

OTHERWISE = {
    "slice_by_tensor": r"end should be greater than start",
    "set_mask": r"run 1, output 0",
    "z_fed": r"incompatible function arguments",
    "z_gathered": r"no kernels which are registered in the gather operator",
}
"""What Paddle's older operators do otherwise: 2.6.2 has no empty slices, index_put in both leaves
the first run's elements to the second, complex numbers cannot be fed and are not gathered."""


def chosen() -> list[str]:
    """Of the functions a third, but all where a folder is named."""
    functions = [name for name in cases() if name.startswith("fn_")]
    left_out = set() if FOLDER else {name for i, name in enumerate(functions) if i % 3}
    return [name for name in cases() if name not in left_out]


def convert(name: str, folder: Path, target: Path) -> bool:
    """A case as target/model.pdmodel, or that it is refused."""
    program = load_program(str(folder))
    try:
        write_pdmodel_files(program, str(target / "model.pdmodel"))
    except UnsupportedOperatorError as refused:
        said = str(refused).split(": ")[1]
        assert {text.split()[0] for text in said.split(", ")} <= NEWER, name
        return False
    return True


@pytest.mark.paddle
@needs_paddle
@pytest.mark.parametrize("name", chosen())
def test_in_paddle_2(name: str, tmp_path: Path) -> None:
    import run_pdmodels

    folder = unpack(name, tmp_path)
    with np.load(folder / "io.npz") as file:
        arrays = dict(file)
    if not convert(name, folder, tmp_path):
        return
    try:
        found = "; ".join(run_pdmodels.differences(tmp_path / "model.pdmodel", arrays))
    except (ValueError, TypeError, NotImplementedError) as error:
        found = str(error)
    if name in OTHERWISE:
        assert OTHERWISE[name] in found
    else:
        assert not found


@pytest.mark.skipif(not PADDLE_3, reason="LITE_TEST_PADDLE3 names no Python with Paddle 3")
def test_in_paddle_3(tmp_path: Path) -> None:
    for name in cases():
        if name in OTHERWISE:
            continue
        folder, target = unpack(name, tmp_path / "source"), tmp_path / "made" / name
        target.mkdir(parents=True)
        shutil.copy(folder / "io.npz", target)
        convert(name, folder, target)
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    script = Path(__file__).parent / "pir" / "run_pdmodels.py"
    done = subprocess.run(
        [PADDLE_3, str(script), str(tmp_path / "made")],
        capture_output=True,
        text=True,
        env=environment,
    )
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
