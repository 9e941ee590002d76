"""set_power_mode: runs stay on the cores that a made-up /sys calls fast or slow."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import lite
from lite import MobileConfig, PowerMode, create_paddle_predictor
from lite.errors import ConfigError

from .test_operators import ONE, X, nb, program, scaled

pytestmark = pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity") or len(os.sched_getaffinity(0)) < 2,
    reason="needs two cores and a system that binds threads",
)


@pytest.fixture
def cores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """A slow core and a fast one."""
    slow, fast = sorted(os.sched_getaffinity(0))[:2]
    (tmp_path / "online").write_text(f"{slow},{fast}\n")
    for core, capacity in ((slow, 446), (fast, 1024)):
        (tmp_path / f"cpu{core}").mkdir()
        (tmp_path / f"cpu{core}" / "cpu_capacity").write_text(f"{capacity}\n")
    monkeypatch.setenv("LITE_CPU_FOLDER", str(tmp_path))
    return slow, fast


def test_runs_are_bound(cores: tuple[int, int]) -> None:
    allowed = os.sched_getaffinity(0)
    seen = []

    @lite.operator("my_op", inputs=["X"], shape=lambda x: x.shape)
    def my_op(x: np.ndarray) -> np.ndarray:
        seen.append(os.sched_getaffinity(0))
        return x * 3

    slow, fast = {cores[0]}, {cores[1]}
    try:
        for mode, expected in (
            (PowerMode.LITE_POWER_HIGH, fast),
            (PowerMode.LITE_POWER_RAND_HIGH, fast),
            (PowerMode.LITE_POWER_LOW, slow),
            (PowerMode.LITE_POWER_RAND_LOW, slow),
            (PowerMode.LITE_POWER_FULL, slow | fast),
            (PowerMode.LITE_POWER_NO_BIND, allowed),
        ):
            config = MobileConfig()
            config.set_model_from_buffer(nb(program(ONE)))
            config.set_threads(4)
            config.set_power_mode(mode)
            predictor = create_paddle_predictor(config)
            predictor.get_input(0).from_numpy(X)
            predictor.run()
            np.testing.assert_allclose(predictor.get_output(0).numpy(), scaled(X), rtol=1e-6)
            assert seen[-1] == expected, mode
            assert os.sched_getaffinity(0) == allowed
    finally:
        lite.remove_operator("my_op")


def test_a_number_that_is_no_mode(cores: tuple[int, int]) -> None:
    core = lite.load(nb(program("Out: [y] = relu(X: [x])")))._core
    with pytest.raises(ConfigError, match="power mode is 6, expected 0 to 5"):
        core.set_power_mode(6)
