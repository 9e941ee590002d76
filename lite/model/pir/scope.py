"""What the translators of a file's regions see and share: values, names, constants."""

from __future__ import annotations

from lite.model.pir.document import Region
from lite.model.pir.values import Value
from lite.model.program import BlockDesc, OpDesc


class Scope:
    """The values that a region sees: its own and those of the regions around it."""

    def __init__(self, outer: Scope | None = None) -> None:
        self.outer = outer
        self.values: dict[int, Value] = {}

    def find(self, id: int) -> Value | None:
        """The value of an id, or None."""
        scope: Scope | None = self
        while scope is not None:
            if id in scope.values:
                return scope.values[id]
            scope = scope.outer
        return None


class Shared:
    """What the translators of a file share."""

    def __init__(
        self, region: Region, reserved: set[str], outputs: dict[int, str], version: int
    ) -> None:
        self.version = version
        self.used: set[int] = set()
        self._shaped: set[int] = set()
        self._note_uses(region)
        self.defined: set[int] = set()
        self.constants: list[tuple[Value, BlockDesc, OpDesc]] = []
        self._names = reserved
        self._outputs = outputs

    def _note_uses(self, region: Region) -> None:
        deciding = set()  # operations whose first operand is a condition
        for op in region.walk():
            if op.full_name in ("pd_op.if", "pd_op.while"):
                deciding.add(id(op))
                if op.name == "while":
                    deciding.update(
                        id(inner.operations[-1]) for inner in op.regions if inner.operations
                    )
            self.used.update(op.operands)
            self._shaped.update(op.operands[1 if id(op) in deciding else 0 :])

    def only_decides(self, id: int) -> bool:
        """Whether a value is nothing but the condition of branches and loops."""
        return id not in self._shaped

    def fresh(self, hint: str) -> str:
        """A name that nothing has."""
        name, number = hint, 0
        while name in self._names:
            number += 1
            name = f"{hint}.{number}"
        self._names.add(name)
        return name

    def name_of(self, id: int, block: int) -> str:
        """The variable of a result: an output's name where it is one."""
        wanted = self._outputs.get(id) if block == 0 else None
        if wanted is not None and wanted not in self._names:
            return self.fresh(wanted)
        return self.fresh(f"pir_{id}" if id > 0 else f"pir_arg{-id}")

    def drop_unused_constants(self) -> None:
        """Removes the operators of constants that became attributes everywhere."""
        unused: dict[int, set[int]] = {}
        for value, block, op in self.constants:
            if not value.used:
                unused.setdefault(block.idx, set()).add(id(op))
                assert value.name is not None
                block.vars.pop(value.name, None)
        for _, block, _ in self.constants:
            drop = unused.pop(block.idx, None)
            if drop:
                block.ops = [op for op in block.ops if id(op) not in drop]
