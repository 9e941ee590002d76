"""How results are compared with eager torch."""

from __future__ import annotations

from typing import Any

import torch
from torch.utils import _pytree


def difference(ours: Any, expected: Any) -> str:
    """Why two results differ, or nothing; floats within 1e-4 of the largest."""
    mine, theirs = _pytree.tree_leaves(ours), _pytree.tree_leaves(expected)
    if len(mine) != len(theirs):
        return f"{len(mine)} results, expected {len(theirs)}"
    return next(filter(None, map(_one, mine, theirs)), "")


def _one(mine: Any, theirs: Any) -> str:
    if not isinstance(theirs, torch.Tensor):
        return "" if mine == theirs or mine != mine else f"{mine} != {theirs}"
    if (mine.dtype, mine.shape) != (theirs.dtype, theirs.shape):
        return f"{mine.dtype}{list(mine.shape)}, expected {theirs.dtype}{list(theirs.shape)}"
    if theirs.dtype.is_complex:
        return _one(
            torch.view_as_real(mine.resolve_conj()), torch.view_as_real(theirs.resolve_conj())
        )
    if not theirs.dtype.is_floating_point:
        return "" if torch.equal(mine, theirs) else "other whole numbers"
    finite = torch.isfinite(theirs)
    odd = torch.nan_to_num(mine[~finite]), torch.nan_to_num(theirs[~finite])
    if not torch.equal(torch.isfinite(mine), finite) or not torch.equal(*odd):
        return "other infinities"
    if not finite.any():
        return ""
    error = float((mine[finite].double() - theirs[finite].double()).abs().max())
    largest = max(float(theirs[finite].abs().max()), 1e-3)
    return "" if error <= 1e-4 * largest else f"error {error / largest:.1e} of the largest"
