"""The subgraphs of a partitioned program, each as an ONNX file for a toolchain that reads those."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from lite.core.optimizer.subgraph import INPUT_NAMES, OUTPUT_NAMES, SUBGRAPH
from lite.errors import ModelFormatError, UnsupportedOperatorError
from lite.model.onnx.export import DEFAULT_OPSET
from lite.model.onnx.files import write_onnx
from lite.model.program import Attr, AttrType, BlockDesc, OpDesc, Program, VarDesc


def subgraph_programs(program: Program) -> Iterator[Program]:
    """Each `subgraph` operator's block as a program of its own, in the program's order.

    Its inputs and outputs have the names that the subgraph operator knows them by.
    """
    for block in program.blocks:
        for op in block.ops:
            if op.type == SUBGRAPH:
                yield _alone(program, block, op)


def _alone(program: Program, outer: BlockDesc, op: OpDesc) -> Program:
    index = op.attr("sub_block")
    if not isinstance(index, int) or not 0 < index < len(program.blocks):
        raise ModelFormatError(f"a subgraph's sub_block is {index!r}: the program is damaged")
    inner = program.blocks[index]
    made = Program(op_versions=dict(program.op_versions))
    variables = {**program.root.vars, **outer.vars, **inner.vars}
    made.root.vars = {"feed": VarDesc("feed"), "fetch": VarDesc("fetch"), **variables}
    for column, name in enumerate(op.attr(INPUT_NAMES, [])):
        at = {"col": Attr(AttrType.INT, column)}
        made.root.ops.append(OpDesc("feed", {"X": ["feed"]}, {"Out": [name]}, at))
    made.root.ops.extend(inner.ops)
    for column, name in enumerate(op.attr(OUTPUT_NAMES, [])):
        at = {"col": Attr(AttrType.INT, column)}
        made.root.ops.append(OpDesc("fetch", {"X": [name]}, {"Out": ["fetch"]}, at))
    read = {name for item in inner.ops for name in item.input_names()}
    made.params = {name: array for name, array in program.params.items() if name in read}
    return made


def write_subgraphs(
    program: Program,
    folder: str | os.PathLike[str],
    *,
    opset: int = DEFAULT_OPSET,
    shapes: Mapping[str, Sequence[int]] | None = None,
) -> list[str]:
    """Writes FOLDER/subgraph_<i>.onnx for each subgraph, in order; returns the paths.

    ``shapes`` replaces those that inputs are declared with, -1 for a free dimension.

    What ONNX can hold is written even where another subgraph cannot be; then raises
    UnsupportedOperatorError, which names the operators of each.
    """
    os.makedirs(folder, exist_ok=True)
    written, refused = [], []
    for index, alone in enumerate(subgraph_programs(program)):
        for name, shape in (shapes or {}).items():
            if name in alone.root.vars:
                alone.root.vars[name] = replace(alone.root.vars[name], shape=tuple(shape))
        path = os.path.join(os.fspath(folder), f"subgraph_{index}.onnx")
        try:
            written += write_onnx(alone, path, opset=opset)
        except UnsupportedOperatorError as error:
            refused.append(f"subgraph {index}: {error}")
    if refused:
        raise UnsupportedOperatorError("; ".join(refused))
    return written
