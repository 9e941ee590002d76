"""Operators that no function of paddle leads to on a CPU, called by their own names."""

from __future__ import annotations

from typing import Any

import numpy as np
import paddle
from cases import add_function, f, i

C = paddle._C_ops
X = f(2, 3, 4)
PICTURE = f(2, 4, 6, 6)
BOXES = np.concatenate([f(6, 2, low=0, high=3), f(6, 2, low=3.5, high=7)], 1)

ROWS: dict[str, tuple[Any, ...]] = {
    "affine_channel": (lambda x, s, c: C.affine_channel(x, s, c, "NCHW"), PICTURE, f(4), f(4)),
    "add_position_encoding": (lambda x: C.add_position_encoding(x, 0.7, 1.3), f(2, 3, 8)),
    "cvm": (lambda x, c: C.cvm(x, c, True), f(4, 5, low=0, high=9), f(4, 2)),
    "gather_tree": (C.gather_tree, i(9, 4, 2, 3), i(3, 4, 2, 3)),
    "im2sequence": (
        lambda x: C.im2sequence(x, None, [2, 3], [1, 1], [0, 0, 0, 0], [1, 1]),
        PICTURE,
    ),
    "imag": (lambda x: C.imag(paddle.as_complex(x)), f(3, 2)),
    "l1_norm": (C.l1_norm, X),
    "squared_l2_norm": (C.squared_l2_norm, X),
    "nansum": (lambda x: C.nansum(x, [1], paddle.float32, False), X),
    "norm": (lambda x: C.norm(x, 1, 1e-10, True)[0], X),
    "multiclass_nms3": (
        lambda x, s: C.multiclass_nms3(x, s, None, 0.1, 10, 5, 0.4, True, 1.0, -1),
        BOXES[None],
        f(1, 2, 6, low=0, high=1),
    ),
    "reduce_as": (C.reduce_as, X, f(3, 4)),
    "reverse": (lambda x: C.reverse(x, [0, 2]), X),
    "rint": (C.rint, X * 3),
    "segment_pool": (lambda x, k: C.segment_pool(x, k, "SUM")[0], f(4, 3), np.array([0, 0, 1, 2])),
    "share_data": (C.share_data, X),
    "shuffle_channel": (lambda x: C.shuffle_channel(x, 2), PICTURE),
    "spectral_norm": (
        lambda w, u, v: C.spectral_norm(w, u, v, 0, 1, 1e-12),
        f(4, 3),
        f(4),
        f(3),
    ),
    "std": (lambda x: C.std(x, [1], False, True, 1.0), X),
    "var": (lambda x: C.var(x, [1], False, True, 1.0), X),
    "tdm_child": (
        lambda x, tree: C.tdm_child(x, tree, 2, paddle.int64),
        np.array([[1], [2], [0]]),
        np.array([[0, 0, 0, 0, 0], [0, 0, 0, 2, 3], [0, 1, 1, 3, 0], [7, 1, 1, 0, 0]]),
    ),
    "trunc_divide": (C.trunc_divide, X, f(2, 3, 4, low=0.5)),
    "unpool3d": (
        lambda x: paddle.nn.functional.max_unpool3d(
            *paddle.nn.functional.max_pool3d(x, 2, return_mask=True), 2
        ),
        f(1, 2, 4, 4, 4),
    ),
    "viterbi_decode": (
        lambda x, t, n: C.viterbi_decode(x, t, n, False),
        f(2, 4, 3),
        f(3, 3),
        np.array([4, 2]),
    ),
    "bipartite_match": (lambda x: C.bipartite_match(x, "bipartite", 0.5), f(3, 4, low=0, high=1)),
    "hinge_loss": (C.hinge_loss, f(4, 1), i(2, 4, 1).astype("float32")),
    "fake_quantize": (lambda x: C.fake_quantize_abs_max(x, 8, 1), X),
    "fill_diagonal": (lambda x: C.fill_diagonal(x, 2.0, 0, False), f(4, 4)),
}

for _name, (_function, *_inputs) in ROWS.items():
    add_function("fn_op_" + _name, _function, *_inputs)
