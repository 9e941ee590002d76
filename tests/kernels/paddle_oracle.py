"""One operator run by Paddle 2.6 itself: the source of expected values.

LITE_TESTS_STORED=1 keeps paddle from being imported (sanitizer runs).
"""

from __future__ import annotations

import functools
import importlib.util
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

Tensor = tuple[np.ndarray, list[list[int]]]
Values = dict[str, list[Tensor]]


@functools.cache
def available() -> bool:
    if os.environ.get("LITE_TESTS_STORED") == "1" or importlib.util.find_spec("paddle") is None:
        return False
    import paddle

    return bool(paddle.__version__.startswith("2.6."))


@functools.cache
def _executor() -> Any:
    import paddle

    paddle.enable_static()
    return paddle.static.Executor(paddle.CPUPlace())


@functools.cache
def _required_outputs(op: str) -> tuple[str, ...]:
    from paddle.base.framework import OpProtoHolder

    proto = OpProtoHolder.instance().get_op_proto(op)
    return tuple(v.name for v in proto.outputs if not v.dispensable)


def run(op: str, inputs: Values, outputs: Mapping[str, int], attrs: Mapping[str, Any]) -> Values:
    """The outputs of a program of this one operator, its variables persistable in a Scope."""
    names = {slot: [f"in_{slot}_{i}" for i in range(len(v))] for slot, v in inputs.items()}
    tensors = {
        name: tensor
        for slot, values in inputs.items()
        for name, tensor in zip(names[slot], values, strict=True)
    }
    made = {slot: [f"out_{slot}_{i}" for i in range(n)] for slot, n in outputs.items()}
    fetched = [name for names in made.values() for name in names]
    found = run_operators([(op, names, made, attrs)], tensors, fetched)
    return {slot: [found[name] for name in names] for slot, names in made.items()}


Operator = tuple[str, Mapping[str, list[str]], Mapping[str, list[str]], Mapping[str, Any]]
"""Type, inputs, outputs and attributes."""


def run_operators(
    ops: Sequence[Operator], tensors: Mapping[str, Tensor], fetched: Sequence[str]
) -> dict[str, Tensor]:
    """Some variables after these operators; all but lists of tensors are persistable in a Scope."""
    executor = _executor()
    import paddle

    program, scope = paddle.static.Program(), paddle.base.core.Scope()
    block = program.global_block()
    place = paddle.CPUPlace()
    with paddle.static.program_guard(program):
        for name, (array, lod) in tensors.items():
            block.create_var(
                name=name,
                shape=array.shape,
                dtype=str(array.dtype),
                persistable=True,
                lod_level=len(lod),
            )
            tensor = scope.var(name).get_tensor()
            tensor.set(array, place)
            tensor.set_lod(lod)
        for type, inputs, outputs, attrs in ops:
            required = {slot: [f"{type}.{slot}"] for slot in _required_outputs(type)}
            slots = required | {slot: list(names) for slot, names in outputs.items()}
            for names in slots.values():
                for name in names:
                    _declare(block, name, type)
            block.append_op(type=type, inputs=dict(inputs), outputs=slots, attrs=dict(attrs))
    executor.run(program, scope=scope)
    result = {}
    for name in fetched:
        tensor = scope.find_var(name).get_tensor()
        shape = tuple(tensor.shape())
        if tensor._is_initialized():
            array = np.array(tensor).reshape(shape)
        else:
            assert 0 in shape, f"{name} was left unwritten: list it as `unchecked`"
            array = np.zeros(shape, _dtype(tensor))
        result[name] = array, [list(level) for level in tensor.lod()]
    return result


def _declare(block: Any, name: str, type: str) -> None:
    if block.has_var(name):
        return
    if type == "write_to_array":
        import paddle

        block.create_var(name=name, type=paddle.base.core.VarDesc.VarType.LOD_TENSOR_ARRAY)
    else:
        block.create_var(name=name, persistable=True)


def _dtype(tensor: Any) -> str:
    from paddle.base.data_feeder import convert_dtype

    try:
        return str(convert_dtype(tensor._dtype()))
    except (AttributeError, RuntimeError, TypeError, ValueError):  # never written, so untyped
        return "float32"
