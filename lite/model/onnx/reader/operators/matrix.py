"""Products of matrices and what is normalised over rows."""

from __future__ import annotations

from lite.model.onnx.reader.blocks import product_of_blocks
from lite.model.onnx.reader.builder import FLOATS, Builder
from lite.model.onnx.reader.operators.arithmetic import arithmetic
from lite.model.onnx.reader.rounding import keep_integers, moved_into_bytes
from lite.model.onnx.reader.translate import Call, adapter
from lite.model.onnx.reader.values import CannotRead, Tensor
from lite.model.program import DataType


@adapter
def matmul(b: Builder, call: Call, A: Tensor, B: Tensor) -> Tensor:
    """numpy's matmul."""
    if A.dtype in FLOATS:
        return _product(b, A, B)
    exact = DataType.FP64
    return b.cast(_product(b, b.cast(A, exact), b.cast(B, exact)), A.dtype)


def _product(b: Builder, x: Tensor, y: Tensor) -> Tensor:
    kept = product_of_blocks(b, x, y)
    if kept is not None:
        return kept
    moved = moved_into_bytes(x, y, -1)
    if moved is not None:
        rows = b.reduce("sum", x, [-1], True)
        lacks = b.binary("elementwise_mul", rows, b.constant(moved[1]))
        return b.binary("elementwise_add", _product(b, x, moved[0]), lacks)
    made = b.emit("matmul_v2", {"X": x, "Y": y})
    keep_integers(b, made, y, -1)
    if made.shape is None and x.shape is not None and y.shape is not None:
        ranks = x.rank, y.rank
        made.shape = (None,) * (max(*ranks, 2) - ranks.count(1))
    return made


@adapter
def gemm(
    b: Builder,
    call: Call,
    A: Tensor,
    B: Tensor,
    C: Tensor | None,
    alpha: float,
    beta: float,
    transA: int,
    transB: int,
    broadcast: int = 0,
) -> Tensor:
    """alpha A B + beta C."""
    if A.dtype not in FLOATS:
        x, y = b.cast(A, DataType.FP64), b.cast(B, DataType.FP64)
        z = None if C is None else b.cast(C, DataType.FP64)
        return b.cast(gemm(b, call, x, y, z, alpha, beta, transA, transB), A.dtype)
    kept = product_of_blocks(b, A, B, turned=True) if transB and not transA else None
    if B.array is not None and transB and kept is None:
        B, transB = b.turned(B), 0
    if kept is not None:
        made = kept
    elif transA or transB:
        attrs = {"trans_x": bool(transA), "trans_y": bool(transB)}
        made = b.emit("matmul_v2", {"X": A, "Y": B}, **attrs)
    else:
        made = _product(b, A, B)
    if alpha != 1:
        made = b.emit("scale", {"X": made}, scale=alpha)
    if C is None or beta == 0:
        return made
    if beta != 1:
        C = b.emit("scale", {"X": C}, scale=beta)
    return arithmetic(b, "elementwise_add", made, C)


@adapter
def layer_norm(
    b: Builder,
    call: Call,
    X: Tensor,
    Scale: Tensor,
    B: Tensor | None,
    axis: int,
    epsilon: float,
    stash_type: int,
) -> list[Tensor | None]:
    """Normalisation over the last axes; the mean and 1 / deviation beside it."""
    rank = X.rank
    axis = axis + rank if axis < 0 else axis
    whole = axis == rank - Scale.rank and axis > 0  # the kernel keeps an axis of rows
    flat = whole and Scale.array is not None and Scale.array.size > 1
    if flat and not any(map(call.wants, (1, 2))) and X.dtype is DataType.FP32:
        inputs = {"X": X, "Scale": b.flat(Scale), "Bias": None if B is None else b.flat(B)}
        attrs = {"begin_norm_axis": axis, "epsilon": epsilon}
        return [b.emit("layer_norm", inputs, out="Y", **attrs)]
    axes = list(range(axis, rank))
    mean = b.reduce("mean", X, axes, True)
    centred = b.binary("elementwise_sub", X, mean)
    variance = b.reduce("mean", b.emit("square", {"X": centred}), axes, True)
    scale = b.emit("rsqrt", {"X": b.binary("elementwise_add", variance, b.like(epsilon, variance))})
    made = b.binary("elementwise_mul", b.binary("elementwise_mul", centred, scale), Scale)
    made = made if B is None else b.binary("elementwise_add", made, B)
    made.shape = X.shape
    return [made, mean, scale]


@adapter
def rms_norm(
    b: Builder, call: Call, X: Tensor, scale: Tensor, axis: int, epsilon: float, stash_type: int
) -> Tensor:
    """Division by the root of the mean of squares."""
    axes = list(range(axis % X.rank, X.rank))
    mean = b.reduce("mean", b.emit("square", {"X": X}), axes, True)
    root = b.emit("rsqrt", {"X": b.binary("elementwise_add", mean, b.like(epsilon, mean))})
    made = b.binary("elementwise_mul", b.binary("elementwise_mul", X, root), scale)
    made.shape = X.shape
    return made


@adapter
def instance_norm(
    b: Builder, call: Call, input: Tensor, scale: Tensor, B: Tensor, epsilon: float
) -> Tensor:
    """Each channel of each sample by its own statistics."""
    axes = list(range(2, input.rank))
    return _normalised(b, input, axes, scale, B, epsilon, [1, -1, *[1] * len(axes)])


def _normalised(
    b: Builder,
    x: Tensor,
    axes: list[int],
    scale: Tensor,
    bias: Tensor,
    epsilon: float,
    dims: list[int],
) -> Tensor:
    if x.dtype is DataType.FP32 and x.rank == 4:
        inputs = {"X": x, "Scale": scale, "Bias": bias}
        return b.emit("instance_norm", inputs, out="Y", epsilon=epsilon)
    mean = b.reduce("mean", x, axes, True)
    centred = b.binary("elementwise_sub", x, mean)
    variance = b.reduce("mean", b.emit("square", {"X": centred}), axes, True)
    root = b.emit("rsqrt", {"X": b.binary("elementwise_add", variance, b.like(epsilon, x))})
    made = b.binary("elementwise_mul", centred, root)
    made = b.binary("elementwise_mul", made, b.reshape(scale, dims))
    return b.binary("elementwise_add", made, b.reshape(bias, dims))


@adapter
def group_norm(
    b: Builder,
    call: Call,
    X: Tensor,
    scale: Tensor,
    bias: Tensor,
    num_groups: int,
    epsilon: float,
    stash_type: int = 1,
) -> Tensor:
    """Groups of channels by their own statistics."""
    if call.version < 21:  # a number for each group
        channels = X.shape[1] if X.shape is not None else None
        if channels is None or channels % num_groups:
            raise CannotRead("the number of channels is not known")
        each = channels // num_groups
        scale, bias = (
            b.flat(b.emit("tile", {"X": b.reshape(v, [-1, 1])}, repeat_times=[1, each]))
            for v in (scale, bias)
        )
    inputs = {"X": X, "Scale": scale, "Bias": bias}
    return b.emit("group_norm", inputs, out="Y", groups=num_groups, epsilon=epsilon)


@adapter
def lp_norm(b: Builder, call: Call, input: Tensor, axis: int, p: int) -> Tensor:
    """Division by a norm along an axis; zeros stay."""
    if p not in (1, 2):
        raise CannotRead(f"p {p}")
    axis %= input.rank
    part = b.emit("abs" if p == 1 else "square", {"X": input})
    norm = b.reduce("sum", part, [axis], True)
    norm = norm if p == 1 else b.emit("sqrt", {"X": norm})
    nothing = b.cast(b.binary("equal", norm, b.like(0, norm)), norm.dtype)
    return b.binary("elementwise_div", input, b.binary("elementwise_add", norm, nothing))


@adapter
def mean_variance(b: Builder, call: Call, X: Tensor, axes: list[int]) -> Tensor:
    """Mean 0 and deviation 1 over some axes."""
    mean = b.reduce("mean", X, axes, True)
    centred = b.binary("elementwise_sub", X, mean)
    variance = b.reduce("mean", b.emit("square", {"X": centred}), axes, True)
    root = b.binary("elementwise_add", b.emit("sqrt", {"X": variance}), b.like(1e-9, X))
    return b.binary("elementwise_div", centred, root)


@adapter
def einsum(b: Builder, call: Call, Inputs: list[Tensor], equation: str) -> Tensor:
    """Sums of products by letters."""
    text = equation.replace(" ", "")
    if not any(x.dtype in FLOATS for x in Inputs):
        raise CannotRead("integers")
    left, _, right = text.partition("->")
    if "->" not in text:
        letters = sorted(set(left) - set(",.") - {c for c in left if left.count(c) > 1})
        text = f"{left}->{'...' if '...' in left else ''}{''.join(letters)}"
        right = text.partition("->")[2]
    made = b.emit("einsum", {"Operands": Inputs}, equation=text)
    terms = [term.replace("...", "") for term in left.split(",")]
    if "..." not in right:
        made.shape = (None,) * len(right)
    elif len(terms) == len(Inputs) and all(x.shape is not None for x in Inputs):
        dots = max(x.rank - len(term) for x, term in zip(Inputs, terms, strict=True))
        made.shape = (None,) * (dots + len(right) - len("..."))
    return made


@adapter
def det(b: Builder, call: Call, X: Tensor) -> Tensor:
    """The determinants of matrices."""
    made = b.emit("determinant", {"Input": X})
    made.shape = None if X.shape is None else X.shape[:-2]
    return made
