"""The pass list, its options, the trace, patterns' own rules, and how long it all takes."""

from __future__ import annotations

import numpy as np
import pytest
from call_count import calls
from checking import check, program, rand, types

from lite.core.optimizer import PASS_LIST, optimize
from lite.core.optimizer.build import to_graph
from lite.core.optimizer.pattern import Pattern, Rule, apply_rule
from lite.core.optimizer.registry import find_pass, pass_names
from lite.errors import ConfigError
from lite.model.program import Attr, AttrType, Program, VarDesc

X = {"x": (-1, 4)}
DROPOUT = (
    "Out: [a] = relu(X: [x])\n"
    "Out: [y] = dropout(X: [a]) "
    '{is_test: bool true, dropout_implementation: string "upscale_in_train"}'
)


def test_every_pass_of_the_list_exists_and_every_file_is_a_pass() -> None:
    assert set(PASS_LIST) <= pass_names()
    for name in pass_names():
        assert find_pass(name).name == name


def test_discarded_passes_do_not_run() -> None:
    before = program(DROPOUT, X, ["y"])
    assert types(optimize(before)) == ["relu"]
    assert types(optimize(before, discarded=["identity_dropout_eliminate_pass"])) == [
        "relu",
        "dropout",
    ]
    assert types(optimize(before, discarded=("memory_optimize_pass",))) == ["relu"]
    assert types(optimize(before, passes=[])) == ["relu", "dropout"]


@pytest.mark.parametrize("option", ["discarded", "passes"])
def test_unknown_passes_name_near_ones(option: str) -> None:
    with pytest.raises(ConfigError, match="lite_conv_bn_fuse_pass"):
        optimize(program(DROPOUT, X, ["y"]), **{option: ["lite_conv_bn_fusion_pass"]})


@pytest.mark.parametrize("targets", [(), ("x 86",), ("x86", "")])
def test_unknown_targets(targets: tuple[str, ...]) -> None:
    with pytest.raises(ConfigError, match="targets"):
        optimize(program(DROPOUT, X, ["y"]), targets)


def test_trace_shows_before_and_after() -> None:
    lines: list[str] = []
    optimize(program(DROPOUT, X, ["y"]), trace=lines.append)
    text = "\n".join(lines)
    assert "identity_dropout_eliminate_pass, block 0:" in text
    assert "  - Out: [y] = dropout(X: [a])" in text


def test_trace_shows_a_rewritten_operator(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GLOG_v", "3")
    body = "Out: [m] = mul(X: [x], Y: [w])\nOut: [y] = elementwise_add(X: [m], Y: [b])"
    optimize(program(body, X, ["y"], {"w": rand(4, 5), "b": rand(5)}))
    shown = capsys.readouterr().err
    assert "  - Out: [m] = mul(X: [x], Y: [w])" in shown
    assert "  + Out: [y] = fc(Input: [x], W: [w], Bias: [b])" in shown


def test_dead_operators_variables_and_parameters_go() -> None:
    body = (
        "Out: [y] = relu(X: [x])\nOut: [p] = matmul_v2(X: [x], Y: [w])\nOut: [q] = exp(X: [p])\n"
        "print(In: [y])"
    )
    before = program(body, X, ["y"], {"w": rand(4, 5), "unused": rand(3)})
    before.root.vars["q"] = VarDesc("q")
    after = optimize(before)
    assert types(after) == ["relu", "print"]
    assert not after.params
    assert "q" not in after.root.vars


def test_a_program_without_fetch_keeps_its_last_values() -> None:
    assert types(optimize(program("Out: [y] = relu(X: [x])", X, []))) == ["relu"]


def test_feed_and_fetch_keep_their_columns() -> None:
    body = (
        "Out: [a] = relu(X: [v])\nOut: [y] = scale(X: [a]) {scale: float 1.0}\n"
        "Out: [z] = elementwise_add(X: [u], Y: [v])"
    )
    before = program(body, {"u": (2,), "v": (2,)}, ["z", "y"])
    before.root.ops[0], before.root.ops[1] = before.root.ops[1], before.root.ops[0]
    before.root.ops[-1], before.root.ops[-2] = before.root.ops[-2], before.root.ops[-1]
    after = check(before, {"u": rand(2), "v": rand(2)})
    assert after.feed_names() == ["u", "v"]
    assert after.fetch_names() == ["z", "y"]


def test_the_given_program_stays_as_it_is_unless_consumed() -> None:
    body = "Out: [m] = mul(X: [x], Y: [w])\nOut: [y] = scale(X: [m]) {scale: float 2.0}"
    before = program(body, X, ["y"], {"w": rand(4, 5)})
    weight = before.params["w"]
    after = optimize(before)
    assert before.params["w"] is weight and types(before) == ["mul", "scale"]
    assert after.params["w"] is not weight
    again = optimize(before, consume=True)
    assert not before.params
    np.testing.assert_array_equal(again.params["w"], after.params["w"])


def test_in_place_operators_of_old_programs() -> None:
    body = (
        "Out: [a] = exp(X: [x])\nOut: [a] = relu(X: [a])\n"
        "Out: [a] = scale(X: [a]) {scale: float 1.0}\n"
        "Out: [y] = elementwise_add(X: [a], Y: [x])"
    )
    check(program(body, X, ["y"]), {"x": rand(2, 4)})


PATTERN = """
Out: [%a] = relu(X: [%x])
Out: [%out] = elementwise_add@add(X/Y: [%a], Y/X: [%p:param]) {axis/absent: int -1}
"""
REWRITE = "Out: [%out] = @add(X: [%x], Y: [%p]) {axis: int 0, seen: var %seen}"


def _apply(body: str, rule: Rule, fetches: tuple[str, ...] = ("y",)) -> bool:
    graph = to_graph(program(body, X, fetches, {"p": rand(4), "q": rand(4)}))
    return any(apply_rule(rule, graph, node) for node in list(graph.root))


@pytest.mark.parametrize(
    ("line", "fits"),
    [
        ("Out: [y] = elementwise_add(X: [a], Y: [p])", True),
        ("Out: [y] = elementwise_add(X: [p], Y: [a]) {axis: int -1}", True),
        ("Out: [y] = elementwise_add(X: [a], Y: [p]) {axis: int 1}", False),
        ("Out: [y] = elementwise_add(X: [a], Y: [x])", False),
        ("Out: [y] = elementwise_sub(X: [a], Y: [p])", False),
        ("Out: [y] = elementwise_add(X: [a], Y: [p], Z: [q])", False),
        ("Out: [y], Other: [o] = elementwise_add(X: [a], Y: [p])", True),
        ("Out: [y] = elementwise_add(X: [a, a], Y: [p])", False),
        ("Out: [y] = elementwise_add(X: [a], Y: [p])\nOut: [z] = exp(X: [a])", False),
    ],
)
def test_what_a_pattern_fits(line: str, fits: bool) -> None:
    rule = Rule(PATTERN, REWRITE, lambda match: {"seen": Attr(AttrType.INT, 7)})
    assert _apply("Out: [a] = relu(X: [x])\n" + line, rule) is fits


def test_an_inner_value_that_is_fetched_or_written_again_does_not_fit() -> None:
    rule = Rule(PATTERN, REWRITE, lambda match: {})
    body = "Out: [a] = relu(X: [x])\nOut: [y] = elementwise_add(X: [a], Y: [p])"
    assert _apply(body, rule)
    assert not _apply(body, rule, ("y", "a"))
    again = body.replace("\n", "\nOut: [x] = exp(X: [x])\n")
    assert not _apply(again, rule)


def test_a_shared_value_keeps_its_operator() -> None:
    rule = Rule(
        "Out: [%a] = relu(X: [%x])\nOut: [%out] = exp@e(X: [%a:shared])",
        "Out: [%out] = @e(X: [%x])",
    )
    graph = to_graph(
        program(
            "Out: [a] = relu(X: [x])\nOut: [y] = exp(X: [a])\nOut: [z] = tanh(X: [a])",
            X,
            ["y", "z"],
        )
    )
    exp = graph.root.of_type("exp")[0]
    assert apply_rule(rule, graph, exp)
    assert len(graph.root.of_type("relu")) == 1
    assert graph.root.of_type("exp")[0].inputs["X"][0].name == "x"


@pytest.mark.parametrize("text", ["Out: [a] = relu(X: [%x])", "Out: [%a] = relu(X: [%x:parm])"])
def test_wrong_patterns_are_errors(text: str) -> None:
    with pytest.raises(ValueError, match="pattern variable"):
        Pattern(text)


def test_a_pattern_whose_lines_do_not_hang_together_is_an_error() -> None:
    with pytest.raises(ValueError, match="no later line"):
        Pattern("Out: [%a] = relu(X: [%x])\nOut: [%b] = exp(X: [%y])")


def _large(blocks: int) -> Program:
    """A network like a segmenter's: blocks of conv, batch_norm, relu, residual, scale (13 each)."""
    lines, params = [], {}
    source = "x"
    for i in range(blocks):
        for j in range(3):
            c = f"{i}_{j}"
            params[f"w{c}"] = np.ones((4, 4, 1, 1), "float32")
            for name in ("g", "o", "u", "v"):
                params[f"{name}{c}"] = np.ones(4, "float32")
            lines.append(
                f"Output: [c{c}] = conv2d(Input: [{source}], Filter: [w{c}]) " + CONV % (0, 0, 1)
            )
            lines.append(
                f"Y: [n{c}] = batch_norm(X: [c{c}], Scale: [g{c}], Bias: [o{c}], Mean: [u{c}], "
                f"Variance: [v{c}]) {{is_test: bool true}}"
            )
            lines.append(f"Out: [r{c}] = relu(X: [n{c}])")
            source = f"r{c}"
        lines.append(f"Out: [a{i}] = elementwise_add(X: [r{i}_0], Y: [r{i}_2]) {{axis: int -1}}")
        lines.append(f"Out: [e{i}] = relu(X: [a{i}])")
        lines.append(f"Out: [s{i}] = scale(X: [e{i}]) {{scale: float 1.0}}")
        lines.append(f"Out: [h{i}] = hard_sigmoid(X: [s{i}])")
        source = f"h{i}"
    return program("\n".join(lines), {"x": (-1, 4, 2, 2)}, [source], params)


def test_work_grows_with_the_number_of_operators_alone() -> None:
    small, large = _large(32), _large(320)
    assert len(types(optimize(_large(100)))) == 500
    optimize(small)  # whatever is imported or compiled once
    assert calls(optimize, large) < 1.1 * 10 * calls(optimize, small)


def test_a_random_program_is_never_changed_in_meaning() -> None:
    rng = np.random.default_rng(7)
    for seed in range(150):
        before = _Random(seed).program()
        check(before, {"x": rng.standard_normal((2, 4, 5, 5)).astype("float32")}, tolerance=1e-4)


CONV = "{strides: ints [1, 1], paddings: ints [%d, %d], dilations: ints [1, 1], groups: int %d}"


class _Random:
    """Operators over values of [N, 4, 5, 5], each reading an earlier value; some are fetched."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.params: dict[str, np.ndarray] = {}

    def param(self, *shape: int) -> str:
        name = f"p{len(self.params)}"
        self.params[name] = (self.rng.random(shape) + 0.3).astype("float32")
        return name

    def line(self, out: str, x: str, y: str) -> str:
        kind = int(self.rng.integers(9))
        if kind == 0:
            weight = self.param(4, 4, 1, 1)
            return f"Output: [{out}] = conv2d(Input: [{x}], Filter: [{weight}]) " + CONV % (0, 0, 1)
        if kind == 1:
            weight = self.param(4, 1, 3, 3)
            head = f"Output: [{out}] = depthwise_conv2d(Input: [{x}], Filter: [{weight}]) "
            return head + CONV % (1, 1, 4)
        if kind == 2:
            scale, bias, mean, var = (self.param(4) for _ in range(4))
            return (
                f"Y: [{out}] = batch_norm(X: [{x}], Scale: [{scale}], Bias: [{bias}], "
                f"Mean: [{mean}], Variance: [{var}]) {{is_test: bool true}}"
            )
        if kind in (3, 4):
            op = "add" if kind == 3 else "mul"
            shape, axis = (((4,), 1), ((1, 4, 1, 1), -1), ((1,), -1))[int(self.rng.integers(3))]
            operand = self.param(*shape)
            return f"Out: [{out}] = elementwise_{op}(X: [{x}], Y: [{operand}]) {{axis: int {axis}}}"
        if kind == 5:
            a, b = self.rng.choice([1.0, 0.5]), self.rng.choice([0.0, 0.1])
            return f"Out: [{out}] = scale(X: [{x}]) {{scale: float {a}, bias: float {b}}}"
        if kind == 6:
            act = self.rng.choice(["relu", "hard_swish", "sigmoid", "tanh"])
            return f"Out: [{out}] = {act}(X: [{x}])"
        if kind == 7:
            return f"Out: [{out}] = elementwise_add(X: [{x}], Y: [{y}])"
        return f"Out: [{out}] = dropout(X: [{x}]) {{is_test: bool true, dropout_prob: float 0.4}}"

    def program(self) -> Program:
        lines: list[str] = []
        values = ["x"]
        for i in range(40):
            x = values[int(self.rng.integers(max(0, len(values) - 3), len(values)))]
            y = values[int(self.rng.integers(len(values)))]
            lines.append(self.line(f"v{i}", x, y))
            if self.rng.random() < 0.3:
                lines.append(f"Out: [n{i}] = tanh(X: [v{i}])")
            values.append(f"n{i}" if lines[-1].startswith(f"Out: [n{i}]") else f"v{i}")
        more = {str(value) for value in self.rng.choice(values[1:], 2)} - {values[-1]}
        feeds = {"x": (-1, 4, 5, 5)}
        return program("\n".join(lines), feeds, [values[-1], *sorted(more)], self.params)


def test_root_types_are_those_of_the_compiled_pattern() -> None:
    rules = [rule for name in sorted(pass_names()) for rule in find_pass(name).rules]
    assert len(rules) > 40
    for rule in rules:
        assert frozenset(rule.root_types) == rule.compiled.root.types, rule.pattern


def test_defaults_for_paddle_lite_are_the_declared_ones() -> None:
    """Attributes that are written for real Paddle Lite never change what an operator computes."""
    from lite import _core
    from lite.core.optimizer.passes.lite_compatibility_pass import _DEFAULTS

    declared = {
        row["type"]: {name: default for name, _, default, *_ in row["attrs"]}
        for row in _core.operator_table()
    }
    same_meaning = {("bicubic_interp_v2", "out_h"), ("bicubic_interp_v2", "out_w")}  # not above 0
    for type, attributes in _DEFAULTS.items():
        for name, (_, value) in attributes.items():
            if name in declared[type] and (type, name) not in same_meaning:
                assert declared[type][name] == value, (type, name)
