"""Operators of `onednn_op`: those of a program that Paddle rewrote for its CPU and saved
(``enable_save_optim_model``), which users find as `_optimized.json`."""

from __future__ import annotations

from dataclasses import replace

from lite.errors import UnsupportedOperatorError
from lite.model.pir.document import Operation, Parameter, Region
from lite.model.pir.table import declaration
from lite.model.pir.translate import find_special

_KINDS = ("mkldnn_data_type", "onednn_data_type")
_INSIDE = frozenset(
    "use_quantizer force_fp32_output scale_in scale_x scale_y scale_out scale_in_eltwise "
    "scale_weights is_test data_format fuse_residual_connection padding_weights inputs_index "
    "inputs_scale outputs_index outputs_scale".split()
)
"""Attributes that oneDNN's operators have besides, which say nothing where numbers are floats."""

_OTHER_NAMES = {
    "batch_norm": "fused_batch_norm",
    "batch_norm_": "fused_batch_norm",
    "fc": "fused_fc",
}
"""Operators that have more in oneDNN than elsewhere; the table has them under these names."""


def _plain(op: Operation) -> Operation:
    """The same as an operator of `pd_op`. Raises UnsupportedOperatorError where it computes with
    other numbers than floats."""
    attributes = op.attributes()
    kinds = {str(attributes.get(kind, "")) for kind in _KINDS} - {"", "float32"}
    if kinds:
        raise UnsupportedOperatorError(
            f"{op.where}: Paddle rewrote this operator for {' and '.join(sorted(kinds))}; load the "
            "program that it was made of"
        )
    name = _OTHER_NAMES.get(op.name, op.name)
    declared = declaration(name)
    known = {a.name for a in declared.attributes} if declared is not None else set()
    dropped = {*_KINDS, *(_INSIDE - known)}
    kept = [item for item in op.raw_attributes if item["N"] not in dropped]
    return replace(op, dialect="pd_op", name=name, raw_attributes=kept)


def use_plain_operators(region: Region) -> None:
    """Reads every operator that the table or a function knows in `pd_op` as that one."""
    for i, op in enumerate(region.operations):
        if isinstance(op, Parameter):
            continue
        for inner in op.regions:
            use_plain_operators(inner)
        if op.dialect == "onednn_op":
            plain = _plain(op)
            if declaration(plain.name) is not None or find_special(plain) is not None:
                region.operations[i] = plain
