"""ONNX models to damage, and changes of their meaning: attributes, wiring, types, constants."""

from __future__ import annotations

import random
from typing import Any

import zoo
from mutate_program import FLOATS, INTS

from lite.errors import UnsupportedOperatorError
from lite.model.onnx import export_model
from lite.model.onnx.messages import message_class
from lite.model.onnx.reader import table

ONNX = "onnx"
TYPES = sorted(name for _, name in table.rows())
TEXTS = ["", "SAME_UPPER", "VALID", "linear", "cubic", "reflect", "add", "sum", "tanh", "x" * 50]


def onnx_bases() -> list[tuple[str, str, bytes, bytes | None]]:
    """The zoo's programs as far as ONNX holds them, and ONNX's own node tests."""
    found: list[tuple[str, str, bytes, bytes | None]] = []
    for name in (*zoo.ALL, *zoo.STORED):
        try:
            data = export_model(zoo.build(name)).SerializeToString()
        except UnsupportedOperatorError:
            continue
        found.append((ONNX, name, data, None))
    return found + [(ONNX, "", data, None) for data in _node_tests()]


def _node_tests() -> list[bytes]:
    import warnings

    from onnx.backend.test.case.node import collect_testcases

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [case.model.SerializeToString() for case in collect_testcases(None)]


def mutate_onnx(data: bytes, rng: random.Random) -> bytes:
    """The model with one to three changes."""
    model = message_class("ModelProto")()
    model.ParseFromString(data)
    for _ in range(rng.choice((1, 1, 2, 3))):
        rng.choice(_CHANGES)(model, rng)
    return model.SerializeToString()  # type: ignore[no-any-return]


def _node(model: Any, rng: random.Random) -> Any:
    graph = model.graph
    if model.functions and rng.random() < 0.5:
        graph = rng.choice(list(model.functions))
    node = rng.choice(list(graph.node)) if graph.node else graph.node.add()
    inner = [a.g for a in node.attribute if a.HasField("g") and a.g.node]
    return rng.choice(list(inner[0].node)) if inner and rng.random() < 0.7 else node


def _attribute(model: Any, rng: random.Random) -> None:
    attributes = _node(model, rng).attribute
    if not attributes:
        return
    chosen = rng.choice(list(attributes))
    if rng.random() < 0.1:
        chosen.type = rng.randrange(16)
    elif chosen.HasField("f"):
        chosen.f = rng.choice(FLOATS)
    elif chosen.HasField("i"):
        chosen.i = rng.choice([*INTS, 2**63 - 1, -(2**63)])
    elif chosen.HasField("s"):
        chosen.s = rng.choice(TEXTS).encode()
    elif chosen.ints:
        chosen.ints[rng.randrange(len(chosen.ints))] = rng.choice(INTS)
    elif chosen.HasField("t"):
        _damage_tensor(chosen.t, rng)


def _drop(model: Any, rng: random.Random) -> None:
    node = _node(model, rng)
    field = rng.choice([node.attribute, node.input, node.output])
    if field:
        del field[rng.randrange(len(field))]


def _rewire(model: Any, rng: random.Random) -> None:
    nodes = model.graph.node
    names = [name for node in nodes for name in (*node.input, *node.output)]
    names += [info.name for info in model.graph.input]
    node = _node(model, rng)
    if node.input and names:
        node.input[rng.randrange(len(node.input))] = rng.choice(names)


def _operator(model: Any, rng: random.Random) -> None:
    _node(model, rng).op_type = rng.choice(TYPES)


def _version(model: Any, rng: random.Random) -> None:
    for entry in model.opset_import:
        entry.version = rng.choice([0, 1, 6, 7, 9, 11, 13, 17, 21, 28, 29, -1])


def _damage_tensor(tensor: Any, rng: random.Random) -> None:
    how = rng.randrange(4)
    if how == 0:
        tensor.data_type = rng.randrange(28)
    elif how == 1 and tensor.dims:
        tensor.dims[rng.randrange(len(tensor.dims))] = rng.choice([*INTS, 2**62])
    elif how == 2:
        tensor.raw_data = rng.randbytes(len(tensor.raw_data))
    else:
        tensor.dims.append(rng.choice([0, 1, 2, -1]))


def _constant(model: Any, rng: random.Random) -> None:
    if model.graph.initializer:
        _damage_tensor(rng.choice(list(model.graph.initializer)), rng)


def _input(model: Any, rng: random.Random) -> None:
    infos = [*model.graph.input, *model.graph.output]
    if not infos:
        return
    tensor = rng.choice(infos).type.tensor_type
    if rng.random() < 0.5:
        tensor.elem_type = rng.randrange(28)
    elif tensor.shape.dim:
        rng.choice(list(tensor.shape.dim)).dim_value = rng.choice(INTS)


_CHANGES = (_attribute, _attribute, _drop, _rewire, _operator, _version, _constant, _input)
