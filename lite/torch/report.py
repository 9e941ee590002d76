"""What became of the operators of graphs that are compiled."""

from __future__ import annotations

import contextlib
import contextvars
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field


@dataclass
class Report:
    """What became of the operators of compiled graphs; ``fallbacks`` maps those that stayed with
    torch to the reason."""

    graphs: int = 0
    operators: Counter[str] = field(default_factory=Counter)
    stayed: Counter[str] = field(default_factory=Counter)
    fallbacks: dict[str, str] = field(default_factory=dict)

    @property
    def share(self) -> float:
        """The share of the operators that run here."""
        total = sum(self.operators.values())
        return 1.0 if not total else 1.0 - sum(self.stayed.values()) / total

    def stay(self, names: Iterable[str], reason: str) -> None:
        """Operators that stay with torch."""
        for name in names:
            self.stayed[name] += 1
            self.fallbacks.setdefault(name, reason)

    def __str__(self) -> str:
        lines = [
            f"{self.graphs} graph(s), {sum(self.operators.values())} operators, "
            f"{self.share:.1%} of them here"
        ]
        lines += [
            f"  {name} ({self.stayed[name]}x) stays with torch: {reason}"
            for name, reason in sorted(self.fallbacks.items())
        ]
        return "\n".join(lines)


_reports: contextvars.ContextVar[Report | None] = contextvars.ContextVar("reports", default=None)


def current() -> Report | None:
    """The report that graphs tell now."""
    return _reports.get()


@contextlib.contextmanager
def reporting() -> Iterator[Report]:
    """Graphs that are compiled, or fall back, within tell the report."""
    report = Report()
    token = _reports.set(report)
    try:
        yield report
    finally:
        _reports.reset(token)
