"""torch's eager mode on the engine, one operator at a time, and operators of a user's table."""

from __future__ import annotations

import itertools
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from lite.errors import ConfigError, LiteError
from lite.model.statement import evaluate, parse_expression
from lite.torch import table
from lite.torch.engine import Engine, Options, with_strides
from lite.torch.outputs import add_fetches
from lite.torch.table import Row
from lite.torch.translate import USER_TABLES, bind, find_row, translate
from lite.torch.values import DTYPES, Meta, NotTranslatableError

KEPT_CALLS = 1024
"""Calls (operator, types, shapes, numbers) whose programs are kept."""


class Call:
    """One operator on tensors of given types and shapes: a Program of its own."""

    def __init__(self, row: Row, bound: Mapping[str, Any], outs: Sequence[Meta | None]) -> None:
        from lite.torch.builder import Builder

        builder = Builder()
        self.outs = list(outs)
        names = (f"x{index}" for index in itertools.count())

        def stand_in(value: Any) -> Any:
            if isinstance(value, torch.Tensor):
                return builder.feed(next(names), value.dtype, tuple(value.shape))
            if isinstance(value, (list, tuple)):
                return [stand_in(item) for item in value]
            return value

        given = {key: stand_in(value) for key, value in bound.items()}
        made = translate(builder, row, given, outs)
        if len(made) < len(outs) or any(
            tensor is None for tensor, meta in zip(made, outs, strict=False) if meta is not None
        ):
            raise NotTranslatableError("not all of its results are computed here")
        self.kept = [index for index, meta in enumerate(outs) if meta is not None]
        add_fetches(builder.program, [made[index] for index in self.kept])
        self.engine = Engine(builder.program, Options())

    def __call__(self, tensors: Sequence[torch.Tensor]) -> list[torch.Tensor | None]:
        """The results on tensors in the order of the arguments."""
        made: list[torch.Tensor | None] = [None] * len(self.outs)
        for index, result in zip(self.kept, self.engine.run(tensors), strict=True):
            meta = self.outs[index]
            assert meta is not None
            made[index] = with_strides(result, meta)
        return made


def _leaves(value: Any) -> list[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, (list, tuple)):
        return [tensor for item in value for tensor in _leaves(item)]
    return []


def _key(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return (value.dtype, tuple(value.shape), tuple(value.stride()))
    if isinstance(value, (list, tuple)):
        return tuple(_key(item) for item in value)
    return (type(value), value)


def _on_meta(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return torch.empty_strided(value.shape, value.stride(), dtype=value.dtype, device="meta")
    if isinstance(value, (list, tuple)):
        return type(value)(_on_meta(item) for item in value)
    return torch.device("meta") if isinstance(value, torch.device) else value


def _expected(overload: Any, args: Any, kwargs: Mapping[str, Any]) -> list[Meta | None]:
    """What torch would return, found on tensors without memory. Raises torch's own errors."""
    keywords = {key: _on_meta(value) for key, value in kwargs.items()}
    if any(argument.name == "device" for argument in overload._schema.arguments):
        keywords["device"] = torch.device("meta")
    try:
        result = overload(*_on_meta(list(args)), **keywords)
    except NotImplementedError as error:
        raise NotTranslatableError(f"torch does not know its result: {error}") from None
    results = result if isinstance(result, (list, tuple)) else [result]
    return [Meta.of(item) if isinstance(item, torch.Tensor) else None for item in results]


def is_view(overload: Any) -> bool:
    """Whether results share their arguments' memory, which only torch's own operator can give."""
    return any(
        item.alias_info is not None and not item.alias_info.is_write
        for item in overload._schema.returns
    )


class mode(TorchDispatchMode):  # type: ignore[misc] # noqa: N801 - read as `with lite.torch.mode():`
    """``with lite.torch.mode():`` runs what the table has on the engine.

    Tier by tier: the table's row; torch's decomposition into operators that have one; torch itself.
    ``ran`` counts the calls of each operator here, ``fallbacks`` maps others to the reason.
    """

    def __init__(self) -> None:
        super().__init__()
        self.ran: dict[str, int] = {}
        self.fallbacks: dict[str, str] = {}
        self._calls: OrderedDict[Any, Call | str] = OrderedDict()

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Any = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        """One call of an operator."""
        given = dict(kwargs or {})
        name = str(func).removesuffix(".default")
        if is_view(func):
            return func(*args, **given)
        try:
            result = self._here(func, args, given)
        except NotTranslatableError as error:
            self.fallbacks.setdefault(name, str(error))
            return self._elsewhere(func, args, given)
        self.ran[name] = self.ran.get(name, 0) + 1
        return result

    def _elsewhere(self, func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        if find_row(func) is None and not func._schema.is_mutable:
            from torch._decomp import decomposition_table

            decomposition = decomposition_table.get(func)
            if decomposition is not None:
                with self:
                    result = decomposition(*args, **kwargs)
                if result is not NotImplemented:
                    return result
        return func(*args, **kwargs)

    def _here(self, func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        row = find_row(func)
        if row is None:
            raise NotTranslatableError("the table has no row for it")
        bound = bind(func, args, kwargs)
        for tensor in _leaves(list(bound.values())):
            if tensor.dtype not in DTYPES or tensor.device.type != "cpu":
                raise NotTranslatableError(f"{tensor.dtype} on {tensor.device.type}")
            if tensor.layout is not torch.strided or tensor.is_quantized:
                raise NotTranslatableError("a tensor that is sparse or quantized")
        call = self._call(func, row, bound, args, kwargs)
        inputs = {key: value for key, value in bound.items() if key not in _out_names(func)}
        return _deliver(func, bound, call(_leaves(list(inputs.values()))))

    def _call(
        self, func: Any, row: Row, bound: dict[str, Any], args: Any, kwargs: dict[str, Any]
    ) -> Call:
        inputs = {key: value for key, value in bound.items() if key not in _out_names(func)}
        key = (func, *(_key(value) for value in bound.values()))
        known = self._calls.get(key)
        if known is None:
            try:
                known = Call(row, inputs, _expected(func, args, kwargs))
            except NotTranslatableError as error:
                known = str(error)
            except LiteError as error:
                known = f"{row.name}: {error}"
            self._calls[key] = known
            if len(self._calls) > KEPT_CALLS:
                self._calls.popitem(last=False)
        self._calls.move_to_end(key)
        if isinstance(known, str):
            raise NotTranslatableError(known)
        return known


def _out_names(func: Any) -> list[str]:
    return [argument.name for argument in func._schema.arguments if argument.is_out]


def _deliver(func: Any, bound: Mapping[str, Any], results: list[torch.Tensor | None]) -> Any:
    """Results as the operator's form gives them: new, or written into ``out`` or ``self``."""
    schema = func._schema
    targets = [bound[a.name] for a in schema.arguments if a.alias_info and a.alias_info.is_write]
    if targets:
        for target, result in zip(targets, results, strict=True):
            assert result is not None
            if tuple(target.shape) != tuple(result.shape):
                target.resize_(result.shape)
            target.copy_(result)
        return targets[0] if len(targets) == 1 else tuple(targets)
    if len(schema.returns) == 1:
        return results if str(schema.returns[0].type) == "List[Tensor]" else results[0]
    return tuple(results)


# -- Custom operators.

_libraries: list[torch.library.Library] = []


def register(path: str | Path) -> list[str]:
    """Registers the custom operators of a user's table with torch, with their derivatives.

    They are called as ``torch.ops.lite.NAME``, in eager mode, under autograd, torch.compile and
    export. Returns their names. Raises ConfigError for what the table must not say.
    """
    loaded = table.load_table(Path(path))
    rows = [row for same in loaded.values() for row in same]
    strange = [row.name for row in rows if row.section != "custom"]
    if strange:
        raise ConfigError(f"{path}: {strange[0]} is no custom operator; official ones are built in")
    taken = [row.name for row in rows if _is_defined(row.name)]
    if taken:
        raise ConfigError(f"{path}: {taken[0]} is registered already")
    library = torch.library.Library("lite", "FRAGMENT")
    USER_TABLES.append(loaded)
    _libraries.append(library)
    for row in rows:
        _define(library, row)
    for row in rows:
        if row.derivatives:
            _differentiate(row)
    return [row.name.partition("::")[2] for row in rows]


def _is_defined(name: str) -> bool:
    namespace, _, rest = name.partition("::")
    base, _, overload = rest.partition(".")
    packet = getattr(getattr(torch.ops, namespace), base, None)
    return packet is not None and (overload or "default") in packet.overloads()


def _overload(row: Row) -> Any:
    base, _, overload = row.name.partition("::")[2].partition(".")
    return getattr(getattr(torch.ops.lite, base), overload or "default")


def _define(library: torch.library.Library, row: Row) -> None:
    try:
        library.define(row.schema)
    except RuntimeError as error:
        raise ConfigError(f"{row.name}: {error}") from None
    calls: dict[Any, Call] = {}

    def run(*args: Any, **kwargs: Any) -> Any:
        bound = bind(_overload(row), args, kwargs)
        key = tuple(_key(value) for value in bound.values())
        call = calls.get(key)
        if call is None:
            if len(calls) >= KEPT_CALLS:
                calls.clear()
            call = calls[key] = Call(row, bound, [_declared(row, bound)])
        return call(_leaves(list(bound.values())))[0]

    def fake(*args: Any, **kwargs: Any) -> Any:
        meta = _declared(row, bind(_overload(row), args, kwargs))
        tensors = _leaves(list(args) + list(kwargs.values()))
        return tensors[0].new_empty(meta.shape, dtype=meta.dtype)

    name = row.name.partition("::")[2]
    library.impl(name, run, "CPU")
    torch.library.register_fake(f"lite::{name}", fake, lib=library)


def _declared(row: Row, bound: Mapping[str, Any]) -> Meta:
    """What the row's ``out`` says of the result: the size and type of an argument by default."""
    tensors = _leaves(list(bound.values()))
    if not tensors:
        raise ConfigError(f"{row.name}: a custom operator takes at least one tensor")
    size, dtype = row.meaning.out.get("size"), row.meaning.out.get("dtype")
    shape: Any = tensors[0].shape
    if size is not None:
        found = evaluate(parse_expression(str(size)), bound)
        shape = found.shape if isinstance(found, torch.Tensor) else found
    kind = tensors[0].dtype
    if dtype is not None:
        kind = bound[dtype].dtype if dtype in bound else getattr(torch, str(dtype))
    return Meta(kind, tuple(shape))


def _differentiate(row: Row) -> None:
    names = [argument.name for argument in _overload(row)._schema.arguments]
    unknown = sorted(set(row.derivatives) - set(names))
    if unknown:
        raise ConfigError(f"{row.name}: derivatives of {unknown[0]!r}, which is no argument")

    def setup(ctx: Any, inputs: Any, output: Any) -> None:
        values = dict(zip(names, inputs, strict=True))
        tensors = {k: v for k, v in values.items() if isinstance(v, torch.Tensor)}
        ctx.save_for_backward(*tensors.values(), output)
        ctx.names = list(tensors)
        ctx.plain = {k: v for k, v in values.items() if k not in tensors}

    def backward(ctx: Any, grad: Any) -> Any:
        *tensors, result = ctx.saved_tensors
        known = {**ctx.plain, **dict(zip(ctx.names, tensors, strict=True))}
        known.update(_functions(row), grad=grad, result=result)
        return tuple(
            evaluate(parse_expression(row.derivatives[name]), known)
            if name in row.derivatives
            else None
            for name in names
        )

    torch.library.register_autograd(row.name, backward, setup_context=setup)


def _functions(row: Row) -> dict[str, Any]:
    own = {
        name.partition("::")[2]: getattr(torch.ops.lite, name.partition("::")[2])
        for loaded in USER_TABLES
        for name in loaded
        if "." not in name
    }
    plain = (
        "abs",
        "sign",
        "exp",
        "log",
        "sqrt",
        "sigmoid",
        "tanh",
        "where",
        "zeros_like",
        "ones_like",
        "matmul",
        "sin",
        "cos",
        "relu",
        "mul",
        "sum",
    )
    return {**{name: getattr(torch, name) for name in plain}, **own}
