"""HALs written in Python that tests share, and a model for them."""

from __future__ import annotations

from typing import Any

import numpy as np

import lite.nnadapter as nna
from lite.nnadapter import capi

X = np.float32([[1, -2, 3], [-4, 5, -6]])


def relu_model(shape: Any = (2, 3), twice: bool = False) -> capi.Model:
    """relu(x), or relu(relu(x) + 1)."""
    model = capi.Model()
    x = model.tensor(np.float32, shape)
    (y,) = model.operation("RELU", [x])
    if twice:
        one = model.constant(np.ones(1, np.float32))
        (y,) = model.operation("ADD", [y, one, model.constant(0)])
        (y,) = model.operation("RELU", [y])
    return model.finish([x], [y])


class Relu(nna.Hal):
    """Takes RELU and ADD."""

    def supports(self, op: nna.Operation) -> bool | str:
        return op.type in ("RELU", "ADD") or f"no {op.type} here"

    def build(self, model: nna.Model) -> None:
        self.types = [op.type for op in model.operations]

    def run(self, inputs: Any) -> Any:
        x = np.maximum(inputs[0], 0)
        return [x + 1] if "ADD" in self.types else [x]


class Saving(Relu):
    """Has a format of its own."""

    loads = 0

    def save(self) -> bytes:
        return ",".join(self.types).encode()

    def load(self, data: bytes) -> None:
        self.types = data.decode().split(",")
        Saving.loads += 1
