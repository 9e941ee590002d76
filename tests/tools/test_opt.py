"""paddle_lite_opt: flags, console output, files and errors."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from api import tiny_models

import lite
from lite.api.op_support import operators_here
from lite.api.targets import NNADAPTER_TARGETS, OWN_DEVICES, host_target
from lite.errors import ConfigError
from lite.model.load import load_program
from lite.model.naive_buffer import read_nb
from lite.model.save import write_protobuf_dir
from lite.tools.opt.flags import boolean, parse

from .conftest import Command

X = np.linspace(-2, 2, 8, dtype=np.float32).reshape(2, 4)


def _gives_right_numbers(path: Path) -> bool:
    result = lite.load(path).run({"x": X})["y"]
    return np.allclose(result, tiny_models.dense_result(X), atol=1e-6)


def _failed(done: object, *words: str) -> None:
    """Exit code 1 and one readable line on stderr."""
    assert done.returncode == 1, done  # type: ignore[attr-defined]
    lines = done.stderr.splitlines()  # type: ignore[attr-defined]
    assert len(lines) == 1, lines
    assert lines[0].startswith("paddle_lite_opt: ")
    for word in words:
        assert word in lines[0]


def test_console_output_of_a_conversion(opt: Command, model: Path, tmp_path: Path) -> None:
    done = opt(
        f"--model_file={model}/model", f"--param_file={model}/params", "--optimize_out=out",
        "--valid_targets=x86",
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        f"Loading topology data from {model}/model",
        f"Loading params data from {model}/params",
        "1. Model is successfully loaded!",
        "2. Model is optimized and saved into out.nb successfully",
    ]
    assert _gives_right_numbers(tmp_path / "out.nb")


def test_says_what_real_paddle_lite_lacks(opt: Command, tmp_path: Path) -> None:
    write_protobuf_dir(tiny_models.beyond_paddle_lite(), str(tmp_path / "m"))
    done = opt(f"--model_dir={tmp_path}/m", "--optimize_out=out", "--valid_targets=x86")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == (
        "It runs here; real Paddle Lite 2.14 lacks: gelu by tanh, exact there (2x), cosh (1x)"
    )
    api = lite.Opt()
    api.set_model_dir(str(tmp_path / "m"))
    api.set_optimize_out(str(tmp_path / "out"))
    assert api.limits() == ()
    api.run()
    assert [(limit.operator, limit.count) for limit in api.limits()] == [("gelu", 2), ("cosh", 1)]


def test_as_a_process(model: Path, tmp_path: Path) -> None:
    root = str(Path(lite.__file__).parent.parent)
    command = [sys.executable, "-m", "lite.tools.opt.main", f"--model_dir={model}"]
    good = subprocess.run([*command, "--optimize_out=out"], cwd=tmp_path, env={"PYTHONPATH": root})
    assert good.returncode == 0
    assert _gives_right_numbers(tmp_path / "out.nb")
    bad = subprocess.run(
        [*command, "--optimize_out=no/such/out"],
        cwd=tmp_path,
        env={"PYTHONPATH": root},
        capture_output=True,
        text=True,
    )
    _failed(bad, "FileNotFoundError", "no/such")


@pytest.mark.parametrize("kind", ["QUANT_INT8", "QUANT_INT16"])
def test_weights_in_integers(opt: Command, model: Path, tmp_path: Path, kind: str) -> None:
    out = tmp_path / "q"
    done = opt(
        f"--model_dir={model}",
        f"--optimize_out={out}",
        "--quant_model=true",
        f"--quant_type={kind}",
    )
    assert (done.returncode, done.stderr) == (0, "")
    program = load_program(f"{out}.nb")
    marked = [op for op in program.root.ops if op.attr("quantize_weight_bits") is not None]
    assert {op.attr("quantize_weight_bits") for op in marked} == {int(kind[9:])}
    lite.load(f"{out}.nb")


@pytest.mark.parametrize("target", ["huawei_ascend_npu,x86", "builtin_device"])
def test_subgraphs_for_devices(opt: Command, model: Path, tmp_path: Path, target: str) -> None:
    done = opt(
        f"--model_dir={model}",
        "--optimize_out=d",
        f"--valid_targets={target}",
        "--record_tailoring_info=true",
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "subgraph" in {op.type for op in load_program(str(tmp_path / "d.nb")).root.ops}
    listed = (tmp_path / "d" / ".tailored_kernels_list").read_text()
    assert "subgraph,kNNAdapter,kAny,kNCHW,def" in listed
    lite.load(str(tmp_path / "d.nb"), devices=["builtin_device"])


def test_the_suffix_is_not_doubled(opt: Command, model: Path, tmp_path: Path) -> None:
    assert opt(f"--model_dir={model}", "--optimize_out=out.nb").returncode == 0
    assert (tmp_path / "out.nb").exists()
    assert not (tmp_path / "out.nb.nb").exists()


def test_default_target_is_this_machine(opt: Command, model: Path, tmp_path: Path) -> None:
    opt(f"--model_dir={model}", "--optimize_out=a")
    opt(f"--model_dir={model}", "--optimize_out=b", f"--valid_targets={host_target()}")
    other = "arm" if host_target() == "x86" else "x86"
    opt(f"--model_dir={model}", "--optimize_out=c", f"--valid_targets={other}")
    assert (tmp_path / "a.nb").read_bytes() == (tmp_path / "b.nb").read_bytes()
    assert (tmp_path / "a.nb").read_bytes() != (tmp_path / "c.nb").read_bytes()


def test_protobuf_output(opt: Command, model: Path, tmp_path: Path) -> None:
    done = opt(f"--model_dir={model}", "--optimize_out=pb", "--optimize_out_type=protobuf")
    assert done.returncode == 0
    assert sorted(path.name for path in (tmp_path / "pb").iterdir()) == ["model", "params"]
    assert _gives_right_numbers(tmp_path / "pb")
    before, after = load_program(model), load_program(tmp_path / "pb")
    assert len(after.root.ops) < len(before.root.ops)


def test_a_nb_file_can_be_optimised_again(opt: Command, model_nb: Path, tmp_path: Path) -> None:
    assert opt(f"--model_file={model_nb}", "--optimize_out=again").returncode == 0
    assert _gives_right_numbers(tmp_path / "again.nb")


@pytest.mark.parametrize(
    "words",
    [["--valid_targets=x86,arm"], ["--valid_targets=x86 arm"], ["--valid_targets", "x86", "arm"],
     ["--valid_targets=x86", "arm"], ["--valid_targets", "x86,", "arm"],
     ["--valid_targets= X86 , ARM "]],
)  # fmt: skip
def test_target_lists(words: list[str]) -> None:
    from lite.api.targets import parse_targets

    assert parse_targets(parse(words).valid_targets) == ("x86", "arm")


def test_device_targets() -> None:
    from lite.api.targets import parse_targets

    vendors = NNADAPTER_TARGETS + OWN_DEVICES
    assert parse_targets(",".join(vendors)) == vendors
    assert parse_targets("Rockchip_NPU, arm intel_openvino") == (
        *("rockchip_npu", "arm", "intel_openvino"),
    )
    with pytest.raises(ConfigError, match="unknown target 'My-Device'; known are"):
        parse_targets("My-Device")


@pytest.mark.parametrize("word", ["true", "True", "1", "TRUE", "on", "yes"])
def test_true(word: str) -> None:
    assert boolean(word) is True
    assert parse([f"--print_all_ops={word}"]).print_all_ops is True
    assert parse(["--print_all_ops", word]).print_all_ops is True
    assert parse(["--print_all_ops"]).print_all_ops is True


@pytest.mark.parametrize("word", ["false", "False", "0", "off", "no"])
def test_false(word: str) -> None:
    assert parse([f"--print_all_ops={word}"]).print_all_ops is False
    assert parse(["--print_all_ops", word]).print_all_ops is False


def test_no_output_shows_the_help(opt: Command, model: Path) -> None:
    for words in ((), (f"--model_dir={model}",)):
        done = opt(*words)
        assert (done.returncode, done.stderr) == (0, "")
        for flag in ("--model_dir", "--optimize_out", "--valid_targets", "--print_model_ops"):
            assert flag in done.stdout


def test_version(opt: Command) -> None:
    assert opt("--version").stdout.strip() == lite.__version__


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--valid_targets=n@nsense"], "known are arm, x86, host"),
        (["--valid_targets=x87"], "did you mean x86"),
        (["--valid_targets=rockchip_nqu"], "did you mean rockchip_npu"),
        (["--optimize_out_type=onnx"], "invalid choice"),
        (["--quant_type=QUANT_INT2"], "invalid choice"),
        (["--print_all_ops=maybe"], "expected true or false"),
        (["--sparse_threshold=many"], "invalid float"),
        (["--no_such_flag"], "--no_such_flag"),
        (["stray"], "stray"),
        (["--sparse_threshold=7"], "expected 0 to 1"),
    ],
)
def test_flags_that_fail(
    opt: Command, model: Path, tmp_path: Path, words: list[str], said: str
) -> None:
    _failed(opt(f"--model_dir={model}", "--optimize_out=out", *words), said)
    assert not (tmp_path / "out.nb").exists()


@pytest.mark.parametrize("targets", ["arm,opencl", "x86, metal", "opencl", "cuda arm", "Xpu"])
def test_gpus_are_left_out(opt: Command, model: Path, tmp_path: Path, targets: str) -> None:
    done = opt(f"--model_dir={model}", "--optimize_out=out", f"--valid_targets={targets}")
    assert done.returncode == 0
    (line,) = done.stderr.splitlines()
    assert re.match(r"paddle_lite_opt: warning: targets \w+: without an effect", line)
    assert _gives_right_numbers(tmp_path / "out.nb")


def test_a_folder_that_is_not_there(opt: Command, model: Path) -> None:
    done = opt(f"--model_dir={model}", "--optimize_out=no/where/out")
    _failed(done, "create it first", "no/where")
    assert done.stdout == ""  # before any work


def test_models_that_fail(opt: Command, model: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.nb"
    out.write_bytes(b"old")
    _failed(opt("--optimize_out=out"), "no model is named")
    _failed(opt("--model_dir=nowhere", "--optimize_out=out"), "nowhere")
    _failed(opt("--param_file=p", "--optimize_out=out"), "--model_file")
    (tmp_path / "bare").mkdir()
    _failed(opt("--model_dir=bare", "--optimize_out=out"), "holds no model")
    _failed(opt(f"--model_file={model}/params", "--optimize_out=out"), "params")
    _failed(opt(f"--model_dir={model}", "--optimize_out=no/such/folder/out"), "no/such/folder")
    whole = (model / "params").read_bytes()
    (model / "params").write_bytes(whole[:-3])
    _failed(opt(f"--model_dir={model}", "--optimize_out=out"), "params")
    assert out.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_unsupported_operators_are_listed(opt: Command, tmp_path: Path) -> None:
    from lite.model.save import write_protobuf_dir

    program = tiny_models.dense()
    for op in program.root.ops:
        if op.type in ("softmax", "mul"):
            op.type = f"no_such_{op.type}"
    write_protobuf_dir(program, tmp_path / "odd")
    words = ("no_such_mul", "no_such_softmax")
    _failed(opt("--model_dir=odd", "--optimize_out=out"), *words)
    done = opt("--model_dir=odd", "--print_model_ops=true")
    _failed(done, "not supported on kX86" if host_target() == "x86" else "kARM", *words)
    assert "no_such_mul" in done.stdout


def test_operator_tables(opt: Command, model: Path) -> None:
    done = opt(f"--model_dir={model}", "--print_model_ops=true", "--valid_targets=x86")
    assert done.returncode == 0
    assert done.stdout.splitlines()[0] == "OPs in the input model include:"
    assert done.stdout.splitlines()[-1] == "Paddle-Lite supports this model!"
    assert re.search(r"^ +softmax +Y", done.stdout, re.M)

    done = opt("--print_supported_ops=true", "--valid_targets=x86")
    assert done.stdout.splitlines()[0] == "Supported OPs on 'kX86':"
    listed = {line.split()[0] for line in done.stdout.splitlines()[2:]}
    assert listed == operators_here()

    everything = opt("--print_all_ops=true").stdout.splitlines()
    assert everything[0].split() == ["OP_name", "lite", "kHost", "kX86", "kARM"]
    assert operators_here() < {line.split()[0] for line in everything[1:]}

    markdown = opt("--print_all_ops_in_md_format=true").stdout.splitlines()
    assert markdown[0] == f"The number of supported operators is : {len(operators_here())}"
    assert all(line.startswith("|") and line.endswith("|") for line in markdown[1:])

    kernels = opt("--display_kernels").stdout.splitlines()
    assert all(re.fullmatch(r" - \w+,\w+,\w+,\w+,\w+", line) for line in kernels)


def test_tailoring_lists(opt: Command, model: Path, tmp_path: Path) -> None:
    done = opt(
        f"--model_dir={model}", "--optimize_out=out", "--record_tailoring_info=true",
        "--valid_targets=x86",
    )  # fmt: skip
    assert done.stdout.splitlines()[-2:] == [
        "operators information of tailored model is stored into: out/.tailored_ops_list",
        "kernels information of tailored model is stored into: out/.tailored_kernels_list",
    ]
    used = sorted({op.type for op in read_nb(str(tmp_path / "out.nb")).root.ops})
    assert (tmp_path / "out/.tailored_ops_list").read_text().split() == used
    kernels = (tmp_path / "out/.tailored_kernels_list").read_text().split()
    assert [line.split(",")[0] for line in kernels] == used
    assert "softmax,kX86,kFloat,kNCHW,def" in kernels
    assert "feed,kHost,kAny,kAny,def" in kernels


def test_model_set(opt: Command, tmp_path: Path) -> None:
    from lite.model.save import write_protobuf_dir

    write_protobuf_dir(tiny_models.dense(), tmp_path / "set" / "a")
    write_protobuf_dir(tiny_models.mixed(), tmp_path / "set" / "b")
    for flag in ("--model_set", "--model_set_dir"):
        done = opt(f"{flag}=set", "--optimize_out=outs", "--record_tailoring_info=1")
        assert done.returncode == 0, done.stderr
    assert _gives_right_numbers(tmp_path / "outs" / "a.nb")
    assert lite.load(tmp_path / "outs" / "b.nb").inputs[1].name == "ids"
    listed = (tmp_path / "outs/.tailored_ops_list").read_text().split()
    assert {"softmax", "lookup_table_v2"} < set(listed)
    assert listed == sorted(set(listed))
    done = opt(
        "--model_set=set", "--model_file=model", "--param_file=params", "--optimize_out=outs2"
    )
    assert done.returncode == 0
    assert (tmp_path / "outs2" / "b.nb").exists()


def test_visualisation(opt: Command, model_nb: Path, tmp_path: Path) -> None:
    done = opt(
        f"--optimized_nb_model_path={model_nb}", "--visualization_file_output_path=dots/",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "dots" / "Block_0.dot").read_text()
    assert text.startswith("digraph G {")
    assert text.rstrip().endswith("}")
    for op in read_nb(str(model_nb)).root.ops:
        assert f'label="{op.type}" shape="box"' in text
    nodes = set(re.findall(r"^   (\w+)\[label=", text, re.M))
    edges = re.findall(r"^   (\w+) -> (\w+)\[", text, re.M)
    assert edges
    assert {end for edge in edges for end in edge} <= nodes
    _failed(opt(f"--optimized_nb_model_path={model_nb}"), "--visualization_file_output_path")


def test_usual_opt_script(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from paddlelite.lite import Opt

    opt = Opt()
    opt.set_model_dir(str(model))
    opt.set_valid_places("x86")
    opt.set_model_type("naive_buffer")
    opt.set_optimize_out(str(tmp_path / "out"))
    opt.run()
    assert _gives_right_numbers(tmp_path / "out.nb")
    assert "successfully" in capsys.readouterr().out
    opt.run_optimize(str(model), "", "", "protobuf", "arm", str(tmp_path / "pb"))
    assert _gives_right_numbers(tmp_path / "pb")
    opt.help()
    opt.executablebin_help()
    said = capsys.readouterr().out
    assert "set_optimize_out" in said
    assert "--optimize_out" in said


def test_opt_object_errors(model: Path) -> None:
    opt = lite.Opt()
    with pytest.raises(lite.ConfigError, match="naive_buffer, protobuf"):
        opt.set_model_type("onnx")
    with pytest.raises(lite.ConfigError, match="set_optimize_out"):
        opt.run()
    opt.set_optimize_out("out")
    opt.set_model_dir(str(model))
    opt.set_passes_internal(["no_such_pass"])
    with pytest.raises(lite.ConfigError, match="no_such_pass"):
        opt.run()
