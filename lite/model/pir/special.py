"""Operations whose meaning the table of operators cannot say."""

from __future__ import annotations

import math

from lite.model.pir.constants import INTEGERS
from lite.model.pir.document import PADDLE_3_0, Operation, TensorType
from lite.model.pir.table import declaration
from lite.model.pir.translate import Translator, fitting_attr, special
from lite.model.pir.values import Value, fill_constant
from lite.model.program import Attr, AttrType, DataType


def _int(value: int) -> Attr:
    return Attr(AttrType.INT, int(value))


def _dtype(t: Translator, op: Operation) -> DataType:
    """The element type of the first operand, of an operation whose result is a tensor."""
    op.tensor()
    return t.operand(op, 0).tensor().dtype


# -- Lists of values.


@special("builtin.combine")
def combine(t: Translator, op: Operation) -> None:
    """A list of its operands."""
    id, type = op.result()
    t.bind(id, Value(type, items=[t.value(operand) for operand in op.operands]))


def _items(t: Translator, op: Operation) -> list[Value]:
    items = t.operand(op, 0).items
    if items is None:
        op.fail("the operand is no list")
    return items


@special("builtin.split")
def split(t: Translator, op: Operation) -> None:
    """The elements of a list."""
    items = _items(t, op)
    if len(items) != len(op.results):
        op.fail(f"{len(op.results)} results of a list of {len(items)}")
    for (id, _), item in zip(op.results, items, strict=True):
        t.bind(id, item)


@special("builtin.slice")
def element(t: Translator, op: Operation) -> None:
    """One element of a list."""
    items, index = _items(t, op), op.attributes().get("index")
    if type(index) is not int or not 0 <= index < len(items):
        op.fail(f"attribute 'index' is {index!r}, but the list has {len(items)} elements")
    for id, _ in op.results[:1]:
        t.bind(id, items[index])


# -- Operations that became several, or whose attributes follow from something else.


@special("pd_op.cast")
def cast(t: Translator, op: Operation) -> None:
    """The older operator also names the element type of its input."""
    source = _dtype(t, op)
    t.standard(op).attrs["in_dtype"] = _int(source)


@special("pd_op.shape64")
def shape64(t: Translator, op: Operation) -> None:
    """`shape` gives int32."""
    id, type = op.tensor()
    x = t.operand(op, 0).variable()
    small = t.unary("shape", x, TensorType(DataType.INT32, type.dims), slot="Input")
    attrs = {"in_dtype": _int(DataType.INT32), "out_dtype": _int(DataType.INT64)}
    t.add("cast", {"X": [small]}, {"Out": t.define(id, type).variables()}, attrs)


@special("pd_op.rms_norm")
def rms_norm(t: Translator, op: Operation) -> None:
    """Up to 3.2 it also adds a bias and a residual, which has another name since."""
    t.standard(op, "fused_rms_norm_quant" if len(op.operands) == 5 else "")


@special("pd_op.sync_batch_norm_")
def sync_batch_norm(t: Translator, op: Operation) -> None:
    """What it shares with other processes matters in training only."""
    t.standard(op, "batch_norm")


_REDUCTIONS = "sum mean max min prod all any amax amin logsumexp frobenius_norm".split()


@special(*(f"pd_op.{name}" for name in _REDUCTIONS))
def reduction(t: Translator, op: Operation) -> None:
    """No axis means all of them, which older programs say with `reduce_all`."""
    made = t.standard(op)
    declared = declaration(op.name)
    assert declared is not None
    axes = made.attrs.get("dim") or made.attrs.get("axis")
    if axes is not None and axes.value == []:
        axes.value = [0]
        made.attrs["reduce_all"] = Attr(AttrType.BOOLEAN, True)


@special("pd_op.arange")
def arange(t: Translator, op: Operation) -> None:
    """Start, end and step are tensors of the result's element type."""
    id, type = op.tensor()
    if len(op.operands) != 3:
        op.fail(f"{len(op.operands)} operands, expected three")
    inputs = {}
    for index, slot in enumerate(("Start", "End", "Step")):
        inputs[slot] = [_as_type(t, t.operand(op, index), type.dtype)]
    t.add("range", inputs, {"Out": t.define(id, type).variables()})


def _as_type(t: Translator, value: Value, dtype: DataType) -> str:
    """A number as a tensor [1] of an element type."""
    if value.numbers is not None and len(value.numbers) == 1:
        return t.constant_tensor(value.numbers[0], dtype)
    return t.cast(value.variable(), value.tensor().dims, dtype, value.tensor().dtype)


@special("pd_op.masked_fill")
def masked_fill(t: Translator, op: Operation) -> None:
    """`where` of mask, value and x, broadcast."""
    x, mask, value = (t.operand(op, index) for index in range(3))
    source = _dtype(t, op)
    filled = value.variable()
    if value.tensor().dtype is not source:
        filled = t.cast(filled, value.tensor().dims, source, value.tensor().dtype)
    inputs = {"Condition": [mask.variable()], "X": [filled], "Y": [x.variable()]}
    outputs = {"Out": t.define(*op.result()).variables()}
    t.add("where", inputs, outputs, {"broadcast": Attr(AttrType.BOOLEAN, True)})


@special("pd_op.where")
def where(t: Translator, op: Operation) -> None:
    """Operands of other shapes are broadcast."""
    shapes = {t.operand(op, index).tensor().dims for index in range(3)}
    made = t.standard(op)
    if len(shapes) > 1:
        made.attrs["broadcast"] = Attr(AttrType.BOOLEAN, True)


_COMPARISONS = (
    "pd_op.equal pd_op.not_equal pd_op.less_than pd_op.less_equal pd_op.greater_than "
    "pd_op.greater_equal"
).split()


@special(*_COMPARISONS)
def comparison(t: Translator, op: Operation) -> None:
    """Numbers without dimensions are compared as [1]: Paddle Lite cannot compare them otherwise."""
    x, y = t.operand(op, 0), t.operand(op, 1)
    id, type = op.tensor()
    if () not in (x.tensor().dims, y.tensor().dims):
        t.standard(op)
        return
    inputs = {"X": [_with_one_axis(t, x)], "Y": [_with_one_axis(t, y)]}
    declared = declaration(op.name)
    assert declared is not None
    if type.dims != ():
        outputs = {"Out": t.define(id, type).variables()}
        t.add(declared.type, inputs, outputs, {"axis": _int(-1)})
        return
    one = TensorType(DataType.BOOL, (1,))
    name = t.fresh(one)
    t.add(declared.type, inputs, {"Out": [name]}, {"axis": _int(-1)})
    if t.shared.only_decides(id):
        t.bind(id, Value(one, name))
    else:
        outputs = {"Out": t.define(id, type).variables()}
        t.add("reshape2", {"X": [name]}, outputs, {"shape": Attr(AttrType.INTS, [])})


def _with_one_axis(t: Translator, value: Value) -> str:
    """A number without dimensions as [1], anything else as it is."""
    dtype = value.tensor().dtype
    if value.tensor().dims != ():
        return value.variable()
    if value.numbers is not None and len(value.numbers) == 1:
        return t.constant_tensor(value.numbers[0], dtype)
    shape = {"shape": Attr(AttrType.INTS, [1])}
    return t.unary("reshape2", value.variable(), TensorType(dtype, (1,)), shape)


@special("pd_op.linear_v2")
def linear(t: Translator, op: Operation) -> None:
    """x @ weight + bias; attribute transpose_weight."""
    x, weight, bias = (t.operand(op, index) for index in range(3))
    id, type = op.result()
    turned = bool(op.attributes().get("transpose_weight", False))
    attrs = {
        "trans_x": Attr(AttrType.BOOLEAN, False),
        "trans_y": Attr(AttrType.BOOLEAN, turned),
    }
    inputs = {"X": [x.variable()], "Y": [weight.variable()]}
    if bias.absent:
        t.add("matmul_v2", inputs, {"Out": t.define(id, type).variables()}, attrs)
        return
    product = t.fresh(type)
    t.add("matmul_v2", inputs, {"Out": [product]}, attrs)
    inputs = {"X": [product], "Y": [bias.variable()]}
    outputs = {"Out": t.define(id, type).variables()}
    t.add("elementwise_add", inputs, outputs, {"axis": _int(-1)})


@special("pd_op.floor", "pd_op.ceil", "pd_op.trunc")
def whole(t: Translator, op: Operation) -> None:
    """Integers stay what they are."""
    if _dtype(t, op) in INTEGERS:
        share_data(t, op)
    else:
        t.standard(op)


@special("pd_op.round")
def rounded(t: Translator, op: Operation) -> None:
    """With `decimals`: round(x * 10^d) / 10^d. Paddle 3.0 takes halves away from zero, later ones
    to the even number."""
    if _dtype(t, op) in INTEGERS:
        share_data(t, op)
        return
    decimals = op.attributes().get("decimals", 0)
    if type(decimals) is not int or abs(decimals) > 38:
        op.fail(f"attribute 'decimals' is {decimals!r}, expected -38 to 38")
    id, type_ = op.result()
    x = t.operand(op, 0).variable()
    if decimals:
        x = t.unary("scale", x, type_, {"scale": Attr(AttrType.FLOAT, 10.0**decimals)})
    result = t.define(id, type_).variable()
    made = t.fresh(type_) if decimals else result
    if t.shared.version <= PADDLE_3_0:
        t.add("round", {"X": [x]}, {"Out": [made]})
    else:
        t.add("rint", {"x": [x]}, {"out": [made]})
    if decimals:
        shrunk = {"scale": Attr(AttrType.FLOAT, 10.0**-decimals)}
        t.add("scale", {"X": [made]}, {"Out": [result]}, shrunk)


@special("pd_op.set_value")
def set_value(t: Translator, op: Operation) -> None:
    """The numbers go into the list of the tensor's element type."""
    attributes = op.attributes()
    made = t.standard(op)
    source = _dtype(t, op)
    names = {
        DataType.BOOL: ("bool_values", AttrType.INTS),
        DataType.INT32: ("int32_values", AttrType.INTS),
        DataType.INT64: ("int64_values", AttrType.LONGS),
        DataType.FP64: ("fp64_values", AttrType.FLOAT64S),
    }
    name, type = names.get(source, ("fp32_values", AttrType.FLOATS))
    made.attrs.pop("values", None)
    numbers = attributes.get("values")
    if type in (AttrType.INTS, AttrType.LONGS) and isinstance(numbers, list):
        numbers = [int(n) if isinstance(n, float) and math.isfinite(n) else n for n in numbers]
    made.attrs[name] = fitting_attr(op, "values", numbers, type, f"numbers of {source.name}")
    made.attrs["dtype"] = _int(source)


@special("pd_op.set_value_with_tensor")
def set_value_with_tensor(t: Translator, op: Operation) -> None:
    """The operator also names the element type."""
    t.standard(op).attrs["dtype"] = _int(_dtype(t, op))


@special("pd_op.one_hot")
def one_hot(t: Translator, op: Operation) -> None:
    """The result is float32."""
    t.standard(op).attrs["dtype"] = _int(DataType.FP32)


@special("pd_op.share_data", "pd_op.share_data_")
def share_data(t: Translator, op: Operation) -> None:
    """A copy."""
    id, type = op.result()
    x = t.operand(op, 0).variable()
    t.add("assign", {"X": [x]}, {"Out": t.define(id, type).variables()})


@special("pd_op.assign_out")
def assign_out(t: Translator, op: Operation) -> None:
    """The second operand is where the result goes."""
    share_data(t, op)


@special("pd_op.full_with_tensor")
def full_with_tensor(t: Translator, op: Operation) -> None:
    """A constant number is an attribute, and so is the element type's own."""
    value = t.operand(op, 0)
    made = t.standard(op)
    if value.numbers is not None and len(value.numbers) == 1 and "ValueTensor" in made.inputs:
        del made.inputs["ValueTensor"]
        constant = fill_constant([], value.numbers[0], DataType(made.attrs["dtype"].value))
        made.attrs["value"] = constant.attrs["value"]
        made.attrs["str_value"] = constant.attrs["str_value"]


# -- Tensor arrays.


@special("pd_op.create_array")
def create_array(t: Translator, op: Operation) -> None:
    """An empty array is a variable that nothing has written."""
    t.define(*op.result())


@special("pd_op.array_write")
def array_write(t: Translator, op: Operation) -> None:
    """The result is the array itself, which keeps its variable."""
    array, x, index = (t.operand(op, i) for i in range(3))
    id, type = op.result()
    inputs = {"X": [x.variable()], "I": [index.variable()]}
    t.add("write_to_array", inputs, {"Out": [array.variable()]})
    t.bind(id, Value(type, array.name))


@special("pd_op.array_pop")
def array_pop(t: Translator, op: Operation) -> None:
    """The first result is the array itself, which keeps its variable."""
    array = t.operand(op, 0)
    if len(op.results) != 2:
        op.fail(f"{len(op.results)} results, expected 2")
    (left, left_type), (taken, taken_type) = op.results
    index = op.attributes().get("index", -1)
    if type(index) is not int:
        op.fail(f"attribute 'index' is {index!r}, expected a number")
    outputs = {
        "array_out": [array.variable()],
        "out": t.define(taken, taken_type).variables(),
    }
    t.add("array_pop", {"array": [array.variable()]}, outputs, {"index": _int(index)})
    t.bind(left, Value(left_type, array.name))


@special("pd_op.array_length")
def array_length(t: Translator, op: Operation) -> None:
    """`lod_array_length` gives [1], PIR a tensor without dimensions."""
    id, type = op.tensor()
    x = t.operand(op, 0).variable()
    if type.dims == (1,):
        t.add("lod_array_length", {"X": [x]}, {"Out": t.define(id, type).variables()})
        return
    length = t.unary("lod_array_length", x, TensorType(type.dtype, (1,)))
    outputs = {"Out": t.define(id, type).variables()}
    t.add("reshape2", {"X": [length]}, outputs, {"shape": Attr(AttrType.INTS, [])})


@special("pd_op.slice_array")
def slice_array(t: Translator, op: Operation) -> None:
    """`slice` of an array."""
    t.standard(op).attrs["axes"] = Attr(AttrType.INTS, [0])


@special("pd_op.slice_array_dense")
def slice_array_dense(t: Translator, op: Operation) -> None:
    """The one element at `starts`."""
    array, starts = t.operand(op, 0), t.operand(op, 1)
    if starts.numbers is not None and starts.numbers[0] < 0:
        made = t.standard(op)
        made.attrs["axes"] = made.attrs["decrease_axis"] = Attr(AttrType.INTS, [0])
        made.attrs["ends"] = Attr(AttrType.INTS, [(starts.numbers[0] + 1) or (1 << 31) - 1])
        return
    position = starts.items[0] if starts.items is not None and len(starts.items) == 1 else starts
    inputs = {"X": [array.variable()], "I": [position.variable()]}
    t.add("read_from_array", inputs, {"Out": t.define(*op.result()).variables()})


@special("pd_op.array_read")
def array_read(t: Translator, op: Operation) -> None:
    """The position is always a tensor."""
    inputs = {"X": [t.operand(op, 0).variable()], "I": [t.operand(op, 1).variable()]}
    t.add("read_from_array", inputs, {"Out": t.define(*op.result()).variables()})


@special("pd_op.thresholded_relu")
def thresholded_relu(t: Translator, op: Operation) -> None:
    """With `value`, what is not above the threshold becomes it."""
    attributes = op.attributes()
    value = attributes.get("value", 0.0)
    if not value:
        t.standard(op)
        return
    id, type = op.result()
    source = _dtype(t, op)
    x = t.operand(op, 0).variable()
    limit, other = (
        _as_type(t, Value(numbers=[number]), source)
        for number in (attributes.get("threshold", 1.0), value)
    )
    above = t.fresh(TensorType(DataType.BOOL, t.operand(op, 0).tensor().dims))
    t.add("greater_than", {"X": [x], "Y": [limit]}, {"Out": [above]}, {"axis": _int(-1)})
    inputs = {"Condition": [above], "X": [x], "Y": [other]}
    outputs = {"Out": t.define(id, type).variables()}
    t.add("where", inputs, outputs, {"broadcast": Attr(AttrType.BOOLEAN, True)})
