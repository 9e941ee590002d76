"""operators.yaml and files like it: the declaration agrees with the operator table, nnadapter.h and
the C++ interpreter; mistakes are named with line and field; the documentation is current."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from harness import core, operator_info

from lite.errors import ConfigError
from lite.kernels.nnadapter import add_operators, document, generate, rule_node, rules
from lite.kernels.nnadapter.rule_node import Row

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "lite" / "kernels" / "nnadapter"
RULES = {rule.op: rule for rule in generate.read([FOLDER / "operators.yaml"], FOLDER / "converter")}
TYPES = rules.ATTRIBUTE_TYPES

# nnadapter.md section 3.2: what public converters exist for.
PUBLIC = """
batch_norm bmm cast clip conv2d depthwise_conv2d deformable_conv dropout pool2d matmul matmul_v2
softmax cumsum conv2d_transpose reshape reshape2 unsqueeze unsqueeze2 mul lookup_table
lookup_table_v2 elementwise_add elementwise_sub elementwise_mul elementwise_div elementwise_max
elementwise_min elementwise_pow fusion_elementwise_add_activation fusion_elementwise_sub_activation
fusion_elementwise_mul_activation fusion_elementwise_div_activation
fusion_elementwise_min_activation fusion_elementwise_max_activation
fusion_elementwise_pow_activation fusion_elementwise_floordiv_activation pow sigmoid relu relu6
leaky_relu tanh abs exp instance_norm layer_norm group_norm log swish prelu gelu hard_sigmoid
hard_swish arg_max arg_min assign equal expand expand_v2 not_equal greater_than greater_equal
less_than less_equal lrn reduce_mean reduce_max reduce_sum top_k top_k_v2 scale transpose transpose2
shape slice strided_slice squeeze squeeze2 range stack fill_constant fill_any_like fill_zeros_like
fill_constant_batch_size_like concat split calib nearest_interp nearest_interp_v2 bilinear_interp
bilinear_interp_v2 flatten flatten2 flatten_contiguous_range fc norm pad2d pad3d prior_box gather
logical_not logical_and floor meshgrid sqrt square tile sum unstack where softplus shuffle_channel
yolo_box log_softmax roi_align multiclass_nms3 sin cos silu rsqrt roll elementwise_floordiv
""".split()


def test_every_public_operator_is_declared() -> None:
    assert len(PUBLIC) == 122
    assert {op for op, rule in RULES.items() if rule.section == "official"} == set(PUBLIC)
    assert core().nnadapter_operators() == sorted(RULES)


@pytest.mark.parametrize("op", sorted(RULES))
def test_signature_is_the_operator_tables(op: str) -> None:
    info, rule = operator_info(op), RULES[op]
    for slots, declared in ((rule.inputs, info["inputs"]), (rule.outputs, info["outputs"])):
        assert [(s.name, s.optional, s.repeated) for s in slots] == [tuple(d) for d in declared]
    # What begins with int8_ is set by the CPU's own loader, never by a program.
    attrs = [attr for attr in info["attrs"] if not attr[0].startswith("int8_")]
    assert [a.name for a in rule.attrs] == [name for name, *_ in attrs]
    for attr, (_, kind, default, required) in zip(rule.attrs, attrs, strict=True):
        assert TYPES[attr.type] == kind and attr.required == required, attr.name
        if not required and kind in ("float", "floats"):
            np.testing.assert_array_equal(np.float32(attr.default), np.float32(default))
        elif not required:
            assert attr.default == default, attr.name


def test_every_kind_of_node_is_made() -> None:
    made = {
        node.kind for rule in [*RULES.values(), *rules.parse(ODD, "odd.yaml")] for node in rule.node
    }
    assert made == set(rule_node.KINDS)


def test_documentation_is_current() -> None:
    written = (ROOT / "docs" / "generated" / "nnadapter_operators.md").read_text(encoding="utf-8")
    assert written == document.document(list(RULES.values())), (
        "run: cd lite/kernels && python -m nnadapter.generate --rules nnadapter/operators.yaml "
        "--converters nnadapter/converter --docs ../../docs/generated/nnadapter_operators.md"
    )


def test_hand_written_converters_are_declared() -> None:
    used = {rule.converter for rule in RULES.values() if rule.converter}
    assert used == generate.converters(FOLDER / "converter")


# -- Mistakes.

GOOD = """\
custom:
  - func: my_op(Tensor X, Tensor? Y, Tensor[] L, *, float alpha=0.5, int[] axes=[0]) -> Tensor Out
    types: {X: [float32]}
    let:
      twice: alpha * 2
    unsupported:
      - when: rank(X) > 4
        reason: its input has {rank(X)} dimensions
    emit:
      - y = MUL(X, float32(twice), int32(FUSED_NONE))
      - Out = RELU(y)
"""

# What operators.yaml has no need of.
ODD = """\
custom:
  - func: my_op(Tensor X, *, int a=1) -> Tensor Out
    driver_version: [1, 2]
    op_version: [1, 2]
    let:
      y: "[None, True, 1.5, a % 2, a // 2, a / 2, -a, a <= 2, a > 1, a != 3, a not in [1]]"
    emit: [Out = RELU(X)]
"""

MISTAKES: list[tuple[str, str, int, str]] = [
    # what is replaced, by what, the line, the message
    ("custom:", "costum:", 2, "costum: there is no section costum; like: custom"),
    ("types:", "typs:", 3, "field typs: there is no field typs; like: types"),
    ("-> Tensor Out", "Tensor Out", 2, "field func: expected op("),
    ("Tensor? Y", "Tensr Y", 2, "field func: 'Tensr Y' is no tensor"),
    ("float alpha=0.5", "double alpha=0.5", 2, "field func: 'double alpha=0.5' is no attribute"),
    ("float alpha=0.5", "int alpha=0.5", 2, "the default of alpha is 0.5, expected int"),
    ("float alpha=0.5", "float alpha=x()", 2, "the default of alpha is no constant"),
    ("Tensor? Y", "Tensor? X", 2, "names stand twice: X"),
    ("[float32]", "[float33]", 3, "field types: there is no element type float33; like: float32"),
    ("{X: [float32]}", "{Z: [float32]}", 3, "field types: there is no input Z"),
    ("alpha * 2", "alfa * 2", 5, "field let twice: there is no name alfa; like: alpha"),
    ("alpha * 2", "alpha ** 2", 5, "field let twice: the arithmetic is"),
    ("alpha * 2", "alpha *", 5, "field let twice: 'alpha *' is no expression"),
    ("alpha * 2", "RELU(X)", 5, "field let twice: RELU is an operation: it cannot decide anything"),
    ("alpha * 2", "int32(1)", 5, "field let twice: int32() adds to the model"),
    ("alpha * 2", "__import__('os')", 5, "there is no function or operation __import__"),
    ("alpha * 2", "alpha.real", 5, "Attribute is not allowed in an expression"),
    ("alpha * 2", "(yield)", 5, "Yield is not allowed in an expression"),
    ("rank(X) > 4", "rank(X, Y) > 4", 7, "unsupported[0].when: rank() takes 1 arguments, not 2"),
    ("{rank(X)}", "{rang(X)}", 8, "unsupported[0].reason: there is no function or operation rang"),
    ("dimensions\n", "dimensions.\n", 8, "expected one sentence without a full stop"),
    ("MUL(X, float32(twice), int32(FUSED_NONE))", "MUL(X)", 10, "MUL takes 3 operands (input0"),
    ("MUL(", "MULL(", 10, "emit[0]: there is no function or operation MULL; like: MUL"),
    ("FUSED_NONE", "FUSED_NON", 10, "there is no name FUSED_NON; like: FUSED_NONE"),
    ("RELU(y)", "RELU(z)", 11, "emit[1]: there is no name z"),
    ("Out = RELU(y)", "RELU(y)", 11, "emit[1]: expected Out = OPERATION(...)"),
    ("Out = RELU(y)", "z = RELU(y)", 10, "emit: nothing is assigned to Out"),
    ("Out = RELU(y)", "'*Out = SPLIT(y, y, y)'", 11, "write *Out for several outputs, else Out"),
    ("    emit:", "    converter: relu\n    emit:", 2, "expected either emit or converter"),
    ("        reason: its", "        because: its", 7, "expected when and reason"),
    ("    types:", "    op_version: [3, 1]\n    types:", 3, "op_version: expected [first, last]"),
    ("    types:", "    structured_inherit: relo\n    types:", 3, "no operator or shared part"),
    ("    types:", "    structured_inherit: my_op\n    types:", 3, "my_op is a cycle"),
    ("    types:", "    scalars: [Q]\n    types:", 3, "field scalars: there is no input Q"),
    ("    types:", "    channel_axis: {X: 9}\n    types:", 3, "expected a number from 0 to 7"),
    ("    types:", "    broadcast: {axis: alpha}\n    types:", 3, "expected inputs: [X, Y]"),
    ("    types:", "    operations: [{a: b}]\n    types:", 3, "field operations: there is no"),
    ("    let:", "    types: {}\n    let:", 4, "types: stands here a second time"),
    ("  - func", "  - *x\n  - func", 2, "found undefined alias"),
    ("custom:", "custom: [", 2, "YAML"),
]  # fmt: skip


def parse_error(text: str) -> str:
    with pytest.raises(rules.RuleError) as raised:
        rules.parse(text, "mine.yaml", [])
    return str(raised.value)


def test_the_good_file_is_good() -> None:
    (rule,) = rules.parse(GOOD, "mine.yaml", [])
    assert rule.operations == ["MUL", "RELU"] and rule.section == "custom"


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda m: f"{m[0][:12]}-{m[1][:24]}")
def test_mistakes(mistake: tuple[str, str, int, str]) -> None:
    old, new, line, message = mistake
    assert old in GOOD
    text = parse_error(GOOD.replace(old, new, 1))
    assert text.startswith(f"mine.yaml:{line}: "), text
    assert message in text, text


def test_a_converter_that_is_not_there_is_named_with_its_file() -> None:
    rule = "custom:\n  - func: m(Tensor X) -> Tensor Out\n    converter: nobody\n"
    rule += "    operations: RELU\n"
    with pytest.raises(ConfigError, match=r"mine.yaml: .*no hand-written converter nobody"):
        add_operators("mine.yaml", rule)


@pytest.mark.parametrize("text", ["[" * 3000, "a: " * 2000, "x: &x [*x, *x]", "\x00", "- 1", "7"])
def test_no_text_is_too_odd(text: str) -> None:
    assert "mine.yaml:" in parse_error(text)


def test_deep_expressions() -> None:
    for deep in ("(" * 5000 + "1" + ")" * 5000, "-" * 5000 + "1", "len(" * 500 + ")" * 500):
        assert "field let twice" in parse_error(GOOD.replace("alpha * 2", deep))


def test_a_mistake_fails_the_build(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(GOOD.replace("RELU(y)", "RELUU(y)"))
    command = [
        *(sys.executable, "-m", "nnadapter.generate"),
        *("--rules", str(FOLDER / "operators.yaml"), str(file)),
        *("--converters", str(FOLDER / "converter"), "--output", str(tmp_path / "rules.cc")),
    ]
    result = subprocess.run(command, cwd=FOLDER.parent, capture_output=True, text=True)
    assert result.returncode == 1
    assert f"error: {file}:11: my_op, field emit[1]: there is no" in result.stderr
    file.write_text(GOOD)
    result = subprocess.run(command, cwd=FOLDER.parent, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert '"my_op" "\\0"' in (tmp_path / "rules.cc").read_text()


def test_random_damage_is_an_error_or_a_rule() -> None:
    random = np.random.RandomState(7)
    source = (FOLDER / "operators.yaml").read_text()[:20000]
    for _ in range(60):
        text = list(source)
        for _ in range(random.randint(1, 8)):
            at = random.randint(len(text))
            text[at] = chr(random.choice([*range(32, 127), 10]))
        try:
            rules.parse("".join(text), "mine.yaml")
        except rules.RuleError as error:
            assert re.match(r"mine\.yaml:\d+: ", str(error))


def damage(rows: list[Row], random: np.random.RandomState) -> list[Row]:
    """Rows of which one is changed, lacking or there twice."""
    at = random.randint(len(rows))
    kind, text, number, count = rows[at]
    kinds = len(rule_node.KINDS)
    instead: list[list[Row]] = [
        [],
        [rows[at], rows[random.randint(len(rows))]],
        [(random.randint(-1, kinds + 2), text, number, count)],
        [(kind, str(random.choice(["", "X", "rank", "a\\"])), number, count)],
        [(kind, text, int(random.choice([0, 9, -1, 99999999999, 2**62])), count)],
        [(kind, text, number, int(random.choice([0, 1, 2, 3, -1, 70000, 2**62])))],
    ]
    return rows[:at] + instead[random.randint(len(instead))] + rows[at + 1 :]


def test_damaged_rows_do_not_reach_the_registry() -> None:
    """Any rows are a ConfigError or a rule."""

    random = np.random.RandomState(11)
    found = [rule.node.rows() for rule in RULES.values()]
    accepted = 0
    for i in range(2000):
        try:
            core().nnadapter_add_rules([damage(found[i % len(found)], random)])
            accepted += 1
        except ConfigError:
            pass
    core().nnadapter_reset_rules()
    assert 0 < accepted < 2000
    kind = {name: i for i, name in enumerate(rule_node.KINDS)}
    for rows in (
        [],
        [(kind["rule"], "", 0, 0)],
        [(kind["rule"], "x", 0, 1)],
        [(kind["rule"], "x", 0, 1), (kind["none"], "", 0, 0)],
        [(kind["rule"], "x", 0, 1), (kind["converter"], "nothing", 0, 0)],
        [(kind["rule"], "x", 0, 1), (kind["let"], "y", 0, 1)],
        [(kind["rule"], "x", 0, 1), *[(kind["not"], "", 0, 1)] * 100000],
        [(kind["int"], "", 7, 0)],
        [(kind["int"], "", 7, 0)] * 3,
        [(kind["call"], "rank", 10**6, 0)],
        [(kind["int"], "", 2**31, 0)],
        [(kind["list"], "", 0, 256), *[(kind["none"], "", 0, 0)] * 256],
        [(kind["list"], "", 0, 255), *[(kind["list"], "", 0, 255)] * 255] * 2,
    ):
        with pytest.raises(ConfigError):
            core().nnadapter_add_rules([rows])


@pytest.mark.parametrize("text", ["len('\\ud800')", "9223372036854775808", "1j", "b'a'"])
def test_constants_that_no_node_holds(text: str) -> None:
    assert "field let twice" in parse_error(GOOD.replace("alpha * 2", text))
