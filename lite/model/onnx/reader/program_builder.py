"""A Program, operator by operator; what is known of results is inferred as it grows."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from lite import _core
from lite.core.optimizer.graph import Node, Shape
from lite.core.optimizer.graph import Value as GraphValue
from lite.core.optimizer.infer import infer_node
from lite.errors import LiteError
from lite.model.declared import Declared, declared
from lite.model.onnx.reader.values import CannotRead, Tensor, TensorList
from lite.model.params import DATA_TYPES, NUMPY_TYPES
from lite.model.program import (
    Attr,
    AttrType,
    BlockDesc,
    DataType,
    OpDesc,
    Program,
    VarDesc,
    VarType,
)

LARGEST_CONSTANT = 1 << 26
"""Bytes that a constant may have which is computed as the model is read, where it has more elements
than each of those that it is computed from."""

MOST_RETRIES = 64
"""So often may blocks be translated again, as more is known of what they hand on."""

_NOT_COMPUTED = frozenset(
    "while conditional_block assert print bernoulli uniform_random gaussian_random".split()
)

_ALWAYS = {"batch_norm": {"is_test": Attr(AttrType.BOOLEAN, True)}}
"""What passes ask of operators, and kernels do not."""

Inputs = Mapping[str, "Tensor | TensorList | Sequence[Tensor] | None"]


class ProgramBuilder:
    """Appends operators to a block of ``program``: the main one, or an inner one."""

    def __init__(self) -> None:
        self.program = Program(version=2006002)
        self._block = self.program.root
        self._taken: set[str] = {"feed", "fetch"}
        self._reserved: set[str] = set()
        self._unnamed: set[str] = set()
        self._last: set[str] = set()
        self._count = 0
        self._shapes: dict[str, Tensor] = {}
        self._turned: dict[int, tuple[np.ndarray[Any, Any], Tensor]] = {}
        self._retries = 0

    # -- Names and variables.

    def fresh(self, hint: str = "t") -> str:
        """A name that nothing has yet."""
        name = hint
        while name in self._taken or name in self._reserved:
            self._count += 1
            name = f"{hint}.{self._count}"
        self._taken.add(name)
        return name

    def reserve(self, names: Iterable[str], last: Iterable[str] = ()) -> None:
        """Keeps names for the values that have them in the model; ``last`` are those of outputs in
        another type than they are computed in."""
        self._reserved.update(names)
        self._last.update(last)

    def variable(self, dtype: DataType, shape: Shape | None, name: str = "") -> Tensor:
        """A new variable of this block."""
        if not name:
            name = self.fresh()
            self._unnamed.add(name)
        dims = tuple(-1 if dim is None else dim for dim in shape or ())
        self._block.vars[name] = VarDesc(name, dtype=dtype, shape=dims)
        return Tensor(name, dtype, shape)

    def tensor_list(self, dtype: DataType, name: str = "") -> TensorList:
        """A new array of tensors, which is empty."""
        name = name or self.fresh("sequence")
        self._block.vars[name] = VarDesc(name, VarType.LOD_TENSOR_ARRAY, dtype)
        return TensorList(name, dtype)

    def feed(self, name: str, dtype: DataType, shape: Shape | None) -> Tensor:
        """The next input of the program."""
        column = sum(op.type == "feed" for op in self.program.root.ops)
        self._taken.add(name)
        made = self.variable(dtype, shape, name)
        self._append("feed", {"X": ["feed"]}, {"Out": [name]}, {"col": Attr(AttrType.INT, column)})
        return made

    def is_fed(self, tensor: Tensor) -> bool:
        """Whether a tensor is an input of the program."""
        feeds = (op for op in self.program.root.ops if op.type == "feed")
        return any(tensor.name in op.outputs["Out"] for op in feeds)

    def fetch(self, tensor: Tensor) -> None:
        """The next output of the program."""
        column = sum(op.type == "fetch" for op in self.program.root.ops)
        col = {"col": Attr(AttrType.INT, column)}
        self._append("fetch", {"X": [self.use(tensor)]}, {"Out": ["fetch"]}, col)

    def constant(self, value: Any, dtype: Any = None, name: str = "constant") -> Tensor:
        """A constant; it becomes a parameter where an operator uses it."""
        array = np.asarray(value, dtype)
        return Tensor(name, DATA_TYPES[array.dtype], array.shape, array)

    def ints(self, values: Sequence[int], dtype: Any = np.int64) -> Tensor:
        """A constant list of integers."""
        return self.constant(list(values), dtype)

    def like(self, value: Any, tensor: Tensor) -> Tensor:
        """A constant number of a tensor's element type."""
        return self.constant(np.asarray(value).astype(NUMPY_TYPES[tensor.dtype]))

    def use(self, tensor: Tensor | TensorList) -> str:
        """The variable's name; a constant becomes a parameter, a known list an array."""
        if isinstance(tensor, TensorList):
            return self.listed(tensor).name
        if tensor.array is not None:
            params = self.program.params
            if tensor.name not in params or params[tensor.name] is not tensor.array:
                tensor.name = self.fresh(tensor.name)
                dims = tuple(tensor.array.shape)
                self.program.root.vars[tensor.name] = VarDesc(
                    tensor.name, dtype=tensor.dtype, shape=dims, persistable=True
                )
                params[tensor.name] = tensor.array
        return tensor.name

    def listed(self, tensors: TensorList) -> TensorList:
        """The list as a variable of this block."""
        if tensors.items is None:
            return tensors
        made = self.tensor_list(tensors.dtype)
        for index, item in enumerate(tensors.items):
            inputs = {"X": [self.use(item)], "I": [self.use(self.ints([index]))]}
            self.append("write_to_array", inputs, {"Out": [made.name]})
        return made

    def copy(self, value: Tensor | TensorList, name: str = "") -> Tensor | TensorList:
        """A variable of its own that holds what another one holds now."""
        source = self.use(value)
        made: Tensor | TensorList
        if isinstance(value, TensorList):
            made = self.tensor_list(value.dtype, name)
        else:
            made = self.variable(value.dtype, value.shape, name)
            made.bits = value.bits
        self.append("assign", {"X": [source]}, {"Out": [made.name]})
        return made

    @property
    def place(self) -> int:
        """How many operators this block has."""
        return len(self._block.ops)

    def rename(
        self, tensor: Tensor, name: str, since: int, main: bool = True, last: bool = False
    ) -> None:
        """Gives what an operator made, of those appended ``since`` a place, the name that it has in
        the model. Only values of the ``main`` graph have the names of its inputs and outputs:
        branches, loops and functions may use these for others."""
        if tensor.known or name in self._taken or tensor.name not in self._unnamed:
            return
        if (name in self._last and not last) or (name in self._reserved and not main):
            return
        later: list[OpDesc] = []
        for op in reversed(self._block.ops[since:]):
            if "sub_block" in op.attrs:  # its block reads and writes variables, too
                return
            if any(tensor.name in names for names in op.outputs.values()):
                self._rename(tensor, name, [op, *later])
                return
            later.append(op)

    def _rename(self, tensor: Tensor, name: str, ops: list[OpDesc]) -> None:
        for op in ops:
            for slots in (op.inputs, op.outputs):
                for slot, names in slots.items():
                    slots[slot] = [name if n == tensor.name else n for n in names]
        desc = self._block.vars.pop(tensor.name)
        desc.name = name
        self._block.vars[name] = desc
        self._taken.add(name)
        self._unnamed.discard(tensor.name)
        tensor.name = name

    def annotate(self, made: Tensor, attrs: Mapping[str, Attr]) -> None:
        """More attributes for the operator that was appended last, if that made a tensor."""
        if not made.known:
            self._block.ops[-1].attrs |= attrs

    # -- Blocks.

    @property
    def in_main(self) -> bool:
        """Whether operators go to the main block, so that whatever follows sees their results."""
        return self._block is self.program.root

    @contextlib.contextmanager
    def inner_block(self) -> Iterator[BlockDesc]:
        """Operators within go to a new block, which ``run_block`` makes an operator's."""
        outer, shapes = self._block, dict(self._shapes)
        self._block = BlockDesc(len(self.program.blocks), outer.idx)
        self.program.blocks.append(self._block)
        try:
            yield self._block
        finally:
            self._block, self._shapes = outer, shapes

    def blocks_from_here(self) -> Callable[[], None]:
        """A function that forgets all blocks which come from now on, and what is only theirs."""
        program = self.program
        blocks, params, known = len(program.blocks), dict(program.params), dict(program.root.vars)
        taken, unnamed = set(self._taken), set(self._unnamed)

        def forget() -> None:
            del program.blocks[blocks:]
            program.params, program.root.vars = params, known
            self._taken, self._unnamed = taken, unnamed

        return forget

    def count_retry(self) -> None:
        """Raises CannotRead where blocks were translated again too often: each may hold others."""
        self._retries += 1
        if self._retries > MOST_RETRIES:
            raise CannotRead("values of loops in loops change their numbers of dimensions")

    def hand_out(self, block: BlockDesc, names: Sequence[str]) -> None:
        """Moves declarations of variables that a block hands out to the block around it."""
        for name in names:
            var = block.vars.pop(name, None)
            if var is not None:
                self._block.vars[name] = var

    def run_block(self, type: str, block: BlockDesc, condition: Tensor) -> None:
        """Appends an operator that runs a block; what that reads and writes is found in it."""
        reads, writes = block.outside()
        scopes = self.fresh("scopes")
        self._block.vars[scopes] = VarDesc(scopes, VarType.STEP_SCOPES, None)
        name = self.use(condition)
        attrs = {"sub_block": Attr(AttrType.BLOCK, block.idx)}
        if type == "while":
            inputs = {"X": [read for read in reads if read != name], "Condition": [name]}
            self._append(type, inputs, {"Out": writes, "StepScopes": [scopes]}, attrs)
            return
        attrs["is_scalar_condition"] = Attr(AttrType.BOOLEAN, True)
        inputs = {"Cond": [name], "Input": reads}
        self._append(type, inputs, {"Out": writes, "Scope": [scopes]}, attrs)

    # -- Operators.

    def _append(
        self,
        type: str,
        inputs: dict[str, list[str]],
        outputs: dict[str, list[str]],
        attrs: dict[str, Attr],
    ) -> None:
        self._block.ops.append(OpDesc(type, inputs, outputs, attrs))

    def append(
        self,
        type: str,
        inputs: Mapping[str, Sequence[str]],
        outputs: Mapping[str, Sequence[str]],
        attrs: Mapping[str, Any] | None = None,
    ) -> None:
        """Appends an operator as it is said: for control flow and lists of tensors."""
        typed = {
            name: value if isinstance(value, Attr) else _declared(type).attr(name, value)
            for name, value in (attrs or {}).items()
        }
        self._append(
            type,
            {slot: list(names) for slot, names in inputs.items()},
            {slot: list(names) for slot, names in outputs.items()},
            typed,
        )

    def emit(self, type: str, inputs: Inputs, out: Any = "", **attrs: Any) -> Tensor:
        """Appends an operator of which one result matters: that in ``out``, else the first.

        Attributes and inputs that are None are absent.
        """
        slot = out or _declared(type).outputs[0]
        return self.emit_all(type, inputs, {slot: 1}, **attrs)[0]

    def emit_all(
        self, type: str, inputs: Inputs, outputs: Mapping[str, int], **attrs: Any
    ) -> list[Tensor]:
        """Appends an operator with so many results in each slot; they come in this order."""
        known = _declared(type)
        typed = {}
        for name, value in attrs.items():
            name = name.rstrip("_")
            if name not in known.attrs:
                raise CannotRead(f"the operator {type} has no attribute {name}")
            if value is not None:
                typed[name] = known.attr(name, value)
        listed = {
            slot: [value] if isinstance(value, (Tensor, TensorList)) else list(value)
            for slot, value in inputs.items()
            if value is not None
        }
        typed |= _ALWAYS.get(type, {})
        made = self._computed(type, listed, outputs, typed)
        if made is None:
            made = self._inferred(type, listed, outputs, typed)
        return made

    def _computed(
        self,
        type: str,
        inputs: Mapping[str, Sequence[Tensor | TensorList]],
        outputs: Mapping[str, int],
        attrs: Mapping[str, Attr],
    ) -> list[Tensor] | None:
        """The results as constants, where all inputs are; None where the kernel refuses."""
        values = [value for listed in inputs.values() for value in listed]
        if type in _NOT_COMPUTED or not all(isinstance(v, Tensor) and v.known for v in values):
            return None
        arrays: dict[str, list[tuple[np.ndarray[Any, Any], list[list[int]]]]] = {
            slot: [(np.asarray(v.array, order="C"), []) for v in listed]  # type: ignore[union-attr]
            for slot, listed in inputs.items()
        }
        sizes = [array.size for listed in arrays.values() for array, _ in listed]
        try:
            results = _core.run_op(
                type,
                arrays,
                _all_outputs(type, outputs),
                {name: attr.value for name, attr in attrs.items() if name in _declared(type).attrs},
                params=list(arrays),
                dynamic=True,
                most=max(LARGEST_CONSTANT, 8 * max(sizes, default=0)),
            )
        except LiteError:
            return None  # whoever runs it is told
        return [self.constant(array) for slot in outputs for array, _ in results[slot]]

    def _inferred(
        self,
        type: str,
        inputs: Mapping[str, Sequence[Tensor | TensorList]],
        outputs: Mapping[str, int],
        attrs: dict[str, Attr],
    ) -> list[Tensor]:
        node = Node(type, None)  # type: ignore[arg-type]
        node.attrs = attrs
        for slot, listed in inputs.items():
            node.inputs[slot] = [_graph_value(value) for value in listed]
        counts = _all_outputs(type, outputs)
        node.outputs = {s: [GraphValue(s, node) for _ in range(n)] for s, n in counts.items()}
        infer_node(node)
        made: dict[str, list[Tensor]] = {}
        for slot, values in node.outputs.items():
            for value in values:
                if value.dtype is None:
                    raise CannotRead(f"the element type of {type}'s result is not known")
                made.setdefault(slot, []).append(self.variable(value.dtype, value.shape))
        self._append(
            type,
            {slot: [self.use(value) for value in listed] for slot, listed in inputs.items()},
            {slot: [value.name for value in values] for slot, values in made.items()},
            attrs,
        )
        return [value for slot in outputs for value in made[slot]]


def _declared(type: str) -> Declared:
    found = declared(type)
    if found is None:
        raise CannotRead(f"the framework has no operator {type}")
    return found


def _all_outputs(type: str, wanted: Mapping[str, int]) -> dict[str, int]:
    """The slots that are asked for, and those that an operator always has."""
    return {**dict.fromkeys(_declared(type).required, 1), **wanted}


def _graph_value(value: Tensor | TensorList) -> GraphValue:
    made = GraphValue(value.name)
    made.dtype = value.dtype
    if isinstance(value, Tensor):
        made.shape, made.array = value.shape, value.array
    return made
