"""Ray Data: models over more data than one machine holds, and `lite batch`'s parts.

>>> import lite.ray, ray
>>> rows = ray.data.read_parquet("in/")
>>> rows.map_batches(lite.ray.Predict, fn_constructor_args=("model.nb", 2), num_cpus=2,
...                  concurrency=4, batch_size=32, batch_format="numpy").write_parquet("out/")

The class loads the model in its actor, once; ``num_cpus`` of an actor and its ``threads`` are the
same number. See docs/batch.md.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lite.api.batching import Batcher
from lite.api.predictor import TensorInfo
from lite.api.serving_options import Options, sentence
from lite.errors import ShapeError

Columns = dict[str, np.ndarray[Any, Any]]

ERROR = "error"
"""The column that says why a row has no outputs; only there with ``errors="column"``."""


class Predict:
    """Adds a model's outputs to a batch whose columns hold its inputs, a row an example.

    A column is an array [rows, ...] or an object array of arrays, flat ones too where the model's
    declared shape says which it is; the rows stand where the model has its first dimension. Rows
    of different shapes may come together. Outputs without rows come to every row as they are when
    it is run alone. ``columns`` maps inputs to the columns that hold them, where these are called
    otherwise. With ``errors="column"`` a row that fails has None for outputs and says why.
    """

    def __init__(
        self,
        model: str | os.PathLike[str],
        threads: int = 1,
        *,
        batch_rows: int = 32,
        devices: Sequence[str] = (),
        columns: Mapping[str, str] | None = None,
        errors: str = "raise",
    ) -> None:
        if errors not in ("raise", "column"):
            raise ValueError(f"errors is {errors!r}, expected 'raise' or 'column'")
        options = Options.of(
            {"threads": threads, "max_batch_size": batch_rows, "devices": list(devices)}
        )
        self._batcher, _ = options.load(model)
        self._columns = {
            info.name: (columns or {}).get(info.name, info.name) for info in self._batcher.inputs
        }
        self._keeps_errors = errors == "column"

    def __call__(self, batch: Mapping[str, np.ndarray[Any, Any]]) -> Columns:
        """The batch's other columns, and one for each output."""
        missing = [column for column in self._columns.values() if column not in batch]
        if missing:
            raise KeyError(f"the batch has no {', '.join(missing)}; it has {', '.join(batch)}")
        rows = len(next(iter(batch.values()))) if batch else 0
        requests = [
            {
                info.name: example(info, batch[self._columns[info.name]][row])
                for info in self._batcher.inputs
            }
            for row in range(rows)
        ]
        answers = self._batcher.submit_all(requests)
        used = set(self._columns.values())
        found: Columns = {name: column for name, column in batch.items() if name not in used}
        failures = [answer.exception() for answer in answers]
        if self._keeps_errors:
            said = [None if error is None else sentence(error) for error in failures]
            found[ERROR] = _objects(said)
        else:
            for error in failures:
                if error is not None:
                    raise error
        for info in self._batcher.outputs:
            arrays = [
                None if error is not None else row_of(answer.result()[info.name], self._batcher)
                for answer, error in zip(answers, failures, strict=True)
            ]
            found[info.name] = _column(arrays)
        return found


def example(info: TensorInfo, value: Any) -> np.ndarray[Any, Any]:
    """One row's value as the model's input of one row; a flat one in the declared shape."""
    array = np.asarray(value)
    if array.dtype == object:  # nested lists, as parquet has them
        array = np.array(array.tolist())
    if info.dtype is not None and array.dtype.name != info.dtype:
        array = array.astype(info.dtype, casting="same_kind")
    wanted = info.shape[1:]
    if array.ndim == 1 and len(wanted) > 1:
        if wanted.count(-1) > 1:
            raise ShapeError(
                f"'{info.name}' is flat, but several dimensions of {list(wanted)} are free"
            )
        array = array.reshape(wanted)
    return array[None]


def row_of(array: np.ndarray[Any, Any], model: Batcher) -> np.ndarray[Any, Any]:
    """One row's output without the dimension of rows, where it has one."""
    has_rows = array.ndim and array.shape[0] == 1 and not model.shapes_depend_on_data
    return array[0] if has_rows else array


def _column(arrays: list[np.ndarray[Any, Any] | None]) -> np.ndarray[Any, Any]:
    """One array where all rows have one shape, else an object array of arrays."""
    present = [array for array in arrays if array is not None]
    if len(present) == len(arrays) and len({(a.shape, a.dtype) for a in present}) == 1:
        return np.stack(present)
    return _objects(arrays)


def _objects(values: Sequence[Any]) -> np.ndarray[Any, Any]:
    column = np.empty(len(values), object)
    for row, value in enumerate(values):
        column[row] = value
    return column
