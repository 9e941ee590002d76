"""Every function of paddle and paddle.nn.functional that exports: a program of few operators each.

A row is name: (function, inputs...). The first dimension of each input is unknown in the program
where Paddle can export that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import paddle
from cases import add_function, b, f, i
from paddle import nn

F = nn.functional

X = f(2, 3, 4)
Y = f(2, 3, 4, seed=1)
P = f(2, 3, 4, low=0.2, high=3)  # positive
U = f(2, 3, 4, low=-0.9, high=0.9)
PICTURE = f(2, 4, 6, 6)
K = i(20, 2, 3, 4, low=-20)
L = i(9, 2, 3, 4, low=1)
M = f(3, 3)
SQUARE = (M @ M.T + 2 * np.eye(3)).astype("float32")
BOXES = np.concatenate([f(6, 2, low=0, high=3), f(6, 2, low=3.5, high=7)], 1)

Row = tuple[Any, ...]
FIXED = "signbit isneginf isposinf".split()  # the exporter writes an unknown dimension as 0


def rows() -> dict[str, Row]:
    table: dict[str, Row] = {}
    for (
        name
    ) in """abs ceil cos erf exp expm1 floor neg round sgn sign sin sinh cosh square tanh trunc
            frac nan_to_num isfinite isinf isnan stanh i0 i0e i1 i1e deg2rad rad2deg atan asinh
            signbit sinc isneginf isposinf isreal conj angle logcumsumexp numel""".split():
        table[name] = (getattr(paddle, name), X)
    for name in "log log10 log1p log2 reciprocal rsqrt sqrt digamma lgamma gammaln".split():
        table[name] = (getattr(paddle, name), P)
    for name in "acos asin atanh erfinv tan logit".split():
        table[name] = (getattr(paddle, name), U)
    table["acosh"] = (paddle.acosh, P + 1)
    for name in """celu elu gelu hardshrink hardsigmoid hardswish hardtanh leaky_relu log_sigmoid
            log_softmax mish relu relu6 selu sigmoid silu softmax softplus softshrink softsign swish
            tanhshrink thresholded_relu normalize""".split():
        table["f_" + name] = (getattr(F, name), X)
    for name in """add subtract multiply maximum minimum fmax fmin atan2 equal not_equal less_than
            less_equal greater_than greater_equal heaviside copysign nextafter logaddexp hypot dist
            isclose allclose equal_all""".split():
        table[name] = (getattr(paddle, name), X, Y)
    for name in "divide floor_divide remainder pow mod".split():
        table[name] = (getattr(paddle, name), P, P[..., ::-1].copy())
        table[name + "_int"] = (getattr(paddle, name), K, L % 4 + 1)
    table["remainder_signs"] = (paddle.remainder, X, Y)
    table["floor_divide_signs"] = (paddle.floor_divide, X, Y)
    for name in "add subtract multiply maximum minimum gcd lcm bitwise_and bitwise_or bitwise_xor \
            equal less_than divide".split():
        table[name + "_int64"] = (getattr(paddle, name), K, L)
    for name in "bitwise_left_shift bitwise_right_shift".split():
        table[name] = (getattr(paddle, name), K, L % 4)
    for name in "abs neg sign square bitwise_not floor round".split():
        table[name + "_int64"] = (getattr(paddle, name), K)
    for name in "logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor".split():
        table[name] = (getattr(paddle, name), b(2, 3), b(2, 3, seed=1))
    table["logical_not"] = (paddle.logical_not, b(2, 3))
    table["logical_not_float"] = (paddle.logical_not, X)
    for name in "add subtract multiply divide maximum greater_than".split():
        table[name + "_broadcast"] = (getattr(paddle, name), X, f(3, 1))
    for name in "sum mean max min prod amax amin logsumexp all any".split():
        data = X > 0 if name in ("all", "any") else X
        function = getattr(paddle, name)
        table[name] = (function, data)
        table[name + "_axis"] = (lambda x, g=function: g(x, 1), data)
        table[name + "_keep"] = (lambda x, g=function: g(x, [0, -1], keepdim=True), data)
    for name in "std var median nanmedian nanmean nansum quantile argmax argmin".split():
        function, more = getattr(paddle, name), ((0.4,) if name == "quantile" else ())
        table[name] = (lambda x, g=function, m=more: g(x, *m), X)
        table[name + "_axis"] = (lambda x, g=function, m=more: g(x, *m, axis=1), X)
    for name in "cumsum cumprod cummax cummin".split():
        function = getattr(paddle, name)
        table[name] = (lambda x, g=function: g(x, 1), X)
    table |= (
        OF_NUMBERS | OF_SHAPES | OF_PICKS | OF_LINES | MADE | OF_NETWORKS | LOSSES | OF_PICTURES
    )
    return table


OF_NUMBERS: dict[str, Row] = {
    "sum_int": (lambda x: paddle.sum(x, 1), K),
    "sum_bool": (paddle.sum, X > 0),
    "sum_dtype": (lambda x: paddle.sum(x, 1, dtype="float64"), K),
    "max_int": (lambda x: paddle.max(x, 1), K),
    "prod_int": (lambda x: paddle.prod(x, 1), K),
    "cumsum_flat": (paddle.cumsum, X),
    "cumsum_int": (lambda x: paddle.cumsum(x, -1), K),
    "cumsum_cast": (lambda x: paddle.cumsum(x, 0, dtype="float64"), X),
    "argmax_int32": (lambda x: paddle.argmax(x, -1, dtype="int32"), X),
    "count_nonzero": (lambda x: paddle.count_nonzero(x, 1), K),
    "scale": (lambda x: paddle.scale(x, 2.0, 1.0), X),
    "scale_before": (lambda x: paddle.scale(x, 2.0, 1.0, bias_after_scale=False), X),
    "scale_int": (lambda x: paddle.scale(x, 2, 1), K),
    "scale_tensor": (lambda x, s: paddle.scale(x, s, 1.0), X, f(1)),
    "pow_scalar": (lambda x: x**2.5, P),
    "pow_int": (lambda x: x**3, K),
    "rpow": (lambda x: 2.0**x, X),
    "rsub": (lambda x: 1.5 - x, X),
    "rdiv": (lambda x: 1.5 / x, P),
    "mul_scalar": (lambda x: x * 0.3, X),
    "floordiv_scalar": (lambda x: x // 2, K),
    "mod_scalar": (lambda x: x % 3, K),
    "truediv_int": (lambda x: x / 3, K),
    "compare_scalar": (lambda x: (x > 0.5, x <= 0, x == 1, x != 2), X),
    "clip": (lambda x: paddle.clip(x, -1, 1), X),
    "clip_int": (lambda x: paddle.clip(x, -3, 5), K),
    "clip_tensor": (paddle.clip, X, np.float32(-0.5), np.float32(0.5)),
    "lerp": (paddle.lerp, X, Y, f(1)),
    "lerp_scalar": (lambda x, y: paddle.lerp(x, y, 0.3), X, Y),
    "addmm": (lambda a, x, y: paddle.addmm(a, x, y, 0.5, 2.0), f(2, 5), f(2, 3), f(3, 5)),
    "baddbmm": (paddle.baddbmm, f(2, 2, 5), f(2, 2, 3), f(2, 3, 5)),
    "trunc_int": (lambda x: paddle.trunc(x * 3), X),
    "multiplex": (
        lambda x, y, k: paddle.multiplex([x, y], k),
        f(4, 3),
        f(4, 3, seed=1),
        i(2, 4, 1, dtype="int32"),
    ),
    "add_n": (lambda x, y: paddle.add_n([x, y, x]), X, Y),
    "polygamma": (lambda x: paddle.polygamma(x, 1), P),
    "gammainc": (lambda x, y: paddle.gammainc(x, y), P, P),
    "frexp": (paddle.frexp, X),
    "ldexp": (paddle.ldexp, X, i(4, 2, 3, 4)),
    "diff": (paddle.diff, X),
    "trapezoid": (paddle.trapezoid, X),
    "renorm": (lambda x: paddle.renorm(x, 2.0, 0, 1.5), X),
    "clip_by_norm": (lambda x: paddle.nn.clip.clip_by_norm(x, 1.0), X),
    "p_norm": (lambda x: paddle.linalg.norm(x, 3, 1), X),
    "p_norm_inf": (lambda x: paddle.linalg.norm(x, np.inf, 1), X),
    "p_norm_flat": (lambda x: paddle.linalg.norm(x, 2), X),
    "frobenius": (lambda x: paddle.linalg.norm(x, "fro", [1, 2]), X),
    "vander": (lambda x: paddle.vander(x, 3), f(4)),
    "bincount": (lambda x: paddle.bincount(x, minlength=4), i(6, 9)),
    "histogram": (lambda x: paddle.histogram(x, 4, -2, 2), f(20)),
    "bucketize": (paddle.bucketize, X, np.array([-1, 0, 1], "float32")),
    "searchsorted": (lambda s, v: paddle.searchsorted(s, v, right=True), np.sort(f(2, 5)), f(2, 3)),
    "allclose_near": (paddle.allclose, X, X + 1e-9),
}

OF_SHAPES: dict[str, Row] = {
    "reshape": (lambda x: x.reshape([-1, 6]), X),
    "reshape_zero": (lambda x: x.reshape([0, 12]), X),
    "reshape_scalar": (lambda x: x.reshape([]), f(1)),
    "reshape_of_shape": (lambda x: x.reshape([x.shape[0] * 3, -1]), X),
    "transpose": (lambda x: x.transpose([2, 0, 1]), X),
    "transpose_t": (lambda x: x.t(), f(3, 5)),
    "moveaxis": (lambda x: paddle.moveaxis(x, 0, -1), X),
    "swapaxes": (lambda x: paddle.swapaxes(x, 0, 2), X),
    "flatten": (lambda x: paddle.flatten(x, 1), X),
    "flatten_middle": (lambda x: paddle.flatten(x, 0, 1), X),
    "squeeze": (lambda x: x.squeeze(), f(1, 3, 1)),
    "squeeze_axis": (lambda x: x.squeeze([0, -1]), f(1, 3, 1)),
    "squeeze_kept": (lambda x: x.squeeze(1), f(1, 3, 1)),
    "unsqueeze": (lambda x: x.unsqueeze([0, -1]), X),
    "unsqueeze_tensor": (lambda x, k: x.unsqueeze(k), X, np.array([1])),
    "expand": (lambda x: paddle.expand(x, [4, 2, -1]), f(2, 3)),
    "expand_as": (paddle.expand_as, f(1, 3), f(4, 2, 3)),
    "expand_tensor": (lambda x, s: paddle.expand(x, s), f(1, 3), np.array([4, 3], "int32")),
    "broadcast_to": (lambda x: paddle.broadcast_to(x, [2, 2, 3]), f(2, 3)),
    "broadcast_tensors": (lambda x, y: paddle.broadcast_tensors([x, y]), f(2, 1), f(1, 3)),
    "tile": (lambda x: paddle.tile(x, [2, 1, 3]), f(2, 3)),
    "tile_tensor": (lambda x, n: paddle.tile(x, n), f(2, 3), np.array([1, 2], "int32")),
    "repeat_interleave": (lambda x: paddle.repeat_interleave(x, 2, 1), X),
    "repeat_interleave_tensor": (
        lambda x, n: paddle.repeat_interleave(x, n, 0),
        f(3, 2),
        np.array([2, 0, 3]),
    ),
    "concat": (lambda x, y: paddle.concat([x, y], -1), X, Y),
    "concat_tensor_axis": (lambda x, y, k: paddle.concat([x, y], k), X, Y, np.int32(1)),
    "concat_int": (lambda x, y: paddle.concat([x, y]), K, L),
    "concat_bool": (lambda x, y: paddle.concat([x > 0, y > 0]), X, Y),
    "stack": (lambda x, y: paddle.stack([x, y], 2), X, Y),
    "stack_last": (lambda x, y: paddle.stack([x, y], -1), X, Y),
    "split": (lambda x: paddle.split(x, 2, -1), X),
    "split_sections": (lambda x: paddle.split(x, [1, -1], 1), X),
    "split_tensor_axis": (lambda x, k: paddle.split(x, [1, 3], k), X, np.int32(2)),
    "tensor_split": (lambda x: paddle.tensor_split(x, 2, 1), X),
    "chunk": (lambda x: paddle.chunk(x, 3, 1), X),
    "unbind": (lambda x: paddle.unbind(x, 1), X),
    "unstack": (lambda x: paddle.unstack(x, 1), X),
    "vstack": (lambda x, y: paddle.vstack([x, y]), X, Y),
    "dstack": (lambda x, y: paddle.dstack([x, y]), X, Y),
    "atleast_2d": (paddle.atleast_2d, f(3)),
    "flip": (lambda x: paddle.flip(x, [0, 2]), X),
    "roll": (lambda x: paddle.roll(x, [1, -2], [0, 2]), X),
    "roll_flat": (lambda x: paddle.roll(x, 3), X),
    "rot90": (lambda x: paddle.rot90(x), X),
    "slice": (lambda x: paddle.slice(x, [1, 2], [0, -3], [2, 10]), X),
    "slice_tensor": (lambda x, s, e: paddle.slice(x, [2], [s], [e]), X, np.int32(1), np.int32(3)),
    "strided_slice": (lambda x: paddle.strided_slice(x, [1, 2], [2, 0], [-4, 4], [-1, 2]), X),
    "crop": (lambda x: paddle.crop(x, [1, 2, 2], [0, 1, 2]), X),
    "shape": (lambda x: paddle.shape(x), X),
    "is_empty": (paddle.is_empty, X),
    "block_diag": (lambda x, y: paddle.block_diag([x, y]), f(2, 3), f(1, 2)),
    "cartesian_prod": (lambda x, y: paddle.cartesian_prod([x, y]), f(3), f(2)),
    "combinations": (lambda x: paddle.combinations(x, 2), f(4)),
    "unflatten": (lambda x: paddle.unflatten(x, 2, [2, 2]), X),
    "cast_int32": (lambda x: paddle.cast(x, "int32"), X * 4),
    "cast_bool": (lambda x: paddle.cast(x, "bool"), K),
    "cast_uint8": (lambda x: paddle.cast(x, "uint8"), L),
    "cast_float16": (lambda x: paddle.cast(paddle.cast(x, "float16"), "float32"), X),
    "cast_bfloat16": (lambda x: paddle.cast(paddle.cast(x, "bfloat16"), "float32"), X),
    "cast_float64": (lambda x: paddle.cast(x, "float64"), X),
    "assign": (paddle.assign, X),
    "clone": (paddle.clone, X),
    "shard_index": (lambda x: paddle.shard_index(x, 20, 2, 0), i(20, 4, 1)),
    "pixel_shuffle": (lambda x: F.pixel_shuffle(x, 2), PICTURE),
    "pixel_unshuffle": (lambda x: F.pixel_unshuffle(x, 2), PICTURE),
    "channel_shuffle": (lambda x: F.channel_shuffle(x, 2), PICTURE),
    "temporal_shift": (lambda x: F.temporal_shift(x, 2, 0.25), PICTURE),
}

OF_PICKS: dict[str, Row] = {
    "gather": (paddle.gather, X, np.array([1, 0, 1])),
    "gather_axis": (lambda x, k: paddle.gather(x, k, axis=2), X, np.array([3, 0], "int32")),
    "gather_nd": (paddle.gather_nd, X, np.array([[0, 1], [1, 2]])),
    "index_select": (lambda x, k: paddle.index_select(x, k, 1), X, np.array([2, 0])),
    "index_sample": (paddle.index_sample, f(3, 5), i(5, 3, 2)),
    "index_add": (lambda x, k, v: paddle.index_add(x, k, 0, v), f(4, 3), np.array([1, 3]), f(2, 3)),
    "index_fill": (lambda x, k: paddle.index_fill(x, k, 1, 2.5), X, np.array([0, 2])),
    "index_put": (lambda x, k, v: paddle.index_put(x, (k,), v), f(4, 3), np.array([1, 3]), f(2, 3)),
    "index_put_add": (
        lambda x, k, v: paddle.index_put(x, (k,), v, accumulate=True),
        f(4, 3),
        np.array([1, 1]),
        f(2, 3),
    ),
    "take": (lambda x, k: paddle.take(x, k), X, np.array([[0, 5], [23, 7]])),
    "take_along_axis": (lambda x, k: paddle.take_along_axis(x, k, 1), f(3, 5), i(5, 3, 2)),
    "put_along_axis": (
        lambda x, k, v: paddle.put_along_axis(x, k, v, 1),
        f(3, 5),
        np.array([[0, 1], [2, 3], [4, 0]]),
        f(3, 2),
    ),
    "put_along_axis_add": (
        lambda x, k, v: paddle.put_along_axis(x, k, v, 1, reduce="add"),
        f(3, 5),
        i(5, 3, 2),
        f(3, 2),
    ),
    "scatter": (paddle.scatter, f(5, 3), np.array([3, 1]), f(2, 3)),
    "scatter_add": (
        lambda x, k, v: paddle.scatter(x, k, v, overwrite=False),
        f(5, 3),
        np.array([3, 3, 1]),
        f(3, 3),
    ),
    "scatter_nd": (lambda k, v: paddle.scatter_nd(k, v, [5, 3]), np.array([[3], [1]]), f(2, 3)),
    "scatter_nd_add": (paddle.scatter_nd_add, f(5, 3), np.array([[3], [3]]), f(2, 3)),
    "masked_select": (paddle.masked_select, X, X > 0),
    "masked_fill": (lambda x, m: paddle.masked_fill(x, m, 2.0), X, X > 0),
    "masked_scatter": (paddle.masked_scatter, X, X > 0, f(24)),
    "where": (paddle.where, X > 0, X, Y),
    "where_scalar": (lambda c, x: paddle.where(c, x, 0.0), X > 0, X),
    "where_index": (lambda x: paddle.where(x > 0), X),
    "nonzero": (paddle.nonzero, X > 0),
    "nonzero_tuple": (lambda x: paddle.nonzero(x, as_tuple=True), X > 0),
    "topk": (lambda x: paddle.topk(x, 2), X),
    "topk_axis": (lambda x: paddle.topk(x, 2, axis=1, largest=False), X),
    "topk_tensor": (lambda x, k: paddle.topk(x, k), X, np.array([3], "int32")),
    "sort": (lambda x: paddle.sort(x, 1, descending=True), X),
    "argsort": (lambda x: paddle.argsort(x, 1), X),
    "argsort_down": (lambda x: paddle.argsort(x, descending=True), X),
    "kthvalue": (lambda x: paddle.kthvalue(x, 2, 1), X),
    "mode": (paddle.mode, K),
    "unique": (paddle.unique, i(5, 9)),
    "unique_all": (lambda x: paddle.unique(x, True, True, True), i(5, 9)),
    "unique_consecutive": (
        lambda x: paddle.unique_consecutive(x, True, True),
        np.array([1, 1, 2, 3, 3, 1]),
    ),
    "embedding": (lambda k, w: F.embedding(k, w), i(7, 2, 3), f(7, 4)),
    "embedding_padding": (lambda k, w: F.embedding(k, w, padding_idx=0), i(3, 2, 3), f(7, 4)),
    "one_hot": (lambda k: F.one_hot(k, 5), i(5, 2, 3)),
    "sequence_mask": (lambda n: F.sequence_mask(n, 6), i(6, 4)),
    "sequence_mask_longest": (lambda n: F.sequence_mask(n), np.array([2, 5, 1])),
    "diagonal_scatter": (paddle.diagonal_scatter, f(3, 4), f(3)),
    "select_scatter": (lambda x, v: paddle.select_scatter(x, v, 1, 2), X, f(2, 4)),
    "slice_scatter": (lambda x, v: paddle.slice_scatter(x, v, [1], [0], [2], [1]), X, f(2, 2, 4)),
    "index_row": (lambda x: x[:, 1], X),
    "index_list": (lambda x: x[:, [0, 2]], X),
    "index_two": (lambda x, k: x[k, :, k], X, np.array([0, 1])),
    "index_mask": (lambda x: x[x > 0], X),
    "index_negative": (lambda x: x[-1, ..., -2:], X),
    "index_new": (lambda x: x[:, None, :, 0], X),
    "multinomial_sure": (
        lambda x: paddle.multinomial(x, 3, replacement=True),
        np.array([[0, 1, 0], [0, 0, 1]], "float32"),
    ),
}

OF_LINES: dict[str, Row] = {
    "matmul": (paddle.matmul, f(2, 3, 4), f(2, 4, 5)),
    "matmul_t": (lambda x, y: paddle.matmul(x, y, True, True), f(4, 3), f(5, 4)),
    "matmul_broadcast": (paddle.matmul, f(2, 3, 4), f(4, 5)),
    "matmul_vector": (paddle.matmul, f(2, 3, 4), f(4)),
    "matmul_vectors": (paddle.matmul, f(4), f(4, seed=1)),
    "mm": (paddle.mm, f(3, 4), f(4, 2)),
    "bmm": (paddle.bmm, f(2, 3, 4), f(2, 4, 5)),
    "mv": (paddle.mv, f(3, 4), f(4)),
    "dot": (paddle.dot, f(3, 4), f(3, 4, seed=1)),
    "inner": (paddle.inner, f(3, 4), f(5, 4)),
    "outer": (paddle.outer, f(3), f(4)),
    "kron": (paddle.kron, f(2, 3), f(3, 2)),
    "cross": (lambda x, y: paddle.cross(x, y, 1), X, Y),
    "einsum": (lambda x, y: paddle.einsum("bij,bkj->bik", x, y), X, Y),
    "tensordot": (lambda x, y: paddle.tensordot(x, y, 2), f(2, 3, 4), f(3, 4, 5)),
    "multi_dot": (lambda x, y, z: paddle.linalg.multi_dot([x, y, z]), f(2, 3), f(3, 4), f(4, 2)),
    "trace": (paddle.trace, f(3, 4)),
    "diag": (paddle.diag, f(4)),
    "diag_of": (lambda x: paddle.diag(x, 1), f(3, 4)),
    "diagonal": (lambda x: paddle.diagonal(x, 0, 1, 2), X),
    "diagflat": (paddle.diagflat, f(3)),
    "diag_embed": (paddle.diag_embed, f(2, 3)),
    "tril": (paddle.tril, f(4, 5)),
    "triu": (lambda x: paddle.triu(x, 1), f(4, 5)),
    "det": (paddle.linalg.det, SQUARE),
    "slogdet": (paddle.linalg.slogdet, SQUARE),
    "inverse": (paddle.inverse, SQUARE),
    "cholesky": (paddle.linalg.cholesky, SQUARE),
    "cholesky_solve": (paddle.linalg.cholesky_solve, f(3, 2), np.tril(SQUARE)),
    "solve": (paddle.linalg.solve, SQUARE, f(3, 2)),
    "triangular_solve": (
        lambda x, y: paddle.linalg.triangular_solve(x, y, upper=False),
        np.tril(SQUARE),
        f(3, 2),
    ),
    "matrix_power": (lambda x: paddle.linalg.matrix_power(x, 3), M),
    "matrix_rank": (paddle.linalg.matrix_rank, SQUARE),
    "pinv": (paddle.linalg.pinv, f(4, 3)),
    "svdvals": (paddle.linalg.svdvals, f(4, 3)),
    "eigvalsh": (paddle.linalg.eigvalsh, SQUARE),
    "qr_r": (lambda x: paddle.abs(paddle.linalg.qr(x)[1]), f(4, 3)),
    "lu": (lambda x: paddle.linalg.lu(x)[0], SQUARE),
    "cdist": (paddle.cdist, f(3, 4), f(5, 4)),
    "cov": (paddle.linalg.cov, f(3, 6)),
    "corrcoef": (paddle.linalg.corrcoef, f(3, 6)),
    "bilinear": (F.bilinear, f(2, 3), f(2, 4), f(5, 3, 4)),
    "linear": (F.linear, f(2, 3), f(3, 4), f(4)),
    "cosine_similarity": (F.cosine_similarity, f(2, 3), f(2, 3, seed=1)),
    "pairwise_distance": (F.pairwise_distance, f(2, 3), f(2, 3, seed=1)),
    "householder_product": (paddle.linalg.householder_product, f(4, 3), f(3)),
    "fft_r2c": (lambda x: paddle.abs(paddle.fft.rfft(x)), f(2, 8)),
    "fft_c2c": (lambda x: paddle.real(paddle.fft.fft(x.astype("complex64"))), f(2, 8)),
    "fft_c2r": (lambda x: paddle.fft.irfft(paddle.fft.rfft(x)), f(2, 8)),
    "stft": (lambda x: paddle.abs(paddle.signal.stft(x, 8, 4)), f(2, 32)),
    "as_complex": (lambda x: paddle.as_real(paddle.as_complex(x) * paddle.as_complex(x)), f(3, 2)),
    "frame": (lambda x: paddle.signal.frame(x, 4, 2), f(2, 10)),
    "overlap_add": (lambda x: paddle.signal.overlap_add(x, 2), f(2, 4, 5)),
}

MADE: dict[str, Row] = {
    "zeros_like": (paddle.zeros_like, X),
    "ones_like": (paddle.ones_like, K),
    "full_like": (lambda x: paddle.full_like(x, 2.5), X),
    "full_like_int": (lambda x: paddle.full_like(x, 2, dtype="int64"), X),
    "full_tensor": (lambda v: paddle.full([2, 3], v), np.float32(1.5)),
    "full_shape": (lambda s: paddle.full(s, 1.5), np.array([2, 3], "int32")),
    "full_dims": (lambda n: paddle.full([2, n], 1.5), np.array(3)),
    "zeros_dims": (lambda n: paddle.zeros([n, 2], "int64"), np.array(3)),
    "arange": (lambda n: paddle.arange(n), np.array(5)),
    "arange_step": (lambda a, z: paddle.arange(a, z, 2), np.array(1), np.array(8)),
    "arange_float": (lambda z: paddle.arange(0.0, z, 0.5), np.float32(2)),
    "linspace": (lambda z: paddle.linspace(0.0, z, 5), np.float32(2)),
    "logspace": (lambda z: paddle.logspace(0.0, z, 4), np.float32(2)),
    "eye": (lambda x: x + paddle.eye(3, 4), f(3, 4)),
    "meshgrid": (lambda x, y: paddle.meshgrid(x, y), f(3), f(2)),
    "tril_indices": (lambda x: paddle.tril_indices(3, 3, 0) * x, i(4, 1)),
    "triu_indices": (lambda x: paddle.triu_indices(3, 3, 0) * x, i(4, 1)),
    "to_tensor": (lambda x: x + paddle.to_tensor([1.5, 2, 3, 4]), X),
    "to_tensor_int": (lambda x: x + paddle.to_tensor([[1], [2], [3]]), K),
    "to_tensor_wide": (lambda x: x + paddle.to_tensor([2**31 + 1]), K),
    "empty_like": (lambda x: paddle.empty_like(x) * 0 == 0, K),
    "rand": (lambda x: (paddle.rand([3, 4]) >= 0) & (x < 9), X),
    "uniform": (lambda x: paddle.uniform([2, 3], min=3.0, max=3.0) + x, f(3)),
    "randn": (lambda x: (paddle.randn([3, 4]).abs() >= 0) & (x < 9), X),
    "randint": (lambda x: paddle.randint(4, 5, [3]) + x, i(4, 1)),
    "randperm": (lambda x: paddle.sort(paddle.randperm(5)) + x, i(4, 1)),
    "bernoulli": (paddle.bernoulli, (X > 0).astype("float32")),
    "gaussian": (lambda x: paddle.normal(3.0, 0.0, [2, 3]) + x, f(3)),
    "poisson": (lambda x: paddle.poisson(x * 0), X),
    "complex_abs": (lambda x, y: paddle.abs(paddle.complex(x, y)), X, Y),
    "polar_real": (lambda x, y: paddle.real(paddle.polar(x, y)), P, X),
}

OF_NETWORKS: dict[str, Row] = {
    "f_celu2": (lambda x: F.celu(x, 0.7), X),
    "f_elu2": (lambda x: F.elu(x, 0.7), X),
    "f_gelu_tanh": (lambda x: F.gelu(x, True), X),
    "f_hardshrink2": (lambda x: F.hardshrink(x, 1.0), X),
    "f_hardsigmoid2": (lambda x: F.hardsigmoid(x, 0.2, 0.4), X),
    "f_hardtanh2": (lambda x: F.hardtanh(x, -0.5, 0.7), X),
    "f_leaky_relu2": (lambda x: F.leaky_relu(x, 0.3), X),
    "f_softplus2": (lambda x: F.softplus(x, 2.0, 1.5), X),
    "f_softshrink2": (lambda x: F.softshrink(x, 0.7), X),
    "f_thresholded_relu2": (lambda x: F.thresholded_relu(x, 0.7, 0.1), X),
    "f_log_softmax2": (lambda x: F.log_softmax(x, 1), X),
    "f_softmax2": (lambda x: F.softmax(x, 1), X),
    "f_softmax_double": (lambda x: F.softmax(x, -1, dtype="float64"), X),
    "f_maxout": (lambda x: F.maxout(x, 2), PICTURE),
    "f_prelu": (lambda x, w: F.prelu(x, w), PICTURE, f(4)),
    "f_prelu_all": (lambda x, w: F.prelu(x, w), PICTURE, f(1)),
    "f_rrelu": (lambda x: F.rrelu(x, 0.1, 0.3, training=False), X),
    "f_glu": (lambda x: F.glu(x), X),
    "f_swiglu": (lambda x: paddle.incubate.nn.functional.swiglu(x), X),
    "f_gumbel_argmax": (lambda x: F.gumbel_softmax(x, hard=True).sum(-1), X),
    "f_dropout": (lambda x: F.dropout(x, 0.3, training=False) * 2, X),
    "f_dropout_down": (lambda x: F.dropout(x, 0.3, training=False, mode="downscale_in_infer"), X),
    "f_alpha_dropout": (lambda x: F.alpha_dropout(x, 0.3, training=False) * 2, X),
    "f_label_smooth": (lambda x: F.label_smooth(x), P),
    "f_normalize2": (lambda x: F.normalize(x, 1.0, 2), X),
    "f_layer_norm": (lambda x, w, c: F.layer_norm(x, 4, w, c), X, f(4), f(4, seed=1)),
    "f_layer_norm_plain": (lambda x: F.layer_norm(x, [3, 4]), X),
    "f_group_norm": (lambda x, w, c: F.group_norm(x, 2, 1e-5, w, c), PICTURE, f(4), f(4, seed=1)),
    "f_instance_norm": (lambda x: F.instance_norm(x), PICTURE),
    "f_batch_norm": (
        lambda x, m, v, w, c: F.batch_norm(x, m, v, w, c),
        PICTURE,
        f(4),
        f(4, low=0.5),
        f(4, seed=1),
        f(4, seed=2),
    ),
    "f_local_response_norm": (lambda x: F.local_response_norm(x, 3), PICTURE),
    "f_attention": (
        lambda q, k, v: F.scaled_dot_product_attention(q, k, v),
        f(1, 5, 2, 4),
        f(1, 6, 2, 4),
        f(1, 6, 2, 4, seed=1),
    ),
    "f_attention_causal": (
        lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True, training=False),
        f(1, 5, 2, 4),
        f(1, 5, 2, 4, seed=2),
        f(1, 5, 2, 4, seed=1),
    ),
    "f_attention_mask": (
        lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, m, training=False),
        f(1, 5, 2, 4),
        f(1, 5, 2, 4, seed=2),
        f(1, 5, 2, 4, seed=1),
        f(1, 1, 5, 5),
    ),
    "f_softmax_mask": (
        lambda x, m: paddle.incubate.softmax_mask_fuse(x, m),
        f(1, 2, 8, 32),
        f(1, 1, 8, 32),
    ),
    "f_conv1d": (lambda x, w, c: F.conv1d(x, w, c, 1, 1), f(2, 3, 7), f(4, 3, 3), f(4)),
    "f_conv2d": (lambda x, w, c: F.conv2d(x, w, c, 2, 1), PICTURE, f(4, 4, 3, 3), f(4)),
    "f_conv2d_groups": (lambda x, w: F.conv2d(x, w, groups=2), PICTURE, f(6, 2, 3, 3)),
    "f_conv2d_depthwise": (
        lambda x, w: F.conv2d(x, w, padding=1, groups=4),
        PICTURE,
        f(4, 1, 3, 3),
    ),
    "f_conv2d_valid": (lambda x, w: F.conv2d(x, w, padding="VALID"), PICTURE, f(2, 4, 3, 3)),
    "f_conv2d_same": (
        lambda x, w: F.conv2d(x, w, stride=2, padding="SAME"),
        PICTURE,
        f(2, 4, 3, 3),
    ),
    "f_conv2d_sides": (lambda x, w: F.conv2d(x, w, padding=[1, 0, 2, 1]), PICTURE, f(2, 4, 3, 3)),
    "f_conv2d_nhwc": (
        lambda x, w: F.conv2d(x, w, data_format="NHWC"),
        f(1, 5, 6, 3),
        f(2, 3, 3, 3),
    ),
    "f_conv3d": (lambda x, w: F.conv3d(x, w, padding=1), f(1, 2, 3, 4, 5), f(3, 2, 3, 3, 3)),
    "f_conv1d_transpose": (lambda x, w: F.conv1d_transpose(x, w, stride=2), f(1, 3, 5), f(3, 2, 3)),
    "f_conv2d_transpose": (
        lambda x, w: F.conv2d_transpose(x, w, stride=2, padding=1),
        PICTURE,
        f(4, 3, 3, 3),
    ),
    "f_conv2d_transpose_size": (
        lambda x, w: F.conv2d_transpose(x, w, stride=2, padding=1, output_size=[12, 12]),
        PICTURE,
        f(4, 3, 3, 3),
    ),
    "f_conv2d_transpose_groups": (
        lambda x, w: F.conv2d_transpose(x, w, stride=2, groups=2),
        PICTURE,
        f(4, 3, 3, 3),
    ),
    "f_conv2d_transpose_depthwise": (
        lambda x, w: F.conv2d_transpose(x, w, stride=2, groups=4),
        PICTURE,
        f(4, 1, 3, 3),
    ),
    "f_conv3d_transpose": (
        lambda x, w: F.conv3d_transpose(x, w, stride=2),
        f(1, 2, 3, 3, 3),
        f(2, 2, 2, 2, 2),
    ),
    "f_unfold": (lambda x: F.unfold(x, 3, 2, 1), PICTURE),
    "f_fold": (lambda x: F.fold(x, [4, 5], 2), f(2, 12, 12)),
    "f_sequence_conv_free": (lambda x: F.pad(x, [1, 1], data_format="NLC"), f(2, 3, 4)),
    "f_ctc_free": (lambda x: F.npair_loss(x, x, paddle.arange(3).astype("float32")), f(3, 4)),
}

LOSSES: dict[str, Row] = {
    "l_mse": (F.mse_loss, X, Y),
    "l_l1": (F.l1_loss, X, Y),
    "l_smooth_l1": (F.smooth_l1_loss, X, Y),
    "l_cross_entropy": (F.cross_entropy, f(4, 5), i(5, 4)),
    "l_cross_entropy_soft": (
        lambda x, y: F.cross_entropy(x, y, soft_label=True),
        f(4, 5),
        f(4, 5, low=0),
    ),
    "l_softmax_ce": (lambda x, y: F.softmax_with_cross_entropy(x, y), f(4, 5), i(5, 4, 1)),
    "l_nll": (F.nll_loss, f(4, 5), i(5, 4)),
    "l_bce": (F.binary_cross_entropy, f(4, low=0.1, high=0.9), f(4, low=0, high=1, seed=1)),
    "l_bce_logits": (F.binary_cross_entropy_with_logits, X, (Y > 0).astype("float32")),
    "l_kl": (F.kl_div, X, P),
    "l_log": (F.log_loss, f(4, 1, low=0.1, high=0.9), f(4, 1, low=0, high=1)),
    "l_hinge": (F.hinge_embedding_loss, X, np.sign(Y)),
    "l_margin": (F.margin_ranking_loss, X, Y, np.sign(X)),
    "l_square": (F.square_error_cost, X, Y),
    "l_sigmoid_focal": (F.sigmoid_focal_loss, f(4, 1), i(2, 4, 1).astype("float32")),
    "l_dice": (F.dice_loss, f(2, 3, 4, low=0.1, high=0.9), i(4, 2, 3, 1)),
    "l_triplet": (F.triplet_margin_loss, f(2, 3), f(2, 3, seed=1), f(2, 3, seed=2)),
    "l_poisson": (F.poisson_nll_loss, X, P),
    "l_gaussian": (F.gaussian_nll_loss, X, Y, P),
    "l_cosine": (F.cosine_embedding_loss, f(2, 3), f(2, 3, seed=1), np.array([1, -1])),
    "l_multilabel": (F.multi_label_soft_margin_loss, f(2, 3), i(2, 2, 3).astype("float32")),
    "l_soft_margin": (F.soft_margin_loss, X, np.sign(Y)),
}


def _resize(mode: str, **more: Any) -> Callable[[Any], Any]:
    return lambda x: F.interpolate(x, mode=mode, **more)


OF_PICTURES: dict[str, Row] = {
    "p_max_pool1d": (lambda x: F.max_pool1d(x, 2), f(1, 3, 8)),
    "p_max_pool2d": (lambda x: F.max_pool2d(x, 3, 2, 1), PICTURE),
    "p_max_pool2d_mask": (lambda x: F.max_pool2d(x, 2, return_mask=True), PICTURE),
    "p_max_pool2d_ceil": (lambda x: F.max_pool2d(x, 3, 2, ceil_mode=True), PICTURE),
    "p_max_pool3d": (lambda x: F.max_pool3d(x, 2), f(1, 2, 4, 4, 4)),
    "p_avg_pool1d": (lambda x: F.avg_pool1d(x, 2), f(1, 3, 8)),
    "p_avg_pool2d": (lambda x: F.avg_pool2d(x, 3, 2, 1), PICTURE),
    "p_avg_pool2d_inclusive": (lambda x: F.avg_pool2d(x, 3, 2, 1, exclusive=False), PICTURE),
    "p_avg_pool3d": (lambda x: F.avg_pool3d(x, 2), f(1, 2, 4, 4, 4)),
    "p_adaptive_avg1d": (lambda x: F.adaptive_avg_pool1d(x, 3), f(1, 3, 8)),
    "p_adaptive_avg2d": (lambda x: F.adaptive_avg_pool2d(x, [4, 3]), PICTURE),
    "p_adaptive_avg3d": (lambda x: F.adaptive_avg_pool3d(x, 2), f(1, 2, 4, 5, 4)),
    "p_adaptive_max1d": (lambda x: F.adaptive_max_pool1d(x, 3), f(1, 3, 8)),
    "p_adaptive_max2d": (lambda x: F.adaptive_max_pool2d(x, 3), PICTURE),
    "p_adaptive_max2d_mask": (lambda x: F.adaptive_max_pool2d(x, 3, return_mask=True), PICTURE),
    "p_adaptive_max3d": (lambda x: F.adaptive_max_pool3d(x, 2), f(1, 2, 4, 5, 4)),
    "p_lp_pool1d": (lambda x: F.lp_pool1d(x, 2.0, 2), f(1, 3, 8)),
    "p_lp_pool2d": (lambda x: F.lp_pool2d(x, 3.0, 2), np.abs(PICTURE)),
    "p_unpool2d": (lambda x: F.max_unpool2d(*F.max_pool2d(x, 2, return_mask=True), 2), PICTURE),
    "p_global_pool": (lambda x: F.adaptive_avg_pool2d(x, 1), PICTURE),
    "p_fractional_pool": (lambda x: F.fractional_max_pool2d(x, 3, random_u=0.3), PICTURE),
    "p_nearest": (_resize("nearest", scale_factor=2), PICTURE),
    "p_nearest_size": (_resize("nearest", size=[4, 9]), PICTURE),
    "p_nearest_corners": (_resize("nearest", size=[4, 9], align_corners=False), PICTURE),
    "p_bilinear": (_resize("bilinear", scale_factor=1.7), PICTURE),
    "p_bilinear_corners": (_resize("bilinear", size=[4, 9], align_corners=True), PICTURE),
    "p_bilinear_mode1": (_resize("bilinear", size=[4, 9], align_mode=1), PICTURE),
    "p_bicubic": (_resize("bicubic", size=[4, 9]), PICTURE),
    "p_bicubic_corners": (_resize("bicubic", size=[9, 4], align_corners=True), PICTURE),
    "p_linear": (_resize("linear", size=[9], data_format="NCW"), f(1, 3, 5)),
    "p_trilinear": (_resize("trilinear", size=[3, 5, 6], data_format="NCDHW"), f(1, 2, 2, 4, 4)),
    "p_area": (_resize("area", size=[3, 4]), PICTURE),
    "p_bilinear_nhwc": (_resize("bilinear", size=[4, 9], data_format="NHWC"), PICTURE),
    "p_bilinear_tensor": (
        lambda x, s: F.interpolate(x, s, mode="bilinear"),
        PICTURE,
        np.array([4, 9], "int32"),
    ),
    "p_bilinear_list": (
        lambda x, h: F.interpolate(x, [h, 5], mode="bilinear"),
        PICTURE,
        np.array([7], "int32"),
    ),
    "p_scale_tensor": (lambda x, s: F.interpolate(x, scale_factor=s), PICTURE, f(2, low=2, high=2)),
    "p_pad": (lambda x: F.pad(x, [1, 2, 0, 1], value=0.5), PICTURE),
    "p_pad_reflect": (lambda x: F.pad(x, [1, 2, 0, 1], "reflect"), PICTURE),
    "p_pad_replicate": (lambda x: F.pad(x, [1, 2, 0, 1], "replicate"), PICTURE),
    "p_pad_circular": (lambda x: F.pad(x, [1, 2, 0, 1], "circular"), PICTURE),
    "p_pad_all": (lambda x: F.pad(x, [0, 0, 1, 2, 0, 1], value=2.0), X),
    "p_pad_nhwc": (lambda x: F.pad(x, [1, 2, 0, 1], data_format="NHWC"), PICTURE),
    "p_pad_tensor": (lambda x, p: F.pad(x, p), PICTURE, np.array([1, 0, 2, 1], "int32")),
    "p_pad3d": (lambda x: F.pad(x, [1, 0, 2, 1, 0, 1], data_format="NCDHW"), f(1, 2, 2, 3, 4)),
    "p_pad1d": (lambda x: F.pad(x, [1, 2], "replicate", data_format="NCL"), X),
    "p_grid_sample": (lambda x, g: F.grid_sample(x, g), PICTURE, f(2, 3, 4, 2) * 0.6),
    "p_grid_border": (
        lambda x, g: F.grid_sample(x, g, padding_mode="border", align_corners=False),
        PICTURE,
        f(2, 3, 4, 2),
    ),
    "p_grid_reflection": (
        lambda x, g: F.grid_sample(x, g, padding_mode="reflection"),
        PICTURE,
        f(2, 3, 4, 2),
    ),
    "p_grid_nearest": (lambda x, g: F.grid_sample(x, g, "nearest"), PICTURE, f(2, 3, 4, 2) * 0.6),
    "p_affine_grid": (lambda t: F.affine_grid(t, [2, 3, 4, 5]), f(2, 2, 3)),
    "p_affine_grid_plain": (
        lambda t: F.affine_grid(t, [2, 3, 4, 5], align_corners=False),
        f(2, 2, 3),
    ),
    "v_nms": (lambda x: paddle.vision.ops.nms(x, 0.3), BOXES),
    "v_nms_scores": (lambda x, s: paddle.vision.ops.nms(x, 0.3, s), BOXES, f(6)),
    "v_nms_classes": (
        lambda x, s, k: paddle.vision.ops.nms(x, 0.3, s, k, [0, 1], 4),
        BOXES,
        f(6),
        i(2, 6),
    ),
    "v_roi_align": (
        lambda x, r: paddle.vision.ops.roi_align(x, r, paddle.full([1], 6, "int32"), 2),
        f(1, 2, 8, 8),
        BOXES,
    ),
    "v_roi_pool": (
        lambda x, r: paddle.vision.ops.roi_pool(x, r, paddle.full([1], 6, "int32"), 2),
        f(1, 2, 8, 8),
        BOXES,
    ),
    "v_psroi_pool": (
        lambda x, r: paddle.vision.ops.psroi_pool(x, r, paddle.full([1], 6, "int32"), 2),
        f(1, 8, 8, 8),
        BOXES,
    ),
    "v_deform_conv": (
        lambda x, o, w: paddle.vision.ops.deform_conv2d(x, o, w, padding=1),
        PICTURE,
        f(2, 18, 6, 6),
        f(3, 4, 3, 3),
    ),
    "v_deform_conv_mask": (
        lambda x, o, w, m: paddle.vision.ops.deform_conv2d(x, o, w, padding=1, mask=m),
        PICTURE,
        f(2, 18, 6, 6),
        f(3, 4, 3, 3),
        f(2, 9, 6, 6, low=0),
    ),
    "v_yolo_box": (
        lambda x, s: paddle.vision.ops.yolo_box(x, s, [10, 13, 16, 30], 2, 0.01, 32),
        f(1, 14, 3, 3),
        np.array([[64, 48]], "int32"),
    ),
    "v_prior_box": (
        lambda x, y: paddle.vision.ops.prior_box(x, y, [8.0], [16.0], [1.0, 2.0], flip=True),
        f(1, 3, 4, 4),
        f(1, 3, 32, 32),
    ),
    "v_box_coder": (
        lambda p, t: paddle.vision.ops.box_coder(
            p, [0.1, 0.1, 0.2, 0.2], t, "decode_center_size", axis=0
        ),
        BOXES,
        f(6, 6, 4),
    ),
    "v_matrix_nms": (
        lambda x, s: paddle.vision.ops.matrix_nms(
            x, s, 0.05, 0.05, 10, 5, background_label=-1, return_index=True
        ),
        BOXES[None],
        f(1, 2, 6, low=0, high=1),
    ),
    "v_distribute": (
        lambda x: paddle.vision.ops.distribute_fpn_proposals(
            x, 2, 4, 3, 16, rois_num=paddle.full([1], 6, "int32")
        ),
        BOXES * 6,
    ),
    "v_generate_proposals": (
        lambda s, d, m, a, v: paddle.vision.ops.generate_proposals(
            s, d, m, a, v, pre_nms_top_n=12, post_nms_top_n=5, return_rois_num=True
        ),
        f(1, 3, 2, 2, low=0, high=1),
        f(1, 12, 2, 2) * 0.1,
        np.array([[16, 16]], "float32"),
        np.tile(BOXES[:3], (4, 1)).reshape(2, 2, 3, 4),
        np.ones([2, 2, 3, 4], "float32"),
    ),
}

for _name, (_function, *_inputs) in rows().items():
    _tol = 5e-3 if _name == "cast_bfloat16" else 1e-4  # computed in float32
    add_function("fn_" + _name, _function, *_inputs, fixed=_name in FIXED, tol=_tol)
