"""Partitioning programs: the numbers stay, refused and excluded operators stay on the CPU."""

from __future__ import annotations

import io
import json
import random
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from call_count import calls
from checking import program, rand
from core.dividing import divide
from interpreter import execute

from lite.core.optimizer import optimize
from lite.core.optimizer.kernel_pick import KERNEL_ATTR
from lite.core.partition import (
    Kind,
    PartitionConfig,
    PartitionOptions,
    PartitionRequest,
    Placement,
    partition,
)
from lite.errors import ConfigError, DeviceError, ModelFormatError
from lite.model.naive_buffer import read_nb, write_nb
from lite.model.program import Program
from lite.model.text import print_program


def _nb(program: Program) -> bytes:
    file = io.BytesIO()
    write_nb(program, file)
    return file.getvalue()


class Device:
    """A device that refuses operator types, when asked for the declaration or as a driver."""

    def __init__(self, refuses: Mapping[str, str] = {}, later: Mapping[str, str] = {}) -> None:
        self.refuses, self.later = refuses, later
        self.calls: list[list[list[int]]] = []
        self.seen: dict[int, int] = {}

    def __call__(self, program: Program, block: int, clusters: list[list[int]]) -> dict[int, str]:
        self.calls.append(clusters)
        asked = self.seen[block] = self.seen.get(block, 0) + 1
        ops = program.blocks[block].ops
        table = self.refuses if asked == 1 else self.later
        return {
            at: table[ops[at].type] for some in clusters for at in some if ops[at].type in table
        }


def _chain(*types: str) -> Program:
    lines = [f"Out: [v{n + 1}] = {kind}(X: [v{n}])" for n, kind in enumerate(types)]
    return program("\n".join(lines), {"v0": (2, 4)}, [f"v{len(types)}"])


def _same(before: Program, after: Program, feeds: Mapping[str, np.ndarray]) -> None:
    for a, b in zip(execute(before, feeds), execute(after, feeds), strict=True):
        np.testing.assert_allclose(b, a, rtol=1e-5, atol=1e-5)
        assert a.dtype == b.dtype


def _reasons(placement: Placement) -> dict[str, tuple[Kind | None, str]]:
    return {op.label: (op.kind, op.reason) for op in placement.operators if not op.is_io}


UNARY = ["abs", "square", "assign", "scale", "softmax", "gelu"]
BINARY = ["elementwise_add", "elementwise_sub", "elementwise_max", "elementwise_min"]


def _random_program(seed: int) -> tuple[Program, random.Random]:
    """Operators over few names: many variables are written twice, some in place."""
    rng = random.Random(seed)
    names = [f"t{n}" for n in range(rng.choice([3, 6, 30]))]
    defined = ["x", "z"]
    lines = []
    for _ in range(rng.randint(1, 25)):
        out = rng.choice(names)
        kind = rng.choice(UNARY + BINARY)
        a = rng.choice(defined[-6:])
        if kind in BINARY:
            b = rng.choice([*defined[-6:], "w"])
            lines.append(f"Out: [{out}] = {kind}(X: [{a}], Y: [{b}]) {{axis: int -1}}")
        elif kind == "scale":
            lines.append(f"Out: [{out}] = scale(X: [{a}]) {{scale: float 0.5, bias: float 1.0}}")
        else:
            lines.append(f"Out: [{out}] = {kind}(X: [{a}])")
        if out in defined:
            defined.remove(out)
        defined.append(out)
    fetches = rng.sample(defined[2:], rng.randint(1, min(3, len(defined) - 2)))
    feeds = {"x": (2, 4), "z": (2, 4)}
    return program("\n".join(lines), feeds, fetches, {"w": rand(4)}), rng


FEEDS = {"x": rand(2, 4), "z": rand(2, 4)}


@pytest.mark.parametrize("seed", range(300))
def test_random_programs_and_support(seed: int) -> None:
    before, rng = _random_program(seed)
    kinds = UNARY + BINARY
    refused = {kind: f"{kind} is not declared" for kind in kinds if rng.random() < 0.3}
    later = {kind: f"the driver has no {kind}" for kind in kinds if rng.random() < 0.15}
    excluded = rng.choice([op for op in before.root.ops if op.type not in ("feed", "fetch")])
    config = PartitionConfig(f"{excluded.type}:{excluded.input('X')}:{excluded.output('Out')}")
    text = print_program(before)
    device = Device(refused, later)
    after, placement = divide(before, device, config, devices=["npu"])
    assert print_program(before) == text
    _same(before, after, FEEDS)
    assert after.fetch_names() == before.fetch_names()
    again, second = divide(before, Device(refused, later), config, devices=["npu"])
    assert print_program(again) == print_program(after) and second.to_dict() == placement.to_dict()
    inside = [op for block in after.blocks[1:] for op in block.ops]
    assert not {op.type for op in inside} & (refused.keys() | later.keys())
    assert len(inside) == len(placement.on_device())
    for op, source in zip(placement.operators, before.root.ops, strict=True):
        assert (op.type, op.inputs, op.outputs) == (source.type, source.inputs, source.outputs)
        assert (op.kind is None) == (op.place == "device") == (not op.reason)
        if op.type in refused and op.kind is not Kind.CONFIG:
            assert (op.kind, op.reason) == (Kind.UNSUPPORTED, refused[op.type])
        if source is excluded:
            assert op.kind is Kind.CONFIG and "line 1" in op.reason
    assert len(device.calls) <= 4


@pytest.mark.parametrize("seed", range(100))
def test_random_programs_through_all_passes(seed: int) -> None:
    before, rng = _random_program(seed)
    refused = {kind: "no" for kind in UNARY + BINARY if rng.random() < 0.4}
    request = PartitionRequest(("npu",), Device(refused))
    after, placement = partition(before, request)
    _same(before, after, FEEDS)
    for block in after.blocks[1:]:
        assert not any(KERNEL_ATTR in op.attrs for op in block.ops)
    loaded = read_nb(_nb(after))
    assert print_program(read_nb(_nb(loaded))) == print_program(loaded)
    _same(before, loaded, FEEDS)
    _same(before, optimize(loaded, ["x86"]), FEEDS)
    for info in placement.subgraphs:
        assert info.sub_block is not None
        types = [placement.operators[at].type for at in info.operators]
        assert [op.type for op in after.blocks[info.sub_block].ops] == types


def test_the_operator_is_stored_as_paddle_lite_stores_it() -> None:
    body = """
    Out: [m] = matmul_v2(X: [x], Y: [w]) {trans_x: bool false, trans_y: bool false}
    Out: [a] = elementwise_add(X: [m], Y: [b]) {axis: int -1}
    Out: [y] = softmax(X: [a])
    """
    before = program(body, {"x": (-1, 4)}, ["y"], {"w": rand(4, 3), "b": rand(3)})
    request = PartitionRequest(("npu",), Device())
    divided, placement = partition(before, request, ["huawei_ascend_npu", "x86"])
    after = read_nb(_nb(divided))
    assert placement.devices == ["npu", "huawei_ascend_npu"]
    op = after.root.ops[1]
    assert op.type == "subgraph"
    assert op.attr(KERNEL_ATTR) == "subgraph/def/18/4/1"
    assert op.inputs == {"Inputs": ["b", "w", "x"]}
    assert op.outputs == {"Outputs": ["a", "m", "y"]}
    assert op.attr("input_data_names") == ["x"]
    assert op.attr("output_data_names") == ["y"]
    assert op.attrs["sub_block"].type.name == "INT" and op.attr("sub_block") == 1
    block = after.blocks[1]
    assert not block.vars
    assert [inner.type for inner in block.ops] == ["matmul_v2", "elementwise_add", "softmax"]
    assert {"w", "b"} <= set(after.params) and {"a", "m", "y"} <= set(after.root.vars)


def test_fusion_works_on_what_remains() -> None:
    body = """
    Out: [s] = scale(X: [x]) {scale: float 1.0}
    Out: [a] = abs(X: [s])
    Out: [m] = elementwise_add(X: [a], Y: [x]) {axis: int -1}
    Out: [r] = relu(X: [m])
    Out: [y] = square(X: [r])
    """
    before = program(body, {"x": (2, 4)}, ["y"])
    request = PartitionRequest(("npu",), Device({"elementwise_add": "no", "relu": "no"}))
    after, placement = partition(before, request)
    types = [op.type for op in after.root.ops]
    assert types == ["feed", "subgraph", "fusion_elementwise_add_activation", "subgraph", "fetch"]
    reasons = _reasons(placement)
    assert reasons["scale#1"][0] is Kind.FOLDED
    assert reasons["relu#4"] == (Kind.UNSUPPORTED, "no")


LOOP = """
Out: [i] = fill_constant() {shape: ints [1], value: float 0.0, dtype: int 5}
Out: [n] = fill_constant() {shape: ints [1], value: float 3.0, dtype: int 5}
Out: [h] = abs(X: [x])
Out: [go] = less_than(X: [i], Y: [n]) {axis: int -1}
Out: [h, i, go], StepScopes: [ss] = while(X: [h, i, n, w, b], Condition: [go]) {sub_block: block 1}
Out: [y] = square(X: [h])
"""
BODY = """
block 1 parent 0 {
  Out: [m] = matmul_v2(X: [h], Y: [w]) {trans_x: bool false, trans_y: bool false}
  Out: [h] = elementwise_add(X: [m], Y: [b]) {axis: int -1}
  Out: [i] = increment(X: [i]) {step: float 1.0}
  Out: [go] = less_than(X: [i], Y: [n]) {axis: int -1}
}
"""


@pytest.mark.parametrize(
    "refused", [(), ("less_than",), ("increment", "less_than"), ("matmul_v2",)]
)
@pytest.mark.parametrize("passes", [True, False])
def test_the_body_of_a_loop(refused: tuple[str, ...], passes: bool) -> None:
    before = program(LOOP, {"x": (-1, 4)}, ["y"], {"w": rand(4, 4), "b": rand(4)}, BODY)
    device = Device(dict.fromkeys(refused, "no"))
    options = PartitionOptions(no_compute=True)
    if passes:
        request = PartitionRequest(("npu",), device, options=options)
        after, placement = partition(before, request)
    else:
        after, placement = divide(before, device, options=options)
    _same(before, after, {"x": FEEDS["x"]})
    assert any(info.block == 1 for info in placement.subgraphs)
    assert "matmul_v2#1/0" in _reasons(placement)
    _same(before, read_nb(_nb(after)), {"x": FEEDS["x"]})


def test_force_and_exclude() -> None:
    before = program(
        "Out: [s] = assign(X: [x])\nOut: [a] = abs(X: [s])\nOut: [y] = abs(X: [a])",
        {"x": (2, 4)},
        ["y"],
    )
    config = PartitionConfig("@cpu type=*\n@device name=s\n", "c.txt")
    _, placement = divide(before, Device(), config)
    reasons = _reasons(placement)
    assert reasons["assign#1"] == (None, "")
    assert reasons["abs#2"] == (Kind.CONFIG, "excluded by line 1 of c.txt")
    _, placement = divide(before, Device())
    assert all(op.place == "device" for op in placement.operators if not op.is_io)
    with pytest.warns(UserWarning, match=r"line 2 asks for the device, but assign#1 .*: no way"):
        divide(before, Device({"assign": "no way"}), config)


def test_a_config_that_names_nothing() -> None:
    before = _chain("abs", "gelu")
    with pytest.warns(UserWarning, match=r"line 1 \('abss'\): .*did you mean abs"):
        _, placement = divide(before, Device(), PartitionConfig("abss"))
    assert len(placement.warnings) == 1
    with pytest.raises(ConfigError, match="did you mean abs"):
        divide(before, Device(), PartitionConfig("abss"), strict=True)


def test_names_are_those_before_fusion() -> None:
    body = (
        "Out: [s] = scale(X: [x]) {scale: float 1.0}\n"
        "Out: [y] = abs(X: [s])\nOut: [z] = abs(X: [y])"
    )
    before = program(body, {"x": (2, 4)}, ["z"])
    request = PartitionRequest(("npu",), Device(), PartitionConfig("abs:s\nscale"), strict=True)
    _, placement = partition(before, request)
    reasons = _reasons(placement)
    assert reasons["abs#2"][0] is Kind.CONFIG and reasons["abs#3"][0] is None


def test_least_size_compute_and_transfers() -> None:
    before = _chain("abs", "gelu", "abs", "abs", "abs", "gelu", "abs", "abs")
    no_gelu = {"gelu": "no gelu"}
    _, placement = divide(before, Device(no_gelu), options=PartitionOptions(min_size=2))
    assert [len(info.operators) for info in placement.subgraphs] == [3, 2]
    assert _reasons(placement)["abs#1"][0] is Kind.SMALL
    assert "min_size=2" in _reasons(placement)["abs#1"][1]
    _, placement = divide(before, Device(no_gelu), options=PartitionOptions(min_compute=17))
    assert [len(info.operators) for info in placement.subgraphs] == [3]
    _, placement = divide(before, Device(no_gelu), options=PartitionOptions(max_transfers=4))
    assert [len(info.operators) for info in placement.subgraphs] == [3, 2]
    assert _reasons(placement)["abs#1"][0] is Kind.TRANSFERS
    with pytest.raises(ConfigError, match="min_size"):
        PartitionOptions(min_size=-1)


def test_what_only_moves_data_stays() -> None:
    before = program(
        "Out: [a] = transpose2(X: [x]) {axis: ints [1, 0]}\nOut: [y] = unsqueeze2(X: [a]) "
        "{axes: ints [0]}",
        {"x": (2, 4)},
        ["y"],
    )
    after, placement = divide(before, Device())
    assert not placement.subgraphs and _reasons(placement)["transpose2#1"][0] is Kind.NO_COMPUTE
    _same(before, after, {"x": FEEDS["x"]})
    _, placement = divide(before, Device(), options=PartitionOptions(no_compute=True))
    assert len(placement.subgraphs) == 1


SHAPES = """
Out: [a] = abs(X: [x])
Out: [s] = shape(Input: [x])
Out: [c] = cast(X: [s]) {in_dtype: int 2, out_dtype: int 3}
Out: [y] = gelu(X: [a])
"""


def test_shape_arithmetic_stays_unless_asked() -> None:
    before = program(SHAPES, {"x": (2, 4)}, ["y", "c"])
    _, placement = divide(before, Device())
    kinds = {label: kind for label, (kind, _) in _reasons(placement).items()}
    assert kinds == {"abs#1": None, "shape#2": Kind.SHAPE, "cast#3": Kind.SHAPE, "gelu#4": None}
    options = PartitionOptions(shape_arithmetic=True, no_compute=True)
    _, placement = divide(before, Device(), options=options)
    assert len(placement.on_device()) == 4


RESHAPED = """
Out: [a] = abs(X: [x])
Out: [s] = shape(Input: [a])
Out: [c] = cast(X: [s]) {in_dtype: int 2, out_dtype: int 3}
Out: [y] = reshape2(X: [a], Shape: [c]) {shape: ints [-1]}
Out: [z] = gelu(X: [y])
"""


def test_shape_arithmetic_that_only_the_device_reads_goes_along() -> None:
    before = program(RESHAPED, {"x": (-1, 4)}, ["z"])
    _, placement = divide(before, Device())
    assert len(placement.subgraphs) == 1 and len(placement.on_device()) == 5
    both = program(RESHAPED, {"x": (-1, 4)}, ["z", "s"])
    _, placement = divide(both, Device())
    kinds = {label: kind for label, (kind, _) in _reasons(placement).items()}
    assert kinds["shape#2"] is kinds["cast#3"] is Kind.SHAPE
    assert len(placement.subgraphs) == 2 and len(placement.on_device()) == 3


@pytest.mark.parametrize("asked", ["refuses", "later"])
def test_shape_arithmetic_that_the_device_refuses_is_no_fallback(asked: str) -> None:
    before = program(RESHAPED, {"x": (-1, 4)}, ["z"])
    device = Device(**{asked: {"shape": "no", "cast": "no"}})
    _, placement = divide(before, device, strict=True)
    kinds = {label: kind for label, (kind, _) in _reasons(placement).items()}
    assert {kinds["shape#2"], kinds["cast#3"]} == {Kind.SHAPE}
    assert len(placement.on_device()) == 3


def test_a_small_cluster_whose_neighbour_it_may_not_join() -> None:
    body = """
    Out: [a] = abs(X: [x])
    Out: [b] = gelu(X: [a])
    Out: [c] = elementwise_add(X: [a], Y: [b]) {axis: int -1}
    Out: [y] = abs(X: [c])
    """
    before = program(body, {"x": (2, 4)}, ["y"])
    _, placement = divide(before, Device({"gelu": "no"}), options=PartitionOptions(min_size=2))
    kind, reason = _reasons(placement)["abs#1"]
    assert kind is Kind.ORDER and "would break the order" in reason


def test_the_driver_is_asked_three_times_at_most() -> None:
    before = _chain(*["abs"] * 9)

    class Grudging(Device):
        def __call__(
            self, program: Program, block: int, clusters: list[list[int]]
        ) -> dict[int, str]:
            self.calls.append(clusters)
            return {clusters[0][0]: f"answer {len(self.calls)}"} if len(self.calls) > 1 else {}

    device = Grudging()
    after, placement = divide(before, device)
    assert len(device.calls) == 4
    reasons = [op.reason for op in placement.operators if op.kind is Kind.DRIVER]
    assert reasons == ["answer 2", "answer 3", "answer 4"]
    assert len(placement.on_device()) == 6
    _same(before, after, {"v0": FEEDS["x"]})


def test_strict_carries_the_report() -> None:
    with pytest.raises(DeviceError, match="gelu#2: no gelu") as caught:
        divide(_chain("abs", "gelu"), Device({"gelu": "no gelu"}), devices=["npu"], strict=True)
    assert isinstance(caught.value.placement, Placement)
    assert len(caught.value.placement.fallbacks()) == 1
    config = PartitionConfig("gelu")
    divide(_chain("abs", "gelu"), Device({"gelu": "no gelu"}), config, strict=True)


def test_a_program_that_has_subgraphs_already() -> None:
    before = _chain("abs", "gelu", "abs")
    once, _ = divide(before, Device({"gelu": "no"}))
    twice, placement = divide(once, Device(), options=PartitionOptions(min_size=1))
    _same(before, twice, {"v0": FEEDS["x"]})
    assert [op.type for op in placement.on_device()] == ["subgraph", "gelu", "subgraph"]
    assert [len(info.operators) for info in placement.subgraphs] == [1]


def test_a_target_that_is_no_cpu_is_a_device() -> None:
    request = PartitionRequest((), Device())
    after, placement = partition(_chain("abs"), request, ["some_npu", "arm"])
    assert [op.type for op in after.root.ops] == ["feed", "subgraph", "fetch"]
    assert placement.devices == ["some_npu"] and request.devices == ()
    with pytest.raises(ConfigError, match=r"\['some_npu'\] are no CPU"):
        optimize(_chain("abs"), ["some_npu", "arm"])


def test_a_discarded_pass_leaves_all_on_the_cpu() -> None:
    request = PartitionRequest(("npu",), Device())
    discarded = ["nnadapter_subgraph_pass"]
    after, placement = partition(_chain("abs"), request, discarded=discarded)
    assert [op.type for op in after.root.ops] == ["feed", "abs", "fetch"]
    assert "discarded" in _reasons(placement)["abs#1"][1]


def test_a_check_that_answers_nonsense_or_fails() -> None:
    def odd(program: Program, block: int, clusters: list[list[int]]) -> dict[int, Any]:
        return {-1: "?", 999: "?", clusters[0][0]: ""}

    _, placement = divide(_chain("abs", "abs", "abs", "abs", "abs"), odd)
    assert all(op.reason for op in placement.operators if op.place == "cpu")

    def failing(program: Program, block: int, clusters: list[list[int]]) -> dict[int, str]:
        raise DeviceError("the driver is gone")

    with pytest.raises(DeviceError, match="gone"):
        divide(_chain("abs"), failing)


def test_the_report_survives_json() -> None:
    _, placement = divide(_chain("abs", "gelu", "abs"), Device({"gelu": "no"}), devices=["npu"])
    data = json.loads(json.dumps(placement.to_dict()))
    assert Placement.from_dict(data) == placement
    assert placement.summary() == "2 of 3 operators on npu in 2 subgraphs, 1 on the CPU"
    placement.fell_back(0, "the driver failed to compile")
    assert placement.operators[1].reason == "the driver failed to compile"
    assert placement.fallbacks()[0].kind is Kind.RUNTIME


def _sums(count: int) -> tuple[Program, Callable[..., dict[int, str]]]:
    """Sums of sums, and a device that refuses some of them."""
    rng = random.Random(1)
    lines = []
    for n in range(count):
        a, b = (f"v{rng.randrange(max(0, n - 20), n)}" if n else "v" for _ in "ab")
        lines.append(f"Out: [v{n}] = elementwise_add(X: [{a}], Y: [{b}]) {{axis: int -1}}")
    before = program("\n".join(lines), {"v": (2, 4)}, [f"v{count - 1}"])
    refused = set(rng.sample(range(1, count + 1), count // 4))

    def check(program: Program, block: int, clusters: list[list[int]]) -> dict[int, str]:
        return {at: "no" for some in clusters for at in some if at in refused}

    return before, check


def test_work_grows_with_the_number_of_operators_alone() -> None:
    small, large = calls(divide, *_sums(130)), calls(divide, *_sums(1300))
    assert large < 1.1 * 10 * small
    assert large < 1300 * 700


def test_no_warning_without_a_reason() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        divide(_chain("abs", "gelu"), Device(), PartitionConfig("# nothing\n"))


def test_a_batch_norm_that_echoes_its_mean() -> None:
    body = (
        "Y: [y], MeanOut: [m], VarianceOut: [v] = batch_norm(X: [x], Scale: [s], Bias: [b], "
        "Mean: [m], Variance: [v]) {epsilon: float 1e-05, is_test: bool true}"
    )
    params = {"s": rand(3), "b": rand(3), "m": rand(3), "v": rand(3) ** 2 + 1}
    before = program(body, {"x": (1, 3, 2, 2)}, ["y"], params)
    after = partition(before, PartitionRequest(("npu",), Device()))[0]
    for _ in range(2):
        op = after.root.ops[1]
        assert op.inputs == {"Inputs": ["b", "m", "s", "v", "x"]}
        assert op.outputs == {"Outputs": ["y"]}
        assert op.attr("input_data_names") == ["x"]
        after = optimize(read_nb(_nb(after)))


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("sub_block", 0, "sub_block is 0"),
        ("sub_block", 9, "sub_block is 9"),
        ("sub_block", "x", "sub_block is 'x'"),
        ("output_data_names", 3, "output_data_names is 3"),
        ("output_data_names", ["y", 3], "expected names"),
    ],
)
def test_a_damaged_subgraph(name: str, value: object, said: str) -> None:
    after = partition(_chain("abs", "abs"), PartitionRequest(("npu",), Device()))[0]
    after.root.ops[1].attrs[name].value = value
    with pytest.raises(ModelFormatError, match=said):
        optimize(after)


COND = """
Out: [a] = abs(X: [x])
Out: [go] = less_than(X: [c], Y: [z]) {axis: int -1}
Out: [a], Scope: [s] = conditional_block(Input: [a], Cond: [go]) {sub_block: block 1}
Out: [y] = square(X: [a])
"""
COND_BLOCK = """
block 1 parent 0 {
  Out: [b] = exp(X: [a])
  Out: [b] = abs(X: [b])
  Out: [a] = sqrt(X: [b])
}
"""


@pytest.mark.parametrize("c", [0.0, 2.0])
@pytest.mark.parametrize("refused", ["", "abs", "sqrt", "exp"])
def test_the_body_of_a_condition(c: float, refused: str) -> None:
    feeds = {"x": (2, 4), "c": (1,), "z": (1,)}
    before = program(COND, feeds, ["y", "a"], blocks=COND_BLOCK)
    values = {"x": FEEDS["x"], "c": np.array([c], "float32"), "z": np.array([1], "float32")}
    device = Device({refused: "no", "less_than": "no"})
    after, placement = divide(before, device)
    _same(before, after, values)
    inner = {op.type for op in placement.on_device() if op.block == 1}
    assert inner == {"exp", "abs", "sqrt"} - {refused}
    optimized = partition(before, PartitionRequest(("npu",), device))[0]
    _same(before, read_nb(_nb(optimized)), values)
