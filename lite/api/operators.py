"""``@lite.operator``: operators that a user writes in Python; see docs/custom_operators.md."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from lite.api import arguments
from lite.api.predictor import TensorInfo
from lite.core import user_operators
from lite.errors import ConfigError, DataTypeError, LiteError, ShapeError

_Function = TypeVar("_Function", bound=Callable[..., Any])

_ATTR_TYPES: dict[Any, str] = {
    bool: "bool",
    int: "int",
    float: "float",
    str: "str",
    list[bool]: "list[bool]",
    list[int]: "list[int]",
    list[float]: "list[float]",
    list[str]: "list[str]",
}
_ATTR_NAMES = {name: name for name in _ATTR_TYPES.values()}
_FRAME = ("feed", "fetch")
_MAX_DIM = 1 << 62


@dataclass(frozen=True)
class _Slot:
    name: str
    optional: bool = False
    repeated: bool = False


def operator(
    type: str,
    *,
    inputs: Sequence[str] | None = None,
    outputs: Sequence[str] = ("Out",),
    attrs: Mapping[str, Any] | None = None,
    shape: Callable[..., Any] | None = None,
) -> Callable[[_Function], _Function]:
    """Makes a function the operator ``type`` of every model that is loaded from now on.

    The function takes an array for each input, in order, and the attributes by name; it returns an
    array, or a tuple of arrays for several outputs. Inputs are read-only. ``inputs`` and
    ``outputs`` name the operator's slots: ``"X?"`` may be absent (None), ``"X*"`` is a list of
    arrays; without ``inputs`` the function's positional parameters name them. Attributes are the
    keyword-only parameters, typed by annotation or default, or ``attrs``, which maps each name to
    its default, or to a type (bool, int, float, str, or list[...] of these) where it must be given.

    ``shape`` takes a TensorInfo for each input and the attributes, and returns for each output a
    shape (the element type is the first input's) or a pair (shape, dtype). Without it a model is
    planned anew after the operator. LoD is not handed on.

    Another function for the same type replaces the first; loaded models keep the one that they
    have. Raises ConfigError for an operator of the library, or for a declaration that does not fit
    the function.
    """
    name = arguments.text(type, "the operator's type")
    if not name or name in _FRAME:
        raise ConfigError(f"{name!r} cannot be the type of an operator")

    def register(function: _Function) -> _Function:
        in_slots, declared = _declaration(name, function, inputs, attrs)
        out_slots = _slots(arguments.texts(outputs, "outputs"), "output", name)
        user_operators.add(
            name,
            [(slot.name, slot.optional, slot.repeated) for slot in in_slots],
            [(slot.name, slot.optional, slot.repeated) for slot in out_slots],
            declared,
            _Compute(name, function, in_slots, out_slots),
            None if shape is None else _Infer(name, shape, in_slots, out_slots),
        )
        return function

    return register


def remove_operator(type: str) -> None:
    """Takes away what ``@lite.operator`` added; loaded models keep it. KeyError for others."""
    if not user_operators.remove(arguments.text(type, "the operator's type")):
        raise KeyError(f"no operator '{type}' was added with @lite.operator")


# -- The declaration.


def _declaration(
    type: str,
    function: Callable[..., Any],
    inputs: Sequence[str] | None,
    attrs: Mapping[str, Any] | None,
) -> tuple[list[_Slot], list[tuple[str, str, Any, bool]]]:
    if not callable(function):
        raise TypeError(f"@lite.operator decorates a function, not {function!r}")
    try:
        parameters = inspect.signature(function, eval_str=True).parameters.values()
    except (NameError, TypeError, ValueError):
        parameters = {}.values()  # a builtin or a ufunc says nothing
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    named = [p for p in parameters if p.kind is p.KEYWORD_ONLY]
    if attrs is None:
        declared = [_from_parameter(type, parameter) for parameter in named]
        taken: set[str] = set()
    else:
        declared = [_from_mapping(type, key, value) for key, value in attrs.items()]
        taken = {name for name, _, _, _ in declared}
    if inputs is not None:
        return _slots(arguments.texts(inputs, "inputs"), "input", type), declared
    return _slots(
        [p.name + ("?" if p.default is None else "") for p in positional if p.name not in taken],
        "input",
        type,
    ), declared


def _slots(names: Sequence[str], what: str, type: str) -> list[_Slot]:
    slots = [_Slot(n.rstrip("?*"), "?" in n[-2:], "*" in n[-2:]) for n in names]
    found = [slot.name for slot in slots]
    if not all(found) or len(set(found)) != len(found):
        raise ConfigError(f"operator {type}: {what} names {found} must be different and not empty")
    return slots


def _from_parameter(type: str, p: inspect.Parameter) -> tuple[str, str, Any, bool]:
    required = p.default is p.empty
    kind = _ATTR_TYPES.get(p.annotation) or _ATTR_NAMES.get(p.annotation)
    if kind is None and not required:
        kind = _type_of(p.default)
    if kind is None:
        raise ConfigError(
            f"operator {type}: attribute {p.name} needs an annotation or a default that is one of "
            f"{', '.join(_ATTR_NAMES)}"
        )
    return p.name, kind, None if required else _checked(type, p.name, p.default, kind), required


def _from_mapping(type: str, name: str, value: Any) -> tuple[str, str, Any, bool]:
    if not isinstance(name, str) or not name:
        raise ConfigError(f"operator {type}: attribute name {name!r} must be a str")
    try:
        kind = _ATTR_TYPES.get(value)
    except TypeError:  # a list has no hash
        kind = None
    if kind is not None:
        return name, kind, None, True
    kind = _type_of(value)
    if kind is None:
        raise ConfigError(
            f"operator {type}: attribute {name} is {value!r}, expected a type or default that is "
            f"one of {', '.join(_ATTR_NAMES)}"
        )
    return name, kind, _checked(type, name, value, kind), False


def _type_of(value: Any) -> str | None:
    if not isinstance(value, list | tuple):
        return next((k.__name__ for k in (bool, int, float, str) if isinstance(value, k)), None)
    kinds = {_type_of(item) if not isinstance(item, list | tuple) else None for item in value}
    if kinds == {"int", "float"}:
        return "list[float]"
    kind = kinds.pop() if len(kinds) == 1 else None
    return None if kind is None else f"list[{kind}]"


def _checked(type: str, name: str, value: Any, kind: str) -> Any:
    fits = _type_of(value) == kind or (kind.startswith("list[") and value in ([], ()))
    whole = kind.replace("float", "int")
    if not fits and whole != kind and _type_of(value) == whole:
        fits, value = True, np.asarray(value, float).tolist()
    if not fits:
        raise ConfigError(f"operator {type}: attribute {name} is {kind}, but defaults to {value!r}")
    if "int" in kind and not all(
        -(1 << 63) <= item < 1 << 63
        for item in (value if isinstance(value, list | tuple) else [value])
    ):
        raise ConfigError(f"operator {type}: attribute {name} defaults to {value!r}, beyond int64")
    return list(value) if isinstance(value, tuple) else value


# -- What the core calls, with arrays or shapes by slot.


def _arguments(slots: Sequence[_Slot], values: Sequence[Sequence[Any]]) -> list[Any]:
    return [
        list(found) if slot.repeated else (found[0] if found else None)
        for slot, found in zip(slots, values, strict=True)
    ]


def _call(what: str, function: Callable[..., Any], args: list[Any], attrs: dict[str, Any]) -> Any:
    try:
        return function(*args, **attrs)
    except Exception as error:
        raise LiteError(f"{what} raised {error.__class__.__name__}: {error}") from error


def _by_slot(
    what: str,
    slots: Sequence[_Slot],
    counts: Sequence[int],
    result: Any,
    is_one: Callable[[Any], bool],
) -> list[list[Any]]:
    """The function's result, one list for each slot; DataTypeError for another count or type.

    A repeated slot takes a list; slots that the model leaves out may be left out or be None.
    """
    alone = len(slots) == 1
    if alone and (slots[0].repeated or is_one(result)):
        values = [result]
    elif isinstance(result, tuple | list) and not (alone and is_one(result)):
        values = list(result)
    else:
        raise DataTypeError(
            f"{what} returned {result.__class__.__name__}, expected {_wanted(slots)}"
        )
    if len(values) != len(slots):
        raise DataTypeError(f"{what} returned {len(values)} values, expected {_wanted(slots)}")
    found = []
    for slot, count, value in zip(slots, counts, values, strict=True):
        items = list(value) if slot.repeated and isinstance(value, tuple | list) else [value]
        if count == 0:
            items = []
        if len(items) != count:
            raise DataTypeError(
                f"{what} returned {len(items)} values for {slot.name}, but the model has {count}"
            )
        for item in items:
            if not is_one(item):
                raise DataTypeError(
                    f"{what} returned {item.__class__.__name__} for {slot.name}, expected "
                    f"{_wanted(())}"
                )
        found.append(items)
    return found


def _wanted(slots: Sequence[_Slot]) -> str:
    if len(slots) < 2:
        return "an array (a shape function: a shape or (shape, dtype))"
    return f"a tuple for {', '.join(slot.name for slot in slots)}"


@dataclass(frozen=True)
class _Compute:
    type: str
    function: Callable[..., Any]
    inputs: list[_Slot]
    outputs: list[_Slot]

    def __call__(
        self, arrays: list[list[Any]], attrs: dict[str, Any], counts: list[int]
    ) -> list[list[Any]]:
        what = f"the function of operator '{self.type}'"
        result = _call(what, self.function, _arguments(self.inputs, arrays), attrs)
        found = _by_slot(what, self.outputs, counts, result, _is_array)
        return [[np.asarray(item) for item in items] for items in found]


@dataclass(frozen=True)
class _Infer:
    type: str
    function: Callable[..., Any]
    inputs: list[_Slot]
    outputs: list[_Slot]

    def __call__(
        self,
        metas: list[list[tuple[tuple[int, ...], str]]],
        attrs: dict[str, Any],
        counts: list[int],
    ) -> list[list[tuple[list[int], str]]]:
        what = f"the shape function of operator '{self.type}'"
        infos = [
            [TensorInfo(slot.name, *meta) for meta in found]
            for slot, found in zip(self.inputs, metas, strict=True)
        ]
        result = _call(what, self.function, _arguments(self.inputs, infos), attrs)
        first = next((info.dtype for found in infos for info in found), None) or "float32"
        found = _by_slot(what, self.outputs, counts, result, _is_shape)
        return [[_meta(what, item, first) for item in items] for items in found]


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray | np.generic)


def _is_shape(value: Any) -> bool:
    if isinstance(value, TensorInfo):
        return True
    if not isinstance(value, tuple | list):
        return False
    if len(value) == 2 and isinstance(value[0], tuple | list):
        return _is_shape(value[0]) and not isinstance(value[1], tuple | list)
    return all(hasattr(dim, "__index__") for dim in value)


def _meta(what: str, value: Any, dtype: str) -> tuple[list[int], str]:
    if isinstance(value, TensorInfo):
        value = (value.shape, value.dtype or dtype)
    if len(value) == 2 and isinstance(value[0], tuple | list):
        value, given = value
        try:
            dtype = np.dtype(given).name
        except TypeError:
            raise DataTypeError(f"{what} returned the element type {given!r}") from None
    dims = [int(dim) for dim in value]
    if any(not 0 <= dim < _MAX_DIM for dim in dims):
        raise ShapeError(f"{what} returned the shape {dims}, expected 0 or more in each dimension")
    return dims, dtype
