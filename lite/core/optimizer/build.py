"""From a Program to its Graph and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lite.core.optimizer.detached import Detached
from lite.core.optimizer.graph import Block, Graph, Node, Value, data_type
from lite.core.optimizer.subgraph import attach, detach
from lite.core.optimizer.traits import having
from lite.errors import ModelFormatError
from lite.model.program import AttrType, BlockDesc, DataType, OpDesc, Program, VarDesc

"""Operators that change a part of their output and leave the rest as it was."""

_BATCH_NORM_ECHOES = (("MeanOut", "Mean"), ("VarianceOut", "Variance"))
_QUANT_ECHOES = (
    ("OutScale", "InScale"),
    ("OutScale", "Scale"),
    ("OutAccum", "InAccum"),
    ("OutState", "InState"),
)


def sub_block(op: OpDesc | Node) -> int | None:
    """The index of the block that an operator runs, -1 where it is no number, or None."""
    attr = op.attrs.get("sub_block")
    if attr is None or attr.type not in (AttrType.BLOCK, AttrType.INT):
        return None
    return attr.value if isinstance(attr.value, int) else -1


def is_test_batch_norm(op: OpDesc | Node) -> bool:
    """Whether a batch_norm uses its stored mean and variance and writes neither."""
    if op.type not in ("batch_norm", "sync_batch_norm"):
        return False
    test = bool(op.attr("is_test", False)) and not bool(op.attr("trainable_statistics", False))
    return test or bool(op.attr("use_global_stats", False))


def _echoes(op: OpDesc) -> dict[str, list[str]]:
    """Outputs that name an input of the operator which it does not write."""
    if is_test_batch_norm(op):
        pairs: tuple[tuple[str, str], ...] = _BATCH_NORM_ECHOES
    elif op.type.startswith(("fake_quantize_", "quantize_linear", "dequantize_linear")):
        pairs = _QUANT_ECHOES
    else:
        return {}
    return {
        out: op.outputs[out]
        for out, source in pairs
        if op.outputs.get(out) and op.outputs[out] == op.inputs.get(source)
    }


def _written(op: OpDesc) -> Iterator[str]:
    echoes = _echoes(op)
    for slot, names in op.outputs.items():
        if slot not in echoes:
            yield from names


class _Names:
    """Which names each block reads and writes, alone and together with its sub-blocks."""

    def __init__(self, program: Program) -> None:
        blocks = program.blocks
        self.reads: list[set[str]] = [set() for _ in blocks]
        self.writes: list[set[str]] = [set() for _ in blocks]
        self.children: list[set[int]] = [set() for _ in blocks]
        for index, block in enumerate(blocks):
            for op in block.ops:
                child = sub_block(op)
                # What a sub-block does with parameters is its own: exporters list them all, and
                # the statistics of its batch norms as written.
                outside = () if child is None else program.params
                self.reads[index].update(name for name in op.input_names() if name not in outside)
                self.writes[index].update(name for name in _written(op) if name not in outside)
                if child is not None:
                    if not 0 < child < len(blocks):
                        raise ModelFormatError(
                            f"block {index}, operator {op.type}: sub_block is {child}, expected "
                            f"one of 1..{len(blocks) - 1}; the program is damaged"
                        )
                    self.children[index].add(child)
        self.parents: list[set[int]] = [set() for _ in blocks]
        for index, children in enumerate(self.children):
            for child in children:
                self.parents[child].add(index)
        self.deep_reads = [set(names) for names in self.reads]
        self.deep_writes = [set(names) for names in self.writes]
        for index in self._inner_first(len(blocks)):
            for child in self.children[index]:
                self.deep_reads[index] |= self.deep_reads[child]
                self.deep_writes[index] |= self.deep_writes[child]
        self.written: set[str] = set().union(*self.writes)
        count: dict[str, int] = {}
        for reads, writes in zip(self.reads, self.writes, strict=True):
            for name in reads | writes:
                count[name] = count.get(name, 0) + 1
        self.shared = {name for name, blocks_of in count.items() if blocks_of > 1}
        declared = {name for block in blocks for name in block.vars}
        self.known = set(count) | declared | set(program.params)

    def _inner_first(self, count: int) -> list[int]:
        order: list[int] = []
        state = [0] * count
        for start in range(count):
            stack = [(start, iter(self.children[start]))] if not state[start] else []
            state[start] = state[start] or 1
            while stack:
                index, children = stack[-1]
                child = next(children, None)
                if child is None:
                    state[index] = 2
                    order.append(index)
                    stack.pop()
                elif state[child] == 1:
                    raise ModelFormatError(
                        f"block {child} contains itself by its operators' sub_block; "
                        "the program is damaged"
                    )
                elif state[child] == 0:
                    state[child] = 1
                    stack.append((child, iter(self.children[child])))
        return order


def to_graph(program: Program) -> Graph:
    """The program's graph; the program itself is not changed.

    Raises ModelFormatError where a sub-block's index names no block or blocks nest in a circle.
    """
    graph = Graph()
    program, detached = detach(program)
    names = _Names(program)
    graph.names = set(names.known)
    graph.version, graph.op_versions = program.version, dict(program.op_versions)
    graph.param_order = tuple(program.params)
    for name, array in program.params.items():
        if name in names.written:
            graph.written_params[name] = array
        else:
            value = graph.params[name] = Value(name)
            value.array = array
            value.dtype = data_type(array.dtype)
            value.shape = array.shape
    graph.blocks = [Block(graph, i, desc) for i, desc in enumerate(program.blocks)]
    for block in graph.blocks:
        _Filler(graph, block, names, program, detached).fill()
    return graph


class _Filler:
    """Gives one block its nodes and versions."""

    def __init__(
        self,
        graph: Graph,
        block: Block,
        names: _Names,
        program: Program,
        detached: dict[int, Detached],
    ) -> None:
        self.detached = detached
        self.graph = graph
        self.block = block
        self.names = names
        self.program = program
        self.current: dict[str, Value] = {}
        self.versions: dict[str, list[Value]] = {}

    def fill(self) -> None:
        for op in self.block.desc.ops:
            self.add(op)
        has_fetch = any(node.type == "fetch" for node in self.block)
        for name, versions in self.versions.items():
            if len(versions) > 1:
                for value in versions:
                    value.stable = False
            if self.known_outside(name, versions):
                for value in versions:
                    value.pinned = True
        if self.block.index == 0 and not has_fetch:
            for value in self.current.values():
                value.pinned = value.pinned or not value.uses

    def known_outside(self, name: str, versions: list[Value]) -> bool:
        if name in self.names.shared or (name in self.block.entry and len(versions) > 1):
            return True
        desc = self.block.desc.vars.get(name) or self.program.root.vars.get(name)
        return desc is not None and desc.persistable

    def read(self, name: str) -> Value:
        value = self.graph.params.get(name) or self.current.get(name)
        if value is None:
            value = self.current[name] = self.block.entry[name] = Value(name)
            value.pinned = True
            self.versions[name] = [value]
        return value

    def write(self, name: str, node: Node) -> Value:
        value = self.current[name] = Value(name, node)
        self.versions.setdefault(name, []).append(value)
        return value

    def hidden_read(self, node: Node, name: str) -> None:
        value = self.read(name)
        node.hidden_reads.append(value)
        value.hidden_uses += 1
        value.uses[node] = value.uses.get(node, 0) + 1

    def add(self, op: OpDesc) -> None:
        node = Node(op.type, self.block)
        node.attrs = dict(op.attrs)
        node.is_target = op.is_target
        if id(op) in self.detached:
            self.graph.subgraphs[node] = self.detached[id(op)]
        node.echoes = _echoes(op)
        child = sub_block(op)
        for slot, names in op.inputs.items():
            if child is not None:
                names = [name for name in names if name not in self.graph.params]
            values = node.inputs[slot] = [self.read(name) for name in names]
            for value in values:
                value.uses[node] = value.uses.get(node, 0) + 1
        if op.type in having("updates"):
            for name in op.output_names():
                self.hidden_read(node, name)
        written: Iterable[str] = ()
        if child is not None:
            written = self.visible_writes(child)
            for name in sorted((self.names.deep_reads[child] & self.outer(child)) | set(written)):
                if name not in self.graph.params:
                    self.hidden_read(node, name)
        self.block.link(node, None)
        for slot, names in op.outputs.items():
            if slot not in node.echoes:
                if child is not None:
                    names = [name for name in names if name not in self.graph.params]
                node.outputs[slot] = [self.write(name, node) for name in names]
                if op.type == "feed":
                    for value in node.outputs[slot]:
                        value.pinned = True
        explicit = set(op.output_names())
        for name in sorted(set(written) - explicit):
            node.hidden_writes.append(self.write(name, node))

    def outer(self, child: int) -> set[str]:
        """Names that exist outside a sub-block: what this block has, or another one mentions."""
        return self.names.shared | set(self.current) | set(self.block.desc.vars)

    def visible_writes(self, child: int) -> list[str]:
        return sorted(self.names.deep_writes[child] & self.outer(child))


def to_program(graph: Graph) -> Program:
    """The graph as a Program of its own, without unused variables and parameters."""
    program = Program([], graph.version, graph.op_versions)
    deep_params = _params_of_blocks(graph)
    mentioned: list[dict[str, Value | None]] = []
    subgraphs: dict[Node, tuple[int, OpDesc]] = {}
    for block in graph.blocks:
        desc = BlockDesc(block.desc.idx, block.desc.parent_idx, block.desc.forward_block_idx)
        names: dict[str, Value | None] = {}
        for node in block:
            op = node.desc()
            child = sub_block(op)
            if child is not None:
                _list_params(op, deep_params[child])
            desc.ops.append(op)
            if node in graph.subgraphs:
                subgraphs[node] = block.index, op
            for value in (*node.input_values(), *node.output_values(), *node.hidden_writes):
                names[value.name] = value
            for name in (*op.input_names(), *op.output_names()):
                names.setdefault(name, None)
        mentioned.append(names)
        program.blocks.append(desc)
    used = set().union(*mentioned)
    _collect_params(graph, program, used)
    _declare(graph, program, mentioned, used)
    attach(graph, program, subgraphs)
    return program


def _params_of_blocks(graph: Graph) -> list[dict[str, None]]:
    """The parameters that each block and its sub-blocks read, in order of their first use."""
    own: list[dict[str, None]] = []
    for block in graph.blocks:
        own.append({v.name: None for node in block for v in node.input_values() if v.is_param})
    deep: list[dict[str, None]] = []
    for block in graph.blocks:
        found: dict[str, None] = {}
        todo = [block.index]
        while todo:
            index = todo.pop()
            found.update(own[index])
            for node in graph.blocks[index]:
                child = sub_block(node)
                if child is not None:
                    todo.append(child)
        deep.append(found)
    return deep


def _list_params(op: OpDesc, params: dict[str, None]) -> None:
    """Names the parameters of a sub-block among the inputs of the operator that runs it."""
    for slot in ("X", "Input", "Inputs"):
        if slot in op.inputs:
            present = set(op.inputs[slot])
            op.inputs[slot] += [name for name in params if name not in present]
            return


def _collect_params(graph: Graph, program: Program, used: set[str]) -> None:
    """The parameters in use: first those of the source in their order, then new ones."""
    arrays = dict(graph.written_params)
    for name, param in graph.params.items():
        if param.array is not None:
            arrays[name] = param.array
    for name in dict.fromkeys((*graph.param_order, *arrays)):
        if name in used and name in arrays:
            program.params[name] = arrays[name]


def _declare(
    graph: Graph, program: Program, mentioned: list[dict[str, Value | None]], used: set[str]
) -> None:
    """Gives each block the variables that it declared and that are still in use, and new ones."""
    everywhere = {name for block in graph.blocks for name in block.desc.vars}
    for block, desc, names in zip(graph.blocks, program.blocks, mentioned, strict=True):
        for name, var in block.desc.vars.items():
            if name in used:
                desc.vars[name] = var
        for name, value in names.items():
            if name in everywhere or name in program.params:
                continue
            if value is not None and block.entry.get(name) is value:
                continue  # of the block around
            dims = tuple(-1 if d is None else d for d in (value.shape if value else None) or ())
            dtype = (value.dtype if value else None) or DataType.FP32
            desc.vars[name] = VarDesc(name, dtype=dtype, shape=dims)
    for name, array in program.params.items():
        old = None
        for home in program.blocks:
            old = home.vars.pop(name, None) or old
        if old is None or not old.persistable or tuple(old.shape) != array.shape:
            known = data_type(array.dtype)
            dtype = DataType.FP32 if known is None else known
            old = VarDesc(name, dtype=dtype, shape=array.shape, persistable=True)
        program.root.vars[name] = old
