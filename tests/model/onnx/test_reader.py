"""ONNX models as they come: names, formats, constants, graphs in graphs, and what is refused."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from model.onnx.reader_models import BOOL, FLOAT, INT64, X, info, model, node, run, stored
from onnx import TensorProto, helper, numpy_helper

import lite
from lite.errors import LiteError, ModelFormatError, UnsupportedOperatorError
from lite.model.find import find_program
from lite.model.onnx.reader import read_onnx, table
from lite.model.onnx.reader.translate import adapters
from lite.model.sniff import Kind
from lite.model.statement import parse
from lite.model.text import parse_program, print_program

# -- The table.


def test_rows_name_functions_that_there_are() -> None:
    known = {row["type"] for row in lite._core.operator_table()}
    for same in table.rows().values():
        for row in same:
            assert not row.adapter or row.adapter in adapters(), row.name
            assert all(parse(text).type in known for text in row.statements), row.name
            assert row.first <= row.last, row.name
        spans = sorted((row.first, row.last) for row in same)
        assert all(a[1] < b[0] for a, b in pairwise(spans)), same[0].name
    used = {row.adapter for same in table.rows().values() for row in same}
    assert set(adapters()) == used - {""}


def test_rows_have_onnx_own_inputs_and_attributes() -> None:
    """The names may be others; how many there are, and attributes, are the onnx package's."""
    for (domain, name), same in table.rows().items():
        for row in same:
            if domain or row.last < 6 or row.first > onnx.defs.onnx_opset_version():
                continue
            last = min(row.last, onnx.defs.onnx_opset_version())
            for version in {max(row.first, 6), last}:
                try:
                    schema = onnx.defs.get_schema(name, version)
                except onnx.defs.SchemaError:
                    continue  # it came later than the row begins
                if schema.since_version < row.first:
                    continue
                mine = set(row.attributes)
                assert set(schema.attributes) <= mine, (name, version)
                assert len(schema.inputs) <= len(row.inputs), (name, version)


# -- Where models are, and what they are called.


def test_files_folders_and_bytes(tmp_path: Path) -> None:
    made = model([node("Relu", "x", "y")])
    onnx.save(made, tmp_path / "m.onnx")
    for source in (tmp_path / "m.onnx", tmp_path, made.SerializeToString()):
        predictor = lite.load(source)
        assert [item.name for item in predictor.inputs] == ["x"]
        np.testing.assert_array_equal(predictor.run(X)["y"], np.maximum(X, 0))
    with pytest.raises(ValueError, match="holds its parameters"):
        lite.load(tmp_path / "m.onnx", params=tmp_path / "m.onnx")


def test_nb_files(tmp_path: Path) -> None:
    made = model([node("MatMul", "x w", "m"), node("Tanh", "m", "y")], constants={"w": X[0].T})
    expected = run(made)["y"]
    np.testing.assert_allclose(lite.load(stored(made, tmp_path)).run(X)["y"], expected, atol=1e-6)


@pytest.mark.parametrize("shape", [(1, 1, 1), (2, 1, 4), (2, 3, 4)])
def test_nb_files_broadcast_sizes_that_are_not_known(
    tmp_path: Path, shape: tuple[int, ...]
) -> None:
    """Real Paddle Lite's operators want one shape: what may be 1 is expanded."""
    nodes = [node("Greater", "c x", "g"), node("Less", "c z", "l"), node("And", "g l", "b")]
    nodes.append(node("Where", "l x z", "w"))
    nodes += [node("Where", "b w x", "y")]
    inputs = [info("x", shape=("n", 3, 4)), info("c", shape=("i", "j", "k"))]
    made = model(nodes, inputs, constants={"z": np.zeros((), np.float32)})
    feeds = {"x": X, "c": np.random.default_rng(5).standard_normal(shape).astype(np.float32)}
    expected = run(made, feeds)["y"]
    np.testing.assert_array_equal(lite.load(stored(made, tmp_path)).run(feeds)["y"], expected)


def test_names_and_order() -> None:
    nodes = [node("Split", "x", "é", num_outputs=1, axis=0), node("Neg", "é", "b"),
             node("Identity", "x", "a"), node("Identity", "w", "c")]  # fmt: skip
    outputs = [info(name, shape=None) for name in ("b", "a", "é", "c", "x")]
    found = lite.load(
        model(nodes, None, outputs, {"w": np.ones(2, np.float32)}, 18).SerializeToString()
    ).run(X)
    assert list(found) == ["b", "a", "é", "c", "x"]
    np.testing.assert_array_equal(found["x"], X)
    np.testing.assert_array_equal(found["c"], [1, 1])


def test_names_of_dimensions_are_printed() -> None:
    data = model([node("Relu", "x", "y")], [info("x", shape=["N", 3, None, "a b"])])
    program = read_onnx(find_program(model_bytes=data.SerializeToString()))
    text = print_program(program)
    assert text.splitlines()[1:3] == ['# input x: float [N, 3, "?", "a b"]', "# output y: float"]
    assert parse_program(text, program.params) == program


def test_nodes_in_any_order_and_those_that_nobody_needs() -> None:
    nodes = [node("Tanh", "m", "y"), node("TfIdfVectorizer", "x", "z"), node("Relu", "x", "m")]
    made = model(nodes).SerializeToString()
    np.testing.assert_allclose(lite.load(made).run(X)["y"], np.tanh(np.maximum(X, 0)), atol=1e-6)


# -- Constants.


@pytest.mark.parametrize(
    "array",
    [
        np.asarray([1.5, -2], np.float16),
        np.asarray([1.5, -2], np.float64),
        np.asarray([1, -2], np.int8),
        np.asarray([1, 65000], np.uint16),
        np.asarray([1, 4000000000], np.uint32),
        np.asarray([True, False]),
        np.zeros((0, 3), np.float32),
        np.asarray(3.0, np.float32),
    ],
    ids=lambda array: f"{array.dtype}{list(array.shape)}",
)
@pytest.mark.parametrize("raw", [True, False])
def test_element_types(array: np.ndarray, raw: bool) -> None:
    made = model([node("Cast", "w", "y", to=TensorProto.DOUBLE)], [], [info("y", 11, None)])
    if raw:
        tensor = numpy_helper.from_array(array, "w")
    else:
        number = helper.np_dtype_to_tensor_dtype(array.dtype)
        tensor = helper.make_tensor("w", number, array.shape, array.reshape(-1).tolist())
    made.graph.initializer.append(tensor)
    np.testing.assert_array_equal(lite.load(made.SerializeToString()).run({})["y"], array)


def test_bfloat16_and_sparse() -> None:
    made = model([node("Add", "w s", "y")], [])
    bits = [0x3FC0, 0xC000]  # 1.5 and -2
    tensor = made.graph.initializer.add(name="w", data_type=TensorProto.BFLOAT16, dims=[2])
    tensor.int32_data.extend(bits)
    sparse = made.graph.sparse_initializer.add(dims=[2])
    sparse.values.CopyFrom(numpy_helper.from_array(np.asarray([4.0], np.float32), "s"))
    sparse.indices.CopyFrom(numpy_helper.from_array(np.asarray([1])))
    np.testing.assert_array_equal(lite.load(made.SerializeToString()).run({})["y"], [1.5, 2])


def _external(folder: Path, location: str, **entries: Any) -> Any:
    made = model([node("Add", "x w", "y")], [info("x", shape=[3])])
    tensor = made.graph.initializer.add(name="w", data_type=FLOAT, dims=[3], data_location=1)
    for key, value in {"location": location, **entries}.items():
        tensor.external_data.add(key=key, value=str(value))
    onnx_file = folder / "m.onnx"
    onnx_file.write_bytes(made.SerializeToString())
    return onnx_file


def test_external_data(tmp_path: Path) -> None:
    weights = np.asarray([7, 1, 2, 3], np.float32)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "w.bin").write_bytes(weights.tobytes())
    path = _external(tmp_path, "sub/w.bin", offset=4, length=12)
    x = np.zeros(3, np.float32)
    np.testing.assert_array_equal(lite.load(path).run(x)["y"], [1, 2, 3])
    (tmp_path / "w.bin").write_bytes(weights[1:].tobytes())
    np.testing.assert_array_equal(lite.load(_external(tmp_path, "w.bin")).run(x)["y"], [1, 2, 3])
    with pytest.raises(ModelFormatError, match="load the model by its path"):
        lite.load(path.read_bytes())


@pytest.mark.parametrize(
    ("location", "entries", "words"),
    [
        ("../w.bin", {}, "not inside"),
        ("/etc/hostname", {}, "not inside"),
        ("", {}, "not inside"),
        ("link", {}, "not inside"),
        ("a\0b", {}, "not inside"),
        ("nothing.bin", {}, "nothing.bin"),
        ("w.bin", {"offset": 8}, "needs bytes 8 to 20"),
        ("w.bin", {"offset": -4}, "needs bytes"),
        ("w.bin", {"length": 1 << 40}, "said to have"),
        ("w.bin", {"offset": "x"}, "no number"),
    ],
)
def test_external_data_that_leads_elsewhere(
    tmp_path: Path, location: str, entries: dict[str, Any], words: str
) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (tmp_path / "w.bin").write_bytes(bytes(12))
    (folder / "w.bin").write_bytes(bytes(12))
    os.symlink(tmp_path / "w.bin", folder / "link")
    with pytest.raises((ModelFormatError, FileNotFoundError), match=words):
        lite.load(_external(folder, location, **entries))


# -- What a static size is worth.


def test_sizes_that_are_not_needed_may_be_others() -> None:
    made = model([node("Relu", "x", "y")], [info("x", shape=[2, 3, 4])]).SerializeToString()
    assert lite.load(made).run(X[:1])["y"].shape == (1, 3, 4)


def test_sizes_that_are_needed_are_checked() -> None:
    nodes = [node("SplitToSequence", "x", "s", axis=0), node("SequenceAt", "s i", "y")]
    made = model(nodes, [info("x", shape=[2, 3, 4])], constants={"i": np.asarray(1)})
    predictor = lite.load(made.SerializeToString())
    np.testing.assert_array_equal(predictor.run(X)["y"], X[1:])
    with pytest.raises(LiteError, match=r"the model declares \[2, 3, 4\]"):
        predictor.run(X[:1])


# -- What is refused.


def test_all_refusals_in_one_line() -> None:
    nodes = [
        node("TfIdfVectorizer", "x", "a"),
        node("Resize", "a r r", "b"),
        node("Softmax", "x", "c", flavour=1),
        node("TfIdfVectorizer", "x", "d"),
        node("Sum", "b c d", "y"),
    ]
    with pytest.raises(UnsupportedOperatorError) as caught:
        lite.load(model(nodes, constants={"r": X}).SerializeToString())
    text = str(caught.value)
    assert "2 operator(s) of this ONNX model are not read" in text
    assert "TfIdfVectorizer x2" in text and "Softmax (the attribute 'flavour'" in text


def _doubling() -> Any:
    domains = [helper.make_opsetid("", 17), helper.make_opsetid("local", 1)]
    functions = [
        helper.make_function("local", "f0", ["a"], ["b"], [node("Neg", "a", "b")], domains)
    ]
    for level in range(40):
        name = f"f{level}"
        nodes = [node(name, "a", "m", domain="local"), node(name, "m", "b", domain="local")]
        functions.append(
            helper.make_function("local", f"f{level + 1}", ["a"], ["b"], nodes, domains)
        )
    return model([node("f40", "x", "y", domain="local")], functions=functions)


def _recursive() -> Any:
    domains = [helper.make_opsetid("local", 1)]
    nodes = [node("f", "a", "b", domain="local")]
    function = helper.make_function("local", "f", ["a"], ["b"], nodes, domains)
    return model([node("f", "x", "y", domain="local")], functions=[function])


def _huge() -> Any:
    made = model([node("Add", "x w", "y")])
    made.graph.initializer.add(name="w", data_type=FLOAT, dims=[1 << 40, 1 << 40])
    return made


def _negative() -> Any:
    made = model([node("Add", "x w", "y")])
    made.graph.initializer.add(name="w", data_type=FLOAT, dims=[-1], raw_data=bytes(4))
    return made


def _going_is_a_sequence() -> Any:
    body = helper.make_graph(
        [node("SequenceConstruct", "v", "still"), node("Tanh", "v", "next")],
        "body",
        [info("i", INT64, []), info("going", BOOL, []), info("v", shape=None)],
        [info("still", BOOL, []), info("next", shape=None)],
    )
    constants = {"turns": np.array(2), "going": np.array(True)}
    return model([node("Loop", "turns going x", "y", body=body)], constants=constants)


def _listed(type: str) -> Any:
    nodes = [node(type, "x axes", "y")]
    return model(nodes, [info("x"), info("axes", INT64, [2**31 - 1])])


def _complex() -> Any:
    made = model([node("Add", "x w", "y")])
    made.graph.initializer.add(
        name="w", data_type=TensorProto.COMPLEX64, dims=[1], float_data=[1, 2]
    )
    return made


def _heads() -> Any:
    """Queries of so many heads share one of keys: a list of them would not fit."""
    sizes = {"q_num_heads": 1 << 31, "kv_num_heads": 1}
    nodes = [node("Attention", "x x x", "y", **sizes)]
    return model(nodes, [info("x", shape=[1, 2, 1 << 31])], opset=23)


HOSTILE: dict[str, tuple[Callable[[], Any], str]] = {
    "doubling": (_doubling, "more than"),
    "recursive": (_recursive, "calls itself"),
    "huge": (_huge, "has 0 bytes|elements"),
    "negative": (_negative, "expected sizes from 0"),
    "axes": (lambda: _listed("Unsqueeze"), "a tensor at most 9 dimensions"),
    "fewer axes": (lambda: _listed("Squeeze"), "a tensor at most 9 dimensions"),
    "heads": (_heads, "elements, more than"),
    "complex": (_complex, "holds complex64"),
    "a sequence says whether": (_going_is_a_sequence, "Loop"),
    "circle": (lambda: model([node("Add", "x y", "a"), node("Neg", "a", "y")]), "circle"),
    "itself": (lambda: model([node("Add", "x y", "y")]), "circle"),
    "nothing": (lambda: model([node("Add", "x z", "y")]), "'z' is read"),
    "twice": (lambda: model([node("Neg", "x", "y"), node("Abs", "x", "y")]), "another node"),
    "over the input": (lambda: model([node("Neg", "x", "x"), node("Abs", "x", "y")]), "circle"),
    "no output": (lambda: model([node("Neg", "x", "z")]), "'y' is read"),
    "too many inputs": (lambda: model([node("Neg", "x x", "y")]), "at most 1"),
    "a missing input": (lambda: model([node("Add", "x", "y")]), "'B' is missing"),
    "a wrong attribute": (lambda: model([node("Flatten", "x", "y", axis="a")]), "axis"),
    "a missing attribute": (lambda: model([node("MaxPool", "x", "y")]), "kernel_shape"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_models(name: str) -> None:
    make, words = HOSTILE[name]
    with pytest.raises((ModelFormatError, UnsupportedOperatorError), match=words):
        lite.load(make().SerializeToString())


def test_cut_files() -> None:
    data = model([node("Add", "x w", "y")], constants={"w": X}).SerializeToString()
    for size in range(len(data)):
        with pytest.raises((ModelFormatError, UnsupportedOperatorError, LiteError)):
            read_onnx(find_program(model_bytes=b"\x08\x09\x3a" + data[:size]))
    assert find_program(model_bytes=data).kind is Kind.ONNX


def test_constants_that_are_not_read_are_refused() -> None:
    made = model([node("Add", "x s", "y")])
    sparse = made.graph.sparse_initializer.add(dims=[2])
    sparse.values.CopyFrom(helper.make_tensor("s", TensorProto.FLOAT8E4M3FN, [1], [1.0]))
    sparse.indices.CopyFrom(numpy_helper.from_array(np.asarray([1])))
    with pytest.raises(UnsupportedOperatorError, match="float8e4m3fn"):
        lite.load(made.SerializeToString())


@pytest.mark.parametrize("type", ["LSTM", "GRU", "RNN"])
@pytest.mark.parametrize("direction", ["forward", "reverse", "bidirectional"])
def test_recurrent_layers(type: str, direction: str) -> None:
    gates = {"LSTM": 4, "GRU": 3, "RNN": 1}[type]
    sides = 2 if direction == "bidirectional" else 1
    random = np.random.default_rng(1)
    constants = {
        name: random.standard_normal(shape).astype(np.float32) * np.float32(0.5)
        for name, shape in (
            ("w", (sides, 5 * gates, 4)),
            ("r", (sides, 5 * gates, 5)),
            ("b", (sides, 10 * gates)),
        )
    }
    more = {"linear_before_reset": 1} if type == "GRU" else {}
    outputs = ["y", "h", "c"] if type == "LSTM" else ["y", "h"]
    layer = helper.make_node(
        type, ["x", "w", "r", "b"], outputs, hidden_size=5, direction=direction, **more
    )
    run(model([layer], None, [info(name, shape=None) for name in outputs], constants))


def test_max_roi_pool() -> None:
    """Rows of image and corners, in any order of images, some of them beyond the pixels."""
    random = np.random.RandomState(0)
    low, size = random.uniform(-4, 20, (9, 2)), random.uniform(0, 30, (9, 2))
    images = random.randint(0, 2, (9, 1))
    feeds = {
        "x": random.randn(2, 3, 17, 19).astype("float32"),
        "rois": np.concatenate([images, low, low + size], 1).astype("float32"),
    }
    made = model(
        [node("MaxRoiPool", "x rois", "y", pooled_shape=[3, 4], spatial_scale=0.7)],
        [info("x", shape=[2, 3, 17, 19]), info("rois", shape=["n", 5])],
    )
    run(made, feeds)
