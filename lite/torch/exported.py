"""From torch.export to a Program and a `.nb` file that runs without torch."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import torch
from torch._export.verifier import SpecViolationError
from torch.export import ExportedProgram
from torch.export.graph_signature import InputKind, OutputKind
from torch.utils import _pytree

from lite.api import arguments
from lite.api.build import Source, save_naive_buffer
from lite.errors import ModelFormatError, UnsupportedOperatorError
from lite.model.program import Program
from lite.torch.builder import Builder
from lite.torch.constants import fold
from lite.torch.decompositions import decompositions
from lite.torch.engine import as_array
from lite.torch.graph import name_of, translate_graph, unsupported
from lite.torch.outputs import add_fetches
from lite.torch.values import NotTranslatableError

_WEIGHTS = (InputKind.PARAMETER, InputKind.BUFFER, InputKind.CONSTANT_TENSOR)


def export(
    module: torch.nn.Module,
    args: tuple[Any, ...],
    path: str | os.PathLike[str],
    *,
    kwargs: Mapping[str, Any] | None = None,
    dynamic_shapes: Any = None,
) -> str:
    """Writes a module as a `.nb` file and returns its path.

    ``args``, ``kwargs`` and ``dynamic_shapes`` are torch.export's. Inputs are named after and
    ordered as forward's arguments. Raises UnsupportedOperatorError with every operator that has no
    translation, and torch's own errors where it cannot export.
    """
    file = arguments.path(path, "the path")
    exported = torch.export.export(module, args, dict(kwargs or {}), dynamic_shapes=dynamic_shapes)
    return save_naive_buffer(Source().optimize(to_program(exported))[0], file)


def read_exported(path: str | os.PathLike[str]) -> Program:
    """The Program of a file that torch.export.save wrote. Raises ModelFormatError where it is none.

    torch's own loader reads it: convert only files that you trust.
    """
    file = arguments.path(path, "the exported program")
    if not os.path.exists(file):
        raise FileNotFoundError(f"there is no file {file}")
    try:
        exported = torch.export.load(file)
    except Exception as error:  # whatever torch's loader meets
        raise ModelFormatError(f"{file} is no program of torch.export: {error}") from error
    return to_program(exported)


def to_program(exported: ExportedProgram) -> Program:
    """The Program of an exported one. Raises UnsupportedOperatorError."""
    functional = _decomposed(exported)
    graph = functional.graph_module.graph
    signature = functional.graph_signature
    inputs = {spec.arg.name: spec for spec in signature.input_specs}
    weights = {
        node: _weight(functional, inputs[node.name])
        for node in graph.find_nodes(op="placeholder")
        if inputs[node.name].kind in _WEIGHTS
    }
    fold(functional.graph_module, weights)
    _check(functional)

    def declare(builder: Builder, node: torch.fx.Node) -> Any:
        spec = inputs[node.name]
        if node in weights:
            if not node.users:
                return None
            value = weights[node]
            return builder.parameter(as_array(value), value.dtype, str(spec.target))
        known = node.meta.get("val")
        if isinstance(known, torch.Tensor):
            return builder.feed(node.name, known.dtype, tuple(known.shape))
        if isinstance(known, torch.SymInt):
            return builder.feed_size(node.name, known)
        return known

    kept = [
        index
        for index, spec in enumerate(signature.output_specs)
        if spec.kind is OutputKind.USER_OUTPUT
    ]
    try:
        program, outputs = translate_graph(
            graph, declare, lambda results: [results[index] for index in kept]
        )
        add_fetches(program, outputs, _output_names(functional, len(kept)))
    except NotTranslatableError as error:
        raise UnsupportedOperatorError(f"the exported program: {error}") from None
    return program


def _decomposed(exported: ExportedProgram) -> ExportedProgram:
    try:
        return exported.run_decompositions(dict(decompositions()))
    except SpecViolationError:  # torch 2.13 loses constants of a branch: operators stay whole then
        return exported.run_decompositions({})


def _check(exported: ExportedProgram) -> None:
    reasons = {
        f"{name_of(node)}: {reason}"
        for node, reason in unsupported(exported.graph_module.graph.nodes).items()
    }
    for spec in exported.graph_signature.output_specs:
        if spec.kind is not OutputKind.USER_OUTPUT:
            reasons.add(
                f"the module writes {spec.target or spec.arg.name} when it runs "
                "(call eval(), or return what is written)"
            )
    if reasons:
        raise UnsupportedOperatorError(
            f"{len(reasons)} operator(s) have no translation: " + "; ".join(sorted(reasons))
        )


def _weight(exported: ExportedProgram, spec: Any) -> torch.Tensor:
    for held in (exported.state_dict, exported.constants):
        if spec.target in held:
            return held[spec.target].detach()
    raise UnsupportedOperatorError(f"the exported program has no tensor {spec.target!r}")


def _output_names(exported: ExportedProgram, count: int) -> list[str]:
    """Names from the keys of the result: ``logits``, ``output_0``; a lone tensor is ``output``."""
    tree = exported.call_spec.out_spec
    if tree is None or tree.num_leaves != count:
        return [f"output_{index}" for index in range(count)]
    paths, _ = _pytree.tree_flatten_with_path(_pytree.tree_unflatten(list(range(count)), tree))
    names = []
    for path, _ in paths:
        parts = [
            str(getattr(key, "key", getattr(key, "name", getattr(key, "idx", "")))) for key in path
        ]
        name = "_".join(parts)
        names.append(name if name and not name[0].isdigit() else f"output_{name}".rstrip("_"))
    return names
