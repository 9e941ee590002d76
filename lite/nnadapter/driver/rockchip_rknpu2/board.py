"""Programs on a board, by rknn-toolkit-lite2 over the board's librknnrt.so (not run on one yet)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from tempfile import TemporaryDirectory

import numpy as np
from rknnlite.api import RKNNLite

from lite.errors import DeviceError
from lite.nnadapter.driver.compiled.toolkit_hal import OutputTypes
from lite.nnadapter.model import Array


class BoardProgram:
    """A .rknn, loaded for all cores that the driver gives it."""

    def __init__(self, binary: bytes, outputs: OutputTypes) -> None:
        self._outputs = outputs
        self._rknn = RKNNLite()
        with TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.rknn")
            with open(path, "wb") as file:
                file.write(binary)
            _succeed(self._rknn.load_rknn(path), "load_rknn")
            _succeed(self._rknn.init_runtime(), "init_runtime")

    def __call__(self, inputs: Sequence[Array]) -> list[Array]:
        """One run."""
        arrays = [np.ascontiguousarray(array) for array in inputs]
        results = self._rknn.inference(inputs=arrays, data_format=["nchw"] * len(arrays))
        if results is None or len(results) != len(self._outputs):
            raise DeviceError("the board gives no result")
        return [
            np.asarray(result).astype(dtype, copy=False).reshape(shape)
            for result, (dtype, shape) in zip(results, self._outputs, strict=True)
        ]

    def __del__(self) -> None:
        self._rknn.release()


def _succeed(code: int, call: str) -> None:
    if code != 0:
        raise DeviceError(
            f"RKNNLite.{call} returns {code}: is this the chip that it was built for?"
        )
