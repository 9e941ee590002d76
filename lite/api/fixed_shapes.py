"""A program for inputs of given shapes: every shape is known, arithmetic on shapes is done."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from lite import _core
from lite.core.optimizer.traits import having
from lite.errors import ConfigError
from lite.model.program import OpDesc, Program


def fix_shapes(program: Program, shapes: Mapping[str, Sequence[int]]) -> Program:
    """The program whose inputs have these shapes; complete ones that it declares may be left out.

    What is computed from shapes alone is a parameter in it. The given one is not changed. Raises
    ConfigError for what is no shape of an input, and where one is missing.
    """
    given = {name: list(shape) for name, shape in shapes.items()}
    _check(program, given)
    counted = having("counts", "measures")
    found = _core.infer_shapes(program, program.params, given, counted)
    root = program.root
    writes = Counter(name for op in root.ops for name in op.output_names())
    fetched = set(program.fetch_names())
    constants = {
        name: array
        for name, (_, array) in found.items()
        if array is not None and writes[name] == 1 and name not in fetched
    }

    def stays(op: OpDesc) -> bool:
        names = op.output_names()
        return not names or any(name not in constants for name in names)

    variables = dict(root.vars)
    for name, (dims, _) in found.items():
        if name in variables and writes[name] == 1:
            constant = name in constants
            variables[name] = replace(variables[name], shape=tuple(dims), persistable=constant)
    for name, dims in given.items():
        variables[name] = replace(variables[name], shape=tuple(dims))
    ops = [op for op in root.ops if stays(op)]
    blocks = [replace(root, vars=variables, ops=ops), *program.blocks[1:]]
    made = {name for op in ops for name in op.output_names()}
    read = {name for block in blocks for op in block.ops for name in op.input_names()}
    params = {name: constants[name] for name in constants if name in read - made}
    return replace(program, blocks=blocks, params={**program.params, **params})


def _check(program: Program, given: dict[str, list[int]]) -> None:
    known = program.feed_names()
    for name, shape in given.items():
        if name not in known:
            near = difflib.get_close_matches(name, known, 2)
            hint = f"; did you mean {' or '.join(near)}?" if near else ""
            raise ConfigError(f"a shape is given for {name!r}: inputs are {', '.join(known)}{hint}")
        declared = program.root.vars[name].shape
        fits = len(shape) == len(declared) and all(
            dim >= 1 and known_dim in (-1, dim)
            for dim, known_dim in zip(shape, declared, strict=True)
        )
        if not fits:
            raise ConfigError(f"the shape of {name!r} is {shape}, the input has {list(declared)}")
    missing = [
        name
        for name in known
        if name not in given and any(dim < 0 for dim in program.root.vars[name].shape)
    ]
    if missing:
        raise ConfigError(f"the shape of each input is wanted: {', '.join(missing)} has open ones")
