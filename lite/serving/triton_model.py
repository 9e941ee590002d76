"""The model of Triton's python backend: `1/model.py` of a folder that `lite serve` wrote."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from typing import Any

from lite.api.batching import Arrays, Batcher
from lite.api.serving_options import Options, sentence
from lite.errors import LiteError

MODEL = "model.nb"
OPTIONS = "options"
"""The parameter of config.pbtxt that holds Options as JSON."""


class TritonPythonModel:
    """Triton joins nothing itself: the requests that it gives at once are joined here."""

    def initialize(self, args: Mapping[str, str]) -> None:
        """Loads 1/model.nb. Raises as lite.load does; Triton then reports the model."""
        import triton_python_backend_utils as pb_utils

        self._backend: Any = pb_utils
        config = json.loads(args["model_config"])
        said = config.get("parameters", {}).get(OPTIONS, {}).get("string_value", "{}")
        path = os.path.join(args["model_repository"], args["model_version"], MODEL)
        try:
            self._batcher: Batcher = Options.of(json.loads(said)).load(path)[0]
        except (LiteError, OSError, KeyError, TypeError, ValueError) as error:
            raise self._backend.TritonModelException(
                f"model '{args['model_name']}' ({path}) does not load: {sentence(error)}"
            ) from error

    def execute(self, requests: Sequence[Any]) -> list[Any]:
        """A response for every request, in order; one that fails says why and harms no other."""
        arrays = [{one.name(): one.as_numpy() for one in request.inputs()} for request in requests]
        return [self._response(answer) for answer in self._batcher.submit_all(arrays)]

    def finalize(self) -> None:
        """Frees the model."""
        self._batcher.close()

    def _response(self, answer: Future[Arrays]) -> Any:
        backend = self._backend
        error = answer.exception()
        if error is not None:
            return backend.InferenceResponse(
                output_tensors=[], error=backend.TritonError(sentence(error))
            )
        tensors = [backend.Tensor(name, array) for name, array in answer.result().items()]
        return backend.InferenceResponse(output_tensors=tensors)
