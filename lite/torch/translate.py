"""One call of an operator to operators of the Program, as the table says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import torch

from lite.errors import ConfigError
from lite.model.statement import evaluate, parse, parse_expression
from lite.torch import table
from lite.torch.builder import Builder, broadcast, operator
from lite.torch.registry import ADAPTERS, Adapter, promoted
from lite.torch.table import Row
from lite.torch.values import Meta, NotTranslatableError, Tensor, same

USER_TABLES: list[dict[str, list[Row]]] = []


def find_row(overload: Any) -> Row | None:
    """The table's row of a torch operator overload."""
    import lite.torch.adapters  # noqa: F401 - they register themselves

    name = overload._schema.name
    if overload._overloadname != "default":
        name += f".{overload._overloadname}"
    return table.find(name, torch.__version__, tuple(USER_TABLES))


def bind(overload: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a call by the schema's names, defaults filled in."""
    bound: dict[str, Any] = {}
    for index, argument in enumerate(overload._schema.arguments):
        if index < len(args) and not argument.kwarg_only:
            bound[argument.name] = args[index]
        elif argument.name in kwargs:
            bound[argument.name] = kwargs[argument.name]
        elif argument.has_default_value():
            bound[argument.name] = argument.default_value
        else:
            raise NotTranslatableError(f"the argument {argument.name} is missing")
    return bound


def translate(
    builder: Builder, row: Row, bound: Mapping[str, Any], outs: Sequence[Meta | None]
) -> list[Tensor | None]:
    """Appends what a call means. Raises NotTranslatableError with the reason."""
    arguments = {key: value for key, value in bound.items() if key != "out"}
    _check_types(row, arguments.values())
    if len(outs) == 1 and outs[0] is not None and _is_empty(outs[0]):
        return [builder.full(outs[0].shape, 0.0, outs[0].dtype)]
    _check_full(row, [*_tensors(arguments.values()), *outs[:1]])
    names: dict[str, Any] = {**arguments, **_helpers(builder, outs)}
    for condition in row.meaning.conditions:
        if not evaluate(parse_expression(condition.test), names):
            raise NotTranslatableError(condition.why)
    if row.meaning.adapter:
        made = _adapter(row)(builder, outs, **arguments)
    else:
        made = _execute(builder, row, names, outs)
    results = list(made) if isinstance(made, (list, tuple)) else [made]
    return [_as_expected(builder, *pair) for pair in zip(results, outs, strict=False)]


_GROUPS: dict[str, tuple[torch.dtype, ...]] = {
    "float": (torch.float32,),
    "number": (torch.float32, torch.int32, torch.int64),
}


def _check_types(row: Row, values: Iterable[Any]) -> None:
    """Raises NotTranslatableError for element types that the row's kernels do not take."""
    allowed = _GROUPS.get(row.meaning.dtypes)
    for tensor in _tensors(values):
        if allowed is not None and tensor.dtype not in allowed:
            dtype = str(tensor.dtype).removeprefix("torch.")
            raise NotTranslatableError(f"{dtype} is not computed here by this operator")


def _tensors(values: Iterable[Any]) -> list[Tensor]:
    found: list[Tensor] = []
    for value in values:
        if isinstance(value, Tensor):
            found.append(value)
        elif isinstance(value, (list, tuple)):
            found += _tensors(value)
    return found


def _is_empty(tensor: Tensor | Meta) -> bool:
    return any(same(dim, 0) for dim in tensor.shape)


def _check_full(row: Row, tensors: Iterable[Tensor | Meta | None]) -> None:
    """Raises NotTranslatableError where a tensor has no elements; joins leave such parts out."""
    if row.meaning.adapter in ("cat", "identity"):
        return
    if any(tensor is not None and _is_empty(tensor) for tensor in tensors):
        raise NotTranslatableError("one of its tensors is empty")


def _adapter(row: Row) -> Adapter:
    found = ADAPTERS.get(row.meaning.adapter)
    if found is None:
        raise ConfigError(f"{row.name}: there is no adapter {row.meaning.adapter!r}")
    return found


def _as_expected(builder: Builder, value: Tensor | None, meta: Meta | None) -> Tensor | None:
    """A result in the type that torch expects."""
    if value is None or meta is None:
        return value
    return builder.cast(value, meta.dtype)


def _helpers(builder: Builder, outs: Sequence[Meta | None]) -> dict[str, Any]:
    def expected() -> Meta:
        if not outs or outs[0] is None:
            raise NotTranslatableError("the result is no tensor")
        return outs[0]

    def axis(tensor: Tensor, number: int) -> int:
        return number + max(tensor.rank, 1) if number < 0 else number

    def axes(tensor: Tensor, numbers: Sequence[int] | int | None) -> list[int]:
        if numbers is None:
            return list(range(tensor.rank))
        return [axis(tensor, n) for n in ([numbers] if isinstance(numbers, int) else numbers)]

    return {
        "axis": axis,
        "axes": axes,
        "cast": lambda value, dtype: builder.operand(value, getattr(torch, dtype)),
        "full_like_result": lambda value: builder.operand(value, expected().dtype),
        "is_number": lambda value: not isinstance(value, Tensor) and value is not None,
        "is_float": lambda tensor: tensor.dtype.is_floating_point,
        "len": len,
    }


def _execute(
    builder: Builder, row: Row, names: dict[str, Any], outs: Sequence[Meta | None]
) -> Tensor:
    """Runs the row's statements; the last one's result is the operator's."""
    expected = outs[0]
    if expected is None:
        raise NotTranslatableError("the result is no tensor")
    _cast_inputs(builder, row.meaning.cast, names, expected)
    for name, text in row.meaning.new_params.items():
        names[name] = evaluate(parse_expression(text), names)
    made: Tensor | None = None
    for index, text in enumerate(row.meaning.statements):
        last = index + 1 == len(row.meaning.statements)
        made = _statement(builder, text, names, expected if last else None)
    assert made is not None
    return made


def _cast_inputs(builder: Builder, how: str, names: dict[str, Any], expected: Meta) -> None:
    """``result`` takes tensors to the result's type; ``promote`` to their common one."""
    tensors = {key: value for key, value in names.items() if isinstance(value, Tensor)}
    if how == "result":
        dtype = expected.dtype
    elif how == "promote":
        dtype = promoted([*tensors.values(), *(v for v in names.values() if _is_number(v))])
    elif how:
        dtype = getattr(torch, how)
    else:
        return
    for key, tensor in tensors.items():
        names[key] = builder.cast(tensor, dtype)


def _is_number(value: object) -> bool:
    return isinstance(value, (bool, int, float))


def _statement(builder: Builder, text: str, names: dict[str, Any], expected: Meta | None) -> Tensor:
    statement = parse(text)
    known = operator(statement.type)
    inputs: dict[str, Tensor | Sequence[Tensor] | None] = {}
    attrs: dict[str, Any] = {}
    for key, node in statement.arguments:
        value = evaluate(node, names)
        if key in known.inputs:
            inputs[key] = value
        else:
            attrs[key] = value
    tensors = [value for value in inputs.values() if isinstance(value, Tensor)]
    if not tensors:
        raise ConfigError(f"{text!r} has no input")
    if expected is not None:
        dtype, shape = expected.dtype, expected.shape
    else:
        dtype, shape = tensors[0].dtype, tensors[0].shape
        for other in tensors[1:]:
            shape = broadcast(shape, other.shape)
    made = builder.emit(statement.type, inputs, attrs, dtype=dtype, shape=shape)
    if statement.result:
        names[statement.result] = made
    return made
