"""Ends of processes and copies of objects: nothing crashes when Python shuts down."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import lite

_DAEMONS = """
import sys, threading, time
import numpy as np
import lite
predictor = lite.load(sys.argv[1], threads=int(sys.argv[2]))
x = np.ones((4000, 4), np.float32)
def work(predictor):
    while True:
        predictor.run({"x": x})
for mine in (predictor, predictor, predictor.clone()):
    threading.Thread(target=work, args=(mine,), daemon=True).start()
time.sleep(float(sys.argv[3]))
"""


@pytest.mark.parametrize("threads", ["1", "2"])
def test_daemon_threads_run_when_python_ends(dense_nb: bytes, tmp_path: Path, threads: str) -> None:
    (tmp_path / "m.nb").write_bytes(dense_nb)
    root = str(Path(lite.__file__).parent.parent)
    for turn in range(8):
        done = subprocess.run(
            [sys.executable, "-c", _DAEMONS, tmp_path / "m.nb", threads, str(0.02 + 0.013 * turn)],
            env={**os.environ, "PYTHONPATH": root},
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "duplicate", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))]
)
def test_copies(light: lite.LightPredictor, dense_nb: bytes, duplicate: object) -> None:
    """Configurations can be copied; what holds a model says that it cannot, or shares it."""
    x = np.ones((1, 4), np.float32)
    for thing in (light, lite.Predictor(light._core), light.get_input(0)):
        try:
            duplicate(thing)  # type: ignore[operator]
        except TypeError as error:
            assert "cannot be pickled or copied" in str(error)
    config = lite.MobileConfig()
    config.set_model_from_buffer(dense_nb)
    again = lite.create_paddle_predictor(duplicate(config))  # type: ignore[operator]
    again.get_input(0).from_numpy(x)
    again.run()
    light.get_input(0).from_numpy(x)
    light.run()
    assert np.array_equal(again.get_output(0).numpy(), light.get_output(0).numpy())
