"""The report as JSON."""

from __future__ import annotations

import json

from lite.core.partition.placement import Placement


def to_json(placement: Placement) -> str:
    """Indented JSON that ends in a newline; ``Placement.from_dict`` reads it back."""
    return json.dumps(placement.to_dict(), indent=1) + "\n"
