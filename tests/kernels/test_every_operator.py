"""Every registered operator has its table of cases."""

from __future__ import annotations

from pathlib import Path

import expected_values
import harness

WITHOUT_TENSORS = set(
    """
subgraph while conditional_block conditional_block_infer select_input write_to_array
read_from_array lod_array_length tensor_array_to_tensor slice_of_list
""".split()
)
"""Operators on blocks and lists; tests/core/control_flow and tests/nnadapter have theirs."""


def test_every_operator_has_a_test_file() -> None:
    here = Path(__file__).parent
    types = sorted(info["type"] for info in harness.core().operator_table())
    assert types
    named = [op for op in types if op not in WITHOUT_TENSORS]
    missing = [op for op in named if not (here / f"test_{op}.py").exists()]
    assert not missing, f"operators without tests/kernels/test_<op>.py: {', '.join(missing)}"


def test_no_expected_values_are_orphans() -> None:
    here = Path(__file__).parent
    orphans = [
        f.name for f in here.glob("expected/*.npz") if not (here / f"test_{f.stem}.py").exists()
    ]
    assert not orphans


def test_expected_values_stay_small() -> None:
    total = sum(f.stat().st_size for f in expected_values.DIRECTORY.glob("*.npz"))
    assert total < 3_000_000, f"tests/kernels/expected holds {total} bytes, at most 3 MB"
