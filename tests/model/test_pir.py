"""The reader of PIR programs: what files say, and what broken ones are told."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pir_documents import (
    BOOL,
    INT64,
    document,
    dtype,
    feed,
    fetch,
    ints,
    op,
    region,
    tensor,
)

import lite
from lite.errors import LiteError, ModelFormatError, UnsupportedOperatorError
from lite.model.pir import read_pir
from lite.model.pir.table import ATTR_TYPES, declaration, names
from lite.model.program import AttrType, DataType

X = feed(1, "x", -1, 3)
T = tensor(-1, 3)


def run(data: bytes, **inputs: Any) -> list[np.ndarray]:
    return list(lite.load(data).run(inputs).values())


def test_every_line_of_the_table_is_understood() -> None:
    assert len(names()) == len(set(names())) > 400
    for name in names():
        found = declaration(name)
        assert found is not None and found.name == name
        for item in found.attributes:
            assert item.kind in ATTR_TYPES


def test_a_program_of_one_operator() -> None:
    program = read_pir(document(X, op("1.relu", [1], {2: T}), fetch(3, 2)))
    assert program.feed_names() == ["x"] and program.fetch_names() == ["fetch_name_0"]
    assert [item.type for item in program.root.ops] == ["feed", "relu", "fetch"]
    assert program.root.vars["x"].shape == (-1, 3)


def test_keys_in_any_order_spaces_and_a_mark_of_byte_order() -> None:
    content = json.loads(document(X, op("1.relu", [1], {2: T}), fetch(3, 2)))
    turned = {"program": content["program"], "base_code": content["base_code"], "new": 1}
    for data in (
        json.dumps(turned).encode(),
        json.dumps(content, indent=4).encode(),
        b"\xef\xbb\xbf" + json.dumps(content, separators=(",", ":")).encode(),
    ):
        np.testing.assert_array_equal(run(data, x=np.ones((2, 3), "float32"))[0], np.ones((2, 3)))


def test_numbers_take_the_declared_type_whatever_the_file_has() -> None:
    soft = op("1.leaky_relu", [1], {2: T}, negative_slope={"#": "0.a_f64", "D": 1})
    program = read_pir(document(X, soft, fetch(3, 2)))
    attr = program.root.ops[1].attrs["alpha"]
    assert (attr.type, attr.value) == (AttrType.FLOAT, 1.0)


def test_absent_attributes_take_their_default() -> None:
    program = read_pir(document(X, op("1.leaky_relu", [1], {2: T}), fetch(3, 2)))
    assert program.root.ops[1].attrs["alpha"].value == float(np.float32(0.02))


@pytest.mark.parametrize(
    ("text", "expected"), [("NaN", math.nan), ("INF", math.inf), ("-INF", -math.inf)]
)
def test_numbers_that_are_not_finite(text: str, expected: float) -> None:
    value = {"#": "0.a_f64", "VD": text}
    full = op("1.full", [], {2: tensor(1)}, shape=ints(1), value=value, dtype=dtype("float32"))
    added = op("1.add", [1, 2], {3: T})
    (out,) = run(document(X, full, added, fetch(4, 3)), x=np.zeros((1, 3), "float32"))
    np.testing.assert_array_equal(out, np.full((1, 3), expected, "float32"))


def _axis(id: int, *numbers: int) -> dict[str, Any]:
    value = {"#": "0.a_array", "D": [{"#": "0.a_i64", "D": n} for n in numbers]}
    result = {id: tensor(len(numbers), dtype=INT64)}
    return op("1.full_int_array", [], result, value=value, dtype=dtype("int64"))


def test_a_constant_becomes_an_attribute_and_leaves_no_operator() -> None:
    summed = op("1.sum", [1, 2], {3: tensor(-1)}, keepdim=False)
    program = read_pir(document(X, _axis(2, 1), summed, fetch(4, 3)))
    assert [item.type for item in program.root.ops] == ["feed", "reduce_sum", "fetch"]
    assert program.root.ops[1].attrs["dim"].value == [1]
    assert "pir_2" not in program.root.vars


def test_a_constant_that_is_also_a_tensor_stays() -> None:
    summed = op("1.sum", [1, 2], {3: tensor(-1)}, keepdim=False)
    data = document(X, _axis(2, 1), summed, fetch(4, 3), fetch(5, 2, 1))
    outputs = run(data, x=np.ones((2, 3), "float32"))
    np.testing.assert_array_equal(outputs[0], [3, 3])
    np.testing.assert_array_equal(outputs[1], [1])


def test_a_computed_axis_without_a_slot_is_refused_by_name() -> None:
    axes = feed(2, "axes", 1, dtype_tag=INT64)
    summed = op("1.sum", [1, 2], {3: tensor(-1)})
    with pytest.raises(LiteError, match=r"operator 2 \(pd_op.sum\): operand 'axis' is computed"):
        read_pir(document(X, axes, summed, fetch(4, 3)))


@pytest.mark.parametrize("values", [{}, *({"values": v} for v in ("x", [2.0**70], [1e999]))])
def test_what_is_set_must_be_numbers_of_the_tensors_type(values: dict[str, Any]) -> None:
    x = feed(1, "x", 2, dtype_tag=INT64)
    sizes = [feed(id, name, 1, dtype_tag=INT64) for id, name in ((2, "a"), (3, "b"), (4, "c"))]
    set_ = op("1.set_value", [1, 2, 3, 4], {5: tensor(2, dtype=INT64)}, axes=ints(0), **values)
    with pytest.raises(ModelFormatError, match=r"pd_op.set_value\): attribute 'values' is"):
        read_pir(document(x, *sizes, set_, fetch(6, 5)))


@pytest.mark.parametrize("value", [{"#": "0.a_c64", "D": [1.0, 2.0]}, [[1, 2], [3]]])
def test_attributes_of_custom_operators_must_fit(value: Any) -> None:
    mine = op("3.mine", [1], {2: tensor(2, 3)}, size=value)
    lite.operator("mine", inputs=["X"])(lambda x, size: x)
    try:
        with pytest.raises(ModelFormatError, match=r"custom_op.mine\): attribute 'size' is"):
            read_pir(document(X, mine, fetch(3, 2)))
    finally:
        lite.remove_operator("mine")


@pytest.mark.parametrize("value", [float("inf"), 2.0**70])
def test_assigned_values_must_fit_the_tensors_type(value: float) -> None:
    given: dict[str, Any] = {"shape": ints(2), "dtype": "int64", "values": [value, 1.0]}
    made = op("1.assign_value", [], {2: tensor(2, dtype=INT64)}, **given)
    with pytest.raises(ModelFormatError, match=r"pd_op.assign_value\): attribute 'values' is"):
        read_pir(document(made, fetch(3, 2)))


def test_outputs_may_be_inputs_and_one_value_may_be_fetched_twice() -> None:
    named = op("1.fetch", [1], {5: T}, name="x", col=0)
    data = document(X, op("1.relu", [1], {2: T}), named, fetch(6, 2, 1), fetch(7, 2, 2))
    predictor = lite.load(data)
    assert [info.name for info in predictor.outputs] == ["x", "fetch_name_1", "fetch_name_2"]
    x = np.array([[-1, 0, 2]], "float32")
    outputs = list(predictor.run({"x": x}).values())
    np.testing.assert_array_equal(outputs[0], x)
    for out in outputs[1:]:
        np.testing.assert_array_equal(out, np.maximum(x, 0))


def test_names_of_parameters_do_not_meet_those_of_values(tmp_path: Path) -> None:
    parameter = {"#": "p", "A": [0, 0, 0, "pir_3"], "O": {"%": 2, "TT": tensor(3)}}
    added = op("1.add", [1, 2], {3: T})
    program = read_pir(document(parameter, X, added, op("1.relu", [3], {4: T}), fetch(5, 4)))
    assert program.root.ops[1].inputs["Y"] == ["pir_3"]
    assert program.root.ops[1].outputs["Out"] == ["pir_3.1"]


def test_a_parameter_has_a_known_shape() -> None:
    parameter = {"#": "p", "A": [0, 0, 0, "w"], "O": {"%": 2, "TT": tensor(-1, 3)}}
    with pytest.raises(ModelFormatError, match=r"\(parameter 'w'\).*\[-1, 3\]; known sizes"):
        read_pir(document(parameter, X, op("1.add", [1, 2], {3: T}), fetch(4, 3)))


@pytest.mark.parametrize("computed", ["columns", "rows", "both"])
def test_sizes_of_eye_may_be_computed(computed: str) -> None:
    count = feed(1, "n", dtype_tag=INT64)
    number = {"shape": ints(1), "value": 3.0, "dtype": dtype("int64")}
    three = op("1.full", [], {2: tensor(1, dtype=INT64)}, **number)
    sizes = {"columns": [2, 1], "rows": [1, 2], "both": [1, 1]}[computed]
    eye = op("1.eye", sizes, {3: tensor(-1, -1)}, dtype=dtype("float32"))
    data = document(count, three, eye, fetch(4, 3))
    for n in (5, 2, 0):
        expected = np.eye(*({1: n, 2: 3}[size] for size in sizes), dtype=np.float32)
        (out,) = run(data, n=np.array(n))
        np.testing.assert_array_equal(out, expected)


def _condition(id: int) -> dict[str, Any]:
    return feed(id, "c", dtype_tag=BOOL)


def _if(taken: list[dict[str, Any]], other: list[dict[str, Any]]) -> bytes:
    branch = op("1.if", [9], {20: T}, [region(*taken), region(*other)])
    return document(X, _condition(9), branch, fetch(30, 20))


def test_if_gives_what_its_branches_yield() -> None:
    data = _if(
        [op("1.relu", [1], {10: T}), op("2.yield", [10])], [op("2.yield", [1])]
    )  # the other branch hands a value of outside through
    x = np.array([[-1, 0, 2]], "float32")
    for condition in (True, False):
        (out,) = run(data, x=x, c=np.array(condition))
        np.testing.assert_array_equal(out, np.maximum(x, 0) if condition else x)


def test_values_of_a_branch_are_not_seen_outside() -> None:
    data = _if([op("1.relu", [1], {10: T}), op("2.yield", [10])], [op("2.yield", [10])])
    with pytest.raises(ModelFormatError, match="the value 10 is not defined"):
        read_pir(data)


def test_while_may_permute_its_values() -> None:
    one, limit = (
        op("1.full", [], {id: tensor(dtype=INT64)}, shape=ints(), value=value, dtype=dtype("int64"))
        for id, value in ((2, 0.0), (3, 3.0))
    )
    scalar, flag = tensor(dtype=INT64), tensor(dtype=BOOL)
    body = region(
        op("1.increment_", [-1], {11: scalar}, value=1.0),
        op("1.less_than", [11, 3], {12: flag}),
        op("2.yield", [12, 11, -3, -2]),
        arguments={-1: scalar, -2: T, -3: T},
    )
    data = document(
        X,
        feed(6, "y", -1, 3),
        one,
        limit,
        op("1.less_than", [2, 3], {4: flag}),
        op("1.while", [4, 2, 1, 6], {21: scalar, 22: T, 23: T}, [body]),
        fetch(30, 22),
        fetch(31, 23, 1),
    )
    x, y = np.ones((1, 3), "float32"), np.zeros((1, 3), "float32")
    first, second = run(data, x=x, y=y)  # three turns: exchanged
    np.testing.assert_array_equal(first, y)
    np.testing.assert_array_equal(second, x)


def test_all_unknown_operators_are_named_at_once() -> None:
    ops = [op("1.frobnicate", [1], {2: T}), op("3.mine", [2], {3: T}), op("onednn_op.x", [3])]
    with pytest.raises(UnsupportedOperatorError) as raised:
        read_pir(document(X, *ops), "m.json")
    text = str(raised.value)
    for part in ("m.json", "pd_op.frobnicate (1x)", "custom_op.mine (1x)", "onednn_op.x", "3 oper"):
        assert part in text


def test_batch_norm_of_several_gpus() -> None:
    """SyncBatchNorm, which only Paddle's builds for GPUs export, is batch norm when it runs."""
    one = {2: T, **{id: tensor(3) for id in (3, 4, 5, 6, 7)}}
    data = document(
        feed(1, "x", -1, 3),
        *(feed(id, f"p{id}", 3) for id in (10, 11, 12, 13)),
        op(
            "1.sync_batch_norm_",
            [1, 10, 11, 12, 13],
            one,
            is_test=True,
            momentum=0.9,
            epsilon=1e-5,
            data_format="NCHW",
            use_global_stats=False,
            trainable_statistics=False,
        ),
        fetch(20, 2),
    )
    x = np.float32([[1, 2, 3], [4, 5, 6]])
    mean, variance, scale, bias = (
        np.float32(v) for v in ([1, 2, 3], [4, 1, 9], [1, 2, 3], [0, 1, 2])
    )
    (y,) = run(data, x=x, p10=mean, p11=variance, p12=scale, p13=bias)
    np.testing.assert_allclose(y, (x - mean) / np.sqrt(variance + 1e-5) * scale + bias, rtol=1e-5)


def test_newer_versions_are_refused_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    data = document(X, op("1.relu", [1], {2: T}), fetch(3, 2), version=9)
    with pytest.raises(UnsupportedOperatorError, match=r"version 9.*LITE_PIR_NEWER"):
        read_pir(data)
    monkeypatch.setenv("LITE_PIR_NEWER", "1")
    assert read_pir(data).fetch_names() == ["fetch_name_0"]


def test_attributes_of_a_newer_paddle_are_refused_by_name() -> None:
    with pytest.raises(UnsupportedOperatorError, match=r"pd_op.relu.*shininess"):
        read_pir(document(X, op("1.relu", [1], {2: T}, shininess=2), fetch(3, 2)))


RELU = op("1.relu", [1], {2: T})
DEEP: Any = op("1.relu")
for _ in range(40):
    DEEP = op("1.if", [1], {}, [region(DEEP)])


@pytest.mark.parametrize(
    ("data", "match"),
    [
        (b"{", "not JSON"),
        (b'{"base_code": 1}', "base_code.magic"),
        (b'{"base_code":{"magic":"pir","version":"4"}}', "version is '4'"),
        (b"\xff\xfe", "not UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
        (rb'{"a": "\ud800"}', "not JSON.*surrogates"),
        (b'{"a":' + b"9" * 5000 + b"}", "not JSON"),
        (document(X, feed(1, "y", 2)), "the id 1 is given twice"),
        (document(X, RELU, RELU), "the id 2 is given twice"),
        (document(X, op("1.relu", [7], {2: T})), "operand 'x'|value 7 is not defined"),
        (document(X, op("1.relu", [0], {2: T})), "operand 'x' is missing"),
        (document(X, op("1.relu", [1, 1], {2: T})), "2 operands, expected at most 1"),
        (document(X, op("1.relu", [1], {2: T, 3: T})), "2 results"),
        (document(X, op("1.relu", [1], {2: {"#": "0.t_dtensor", "D": 3}})), "payload"),
        (document(X, op("1.relu", [1], {2: {"#": "1.t_selected_rows"}})), "t_selected_rows"),
        (document(X, op("relu", [1], {2: T})), "expected DIALECT.NAME"),
        (document(X, op("1.leaky_relu", [1], {2: T}, negative_slope="a")), "negative_slope.*'a'"),
        (document(X, op("1.cast", [1], {2: T}, dtype=dtype("float31"))), "float31"),
        (document(X, op("1.data", [], {2: T}, name="x")), "name of a new variable"),
        (document(DEEP), "nested deeper than 32"),
        (document(X, op("1.if", [1], {2: T}, [region(), region()])), "condition is FP32"),
        (_if([op("1.relu", [1], {10: T})], [op("2.yield", [1])]), "cf.yield"),
        (document(X, op("1.while", [1], {}, [])), "one region"),
        (document(X, op("0.split", [1], {2: T})), "no list"),
        (document({"#": "p", "A": [], "O": {"%": 1, "TT": T}}), "without a name"),
        (document(X, 7), "operator 1 is 7"),  # type: ignore[arg-type]
        (document(X, program={"regions": []}), "one region"),
    ],
)
def test_broken_files(data: bytes, match: str) -> None:
    with pytest.raises(LiteError, match=match):
        read_pir(data)


def test_complex_numbers() -> None:
    numbers = tensor(-1, dtype="0.t_c64")
    made = op("1.as_complex", [1], {2: numbers})
    predictor = lite.load(document(feed(1, "x", -1, 2), made, fetch(3, 2)))
    (out,) = predictor.run(np.array([[1, 2], [3, -4]], "float32")).values()
    assert out.dtype == np.complex64 and out.tolist() == [1 + 2j, 3 - 4j]


def _complex_constant(*values: dict[str, Any], kind: str = "complex64") -> bytes:
    numbers = tensor(len(values), dtype="0.t_c64" if kind == "complex64" else "0.t_c128")
    listed = {"#": "0.a_array", "D": list(values)}
    made = op(
        "1.assign_value", [], {2: numbers}, shape=[len(values)], values=listed, dtype=dtype(kind)
    )
    return document(
        X, made, op("1.real", [2], {3: T}), op("1.imag", [2], {4: T}), fetch(5, 3), fetch(6, 4, 1)
    )


@pytest.mark.parametrize("kind", ["complex64", "complex128"])
def test_complex_constants(kind: str) -> None:
    data = _complex_constant(
        {"#": "0.a_c128", "D": [1, -0.5]}, {"#": "0.a_c64", "VD": ["NaN", "-INF"]}, kind=kind
    )
    real, imag = run(data, x=np.zeros((1, 3), "float32"))
    np.testing.assert_array_equal(real, [1, np.nan])
    np.testing.assert_array_equal(imag, [-0.5, -np.inf])
    assert real.dtype == ("float32" if kind == "complex64" else "float64")


@pytest.mark.parametrize(
    "payload", [{"D": [1]}, {"D": 1.5}, {"D": [1, None]}, {"VD": ["x", "y"]}, {}]
)
def test_broken_complex_numbers(payload: dict[str, Any]) -> None:
    with pytest.raises(ModelFormatError, match=r"attribute 'values'"):
        read_pir(_complex_constant({"#": "0.a_c128", **payload}))


def test_a_complex_number_where_a_real_one_belongs() -> None:
    slope = {"#": "0.a_c64", "D": [1.0, 2.0]}
    with pytest.raises(LiteError, match="negative_slope"):
        read_pir(document(X, op("1.leaky_relu", [1], {2: T}, negative_slope=slope), fetch(3, 2)))


def test_programs_in_16_bits_compute_in_float32() -> None:
    half, weight = tensor(-1, 3, dtype="0.t_f16"), tensor(3, dtype="0.t_f16")
    full = op("1.full", [], {4: weight}, shape=ints(3), value=2.0, dtype=dtype("float16"))
    ops = [
        op("1.cast", [1], {2: half}, dtype=dtype("float16")),
        full,
        op("1.multiply", [2, 4], {5: half}),
        op("1.cast", [5], {6: T}, dtype=dtype("float32")),
    ]
    x = np.full((1, 3), 1.0001, "float32")
    out, kept = run(document(X, *ops, fetch(7, 6), fetch(8, 5, 1)), x=x)
    np.testing.assert_allclose(out, 2 * x, rtol=1e-6)
    assert kept.dtype == np.float16
    program = read_pir(document(X, *ops, fetch(7, 6)))
    assert program.root.vars["pir_2"].dtype is DataType.FP16  # the reader says what the file says


def test_a_folder_with_both_formats_gives_the_newer(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "inference.json").write_bytes(document(X, RELU, fetch(3, 2)))
    (tmp_path / "inference.pdmodel").write_bytes(b"broken")
    (tmp_path / "config.json").write_text("{}")
    with caplog.at_level("INFO", "lite"):
        assert lite.load(tmp_path).outputs[0].name == "fetch_name_0"
    assert "inference.json" in caplog.text and "inference.pdmodel" in caplog.text
    assert lite.load(tmp_path / "inference").outputs[0].name == "fetch_name_0"


def test_rms_norm_before_and_after_its_operands_changed() -> None:
    row = np.array([[3.0, 4, 0]], "float32")
    newer = op("1.rms_norm", [1, 0], {2: T, 3: tensor(-1)}, normalized_shape=ints(3), epsilon=0.0)
    older = op(
        "1.rms_norm",
        [1, 0, 1, 0, 0],
        {2: T, 3: T, 4: tensor(-1)},
        epsilon=0.0,
        begin_norm_axis=1,
        quant_scale=-1.0,
        quant_round_type=0,
        quant_max_bound=0.0,
        quant_min_bound=0.0,
    )
    wanted = row / np.sqrt(25 / 3)
    for version, written, weights in ((4, newer, 0), (0, older, 1)):
        data = document(X, written, fetch(5, 2), version=version)
        if weights:  # norm_weight is not optional there
            written["I"][3] = {"%": 1}
            data = document(X, written, fetch(5, 2), version=version)
            np.testing.assert_allclose(run(data, x=row)[0], wanted * row, rtol=1e-5)
        else:
            np.testing.assert_allclose(run(data, x=row)[0], wanted, rtol=1e-5)


def test_a_tensor_is_taken_out_of_an_array() -> None:
    array = {"#": "1.t_dense_tensor_array", "D": [{"#": "0.t_f32"}, [-1, 3], "NCHW"]}
    program = read_pir(
        document(
            X,
            op("1.create_array", [], {2: array}, dtype=dtype("float32")),
            op(
                "1.full",
                [],
                {3: tensor(1, dtype=INT64)},
                shape=ints(1),
                value=0.0,
                dtype=dtype("int64"),
            ),
            op("1.array_write_", [2, 1, 3], {4: array}),
            op("1.array_pop", [4], {5: array, 6: T}, index=-1),
            fetch(7, 6),
        )
    )
    taken = next(item for item in program.root.ops if item.type == "array_pop")
    assert taken.inputs["array"] == taken.outputs["array_out"] and taken.attrs["index"].value == -1
