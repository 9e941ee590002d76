"""scale by 1 with bias 0 goes; a fetched name stays with the tensor."""

from __future__ import annotations

from lite.core.optimizer.pattern import Folded, Match, Rule
from lite.core.optimizer.registry import Pass, register


def _fold(match: Match) -> Folded | None:
    node = match.root
    identity = node.number("scale", 1.0) == 1.0 and node.number("bias", 0.0) == 0.0
    return {} if identity and not node.string("activation_type") else None


IDENTITY_SCALE = Rule("Out: [%out] = scale(X: [%x])", "%out = %x", _fold)

register(Pass("identity_scale_eliminate_pass", (IDENTITY_SCALE,)))
