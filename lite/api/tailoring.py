"""The lists of operators and kernels that a model needs, for tailored builds of Paddle Lite."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from lite.api.system_errors import system_errors
from lite.errors import LiteError

if TYPE_CHECKING:
    from lite.model.program import Program

OPS_LIST = ".tailored_ops_list"
KERNELS_LIST = ".tailored_kernels_list"

_TARGETS = {"1": "kHost", "2": "kX86", "4": "kARM", "18": "kNNAdapter"}
_PRECISIONS = {"1": "kFloat", "2": "kInt8", "3": "kInt32", "4": "kAny", "5": "kFP16", "7": "kInt64"}
_LAYOUTS = {"1": "kNCHW", "2": "kAny", "3": "kNHWC"}


def used_operators(program: Program) -> set[str]:
    """The operator types of an optimised program."""
    return {op.type for block in program.blocks for op in block.ops}


def used_kernels(program: Program) -> set[str]:
    """``op,target,precision,layout,alias`` of each kernel that the program's operators name."""
    from lite.core.optimizer.kernel_pick import KERNEL_ATTR

    kernels = set()
    for block in program.blocks:
        for op in block.ops:
            parts = str(op.attr(KERNEL_ATTR, "")).split("/")
            if len(parts) == 5:
                name, alias, target, precision, layout = parts
                words = (
                    _TARGETS.get(target, target),
                    _PRECISIONS.get(precision, precision),
                    _LAYOUTS.get(layout, layout),
                )
                kernels.add(",".join((name, *words, alias)))
    return kernels


def write_lists(folder: str, operators: Iterable[str], kernels: Iterable[str]) -> tuple[str, str]:
    """Writes both lists into a folder and returns their paths."""
    from lite.model.atomic import replacing

    paths = []
    with system_errors(LiteError):
        os.makedirs(folder, exist_ok=True)
        for name, lines in ((OPS_LIST, operators), (KERNELS_LIST, kernels)):
            paths.append(os.path.join(folder, name))
            with replacing(paths[-1]) as file:
                file.write("".join(f"{line}\n" for line in sorted(lines)).encode())
    return paths[0], paths[1]
