"""One operator run by Paddle 2.6 itself: the source of expected values.

LITE_TESTS_STORED=1 keeps paddle from being imported (sanitizer runs).
"""

from __future__ import annotations

import functools
import importlib.util
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

Values = dict[str, list[tuple[np.ndarray, list[list[int]]]]]


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
    executor = _executor()
    import paddle

    program, scope = paddle.static.Program(), paddle.base.core.Scope()
    block = program.global_block()
    place = paddle.CPUPlace()
    input_names: dict[str, list[str]] = {}
    with paddle.static.program_guard(program):
        for slot, values in inputs.items():
            input_names[slot] = [f"in_{slot}_{i}" for i in range(len(values))]
            for name, (array, lod) in zip(input_names[slot], values, strict=True):
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
        counts = dict.fromkeys(_required_outputs(op), 1) | dict(outputs)
        output_names = {slot: [f"out_{slot}_{i}" for i in range(n)] for slot, n in counts.items()}
        for names in output_names.values():
            for name in names:
                block.create_var(name=name, persistable=True)
        block.append_op(type=op, inputs=input_names, outputs=output_names, attrs=dict(attrs))
    executor.run(program, scope=scope)
    result: Values = {}
    for slot in outputs:
        result[slot] = []
        for name in output_names[slot]:
            tensor = scope.find_var(name).get_tensor()
            shape = tuple(tensor.shape())
            if tensor._is_initialized():
                array = np.array(tensor).reshape(shape)
            else:
                assert 0 in shape, f"{op} left {slot} unwritten: list it as `unchecked`"
                array = np.zeros(shape, _dtype(tensor))
            result[slot].append((array, [list(level) for level in tensor.lod()]))
    return result


def _dtype(tensor: Any) -> str:
    from paddle.base.data_feeder import convert_dtype

    try:
        return str(convert_dtype(tensor._dtype()))
    except (AttributeError, RuntimeError, TypeError, ValueError):  # never written, so untyped
        return "float32"
