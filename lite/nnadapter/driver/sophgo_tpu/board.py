"""Programs on a board, by Sophgo's SAIL over the board's runtime (not run on one yet)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from tempfile import TemporaryDirectory

import numpy as np
from sophon import sail

from lite.errors import DeviceError
from lite.nnadapter.driver.compiled.toolkit_hal import OutputTypes
from lite.nnadapter.driver.sophgo_tpu.tool_names import in_order
from lite.nnadapter.model import Array


class BoardProgram:
    """A bmodel on the first TPU."""

    def __init__(self, binary: bytes, outputs: OutputTypes) -> None:
        self._outputs = outputs
        with TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.bmodel")
            with open(path, "wb") as file:
                file.write(binary)
            self._engine = sail.Engine(path, 0, sail.IOMode.SYSIO)
        (self._graph,) = self._engine.get_graph_names()

    def __call__(self, inputs: Sequence[Array]) -> list[Array]:
        """One run."""
        given = {f"input{at}": np.ascontiguousarray(array) for at, array in enumerate(inputs)}
        results = in_order(self._engine.process(self._graph, given))
        if len(results) != len(self._outputs):
            raise DeviceError("the board gives no result")
        return [
            np.asarray(result).astype(dtype, copy=False).reshape(shape)
            for result, (dtype, shape) in zip(results, self._outputs, strict=True)
        ]
