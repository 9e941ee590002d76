"""The search for one fault: halves first, then groups that go wrong only together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lite.api.compare.flat import DeviceOperator, Piece
from lite.api.compare.workbench import RESTORED, Verdict, Workbench

_MOST_REDUCED = 12
"""Groups up to this size are reduced operator by operator."""


@dataclass
class Fault:
    """Operators at fault; ``verdict`` is that of a test of them alone, None where it was right."""

    operators: list[DeviceOperator]
    piece: Piece
    verdict: Verdict | None = None


class Searcher:
    """Looks for faults among the operators that are not excluded yet."""

    def __init__(self, bench: Workbench, whole: Verdict) -> None:
        self.bench = bench
        self.whole = whole
        self.operators = list(bench.flat.operators)
        self._tested: dict[tuple[DeviceOperator, ...], Verdict] = {}
        self._bad: list[DeviceOperator] = []

    def exclude(self, operator: DeviceOperator) -> None:
        """Leaves an operator on the CPU from now on."""
        self.operators = [op for op in self.operators if op is not operator]

    def find(self) -> Fault | None:
        """An operator that is at fault if one alone is; None where none is left.

        A half that is right leaves the other one at fault, untested.
        """
        part = self.operators
        if not part:
            return None
        self._bad = part
        while len(part) > 1:
            half = part[: len(part) // 2]
            if not self._is_known_right(half) and self._test(half).wrong:
                self._bad = part = half
            else:
                part = part[len(half) :]
        return Fault(part, self._piece(part), self._verdict(part))

    def _is_known_right(self, operators: list[DeviceOperator]) -> bool:
        """Whether more operators, these among them, were right together."""
        some = set(operators)
        return any(not v.wrong and some.issubset(ops) for ops, v in self._tested.items())

    def confirm(self, fault: Fault) -> None:
        """Tests a fault alone; where it is right, looks for those that it goes wrong with."""
        verdict = self._test(fault.operators)
        if not verdict.wrong:
            group = self._group()
            if group:
                fault.operators, fault.piece = group, self._piece(group)
                verdict = self._test(group)
        fault.verdict = verdict if verdict.wrong else None

    def _group(self) -> list[DeviceOperator]:
        """The fewest neighbours in the last part that was wrong which are wrong together."""
        part = next((p for p in (self._bad, self.operators) if self._test(p).wrong), None)
        if part is None:
            return []
        low, high = 1, len(part)
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if self._test(part[:middle]).wrong else (middle + 1, high)
        part = part[:high]
        low, high = 0, len(part) - 1
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self._test(part[middle:]).wrong else (low, middle - 1)
        part = part[low:]
        for op in list(part) if len(part) <= _MOST_REDUCED else []:
            fewer = [other for other in part if other is not op]
            if fewer and self._test(fewer).wrong:
                part = fewer
        return part

    def _verdict(self, operators: Sequence[DeviceOperator]) -> Verdict | None:
        found = self._tested.get(tuple(operators))
        return found if found is not None and found.wrong else None

    def _test(self, operators: Sequence[DeviceOperator]) -> Verdict:
        key = tuple(operators)
        if key not in self._tested:
            cached = self.whole.run == RESTORED
            self._tested[key] = self.bench.test(self._piece(operators), cached=cached)
        return self._tested[key]

    def _piece(self, operators: Sequence[DeviceOperator]) -> Piece:
        first = min(op.owner for op in operators)
        last = max(op.owner for op in operators)
        return self.bench.piece(first, last, operators, echo=True)
