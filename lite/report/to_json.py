"""The report as JSON."""

from __future__ import annotations

import json

from lite.report.places import Places


def to_json(placement: Places) -> str:
    """Indented JSON that ends in a newline; ``Places.from_dict`` reads it back."""
    return json.dumps(placement.to_dict(), indent=1) + "\n"
