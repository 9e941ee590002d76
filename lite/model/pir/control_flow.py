"""`if` and `while` of PIR as conditional_block, select_input and while."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lite.model.pir.document import Operation, Region, TensorType, Type
from lite.model.pir.translate import Translator, special
from lite.model.pir.values import Value
from lite.model.program import Attr, AttrType, BlockDesc, DataType, VarType


def _end(region: Region) -> Operation | None:
    """A region's last operation where that is `yield`."""
    last = region.operations[-1] if region.operations else None
    return last if isinstance(last, Operation) and last.full_name == "cf.yield" else None


def _yielded(inner: Translator, op: Operation, region: Region, count: int) -> list[Value]:
    """What a region's last operation, `yield`, hands out."""
    last = _end(region)
    if last is None:
        if count == 0:
            return []
        op.fail("a region does not end with cf.yield")
    if len(last.operands) != count:
        last.fail(f"{len(last.operands)} operands, expected {count}")
    return [inner.value(id) for id in last.operands]


@special("cf.yield")
def yield_(t: Translator, op: Operation) -> None:
    """Read by the operation that owns the region."""
    if t.block.idx == 0:
        op.fail("only the end of a region may be here")


@special("pd_op.pylayer")
def pylayer(t: Translator, op: Operation) -> None:
    """A function with a gradient of its own (paddle.autograd.PyLayer): its region, in its place."""
    if len(op.regions) != 1:
        op.fail(f"{len(op.regions)} regions, expected one")
    region = op.regions[0]
    inside = region.operations[:-1] if _end(region) else region.operations
    t.translate(replace(region, operations=inside))
    values = _yielded(t, op, region, len(op.results))
    for (id, _), value in zip(op.results, values, strict=True):
        t.bind(id, value)


def _scalar_condition(t: Translator, op: Operation) -> Value:
    value = t.operand(op, 0)
    if value.tensor().dtype is not DataType.BOOL:
        op.fail(f"the condition is {value.tensor().dtype.name}, expected BOOL")
    return value


def _hand_out(t: Translator, inner: Translator, names: list[str]) -> None:
    """Moves the declarations of variables that a block hands out to the block around it."""
    for name in names:
        var = inner.block.vars.pop(name, None)
        if var is not None:
            t.block.vars[name] = var


def _scopes(t: Translator) -> str:
    """The variable in which an operator that runs a block keeps its scopes."""
    name = t.fresh(None)
    t.block.vars[name].type = VarType.STEP_SCOPES
    return name


@dataclass
class _Branch:
    block: BlockDesc
    results: list[str]


def _branch(t: Translator, op: Operation, region: Region) -> _Branch:
    inner = t.inner(region)
    inner.translate(region)
    values = _yielded(inner, op, region, len(op.results))
    results = [value.variable() for value in values]
    _hand_out(t, inner, results)
    return _Branch(inner.block, results)


def _conditional_block(t: Translator, condition: str, branch: _Branch) -> None:
    if not branch.block.ops:
        return
    reads, writes = branch.block.outside()
    attrs = {
        "sub_block": Attr(AttrType.BLOCK, branch.block.idx),
        "is_scalar_condition": Attr(AttrType.BOOLEAN, True),
    }
    outputs = {"Out": writes, "Scope": [_scopes(t)]}
    t.add("conditional_block", {"Cond": [condition], "Input": reads}, outputs, attrs)


@special("pd_op.if")
def if_(t: Translator, op: Operation) -> None:
    """A block for each branch, and `select_input` for each result."""
    if len(op.regions) != 2 or len(op.operands) != 1:
        op.fail(f"{len(op.regions)} regions and {len(op.operands)} operands, expected two and one")
    condition = _scalar_condition(t, op)
    name, dims = condition.variable(), condition.tensor().dims
    taken, other = (_branch(t, op, region) for region in op.regions)
    _conditional_block(t, name, taken)
    if other.block.ops:
        opposite = t.unary("logical_not", name, condition.type)
        _conditional_block(t, opposite, other)
    if not op.results:
        return
    mask = t.cast(name, dims, DataType.INT32, DataType.BOOL)
    for index, (id, type) in enumerate(op.results):
        inputs = {"X": [other.results[index], taken.results[index]], "Mask": [mask]}
        t.add("select_input", inputs, {"Out": t.define(id, type).variables()})


def _copy(t: Translator, source: str, target: str) -> None:
    if source != target:
        t.add("assign", {"X": [source]}, {"Out": [target]})


def _loop_variable(t: Translator, value: Value, type: Type) -> Value:
    """A variable of this block that begins as `value` and changes in the loop."""
    kind = value.type if type is None else type
    if isinstance(kind, TensorType) and kind.array:
        # An array is changed where it is: the loop goes on with the same one.
        return Value(kind, value.variable())
    name = t.fresh(kind)
    _copy(t, value.variable(), name)
    return Value(kind, name)


def _assign_next(inner: Translator, values: list[Value], targets: list[Value]) -> None:
    """The loop's variables take what was yielded, through temporaries where one is another's."""
    names = [target.variable() for target in targets]
    moves = [
        (value.variable(), name, target.type)
        for value, name, target in zip(values, names, targets, strict=True)
    ]
    written = {name for source, name, _ in moves if source != name}
    staged = []
    for source, name, type in moves:
        if source in written and source != name:
            temporary = inner.fresh(type)
            _copy(inner, source, temporary)
            source = temporary
        staged.append((source, name))
    for source, name in staged:
        _copy(inner, source, name)


@special("pd_op.while")
def while_(t: Translator, op: Operation) -> None:
    """The loop's values are variables of this block, assigned at the end of each turn."""
    if len(op.regions) != 1 or not op.operands or len(op.results) != len(op.operands) - 1:
        op.fail("expected one region, a condition and as many values as results")
    region = op.regions[0]
    if len(region.arguments) != len(op.results):
        op.fail(f"the region has {len(region.arguments)} arguments for {len(op.results)} values")
    condition = _loop_variable(t, _scalar_condition(t, op), None)
    variables = [
        _loop_variable(t, t.value(id), type)
        for id, (_, type) in zip(op.operands[1:], region.arguments, strict=True)
    ]
    inner = t.inner(region, variables)
    inner.translate(region)
    values = _yielded(inner, op, region, len(variables) + 1)
    _assign_next(inner, values, [condition, *variables])
    reads, writes = inner.block.outside()
    attrs = {
        "sub_block": Attr(AttrType.BLOCK, inner.block.idx),
        "is_test": Attr(AttrType.BOOLEAN, True),
    }
    name = condition.variable()
    inputs = {"X": [read for read in reads if read != name], "Condition": [name]}
    t.add("while", inputs, {"Out": writes, "StepScopes": [_scopes(t)]}, attrs)
    for (id, type), variable in zip(op.results, variables, strict=True):
        t.bind(id, Value(type, variable.name))
