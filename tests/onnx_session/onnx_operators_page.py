"""Writes docs/generated/onnx_operators.md from the reader's table and the onnx package's tests.

python tests/onnx_session/onnx_operators_page.py
"""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "generated" / "onnx_operators.md"

_HEAD = """# Operators of ONNX

Generated from `lite/model/onnx/reader/operators.txt` by
`tests/onnx_session/onnx_operators_page.py`. What is not here is refused when a model is loaded, by
operator and reason. "by hand" is a function of `lite/model/onnx/reader/operators`.

| operator | operator sets | becomes |
|---|---|---|
"""


def operators() -> str:
    """The page's first part: the table."""
    from lite.model.onnx.reader import table

    lines = []
    for (domain, name), same in table.rows().items():
        spans = ", ".join(
            f"{row.first} to {row.last}" if row.last < table.NEWEST else f"from {row.first}"
            for row in same
        )
        becomes = dict.fromkeys(
            "; ".join(row.statements) or f"by hand: `{row.adapter}`" for row in same
        )
        shown = f"{domain}.{name}" if domain else name
        lines.append(f"| `{shown}` | {spans} | {' / '.join(becomes)} |")
    return _HEAD + "\n".join(sorted(lines)) + "\n"


def refusals() -> str:
    """The second part: what of ONNX's own node tests is refused, and why."""
    import onnx
    from onnx_session import node_cases

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = dict(node_cases.outcomes())
    right = sum(not text for text in found.values())
    reasons = Counter(text.partition(" read: ")[2] for text in found.values() if text)
    lines = "\n".join(f"- {count}: {text}" for text, count in sorted(reasons.items()))
    return (
        f"\n## Node tests of onnx {onnx.__version__}\n\n"
        f"{len(found)} cases have tensors alone; {right} are right, none is wrong, and the others "
        f"are refused:\n\n{lines}\n"
    )


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "tests"))
    PAGE.write_text(operators() + refusals())
