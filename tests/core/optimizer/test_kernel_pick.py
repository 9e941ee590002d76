"""Kernel annotations, and what real Paddle Lite 2.13 demands besides."""

from __future__ import annotations

import pytest
from checking import program, rand

from lite.core.optimizer import optimize
from lite.core.optimizer.kernel_pick import KERNEL_ATTR, kernel_table
from lite.model.program import Program

PICK = ["lite_compatibility_pass", "static_kernel_pick_pass"]


def kernels(of: Program, targets: tuple[str, ...] = ("x86",)) -> list[str | None]:
    after = optimize(of, targets, passes=PICK)
    return [op.attr(KERNEL_ATTR) for op in after.root.ops]


@pytest.mark.parametrize(
    ("line", "dtype", "x86", "arm"),
    [
        ("Out: [y] = relu(X: [x])", "fp32", "relu/def/2/1/1", "relu/def/4/1/1"),
        ("Out: [y] = swish(X: [x])", "fp32", "swish/def/1/1/1", "swish/def/4/1/1"),
        ("Out: [y] = scale(X: [x])", "fp32", "scale/def/2/1/1", "scale/def/4/1/1"),
        ("Out: [y] = scale(X: [x])", "int64", "scale/int64/2/1/1", "scale/int64/4/1/1"),
        ("Out: [y] = scale(X: [x])", "int32", "scale/int32/2/1/1", "scale/int32/4/1/1"),
        ("Out: [y] = less_than(X: [x], Y: [x])", "int64", "less_than/int64/1/1/2", None),
        ("Out: [y] = less_than(X: [x], Y: [x])", "fp32", "less_than/def/1/1/2", None),
        ("Out: [y] = slice(Input: [x])", "int32", "slice/int32/2/1/1", "slice/int32_slice/4/1/1"),
        ("Out: [y] = slice(Input: [x])", "int64", "slice/int64/2/1/1", None),
        ("Out: [y] = arg_max(X: [x])", "fp32", "arg_max/fp32/1/4/1", None),
        ("Out: [y] = arg_max(X: [x])", "int64", "arg_max/int64/1/4/1", None),
        ("Y: [y] = stack(X: [x, x])", "int64", "stack/int64_def/1/1/2", None),
        ("Y: [y] = stack(X: [x, x])", "fp32", "stack/def/2/1/1", None),
        ("Out: [y] = transpose2(X: [x])", "int64", "transpose2/int64/2/1/1", None),
        ("Out: [y] = transpose2(X: [x])", "fp32", "transpose2/def/2/1/1", "transpose2/def/4/4/1"),
        (
            "Out: [y] = lookup_table_v2(Ids: [x], W: [w])",
            "int64",
            "lookup_table_v2/def/2/1/1",
            None,
        ),
        (
            "Out: [y] = lookup_table_v2(Ids: [x], W: [w])",
            "int32",
            "lookup_table_v2/float_int32/2/1/1",
            None,
        ),
        ("Out: [y] = gather(X: [w], Index: [x])", "int64", "gather/int64int64/2/1/1", None),
        ("Out: [y] = gather(X: [w], Index: [x])", "int32", "gather/int32int32/2/1/1", None),
        ("Out: [y] = expand_v2(X: [x])", "int64", "expand_v2/def_int64/1/1/2", None),
        ("Out: [y] = cast(X: [x])", "int64", "cast/def/1/4/1", None),
        ("Out: [y] = shape(Input: [x])", "fp32", "shape/def/1/4/2", "shape/def/1/4/2"),
        ("Out: [y] = hard_sigmoid(X: [x])", "fp32", "hard_sigmoid/def/1/1/1", None),
        (
            "Out: [y] = elementwise_add(X: [x], Y: [x])",
            "int64",
            "elementwise_add/int64/2/1/1",
            None,
        ),
    ],
)
def test_pick(line: str, dtype: str, x86: str, arm: str | None) -> None:
    before = program(line, {"x": (dtype, (2, 3))}, ["y"], {"w": rand(5, 4)})
    assert kernels(before)[1] == x86
    if arm is not None:
        assert kernels(before, ("arm",))[1] == arm


def test_feed_and_fetch() -> None:
    found = kernels(program("Out: [y] = relu(X: [x])", {"x": (2,)}, ["y"]))
    assert (found[0], found[-1]) == ("feed/def/1/4/2", "fetch/def/1/4/2")


def test_an_operator_without_a_kernel_there_has_no_annotation() -> None:
    assert kernels(program("Out: [y] = digamma(X: [x])", {"x": (2,)}, ["y"]))[1] is None


def test_inferred_type_decides_and_not_the_declared_one() -> None:
    body = "Out: [i] = arg_max(X: [x]) {axis: int -1, dtype: int 3}\nOut: [y] = scale(X: [i])"
    assert kernels(program(body, {"x": (2, 3)}, ["y"]))[2] == "scale/int64/2/1/1"


def test_a_tensor_array_has_kernels_of_its_own() -> None:
    before = program("Out: [y] = slice(Input: [a])", {"x": (2,)}, ["y"])
    from lite.model.program import VarDesc, VarType

    before.root.vars["a"] = VarDesc("a", VarType.LOD_TENSOR_ARRAY)
    assert kernels(before)[1] == "slice/array_def/2/1/1"


def test_every_row_of_the_table_is_readable() -> None:
    rows = [str(kernel) for of_type in kernel_table().values() for kernel in of_type]
    assert len(rows) == 655
    assert len(set(rows)) == len(rows)


def test_what_2_13_demands() -> None:
    body = (
        "Out: [f] = flatten_contiguous_range(X: [x]) {start_axis: int 1, stop_axis: int -1}\n"
        "Out: [r] = relu6(X: [f])\nOut: [i] = arg_max(X: [r]) {axis: int -1, dtype: int 3}"
    )
    after = optimize(program(body, {"x": (-1, 2, 3)}, ["r", "i"]), passes=PICK)
    flatten, relu6 = after.root.ops[1:3]
    assert flatten.output("XShape") in after.root.vars
    assert relu6.attr("threshold") == 6.0
    assert [op.attr("data_type") for op in after.root.ops if op.type == "fetch"] == [1, 7]


@pytest.mark.parametrize(
    ("body", "inplace"),
    [
        (
            "Out: [a] = relu(X: [x])\nOut: [b] = reshape2(X: [a]) {shape: ints [-1]}\n"
            "Out: [y] = exp(X: [b])",
            True,
        ),
        ("Out: [b] = reshape2(X: [x]) {shape: ints [-1]}\nOut: [y] = exp(X: [b])", False),
        ("Out: [a] = relu(X: [x])\nOut: [y] = reshape2(X: [a]) {shape: ints [-1]}", False),
        (
            "Out: [a] = relu(X: [x])\nOut: [b] = reshape2(X: [a]) {shape: ints [-1]}\n"
            "Out: [c] = exp(X: [a])\nOut: [d] = reshape2(X: [c]) {shape: ints [-1]}\n"
            "Out: [y] = elementwise_add(X: [b], Y: [d])",
            False,
        ),
    ],
)
def test_inplace(body: str, inplace: bool) -> None:
    after = optimize(program(body, {"x": (2, 3)}, ["y"]), passes=["lite_inplace_fuse_pass"])
    reshape = next(op for op in after.root.ops if op.type == "reshape2")
    assert reshape.attr("inplace", False) is inplace
