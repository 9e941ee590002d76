"""Which passes run, in order. Names are Paddle Lite's where it has such a pass."""

from __future__ import annotations

PASS_LIST: tuple[str, ...] = (
    "identity_dropout_eliminate_pass",
    "lite_conv_elementwise_fuse_pass",
    "lite_conv_bn_fuse_pass",
    "lite_conv_activation_fuse_pass",
    "identity_scale_eliminate_pass",
)
"""The default list. It runs again as long as it finds something; final passes run once."""

NOT_NEEDED: frozenset[str] = frozenset()
"""Paddle Lite's passes that have no counterpart here; discarding one changes nothing."""

MAX_ROUNDS = 4
"""How often the list may run."""
