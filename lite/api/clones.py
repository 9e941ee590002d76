"""Clones of one predictor for the threads of a server: as many as run at a time."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from lite.api import arguments
from lite.api.predictor import Predictor
from lite.errors import LiteError


class Clones:
    """Runs a model from any number of threads, at most ``limit`` at a time.

    Clones share the weights; each is made when it is first needed, and has plans and memory for
    intermediate results of its own.
    """

    def __init__(self, predictor: Predictor, limit: int) -> None:
        count = arguments.integer(limit, "the number of clones")
        if count < 1:
            raise ValueError(f"the number of clones is {count}, expected 1 or more")
        self.inputs, self.outputs = predictor.inputs, predictor.outputs
        self._idle = [predictor]
        self._seed: Predictor | None = predictor.clone()  # never runs: cloning never waits for it
        self._room = threading.Semaphore(count)

    def run(
        self, inputs: Mapping[str, Any] | Sequence[Any] | np.ndarray[Any, Any]
    ) -> dict[str, np.ndarray[Any, Any]]:
        """As Predictor.run; waits while ``limit`` others run."""
        with self.one() as predictor:
            return predictor.run(inputs)

    @contextmanager
    def one(self) -> Iterator[Predictor]:
        """A predictor that nobody else has until the block ends."""
        with self._room:
            seed = self._seed
            if seed is None:
                raise LiteError("the predictor was closed")
            try:
                predictor = self._idle.pop()  # the latest: its memory is in the caches
            except IndexError:
                predictor = seed.clone()
            try:
                yield predictor
            finally:
                if self._seed is not None:
                    self._idle.append(predictor)

    def apart(self) -> Predictor:
        """A clone that is the caller's, to close."""
        if self._seed is None:
            raise LiteError("the predictor was closed")
        return self._seed.clone()

    def close(self) -> None:
        """Frees the model as soon as the runs that are under way end; later ones raise."""
        self._seed = None
        self._idle.clear()
