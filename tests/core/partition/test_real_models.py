"""Real models cut up at random: the same numbers as in one piece, on this project's own runtime."""

from __future__ import annotations

import os
import random
from pathlib import Path

import numpy as np
import pytest

from lite.api.build import make_core
from lite.core.optimizer import optimize
from lite.core.partition import PartitionOptions, PartitionRequest, partition
from lite.model.load import load_program
from lite.model.program import BlockDesc, Program

MODELS = {
    "ch_PP-OCRv4_det_infer": (1, 3, 64, 96),
    "ch_PP-OCRv4_rec_infer": (1, 3, 48, 80),
    "ch_ppocr_mobile_v2_cls_infer": (2, 3, 48, 192),
}


def _inlined(program: Program) -> Program:
    """The program with the operators of each subgraph in its place."""
    root = program.root
    ops = []
    for op in root.ops:
        ops += program.blocks[op.attr("sub_block")].ops if op.type == "subgraph" else [op]
    block = BlockDesc(0, -1, -1, dict(root.vars), ops)
    return Program([block], program.version, program.op_versions, program.params)


@pytest.mark.models
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", MODELS)
def test_same_numbers(name: str, seed: int) -> None:
    folder = os.environ.get("LITE_TEST_MODELS")
    if not folder:
        pytest.skip("LITE_TEST_MODELS names no folder of real models")
    files = (file for file in sorted(Path(folder).rglob("*.pdmodel")) if file.name[0] != ".")
    path = next((file for file in files if file.parent.name == name), None)
    if path is None:
        pytest.skip(f"{folder} has no {name}")
    rng = random.Random(seed)

    def check(program: Program, block: int, clusters: list[list[int]]) -> dict[int, str]:
        types = {op.type for op in program.blocks[block].ops}
        refused = {kind for kind in sorted(types) if rng.random() < 0.25}
        ops = program.blocks[block].ops
        return {
            at: "refused"
            for some in clusters
            for at in some
            if ops[at].type in refused or rng.random() < 0.05
        }

    options = PartitionOptions(shape_arithmetic=bool(seed % 2), no_compute=True)
    request = PartitionRequest(("npu",), check, options=options)
    after, placement = partition(load_program(path.parent), request)
    assert len(placement.subgraphs) > 1
    x = np.random.default_rng(seed).standard_normal(MODELS[name], np.float32)
    found = make_core(_inlined(after)).run_with([(x, [])])
    expected = make_core(optimize(load_program(path.parent))).run_with([(x, [])])
    for (a, _), (b, _) in zip(expected, found, strict=True):
        assert a.shape == b.shape
        assert np.abs(a - b).max() <= 1e-4 * np.abs(a).max()
