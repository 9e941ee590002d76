"""Every intermediate result of a model, for ``lite run --dump``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from lite.api.build import Source, make_core
from lite.api.predictor import Predictor
from lite.model.program import Program

from .inputs import Value


def intermediate_results(
    source: Source, values: dict[str, Value]
) -> dict[str, np.ndarray[Any, Any]]:
    """Each variable that an operator of the optimised main block writes, by name.

    Where operators write a variable again, its last value.
    """
    core = make_core(_fetch_everything(source.optimized()))
    return Predictor(core, source.cpu_placement).run(values)


def _fetch_everything(program: Program) -> Program:
    ops = [op for op in program.root.ops if op.type != "fetch"]
    written = dict.fromkeys(
        name for op in ops if op.type != "feed" for name in op.output_names() if name
    )
    bare = replace(program, blocks=[replace(program.root, ops=ops), *program.blocks[1:]])
    return bare.with_fetches(written)
