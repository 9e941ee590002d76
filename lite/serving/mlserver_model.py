"""The runtime for MLServer: one process, weights shared by all instances, batching of our own."""

from __future__ import annotations

import asyncio
from typing import Any

from mlserver import MLModel
from mlserver.errors import InferenceError, MLServerError
from mlserver.types import InferenceRequest, InferenceResponse, MetadataTensor, ResponseOutput
from mlserver.utils import get_model_uri
from prometheus_client import Counter, Gauge, Histogram

from lite.api.batching import Batcher, Group
from lite.api.predictor import TensorInfo
from lite.api.serving_options import Options, sentence
from lite.errors import ConfigError, LiteError
from lite.serving.raw_tensors import wants_raw
from lite.serving.tensors import array_of, datatype, raw_of

_LABELS = ("model",)
_SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)
_ROWS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
WAITING = Gauge("lite_waiting_requests", "Requests in the queue when a run began", _LABELS)
BATCH = Histogram("lite_batch_rows", "Rows of one run", _LABELS, buckets=_ROWS)
RUN = Histogram("lite_run_seconds", "Time of one run", _LABELS, buckets=_SECONDS)
LATENCY = Histogram("lite_request_seconds", "Time of one request", _LABELS, buckets=_SECONDS)
REFUSED = Counter("lite_refused_requests", "Requests that were answered with an error", _LABELS)

FAILED: list[str] = []
"""Why models did not load: MLServer then ends with exit code 0."""


class LiteModel(MLModel):
    """A model of any format that the framework reads; `parameters.extra` is Options' fields."""

    _batcher: Batcher | None = None

    async def load(self) -> bool:
        """Loads the model beside the event loop; errors name it and are kept in FAILED."""
        try:
            if self._settings.max_batch_size > 1:
                raise ConfigError(
                    "MLServer's max_batch_size joins requests of different shapes: leave it out "
                    "and set parameters.extra.max_batch_size"
                )
            parameters = self._settings.parameters
            options = Options.of(parameters.extra if parameters else None)
            uri = await get_model_uri(self._settings)
            load = asyncio.get_running_loop().run_in_executor
            batcher, types = await load(None, options.load, uri, self._observe)
        except (LiteError, MLServerError, OSError, KeyError, TypeError, ValueError) as error:
            where = self._settings.parameters.uri if self._settings.parameters else None
            FAILED.append(f"model '{self.name}' ({where}) does not load: {sentence(error)}")
            raise MLServerError(FAILED[-1]) from error
        self._batcher = batcher
        self._settings.platform = self._settings.platform or "paddle"
        self.inputs = [_metadata(info, info.dtype) for info in batcher.inputs]
        self.outputs = [_metadata(info, types[info.name]) for info in batcher.outputs]
        return True

    async def predict(self, payload: InferenceRequest) -> InferenceResponse:
        """One request; every error is of the client's making and tells what was expected."""
        try:
            outputs = await self._answer(payload)
        except (LiteError, KeyError, TypeError, ValueError) as error:
            REFUSED.labels(self.name).inc()
            raise InferenceError(sentence(error)) from error
        return InferenceResponse(
            model_name=self.name, model_version=self.version, id=payload.id, outputs=outputs
        )

    async def unload(self) -> bool:
        """Answers what is waiting, then frees the model."""
        if self._batcher is not None:
            await asyncio.get_running_loop().run_in_executor(None, self._batcher.close)
        return True

    async def _answer(self, payload: InferenceRequest) -> list[ResponseOutput]:
        if self._batcher is None:
            raise LiteError("the model is not loaded")
        arrays: dict[str, Any] = {}
        for tensor in payload.inputs:
            if tensor.name in arrays:
                raise ValueError(f"input '{tensor.name}' is given twice")
            kind = getattr(tensor.datatype, "value", tensor.datatype)
            arrays[tensor.name] = array_of(tensor.name, kind, tensor.shape, tensor.data.root)
        wanted = self._wanted(payload)
        found = await asyncio.wrap_future(self._batcher.submit(arrays))
        raw = wants_raw(payload.inputs)
        return [
            ResponseOutput(
                name=name,
                datatype=datatype(found[name].dtype.name),
                shape=list(found[name].shape),
                data=[raw_of(found[name])] if raw else found[name].ravel().tolist(),
            )
            for name in wanted
        ]

    def _wanted(self, payload: InferenceRequest) -> list[str]:
        assert self._batcher is not None
        names = [info.name for info in self._batcher.outputs]
        wanted = [output.name for output in payload.outputs or []] or names
        unknown = [name for name in wanted if name not in names]
        if unknown:
            raise KeyError(f"outputs are {', '.join(names)}; unknown: {', '.join(unknown)}")
        return wanted

    def _observe(self, group: Group) -> None:
        WAITING.labels(self.name).set(group.waiting)
        BATCH.labels(self.name).observe(group.rows)
        RUN.labels(self.name).observe(group.run)
        for latency in group.latencies:
            LATENCY.labels(self.name).observe(latency)


def _metadata(info: TensorInfo, dtype: str | None) -> MetadataTensor:
    kind = datatype(dtype or "float32")
    return MetadataTensor(name=info.name, datatype=kind, shape=list(info.shape))
