"""The old matmul by a 2-D parameter, plus a bias, becomes fc; alpha goes into the weight."""

from __future__ import annotations

from lite.core.optimizer.passes.lite_fc_fuse_pass import fold_matmul
from lite.core.optimizer.pattern import Rule
from lite.core.optimizer.registry import Pass, register

register(
    Pass(
        "lite_matmul_element_add_fuse_pass",
        (
            Rule(
                """
                Out: [%m] = matmul@mm(X: [%x], Y: [%w:param])
                Out: [%out] = elementwise_add@add(X: [%m], Y: [%b:param])
                """,
                "Out: [%out] = fc@mm(Input: [%x], W: [%w], Bias: [%b]) "
                '{in_num_col_dims: var %columns, op_type: string "matmul", '
                "transpose_Y: bool false, alpha: float 1.0}",
                fold_matmul,
            ),
        ),
    )
)
