"""How devices written in Python enter their functions into tables by operation type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


def registrar(table: dict[str, Function]) -> Callable[..., Callable[[Function], Function]]:
    """The decorator that enters a function into a device's table, for some operation types."""

    def operation(*names: str) -> Callable[[Function], Function]:
        def add(function: Function) -> Function:
            for name in names:
                assert name not in table, name
                table[name] = function
            return function

        return add

    return operation
