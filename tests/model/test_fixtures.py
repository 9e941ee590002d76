"""The small models of ``data/``, which Paddle 2.6.2 exported and real Paddle Lite converted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lite.model.load import load_program
from lite.model.naive_buffer import read_nb
from lite.model.pdmodel import read_pdmodel, write_pdmodel
from lite.model.program import Attr, AttrType, DataType, VarType
from lite.model.text import parse_program, print_program

DATA = Path(__file__).parent / "data"
MODELS = sorted(path.stem for path in DATA.glob("*.pdmodel"))


def test_all_models_are_there() -> None:
    assert MODELS == ["conv", "dtypes", "loop"]
    assert len(list(DATA.glob("*.nb"))) == 6


@pytest.mark.parametrize("name", MODELS)
def test_models_round_trip(name: str) -> None:
    program = load_program(DATA / f"{name}.pdmodel")
    assert program.version == 2006002 and program.op_versions
    assert program.feed_names() == ["x"]
    assert len(program.fetch_names()) == 1
    assert parse_program(print_program(program), program.params) == program
    assert read_pdmodel(write_pdmodel(program)) == program


def test_the_loop_has_its_blocks_and_variables() -> None:
    program = load_program(DATA / "loop.pdmodel")
    assert [block.parent_idx for block in program.blocks] == [-1, 0, 0, 0]
    loop = next(op for op in program.root.ops if op.type == "while")
    assert loop.attrs["sub_block"] == Attr(AttrType.BLOCK, 1)
    types = {var.type for block in program.blocks for var in block.vars.values()}
    assert {VarType.LOD_TENSOR_ARRAY, VarType.STEP_SCOPES, VarType.LOD_TENSOR} < types


def test_parameters_of_every_type_have_their_values() -> None:
    program = load_program(DATA / "dtypes.pdmodel")
    found = {array.dtype.name: array for array in program.params.values() if array.shape == (2, 3)}
    assert set(found) == {"bool", "int32", "int64", "float64"}
    for array in found.values():
        assert array.tolist() == (np.arange(6).reshape(2, 3) % 2).astype(array.dtype).tolist()
    for name, array in program.params.items():
        dtype = program.root.vars[name].dtype
        assert dtype is not None
        assert dtype.name.lower().replace("fp", "float") == array.dtype.name


@pytest.mark.parametrize("path", sorted(DATA.glob("*.nb")), ids=lambda path: path.name)
def test_real_nb_files(path: Path) -> None:
    program = read_nb(path)
    assert program == load_program(path) == load_program(model_bytes=path.read_bytes())
    assert program.feed_names() == ["x"]
    assert [block.idx for block in program.blocks] == list(range(len(program.blocks)))
    ops = [op for block in program.blocks for op in block.ops]
    assert all("__@kernel_type_attr@__" in op.attrs for op in ops)
    assert parse_program(print_program(program), program.params) == program


def test_real_nb_files_hold_the_parameters_of_their_models() -> None:
    loop = load_program(DATA / "loop.pdmodel").params
    converted = read_nb(DATA / "loop.x86.213.nb").params
    assert loop.keys() == converted.keys()
    for name, array in loop.items():
        assert converted[name].tobytes() == array.tobytes()
    housing = read_nb(DATA / "uci_housing.x86.213.nb")
    assert housing.params["fc_0.w_0"].shape == (13, 1)
    assert housing.root.vars["fc_0.w_0"].dtype is DataType.FP32
    assert housing.params["fc_0.b_0"].tolist() == pytest.approx([22.738298])
