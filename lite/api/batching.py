"""Requests of many clients joined into runs of several rows, when that changes no answer."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lite.api import arguments
from lite.api.predictor import Predictor
from lite.api.tensor import as_array
from lite.errors import LiteError

Arrays = dict[str, np.ndarray[Any, Any]]

_KEYS = 4096
"""Trailing shapes whose first group is remembered."""
_TOLERANCE = 1e-3
"""Between a row alone and among others, relative to the output's largest value."""


@dataclass(frozen=True)
class Group:
    """What was run: for the figures of a server. Times are in seconds."""

    requests: int
    rows: int
    waiting: int  # requests that were left in the queue
    run: float
    latencies: tuple[float, ...]  # of each request, since it was submitted


@dataclass
class _Request:
    inputs: Arrays
    rows: int  # 0: not to be joined
    arrived: float = field(default_factory=time.monotonic)
    answer: Future[Arrays] = field(default_factory=Future)


class Batcher:
    """Runs requests on clones of a predictor; any thread may submit.

    Requests are joined along the first dimension, up to ``max_batch_size`` rows, if their types and
    other dimensions agree; one waits at most ``max_delay_ms`` for others while a clone is free.
    Each answer is the one that the request gets alone. So nothing is joined where shapes depend on
    data (NMS, loops), an output that has another first dimension than the inputs is never cut, the
    first group of each kind is compared with its requests alone, and when a group fails each of its
    requests is run again alone.
    """

    def __init__(
        self,
        predictor: Predictor,
        *,
        instances: int = 1,
        max_batch_size: int = 1,
        max_delay_ms: float = 0.0,
        observer: Callable[[Group], None] | None = None,
    ) -> None:
        self.inputs, self.outputs = predictor.inputs, predictor.outputs
        self.max_batch_size = arguments.integer(max_batch_size, "max_batch_size")
        count = arguments.integer(instances, "instances")
        if self.max_batch_size < 1 or not 1 <= count <= arguments.MAX_THREADS:
            raise ValueError(
                f"max_batch_size is {max_batch_size} and instances {instances}, expected 1 or more"
            )
        if not 0 <= max_delay_ms <= 60_000:
            raise ValueError(f"max_delay_ms is {max_delay_ms}, expected 0 to 60000")
        self._delay = max_delay_ms / 1e3
        self._observer = observer
        self.shapes_depend_on_data = predictor._live().shapes_depend_on_data()
        self._joins = self.max_batch_size > 1 and not self.shapes_depend_on_data
        self._same_alone: OrderedDict[Hashable, bool] = OrderedDict()
        self._queues: OrderedDict[Hashable, deque[_Request]] = OrderedDict()
        self._changed = threading.Condition()
        self._closed = False
        clones = [predictor, *(predictor.clone() for _ in range(count - 1))]
        self._workers = [
            threading.Thread(target=self._work, args=(clone,), daemon=True) for clone in clones
        ]
        for worker in self._workers:
            worker.start()

    @property
    def waiting(self) -> int:
        """Requests in the queue."""
        with self._changed:
            return self._waiting()

    def submit(self, inputs: Mapping[str, Any]) -> Future[Arrays]:
        """The outputs by name, some time.

        Raises KeyError, TypeError or DataTypeError for what is no such model's request at all,
        LiteError after close(); what a run raises comes with the future.
        """
        request = self._request(inputs)
        self._add([request])
        return request.answer

    def submit_all(self, many: Iterable[Mapping[str, Any]]) -> list[Future[Arrays]]:
        """As submit, for requests that come at once; what one raises comes with its future."""
        requests, answers = [], []
        for inputs in many:
            try:
                requests.append(self._request(inputs))
                answers.append(requests[-1].answer)
            except Exception as error:
                answers.append(Future())
                answers[-1].set_exception(error)
        self._add(requests)
        return answers

    def _request(self, inputs: Mapping[str, Any]) -> _Request:
        names = [info.name for info in self.inputs]
        missing = [name for name in names if name not in inputs]
        unknown = [str(name) for name in inputs if name not in names]
        if missing or unknown:
            raise KeyError(
                f"inputs are {', '.join(names) or 'none'}; missing: "
                f"{', '.join(missing) or 'none'}, unknown: {', '.join(unknown) or 'none'}"
            )
        arrays = {
            info.name: as_array(inputs[info.name], info.dtype, info.name) for info in self.inputs
        }
        return _Request(arrays, self._rows(arrays))

    def _add(self, requests: list[_Request]) -> None:
        with self._changed:
            if self._closed:
                raise LiteError("the model was unloaded")
            for request in requests:
                self._queues.setdefault(_key(request), deque()).append(request)
            self._changed.notify(len(requests))

    def run(self, inputs: Mapping[str, Any]) -> Arrays:
        """Submits and waits."""
        return self.submit(inputs).result()

    def close(self) -> None:
        """Answers what was submitted, then frees the model."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for worker in self._workers:
            worker.join()

    def _rows(self, arrays: Arrays) -> int:
        """The rows of a request that may be joined, else 0."""
        firsts = {array.shape[0] if array.ndim else 0 for array in arrays.values()}
        if not self._joins or len(firsts) != 1:
            return 0
        rows: int = firsts.pop()
        return rows if rows < self.max_batch_size else 0

    def _waiting(self) -> int:
        return sum(map(len, self._queues.values()))

    def _work(self, predictor: Predictor) -> None:
        while (group := self._next()) is not None:
            self._serve(predictor, group)

    def _next(self) -> list[_Request] | None:
        """The requests to run next; waits for them. None: there will be none."""
        with self._changed:
            while True:
                key, due = self._most_urgent()
                if key is not None and (due <= time.monotonic() or self._closed):
                    return self._take(key)
                if key is None and self._closed:
                    return None
                self._changed.wait(None if key is None else due - time.monotonic())

    def _most_urgent(self) -> tuple[Hashable | None, float]:
        """The queue to serve first, and when."""
        best: tuple[Hashable | None, float] = (None, 0.0)
        for key, queue in self._queues.items():
            full = sum(request.rows for request in queue) >= self.max_batch_size
            alone = not queue[0].rows or self._same_alone.get(key) is False
            due = queue[0].arrived + (0.0 if full or alone else self._delay)
            if best[0] is None or due < best[1]:
                best = (key, due)
        return best

    def _take(self, key: Hashable) -> list[_Request]:
        queue = self._queues[key]
        group = [queue.popleft()]
        rows = group[0].rows
        while (
            queue
            and rows
            and self._same_alone.get(key) is not False
            and rows + queue[0].rows <= self.max_batch_size
        ):
            group.append(queue.popleft())
            rows += group[-1].rows
        if queue:
            self._changed.notify()  # there is work for another
        else:
            del self._queues[key]
        return group

    def _serve(self, predictor: Predictor, group: list[_Request]) -> None:
        group = [request for request in group if request.answer.set_running_or_notify_cancel()]
        if not group:
            return
        started = time.monotonic()
        answers = self._joined(predictor, group) if len(group) > 1 else None
        if answers is None:
            answers = [_alone(predictor, request) for request in group]
        ended = time.monotonic()
        for request, answer in zip(group, answers, strict=True):
            if isinstance(answer, BaseException):
                request.answer.set_exception(answer)
            else:
                request.answer.set_result(answer)
        if self._observer is not None:
            latencies = tuple(ended - request.arrived for request in group)
            rows = sum(max(request.rows, 1) for request in group)
            with suppress(Exception):  # the figures' fault must not cost a worker
                self._observer(Group(len(group), rows, self.waiting, ended - started, latencies))

    def _joined(
        self, predictor: Predictor, group: list[_Request]
    ) -> list[Arrays | BaseException] | None:
        """The answers cut from one run; None where that run, or cutting it, is not possible."""
        key = _key(group[0])
        try:
            joined = {
                name: np.concatenate([request.inputs[name] for request in group])
                for name in group[0].inputs
            }
            outputs = predictor.run(joined)
        except Exception:
            return None
        total = sum(request.rows for request in group)
        cut: list[Arrays | BaseException] | None = None
        if all(array.ndim and array.shape[0] == total for array in outputs.values()):
            ends = np.cumsum([request.rows for request in group])
            cut = [
                {name: array[end - request.rows : end].copy() for name, array in outputs.items()}
                for request, end in zip(group, ends, strict=True)
            ]
        if key in self._same_alone:
            return cut
        alone = [_alone(predictor, request) for request in group]
        if not any(isinstance(answer, BaseException) for answer in alone):
            self._remember(key, cut is not None and all(map(_agree, cut, alone)))
        return alone

    def _remember(self, key: Hashable, same: bool) -> None:
        with self._changed:
            self._same_alone[key] = same
            if len(self._same_alone) > _KEYS:
                self._same_alone.popitem(last=False)


_ALONE = "alone"


def _key(request: _Request) -> Hashable:
    if not request.rows:
        return _ALONE
    return tuple((array.dtype.str, array.shape[1:]) for array in request.inputs.values())


def _alone(predictor: Predictor, request: _Request) -> Arrays | BaseException:
    try:
        return predictor.run(request.inputs)
    except Exception as error:
        return error


def _agree(cut: Arrays | BaseException, alone: Arrays | BaseException) -> bool:
    if isinstance(cut, BaseException) or isinstance(alone, BaseException):
        return False
    return all(_close(cut[name], alone[name]) for name in alone)


def _close(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> bool:
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.dtype.kind not in "fc":
        return bool(np.array_equal(a, b))
    scale = float(np.max(np.abs(b), initial=0.0, where=np.isfinite(b)))
    return bool(np.allclose(a, b, rtol=0, atol=_TOLERANCE * scale, equal_nan=True))
