"""The removals that must happen before a program is divided among devices."""

from __future__ import annotations

from lite.core.optimizer.passes.identity_dropout_eliminate_pass import (
    IDENTITY_DROPOUT,
    SCALING_DROPOUT,
)
from lite.core.optimizer.passes.identity_scale_eliminate_pass import IDENTITY_SCALE
from lite.core.optimizer.registry import Pass, register

register(Pass("op_fusion_minimal_set_pass", (IDENTITY_SCALE, IDENTITY_DROPOUT, SCALING_DROPOUT)))
