"""Every registered operator has its table of cases."""

from __future__ import annotations

import re
from pathlib import Path

import expected_values
import harness

WITHOUT_TENSORS = set(
    """
subgraph while conditional_block conditional_block_infer select_input write_to_array
read_from_array lod_array_length tensor_array_to_tensor slice_of_list array_pop beam_search_decode
lod_rank_table max_sequence_len lod_tensor_to_array array_to_lod_tensor shrink_rnn_memory
reorder_lod_tensor_by_rank
""".split()
)
"""On blocks, lists and rank tables: tests/core/control_flow and tests/nnadapter have theirs."""


def tables() -> set[str]:
    """The operators of every `= OpTable("...")` in this folder; a family may share a file."""
    here = Path(__file__).parent
    texts = (path.read_text() for path in here.glob("test_*.py"))
    shown = {op for text in texts for op in re.findall(r'= \w+\(\s*"(\w+)"', text)}
    named = {path.stem.removeprefix("test_") for path in here.glob("test_*.py")}
    return shown | named


def test_every_operator_has_a_table() -> None:
    types = sorted(info["type"] for info in harness.core().operator_table())
    assert types
    missing = sorted(set(types) - WITHOUT_TENSORS - tables())
    assert not missing, f"operators without a table of cases: {', '.join(missing)}"


def test_no_expected_values_are_orphans() -> None:
    files = {f.stem for f in expected_values.DIRECTORY.glob("*.npz")}
    assert not files - tables()


def test_expected_values_stay_small() -> None:
    total = sum(f.stat().st_size for f in expected_values.DIRECTORY.glob("*.npz"))
    assert total < 3_000_000, f"tests/kernels/expected holds {total} bytes, at most 3 MB"
