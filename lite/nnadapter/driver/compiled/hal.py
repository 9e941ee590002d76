"""A HAL whose programs a vendor's compiler makes of ONNX."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import ClassVar

from lite.errors import DeviceError
from lite.nnadapter.driver.compiled.answers import Answer, recall, remember
from lite.nnadapter.driver.compiled.worker import WorkerEnded
from lite.nnadapter.driver.onnx import Graph
from lite.nnadapter.hal import Hal
from lite.nnadapter.model import Model, Operand, Operation

NEEDS_SHAPES = "its shapes are not known: give the inputs' (dynamic_shapes, --input)"

_answers: dict[str, Answer] = {}
_MOST_ANSWERS = 1024
_QUICK = 0.5
"""Seconds: what is answered sooner is not worth a file."""


@dataclass(frozen=True)
class Limits:
    """What a device is known not to take: nobody asks the compiler about that."""

    types: frozenset[str] = frozenset({"float32"})  # numpy's names of element types
    most_dimensions: int = 5
    scalars: bool = True  # tensors without dimensions

    def refusal(self, op: Operation) -> str | None:
        """Why an operation is beyond them."""
        for operand in (*op.operands, *op.outputs):
            if operand is None:
                continue
            if None in operand.shape:
                return NEEDS_SHAPES
            if operand.is_constant:
                continue  # an attribute, or a weight in a form of the graph's choosing
            if len(operand.shape) > self.most_dimensions:
                return f"{operand} has {len(operand.shape)} dimensions"
            if not operand.shape and not self.scalars:
                return f"{operand} has no dimensions"
            if operand.dtype.name not in self.types:
                return f"the device has no {operand.dtype}"
            if 0 in operand.shape:
                return f"{operand} has no elements"
        return None


class CompiledHal(Hal):
    """Asks a compiler about whole clusters, and names what it compiled with in what is saved."""

    graph: ClassVar[type[Graph]] = Graph
    limits: ClassVar[Limits] = Limits()

    @abstractmethod
    def left(self, model: bytes) -> Mapping[int, str]:
        """Why the compiler leaves operations: by number, which their nodes' names begin with
        (``operation_of``). Raises what it likes where it does not read the model."""

    @abstractmethod
    def version(self) -> str:
        """The compiler, its version and what it compiles for: what a saved program depends on."""

    def answers_by(self) -> str:
        """Who answers about a model: what an answer that is kept depends on."""
        return self.version()

    def supports(self, op: Operation) -> bool | str:
        """As one of many."""
        return self.judge([op])[0]

    def judge(self, operations: Sequence[Operation]) -> list[bool | str]:
        """What the limits say, then the compiler's word on what is left, at once."""
        refused: dict[int, str] = {}
        left: list[int] = []
        for number, op in enumerate(operations):
            reason = self.limits.refusal(op)
            if reason:
                refused[number] = reason
            else:
                left.append(number)
        refused.update(self._word(operations, left))
        return [refused.get(number, True) for number in range(len(operations))]

    def _word(self, operations: Sequence[Operation], numbers: list[int]) -> dict[int, str]:
        """What the compiler refuses; a cluster that it does not read is divided."""
        cluster = _Cluster(self.graph(), [operations[number] for number in numbers])
        refused: dict[int, str] = {}
        for number in numbers:
            reason = cluster.add(number, operations[number])
            if reason:
                refused[number] = reason
        taken = [number for number in numbers if number not in refused]
        if not taken:
            return refused
        answer = self._ask(cluster.model())
        if not isinstance(answer, str):
            return {**refused, **answer}
        if len(taken) == 1:
            return {**refused, taken[0]: f"{self.graph.library} refuses it: {answer}"}
        middle = len(taken) // 2
        for part in (taken[:middle], taken[middle:]):
            refused.update(self._word(operations, part))
        return {**refused, **self._apart(operations, taken, middle, refused)}

    def _apart(
        self,
        operations: Sequence[Operation],
        taken: list[int],
        middle: int,
        refused: dict[int, str],
    ) -> dict[int, str]:
        """What is refused since the compiler takes two halves, but not both together: the one of
        which it takes less."""
        first = [number for number in taken[:middle] if number not in refused]
        second = [number for number in taken[middle:] if number not in refused]
        if not first or not second:
            return {}
        together = [*first, *second]
        cluster = _Cluster(self.graph(), [operations[number] for number in together])
        for number in together:
            cluster.add(number, operations[number])
        answer = self._ask(cluster.model())
        if not isinstance(answer, str):
            return dict(answer)
        why = f"{self.graph.library} takes it alone, and not with the others: {answer}"
        return dict.fromkeys(first if len(first) <= len(second) else second, why)

    def _ask(self, model: bytes) -> Answer:
        """What `left` says, or a text: the compiler does not read the model."""
        key = sha256(self.answers_by().encode() + b"\0" + model).hexdigest()
        answer = _answers.get(key)
        if answer is None:
            answer = recall(key)
        if answer is None:
            answer = self._compilers_word(key, model)
        if len(_answers) >= _MOST_ANSWERS:
            _answers.clear()
        _answers[key] = answer
        return answer

    def _compilers_word(self, key: str, model: bytes) -> Answer:
        begin = time.monotonic()
        try:
            answer: Answer = self.left(model)
        except DeviceError:
            raise  # not the model's fault
        except WorkerEnded as error:
            return str(error)  # perhaps the machine's: not for ever
        except Exception as error:  # vendors' own have no common base
            answer = last_line(error)
        if time.monotonic() - begin > _QUICK:
            remember(key, answer)
        return answer

    def whole(self, model: Model) -> bytes:
        """The ONNX of a model to compile. Raises DeviceError for shapes that are not known."""
        for operand in (*model.inputs, *model.outputs):
            if None in operand.shape:
                raise DeviceError(f"{operand}: {NEEDS_SHAPES}")
        return self.graph().whole(model)

    def stamped(self, program: bytes) -> bytes:
        """A program behind a line with what it depends on."""
        return self.version().encode() + b"\n" + program

    def unstamped(self, data: bytes) -> bytes:
        """What `stamped` was given. Raises DeviceError where something else compiled it."""
        stamp, _, program = data.partition(b"\n")
        if stamp != self.version().encode():
            raise DeviceError(
                f"it was compiled with {stamp.decode(errors='replace')}, this is {self.version()}"
            )
        return program


def last_line(error: Exception) -> str:
    """The reason at the end of what may be a traceback."""
    said = str(error).strip().splitlines()
    return said[-1] if said else type(error).__name__


def operation_of(node: str) -> int | None:
    """The number of the operation that a node belongs to, by its name."""
    head, dot, _ = node.partition(".")
    return int(head[2:]) if dot and head.startswith("op") and head[2:].isdigit() else None


class _Cluster:
    """The ONNX of operations of which some may not be emitted."""

    def __init__(self, graph: Graph, operations: Sequence[Operation]) -> None:
        self.graph = graph
        graph.expect(operations)
        self.made: dict[int, Operand] = {}
        self.read: set[int] = set()
        self.inputs: set[int] = set()

    def add(self, number: int, op: Operation) -> str | None:
        """Adds an operation, or says why it cannot be written."""
        nodes = self.graph.proto.graph.node
        before = len(nodes)
        operands = [operand for operand in op.operands if operand is not None]
        for operand in operands:
            known = operand.index in self.made or operand.index in self.inputs
            if not operand.is_constant and not known:
                self.graph.add_input(operand)
                self.inputs.add(operand.index)
        reason = self.graph.try_to_emit(op)
        if reason is not None:
            return reason
        for place, node in enumerate(nodes[before:]):
            node.name = f"op{number}.{place}"
        self.read.update(operand.index for operand in operands)
        self.made.update({value.index: value for value in op.outputs if value is not None})
        return None

    def model(self) -> bytes:
        """With what nothing reads as outputs."""
        return self.graph.finish(
            [value for index, value in self.made.items() if index not in self.read]
        )
