"""What runs in an actor of `lite batch`: one model, part after part, a batch of rows at a time."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import ray

from lite.api.batching import Arrays
from lite.api.serving_options import Options, sentence
from lite.ray import ERROR, example, row_of
from lite.ray.job import Job, Part

Outcome = Arrays | BaseException


class PartWorker:
    """Writes a part's results beside its place and moves them there: whole, once, whoever does it.

    The results are the input's other columns, ``error`` (null, or why the row has no outputs) and
    for each output NAME, flat in row-major order, and NAME.shape.
    """

    def __init__(self, job: Job) -> None:
        self._job = job
        options = {"threads": job.threads, "max_batch_size": job.batch_rows}
        self._model, self._types = Options.of({**options, "devices": list(job.devices)}).load(
            job.model
        )
        self._pool = ThreadPoolExecutor(job.threads)
        self._images = job.images

    def __call__(self, batch: Mapping[str, np.ndarray[Any, Any]]) -> dict[str, list[Any]]:
        """Runs parts; what was done, for the progress."""
        done = [self.run(Part.of(str(text))) for text in batch["part"]]
        return {name: [one[name] for one in done] for name in done[0]}

    def run(self, part: Part) -> dict[str, Any]:
        """Runs one part, unless its results are there already: a worker may die after the move."""
        started = time.perf_counter()
        target = part.output(self._job.output)
        if not target.exists():
            self._write(part, target)
        said = pq.read_table(target, columns=[ERROR])[ERROR]
        return {
            "part": part.number,
            "rows": len(said),
            "failed": len(said) - said.null_count,
            "seconds": time.perf_counter() - started,
            "node": ray.get_runtime_context().get_node_id(),
        }

    def _write(self, part: Part, target: Path) -> None:
        unique = f"{os.getpid()}-{os.urandom(4).hex()}"
        temporary = target.with_name(f".{target.stem}.{unique}.tmp")
        writer: pq.ParquetWriter | None = None
        for table in self._batches(part):
            result = self._results(table)
            writer = writer or pq.ParquetWriter(temporary, result.schema)
            writer.write_table(result.cast(writer.schema))
        if writer is None:
            pq.write_table(pa.table({ERROR: pa.array([], pa.string())}), temporary)
        else:
            writer.close()
        os.replace(temporary, target)

    def _batches(self, part: Part) -> Iterator[pa.Table]:
        """Tables of at most batch_rows rows, so that memory does not grow with the part."""
        step = self._job.batch_rows
        if not part.row_groups:
            for start in range(0, len(part.files), step):
                yield pa.table({"path": list(part.files[start : start + step])})
            return
        file = pq.ParquetFile(part.files[0])
        for batch in file.iter_batches(step, row_groups=list(part.row_groups)):
            yield pa.Table.from_batches([batch])

    def _results(self, table: pa.Table) -> pa.Table:
        make, used = self._maker(table)
        outcomes = self._outcomes(list(self._pool.map(_guarded(make), range(table.num_rows))))
        kept = table.drop_columns([name for name in used if name in table.column_names])
        said = [sentence(one) if isinstance(one, BaseException) else None for one in outcomes]
        kept = kept.append_column(ERROR, pa.array(said, pa.string()))
        for info in self._model.outputs:
            arrays = [
                None if isinstance(one, BaseException) else row_of(one[info.name], self._model)
                for one in outcomes
            ]
            for array in arrays:
                if array is not None:
                    self._types[info.name] = array.dtype.name
            kind = pa.list_(pa.from_numpy_dtype(np.dtype(self._types[info.name])))
            flat = [None if array is None else array.ravel() for array in arrays]
            shapes = [None if array is None else list(array.shape) for array in arrays]
            kept = kept.append_column(info.name, pa.array(flat, kind))
            kept = kept.append_column(f"{info.name}.shape", pa.array(shapes, pa.list_(pa.int64())))
        return kept

    def _maker(self, table: pa.Table) -> tuple[Callable[[int], Arrays], list[str]]:
        """What makes a row's inputs, and the columns that it uses up."""
        infos = self._model.inputs
        column = self._images.column
        if column or table.column_names == ["path"]:
            options = self._images.for_model(infos[0])
            if not column:
                paths = table["path"].to_pylist()
                return lambda row: {
                    infos[0].name: options.decode(Path(paths[row]).read_bytes())
                }, []
            encoded = table[column]
            return lambda row: {infos[0].name: options.decode(encoded[row].as_py())}, [column]
        names = {info.name: self._job.columns.get(info.name, info.name) for info in infos}
        missing = [name for name in names.values() if name not in table.column_names]
        if missing:
            raise KeyError(
                f"there is no column {', '.join(missing)}; there are "
                f"{', '.join(table.column_names)} (--column INPUT=COLUMN names another)"
            )
        values = {info.name: table[names[info.name]] for info in infos}
        return (
            lambda row: {i.name: example(i, values[i.name][row].as_py()) for i in infos},
            list(names.values()),
        )

    def _outcomes(self, made: list[Outcome]) -> list[Outcome]:
        good = [one for one in made if not isinstance(one, BaseException)]
        answers = iter(self._model.submit_all(good))
        return [one if isinstance(one, BaseException) else _outcome(next(answers)) for one in made]


def _guarded(make: Callable[[int], Arrays]) -> Callable[[int], Outcome]:
    def guarded(row: int) -> Outcome:
        try:
            return make(row)
        except Exception as error:
            return error

    return guarded


def _outcome(answer: Any) -> Outcome:
    error: BaseException | None = answer.exception()
    found: Outcome = answer.result() if error is None else error
    return found
