"""The full API: models of every format through the converter, devices, and what can go wrong."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import lite
from lite.api.cpp import sdk_path

from . import example_models as models
from .conftest import MODELS, compiled, sdk

Tool = Callable[..., subprocess.CompletedProcess[str]]
pytestmark = pytest.mark.long
SHAPE = (2, 3, 8, 8)
SINES = np.sin(np.arange(np.prod(SHAPE), dtype=np.float32)).reshape(SHAPE)
CONV = [f"model_file={MODELS / 'conv.pdmodel'}", f"param_file={MODELS / 'conv.pdiparams'}"]
RUN = "shape=" + ",".join(map(str, SHAPE))


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = Path(__file__).with_name("full_tool.cc")
    output = tmp_path_factory.mktemp("tool") / "full_tool"
    return compiled(output, [source], *sdk("--libs", "full"), "-lpthread")


@pytest.fixture
def tool(program: Path, converter: Path, tmp_path: Path) -> Tool:
    def run(*words: str, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(program), *words],
            env={**os.environ, **env},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
        )

    return run


def _numbers(done: subprocess.CompletedProcess[str]) -> np.ndarray:
    assert done.returncode == 0, done
    return np.fromstring(done.stdout, np.float32, sep="\n")


def _python(**devices: object) -> np.ndarray:
    predictor = lite.load(MODELS / "conv.pdmodel", MODELS / "conv.pdiparams", **devices)
    (output,) = predictor.run([SINES]).values()
    return output.reshape(-1)


@pytest.mark.parametrize(
    "words",
    [
        CONV,
        [f"model_buffer={MODELS / 'conv.pdmodel'}", f"param_buffer={MODELS / 'conv.pdiparams'}"],
        [f"model_file={MODELS / 'conv.x86.214.nb'}"],
        [*CONV, "place=4", "place=2", "place=5"],
    ],
    ids=["files", "memory", "nb", "places"],
)
def test_models(tool: Tool, words: list[str]) -> None:
    done = tool(*words, RUN)
    np.testing.assert_allclose(_numbers(done), _python(), rtol=1e-5)
    assert not done.stderr


@pytest.mark.parametrize("half", ["conv", "uci_housing"])
def test_saved_models(tool: Tool, tmp_path: Path, half: str) -> None:
    """Both forms are what Python saves, to the byte, and run alike."""
    if half == "uci_housing":
        words = [f"model_file={MODELS / 'uci_housing.x86.213.nb'}", "place=4"]
    else:
        words = [*CONV, "place=4", "int8="]
    done = tool(*words, "save_nb=cxx", "save_pb=cxx_pb", "record=")
    assert done.returncode == 0, done
    opt = lite.Opt()
    opt.set_model_file(words[0].partition("=")[2])
    if half == "conv":
        opt.set_param_file(words[1].partition("=")[2])
        opt.set_quant_model(True)
        opt.set_quant_type("QUANT_INT8")
    opt.set_valid_places("arm")
    opt.set_optimize_out(str(tmp_path / "python"))
    opt.run()
    assert (tmp_path / "cxx.nb").read_bytes() == (tmp_path / "python.nb").read_bytes()
    assert sorted(path.name for path in (tmp_path / "cxx_pb").iterdir()) == ["model", "params"]
    assert len(list((tmp_path / "cxx").iterdir())) == 2  # the lists of operators and kernels
    if half == "conv":
        light = _numbers(tool("nb=cxx.nb", RUN))
        again = _numbers(tool("model_dir=cxx_pb", RUN))
        np.testing.assert_allclose(light, again, rtol=1e-4, atol=1e-6)


def test_kept_tensors(tool: Tool) -> None:
    found = _numbers(tool(*CONV, RUN, "keep=hardswish_0.tmp_0"))
    kept = lite.load(
        MODELS / "conv.pdmodel", MODELS / "conv.pdiparams", keep=["hardswish_0.tmp_0"]
    ).run([SINES])
    expected = np.concatenate([values.reshape(-1) for values in kept.values()])
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-6)
    wrong = tool(*CONV, RUN, "keep=nothing")
    assert wrong.returncode != 0 and "'nothing', is not computed" in wrong.stdout


def test_declared_shape(tool: Tool, tmp_path: Path) -> None:
    """An input has its declared shape until it is resized; a free dimension must be given."""
    for words in (CONV, [f"nb={MODELS / 'conv.x86.214.nb'}"]):
        done = tool(*words, "shape=")
        assert done.returncode == 1
        assert "has the declared shape [-1, 3, 8, 8], of which -1 is free" in done.stdout
    fixed = models.save_nb(models.detector(), tmp_path / "fixed.nb")
    assert "input 1 ('scale_factor') has not been set" in tool(f"nb={fixed}", "shape=").stdout


def test_devices(tool: Tool, tmp_path: Path) -> None:
    words = [*CONV, "device=builtin_device", "place=18", "place=2"]
    done = tool(*words, RUN, "placement=", "cache_dir=cache")
    numbers, _, report = done.stdout.partition("{")
    found = json.loads("{" + report)
    np.testing.assert_allclose(
        np.fromstring(numbers, np.float32, sep="\n"), _python(devices="builtin_device"), rtol=1e-5
    )
    (subgraph,) = found["subgraphs"]
    assert subgraph["runs"] == 1
    assert subgraph["outcomes"][0]["devices"] == ["builtin_device"]
    assert found["placement"]["devices"] == ["builtin_device"]
    assert len(list((tmp_path / "cache").iterdir())) == 1


def test_partition_config(tool: Tool, tmp_path: Path) -> None:
    (tmp_path / "config.txt").write_text("conv2d\n")
    for words in (["partition=conv2d"], ["partition_path=config.txt"]):
        done = tool(*CONV, "device=builtin_device", *words, "placement=")
        operators = json.loads(done.stdout)["placement"]["operators"]
        (conv,) = (op for op in operators if op["type"] == "conv2d")
        assert (conv["place"], conv["kind"]) == ("cpu", "config")


def test_light_devices(tool: Tool, tmp_path: Path) -> None:
    """A .nb with subgraphs: caches in a folder and in memory, dynamic shapes, a callback."""
    assert tool(*CONV, "device=builtin_device", "save_nb=dev").returncode == 0
    expected = _python()
    name = lite.load(tmp_path / "dev.nb", devices="builtin_device").inputs[0].name
    base = ["nb=dev.nb", "device=builtin_device", RUN]
    np.testing.assert_allclose(_numbers(tool(*base, "cache_dir=cache")), expected, rtol=1e-5)
    (cached,) = (tmp_path / "cache").iterdir()
    done = tool(*base, f"cache_buffer={cached}", "placement=")
    report = json.loads(done.stdout[done.stdout.index("{") :])
    assert report["placement"] is None
    assert report["subgraphs"][0]["outcomes"][0]["runtime"]["from_cache"] is True
    done = tool(
        *base, f"dynamic_shape={name}=1,3,8,8;2,3,8,8", "shape=1,3,8,8", "placement=", "callback="
    )
    report = json.loads(done.stdout[done.stdout.index("{") : done.stdout.rindex("}") + 1])
    assert (report["subgraphs"][0]["programs"], report["subgraphs"][0]["runs"]) == (1, 2)
    refused = tool("nb=dev.nb", RUN)
    assert refused.returncode == 1
    assert "no device is set" in refused.stdout
    idle = tool(f"nb={MODELS / 'conv.x86.214.nb'}", "device=builtin_device", RUN)
    assert "has no subgraph for a device" in idle.stderr


def test_public_device_that_is_not_here(tool: Tool, tmp_path: Path) -> None:
    """A board's program elsewhere: the CPU computes, and the file is what the board would get."""
    words = [*CONV, "device=rockchip_npu", "place=18", "place=4"]
    done = tool(*words, RUN, "save_nb=board", "placement=")
    numbers, _, report = done.stdout.partition("{")
    np.testing.assert_allclose(np.fromstring(numbers, np.float32, sep="\n"), _python(), rtol=1e-4)
    assert json.loads("{" + report)["placement"]["devices"] == ["rockchip_npu"]
    assert "run on builtin_device instead: there is no device 'rockchip_npu'" in done.stderr
    opt = lite.Opt()
    opt.set_model_file(str(MODELS / "conv.pdmodel"))
    opt.set_param_file(str(MODELS / "conv.pdiparams"))
    opt.set_valid_places("rockchip_npu,arm")
    opt.set_optimize_out(str(tmp_path / "opt"))
    opt.run()
    assert (tmp_path / "board.nb").read_bytes() == (tmp_path / "opt.nb").read_bytes()
    done = tool("nb=board.nb", "device=rockchip_npu", RUN)
    np.testing.assert_allclose(_numbers(done), _python(), rtol=1e-4)
    assert "run on builtin_device instead" in done.stderr


def test_public_device_that_is_broken(tool: Tool, tmp_path: Path) -> None:
    (tmp_path / "librockchip_npu.so").write_bytes(b"__nnadapter_device__rockchip_npu\0")
    done = tool(*CONV, "device=rockchip_npu", RUN, NNADAPTER_DEVICE_PATH=str(tmp_path))
    assert done.returncode == 1
    assert "device 'rockchip_npu' cannot be used" in done.stdout


def test_devices_that_are_here_come_first(tool: Tool) -> None:
    done = tool(*CONV, "device=amlogic_npu", "device=fake_device", RUN, "placement=")
    assert "run on fake_device instead" in done.stderr
    numbers, _, report = done.stdout.partition("{")
    np.testing.assert_allclose(np.fromstring(numbers, np.float32, sep="\n"), _python(), rtol=1e-4)
    assert "fake_device" in str(json.loads("{" + report)["subgraphs"][0]["outcomes"])


def test_memory(tool: Tool, tmp_path: Path) -> None:
    """The model's bytes go when the weights are packed, as those of a file do."""
    weights = 4096 * 1024
    path = models.save_nb(models.wide(4096, 1024), tmp_path / "wide.nb")

    def megabytes(word: str) -> float:
        done = tool(f"{word}={path}", "shape=1,1024,1,1", "memory=")
        assert done.returncode == 0, done
        return int(done.stdout.split("\n")[-2].split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6

    assert megabytes("model_file") < megabytes("nb") + 0.5 * 4e-6 * weights


def _python_error(words: list[str]) -> str:
    """What a CxxConfig of Python raises for the same settings."""
    config = lite.CxxConfig()
    setters = {
        "model_dir": config.set_model_dir,
        "model_file": config.set_model_file,
        "param_file": config.set_param_file,
        "properties": config.set_nnadapter_context_properties,
        "partition_path": config.set_nnadapter_subgraph_partition_config_path,
    }
    for word in words:
        key, _, value = word.partition("=")
        if key == "device":
            config.set_nnadapter_device_names([value])
        elif key == "pass":
            config.set_passes_internal([value])
        elif key == "place":
            config.set_valid_places([lite.Place(lite.TargetType(int(value)))])
        else:
            setters[key](value)
    with pytest.raises((lite.LiteError, OSError)) as caught:
        lite.create_paddle_predictor(config)
    return str(caught.value)


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["model_dir=nowhere"],
        ["param_file=only"],
        [CONV[0], f"param_file={MODELS / 'conv.pdmodel'}"],
        [*CONV, "device=no_such_device"],
        [*CONV, "properties=KEY=1"],
        [*CONV, "place=18"],
        [*CONV, "pass=no_such_pass"],
        [*CONV, "device=builtin_device", "partition_path=nowhere.txt"],
    ],
)
def test_same_words(
    tool: Tool, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = tool(*words)
    assert done.returncode == 1, done
    monkeypatch.chdir(tmp_path)
    assert done.stdout == _python_error(words)
    assert not list(tmp_path.iterdir())


def test_places_that_are_not_here(tool: Tool) -> None:
    done = tool(*CONV, "place=5", "place=9")
    assert done.returncode == 1
    assert "valid places name opencl, xpu, which is not available" in done.stdout


# -- The converter.


def _script(tmp_path: Path, text: str) -> str:
    path = tmp_path / "opt"
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("echo 'out of luck' >&2; exit 3", ["exit status 3", "out of luck"]),
        ("cat > /dev/null; kill -9 $$", ["signal 9", "said nothing"]),
        ("exit 0", ["is it paddle_lite_opt of this version"]),
        ("cat", ["failed"]),  # the request comes back: no answer
        ("yes nonsense | head -c 3000000", ["failed"]),
        ("echo 'nb 1000000'; echo cut", ["failed"]),
    ],
)
def test_failing_converter(tool: Tool, tmp_path: Path, script: str, words: list[str]) -> None:
    done = tool(*CONV, LITE_OPT=_script(tmp_path, script))
    assert done.returncode == 1, done
    for word in [str(tmp_path / "opt"), *words]:
        assert word in done.stdout


def test_hanging_converter(tool: Tool, tmp_path: Path) -> None:
    begin = time.monotonic()
    script = _script(tmp_path, "echo waiting >&2; sleep 1000 & echo $! > child; sleep 1000")
    done = tool(*CONV, LITE_OPT=script, LITE_OPT_TIMEOUT="1")
    assert done.returncode == 1, done
    assert "did not finish within 1 s" in done.stdout
    assert "waiting" in done.stdout
    assert time.monotonic() - begin < 30
    state = Path(f"/proc/{(tmp_path / 'child').read_text().strip()}/stat")
    time.sleep(0.2)  # its parent is the system now, which buries it
    assert not state.exists() or state.read_text().split(")")[1].split()[0] == "Z"


def test_missing_converter(tool: Tool, tmp_path: Path) -> None:
    done = tool(*CONV, LITE_OPT=str(tmp_path / "nothing"))
    assert done.returncode == 1
    assert "LITE_OPT names" in done.stdout
    done = tool(*CONV, LITE_OPT_TIMEOUT="soon")
    assert "LITE_OPT_TIMEOUT is 'soon'" in done.stdout
    if not (sdk_path() / "../../../../../bin/paddle_lite_opt").exists():
        done = tool(*CONV, LITE_OPT="", PATH=str(tmp_path))
        assert done.returncode == 1
        assert "need the converter paddle_lite_opt" in done.stdout
        assert str(tmp_path / "paddle_lite_opt") in done.stdout


def test_found_converter(tool: Tool, converter: Path) -> None:
    """On the PATH; in an environment also without."""
    folder = f"{converter.parent}:{os.environ['PATH']}"
    np.testing.assert_allclose(_numbers(tool(*CONV, RUN, LITE_OPT="", PATH=folder)), _python())
    if (sdk_path() / "../../../../../bin/paddle_lite_opt").exists():
        np.testing.assert_allclose(_numbers(tool(*CONV, RUN, LITE_OPT="", PATH="")), _python())


def test_threads(tool: Tool) -> None:
    done = tool(*CONV, "threads=6")
    assert done.returncode == 0, done
    done = tool("model_dir=nowhere", "threads=4")
    assert done.returncode == 4, done
    assert done.stderr.count("No such file") == 4


def test_no_python_in_the_application(program: Path) -> None:
    shown = subprocess.run(["ldd", str(program)], check=True, capture_output=True, text=True)
    assert "libpaddle_full_api_shared.so" in shown.stdout
    assert "libpython" not in shown.stdout
