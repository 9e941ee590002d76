"""What keeps a written program from running right in real Paddle Lite, in words."""

from __future__ import annotations

from collections.abc import Sequence

from lite.core.optimizer.exchange.limits import PADDLE_LITE, Limit


def limits_line(limits: Sequence[Limit]) -> str:
    """One line: `runs here; real Paddle Lite 2.14 lacks: cosh (2x), ...`."""
    listed = ", ".join(str(limit) for limit in limits)
    return f"runs here; real Paddle Lite {PADDLE_LITE} lacks: {listed}"
