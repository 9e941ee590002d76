"""Arguments as Paddle's bindings take them, and settings that are taken without an effect."""

from __future__ import annotations

import functools
import inspect
import logging
import operator
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, ParamSpec, TypeVar

from lite.inference.enums import DataType, PlaceType, PrecisionType
from lite.inference.errors import ArgumentError

logger = logging.getLogger("lite.inference")

_P = ParamSpec("_P")
_R = TypeVar("_R")
_logged: set[str] = set()


def log_once(level: int, text: str) -> None:
    """Logs a sentence the first time that it is said in this process."""
    if text not in _logged:
        _logged.add(text)
        logger.log(level, text)


def checked(method: Callable[_P, _R]) -> Callable[_P, _R]:
    """The method with its arguments checked against their annotations: ArgumentError, a TypeError.

    Arguments are converted as Paddle's bindings do: an index becomes an int, bytes a str, ``None``
    False, a tuple a list.
    """
    signature = inspect.signature(method)
    name = method.__name__

    @functools.wraps(method)
    def call(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as error:
            raise ArgumentError(f"{name}(): {error}") from None
        for parameter, value in bound.arguments.items():
            kind = signature.parameters[parameter].annotation
            if kind in _KINDS:
                try:
                    bound.arguments[parameter] = _KINDS[kind](value)
                except (TypeError, UnicodeDecodeError):
                    raise ArgumentError(
                        f"{name}(): {parameter} must be {kind}, not {type(value).__name__}"
                    ) from None
        return method(*bound.args, **bound.kwargs)

    return call


def without_effect(
    why: str, level: int = logging.INFO
) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:
    """A setting that is checked and kept as in Paddle, and changes nothing here: logged once."""

    def decorate(method: Callable[_P, _R]) -> Callable[_P, _R]:
        call_checked = checked(method)

        @functools.wraps(method)
        def call(*args: _P.args, **kwargs: _P.kwargs) -> _R:
            result = call_checked(*args, **kwargs)
            log_once(level, f"{method.__name__}(): {why}")
            return result

        return call

    return decorate


def _integer(value: Any) -> int:
    return operator.index(value)


def _boolean(value: Any) -> bool:
    if value is not None and not hasattr(value, "__bool__"):
        raise TypeError
    return bool(value)


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode()
    if not isinstance(value, str):
        raise TypeError
    return value


def _number(value: Any) -> float:
    if isinstance(value, str | bytes):
        raise TypeError
    return float(value)


def _is(*types: type) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        if not isinstance(value, types):
            raise TypeError
        return value

    return check


def _items(values: Any, item: Callable[[Any], Any]) -> list[Any]:
    if isinstance(values, str | bytes) or not (
        isinstance(values, Sequence) or hasattr(values, "tolist")
    ):
        raise TypeError
    return [item(value) for value in values]


def _texts(values: Any) -> list[str]:
    return _items(values, _text)


def _integers(values: Any) -> list[int]:
    return _items(values, _integer)


def _shapes(values: Any) -> dict[str, list[int]]:
    if not isinstance(values, Mapping):
        raise TypeError
    return {_text(name): _integers(shape) for name, shape in values.items()}


def _text_set(values: Any) -> set[str]:
    if not isinstance(values, AbstractSet):
        raise TypeError
    return {_text(value) for value in values}


def _text_lists(values: Any) -> list[list[str]]:
    return _items(values, _texts)


def _integer_lists(values: Any) -> list[list[int]]:
    return _items(values, _integers)


# By the text of the annotation; whatever else stands there is not checked.
_KINDS: dict[str, Callable[[Any], Any]] = {
    "int": _integer,
    "bool": _boolean,
    "float": _number,
    "str": _text,
    "bytes | str": _is(bytes, bytearray, memoryview, str),
    "list[str]": _texts,
    "list[list[str]]": _text_lists,
    "list[list[int]]": _integer_lists,
    "set[str]": _text_set,
    "dict[str, list[int]]": _shapes,
    "dict[str, bool]": _is(dict),
    "DataType": _is(DataType),
    "PlaceType": _is(PlaceType),
    "PrecisionType": _is(PrecisionType),
}
