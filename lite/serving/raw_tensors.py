"""Raw tensors of MLServer's requests as the bytes that came, not as lists of Python numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import HTTPException
from mlserver.errors import InferenceError
from mlserver.grpc import converters
from mlserver.rest import app
from mlserver.rest.requests import Request
from mlserver.types import TensorData

_LENGTH = "inference-header-content-length"
_unpack, _pack = converters.inject_raw, converters.extract_raw


def keep_raw_tensors() -> None:
    """Makes MLServer hand raw tensors over as one piece: for a server that runs LiteModel only.

    Over gRPC unpacking an image of 224 x 224 takes it longer than MobileNetV1 takes for the image.
    Over HTTP it knows no raw tensors without this.
    """
    converters.inject_raw, converters.extract_raw = _inject_raw, _extract_raw
    app.Request = BinaryRequest


def wants_raw(inputs: Sequence[Any]) -> bool:
    """Whether a request is answered with raw tensors: one of gRPC that gave some."""
    return any(_is_raw(tensor) for tensor in inputs)


def _is_raw(tensor: Any) -> bool:
    """Raw tensors of HTTP are views, whose answers are JSON; they are not meant."""
    data = tensor.data.root
    return _kind(tensor) != "BYTES" and len(data) == 1 and type(data[0]) is bytes


def _kind(tensor: Any) -> str:
    return str(getattr(tensor.datatype, "value", tensor.datatype))


def _inject_raw(tensors: Sequence[Any], raw: Sequence[bytes]) -> Sequence[Any]:
    """As MLServer's: fills the tensors that have no data of their own, in order."""
    empty = [tensor for tensor in tensors if not tensor.data]
    if len(empty) != len(raw):
        raise InferenceError(f"{len(raw)} raw tensors are given, expected {len(empty)}")
    for tensor, data in zip(empty, raw, strict=True):
        if _kind(tensor) == "BYTES":
            _unpack([tensor], [data])
        else:
            tensor.data = TensorData(root=[data])
    return tensors


def _extract_raw(tensors: Sequence[Any]) -> tuple[Sequence[Any], list[bytes]]:
    """As MLServer's: takes the tensors' data away, as bytes."""
    raw: list[bytes] = []
    for tensor in tensors:
        raw += [tensor.data[0]] if _is_raw(tensor) else _pack([tensor])[1]
        tensor.data = []
    return tensors, raw


class BinaryRequest(Request):
    """An HTTP request that may be KServe's binary one: JSON, then the tensors' bytes."""

    def __init__(self, scope: Any, receive: Any) -> None:
        if any(name.decode("latin-1").lower() == _LENGTH for name, _ in scope["headers"]):
            # FastAPI reads JSON where no other type is said.
            kept = [(name, value) for name, value in scope["headers"] if name != b"content-type"]
            scope = {**scope, "headers": kept}
        super().__init__(scope, receive)

    async def json(self) -> Any:
        """The JSON part, with views of the body as data of its binary inputs."""
        length = self.headers.get(_LENGTH)
        if length is None:
            return await super().json()
        body = await self.body()
        if not length.isdecimal() or int(length) > len(body):
            raise HTTPException(400, f"{_LENGTH} is {length}; the body has {len(body)} bytes")
        self._body = body[: int(length)]
        content = await super().json()
        rest = _give_bytes(content, memoryview(body)[int(length) :])
        if rest:
            raise HTTPException(400, f"{rest} bytes are left after all inputs' binary_data_size")
        return content


def _give_bytes(content: Any, body: memoryview) -> int:
    """Fills inputs that have a binary_data_size; how many bytes are left. Others are not looked at:
    MLServer says what is wrong with them."""
    inputs = content.get("inputs") if isinstance(content, dict) else None
    for tensor in inputs if isinstance(inputs, list) else []:
        parameters = tensor.get("parameters") if isinstance(tensor, dict) else None
        size = parameters.get("binary_data_size") if isinstance(parameters, dict) else None
        if size is None:
            continue
        if type(size) is not int or not 0 <= size <= len(body):
            raise HTTPException(
                400, f"binary_data_size is {size!r}, expected 0 to {len(body)}, which the body has"
            )
        tensor["data"], body = [body[:size]], body[size:]
    return len(body)
