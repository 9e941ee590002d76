"""Products of matrices."""

from __future__ import annotations

from math import prod
from typing import Any

from lite.model.onnx.operator import CannotExport, Op, operator
from lite.model.onnx.operators.activations import named, scaled


def transposed(op: Op, name: str, rank: int) -> str:
    """The last two dimensions swapped; a vector stays."""
    if rank < 2:
        return name
    return op.transpose(name, [*range(rank - 2), rank - 1, rank - 2])


@operator("matmul_v2", "matmul")
def matmul(op: Op) -> Any:
    """With transposed operands and, in the old operator, a factor."""
    op.refuse_weights("Y", "int8")
    old = op.type == "matmul"
    if old and int(op.attr("head_number", 1)) > 1:
        raise CannotExport("several heads")
    x, y = op["X"], op["Y"]
    if old and op.rank("X") != op.rank("Y") and min(op.rank("X"), op.rank("Y")) > 2:
        raise CannotExport("batches of different numbers of dimensions")
    turned = [slot for slot in ("X", "Y") if old and op.flag(f"transpose_{slot}")]
    if any(op.rank(slot) == 1 for slot in turned):
        raise CannotExport("a transposed vector")
    if op.flag("transpose_X" if old else "trans_x") and op.rank("X") > 1:
        x = transposed(op, x, op.rank("X"))
        if op.rank("Y") == 1:  # onnxruntime's fusion takes the transposed matrix for the vector
            product = op.node("MatMul", [x, op.unsqueeze(y, [1])])
            made = op.squeeze(product, [op.rank("X") - 1])
            return scaled(op, made, op.number("alpha", 1.0), op.dtype("X")) if old else made
    if op.flag("transpose_Y" if old else "trans_y"):
        y = transposed(op, y, op.rank("Y"))
    product = op.node("MatMul", [x, y])
    return scaled(op, product, op.number("alpha", 1.0), op.dtype("X")) if old else product


@operator("bmm", "mv", "dot")
def simple(op: Op) -> Any:
    """Batches of matrices, a matrix and a vector, or rows of vectors."""
    if op.type == "dot":
        return op.reduce("Sum", op.node("Mul", [op["X"], op["Y"]]), [-1], False)
    return op.node("MatMul", [op["X"], op["Vec" if op.type == "mv" else "Y"]])


def _matrix(op: Op, name: str, slot: str, columns: int) -> str:
    """The first ``columns`` dimensions as rows, the others as columns."""
    shape = op.shape(slot)
    if len(shape) == 2 and columns == 1:
        return name
    known = [dim for dim in shape[columns:] if dim is not None]
    if len(known) == len(shape) - columns:
        return op.reshape(name, [-1, prod(known)])
    if None not in shape[:columns]:
        return op.reshape(name, [prod(d for d in shape[:columns] if d is not None), -1])
    return str(op.node("Flatten", [name], axis=columns))


def _restored(op: Op, product: str, lead: tuple[str, list[int | None]], tail: list[int]) -> str:
    """A matrix product with the dimensions that its rows had."""
    name, dims = lead
    if len(dims) == 1:
        return product if len(tail) == 1 else op.reshape(product, [-1, *tail])
    free = [dim for dim in dims if dim is None]
    if len(free) < 2:
        return op.reshape(product, [*(-1 if d is None else d for d in dims), *tail])
    shape = op.concat([op.shape_of(name, 0, len(dims)), op.ints(tail)])
    return str(op.node("Reshape", [product, shape]))


@operator("mul")
def mul(op: Op) -> Any:
    """Of what ``num_col_dims`` makes matrices of."""
    op.refuse_weights("Y", "int8")
    rows, columns = int(op.attr("x_num_col_dims")), int(op.attr("y_num_col_dims"))
    x = _matrix(op, op["X"], "X", rows)
    y = _matrix(op, op["Y"], "Y", columns)
    tail = op.shape("Y")[columns:]
    if any(dim is None for dim in tail):
        raise CannotExport("the columns of Y are free")
    product = op.node("MatMul", [x, y])
    lead = list(op.shape("X")[:rows])
    return _restored(op, product, (op["X"], lead), [dim for dim in tail if dim is not None])


@operator("fc")
def fully_connected(op: Op) -> Any:
    """An optimised program's: product, bias and activation."""
    op.refuse_weights("W")
    if op.flag("padding_weights"):
        raise CannotExport("padded weights")
    rows = int(op.attr("in_num_col_dims"))
    if str(op.attr("op_type", "")).startswith("matmul"):
        rows = op.rank("Input") - 1
    made = op.node("MatMul", [_matrix(op, op["Input"], "Input", rows), op["W"]])
    if op.has("Bias"):
        made = op.node("Add", [made, op.flat(op["Bias"])])
    made = named(
        op,
        made,
        str(op.attr("activation_type", "")),
        op.number("alpha"),
        {"threshold": op.number("alpha")},
    )
    return _restored(op, made, (op["Input"], list(op.shape("Input")[:rows])), op.static("W")[1:])


@operator("addmm")
def addmm(op: Op) -> Any:
    """beta Input + alpha X Y."""
    dtype = op.dtype("X")
    product = op.node("MatMul", [op["X"], op["Y"]])
    product = scaled(op, product, op.number("Alpha", 1.0), dtype)
    if op.number("Beta", 1.0) == 0:  # then nothing of it is read
        return product
    return op.node("Add", [scaled(op, op["Input"], op.number("Beta", 1.0), dtype), product])


def _sizes(op: Op, terms: list[str]) -> dict[str, set[int]]:
    """The sizes that are known of each letter of the operands."""
    sizes: dict[str, set[int]] = {}
    for i, term in enumerate(terms):
        shape = op.shape("Operands", i)
        before, dots, after = term.partition("...")
        letters = [*enumerate(before), *enumerate(after, len(shape) - len(after))]
        if len(letters) > len(shape) or (not dots and len(letters) < len(shape)):
            raise CannotExport(f"{term} of {len(shape)} dimensions")
        for axis, letter in letters:
            dim = shape[axis]
            if dim is not None:
                sizes.setdefault(letter, set()).add(dim)
    return sizes


@operator("einsum")
def einsum(op: Op) -> Any:
    """The same notation, but for what Paddle repeats."""
    equation = str(op.attr("equation")).replace(" ", "")
    left, _, result = equation.partition("->")
    terms, names = left.split(","), op.names("Operands")
    if len(terms) != len(names):
        raise CannotExport(f"{len(names)} operands for {equation}")
    if any(result.count(letter) > 1 for letter in result if letter != "."):
        raise CannotExport(f"a letter twice in the result of {equation}")
    if any(len(sizes) > 1 for sizes in _sizes(op, terms).values()):
        raise CannotExport(f"{equation} of dimensions that are repeated")
    hidden = [op.rank("Operands", i) - len(t.replace("...", "")) for i, t in enumerate(terms)]
    most = max(hidden)
    for i, term in enumerate(terms):
        if "..." in term and hidden[i] < most:
            at = term.index("...")
            names[i] = op.unsqueeze(names[i], list(range(at, at + most - hidden[i])))
    return op.node("Einsum", names, equation=equation)


@operator("baddbmm")
def baddbmm(op: Op) -> Any:
    """beta Input + alpha X Y, batch by batch."""
    dtype = op.dtype("X")
    product = scaled(op, op.node("MatMul", [op["X"], op["Y"]]), op.number("alpha", 1), dtype)
    return op.node("Add", [scaled(op, op["Input"], op.number("beta", 1), dtype), product])


@operator("cross")
def cross(op: Op) -> Any:
    """The product of vectors of three."""
    rank, axis = op.rank("X"), int(op.attr("dim"))
    if not -rank <= axis < rank:
        threes = [i for i, dim in enumerate(op.shape("X")) if dim == 3]
        if not threes or None in op.shape("X")[: threes[0]]:
            raise CannotExport("no axis that is known to be of three")
        axis = threes[0]
    axis %= rank
    x, y = (op.split(op[slot], [1, 1, 1], axis) for slot in ("X", "Y"))
    parts = []
    for i in range(3):
        a, b = (i + 1) % 3, (i + 2) % 3
        sides = op.node("Mul", [x[a], y[b]]), op.node("Mul", [x[b], y[a]])
        parts.append(op.node("Sub", list(sides)))
    return op.concat(parts, axis)


@operator("bilinear_tensor_product")
def bilinear(op: Op) -> Any:
    """x W y for each matrix."""
    made = op.node("Einsum", [op["X"], op["Weight"], op["Y"]], equation="bi,oij,bj->bo")
    return op.node("Add", [made, op["Bias"]]) if op.has("Bias") else made


@operator("expert_matmul")
def expert_matmul(op: Op) -> Any:
    """The matrices of all rows' experts, one by one: no operator multiplies by those of a few."""
    if op.has("Scales"):
        raise CannotExport("experts in integers")
    rows = op.concat([op.shape_of(op["X"], 0, 1), op.ints([-1])])
    index = op.node("Reshape", [op["Index"], rows])
    made = op.node("MatMul", [op.node("Gather", [op["Y"], index]), op.unsqueeze(op["X"], [1, 3])])
    made = op.squeeze(made, [3])
    if op.has("Bias"):
        made = op.node("Add", [made, op.node("Gather", [op["Bias"], index])])
    return op.reshape(made, [-1, op.static("Y")[1]])


@operator("linear_attention")
def linear_attention(op: Op) -> Any:
    """ONNX Runtime's, which came before that of operator set 27."""
    parts = [name for slot, name in (("Decay", "gated"), ("Beta", "delta")) if op.has(slot)]
    out, state = op.node(
        "LinearAttention",
        [op["Query"], op["Key"], op["Value"], *(op.get(s) for s in ("State", "Decay", "Beta"))],
        2,
        domain="com.microsoft",
        q_num_heads=int(op.attr("q_num_heads")),
        kv_num_heads=int(op.attr("kv_num_heads")),
        scale=op.number("scale", 0.0),
        update_rule="_".join(parts) or "linear",
    )
    return {"Out": out, "StateOut": state}
