"""The table of the operators that are one binary operator and an activation."""

from collections.abc import Callable
from typing import Any

import numpy as np
from elementwise_tables import binary
from harness import OpTable, rand

ACTIVATIONS = {
    "": lambda x: x,
    "relu": lambda x: np.maximum(x, 0),
    "relu6": lambda x: np.clip(x, 0, 6),
    "leaky_relu": lambda x: np.where(x < 0, np.float32(0.02) * x, x),
    "tanh": np.tanh,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "swish": lambda x: x / (1 + np.exp(-x)),
    "hard_swish": lambda x: x * np.clip(x + 3, 0, 6) / 6,
    "hard_sigmoid": lambda x: np.clip(0.2 * x + 0.5, 0, 1),
    "abs": np.abs,
    "exp": np.exp,
}


def fusion(op: str, compute: Callable[..., np.ndarray], **options: Any) -> OpTable:
    """The cases of ``fusion_elementwise_*_activation``; ``options`` are those of ``binary``."""

    def reference(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
        x, y, axis = inputs["X"], inputs["Y"], attrs.get("axis", -1)

        def place(small: np.ndarray, rank: int) -> np.ndarray:
            if axis < 0 or small.ndim == rank:
                return small
            return small.reshape(small.shape + (1,) * (rank - axis - small.ndim))

        rank = max(x.ndim, y.ndim)
        value = compute(place(x, rank), place(y, rank)).astype("float64")
        if "alpha" in attrs:
            value = np.where(value < 0, attrs["alpha"] * value, value)
        else:
            value = ACTIVATIONS[attrs["act_type"]](value)
        return {"Out": np.asarray(value, "float32")}

    table = binary(
        op,
        types=(),
        attrs=[{"act_type": name} for name in ACTIVATIONS],
        reference=reference,
        broken_types=["int64"],
        **options,
    )
    leaky = {"act_type": "leaky_relu", "alpha": 0.3}
    table.case({"X": rand(2, 3), "Y": rand(2, 3, low=0.5)}, leaky, reference=reference)
    table.case(
        {"X": rand(2, 8, 71, 67), "Y": rand(8, 1, 1, low=0.5)},
        {"act_type": "relu"},
        reference=reference,
    )
    table.error({"X": rand(2), "Y": rand(2)}, {"act_type": "no_such"}, match="no_such")
    return table
