"""Test-mode dropout goes: ``upscale_in_train`` is the identity, any other is scale(1 - p)."""

from __future__ import annotations

from lite.core.optimizer.pattern import Folded, Match, Rule
from lite.core.optimizer.registry import Pass, register
from lite.model.program import Attr, AttrType


def _probability(match: Match) -> float | None:
    """The share that training would drop, or None where this is not test mode."""
    node = match.root
    p = node.number("dropout_prob", 0.5)
    return p if node.flag("is_test") and 0.0 <= p <= 1.0 else None


def _upscales(match: Match) -> bool:
    mode = match.root.string("dropout_implementation", "downgrade_in_infer")
    return mode == "upscale_in_train"


def _identity(match: Match) -> Folded | None:
    p = _probability(match)
    return {} if p is not None and (_upscales(match) or p == 0.0) else None


def _scale(match: Match) -> Folded | None:
    p = _probability(match)
    if p is None or _upscales(match):
        return None
    return {"scale": Attr(AttrType.FLOAT, 1.0 - p)}


_PATTERN = "Out: [%out], Mask: [%mask:any?] = dropout(X: [%x], Seed: [%seed:any?])"

IDENTITY_DROPOUT = Rule(_PATTERN, "%out = %x", _identity)
SCALING_DROPOUT = Rule(
    _PATTERN,
    "Out: [%out] = scale(X: [%x]) "
    "{scale: var %scale, bias: float 0.0, bias_after_scale: bool true}",
    _scale,
)

register(Pass("identity_dropout_eliminate_pass", (IDENTITY_DROPOUT, SCALING_DROPOUT)))
