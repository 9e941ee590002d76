"""What tpu-mlir makes of an output's name: its own, the layer's kind, the type."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def in_order(results: Mapping[str, Any]) -> list[Any]:
    """The arrays of ``output0_Relu_f32`` and its like, by their numbers; as floats where a chip's
    simulator gives both."""
    found = {}
    for name, array in sorted(results.items(), key=lambda item: item[0].endswith("_f32")):
        number = re.match(r"output(\d+)(_|$)", name)
        if number:
            found[int(number[1])] = array
    return [found[number] for number in sorted(found)]
