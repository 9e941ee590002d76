"""The harness itself: crashes, hangs and strange exceptions are seen."""

from __future__ import annotations

import os
import signal
import time

from api.isolated import run_many


def _crash() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _strange() -> None:
    raise OverflowError("not in the list")


def _refused() -> None:
    raise ValueError("in the list")


def test_every_outcome_is_told_apart() -> None:
    cases = [lambda: 1, _crash, _refused, lambda: time.sleep(9), _strange, lambda: 2]
    outcomes = run_many(cases, seconds=0.5)
    assert [outcome.kind for outcome in outcomes] == [
        "ok", "signal", "raised", "hang", "failed", "ok",
    ]  # fmt: skip
    assert [outcome.defined for outcome in outcomes] == [True, False, True, False, False, True]


def test_an_assertion_is_a_failure() -> None:
    def check() -> None:
        assert 1 + 1 == 3

    assert run_many([check])[0].kind == "failed"
