"""Names of devices are checked by every command and door; devices that are here are listed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from nnadapter.compiling import LIBRARY, compiled

import lite
from lite.api.devices import DeviceOptions
from lite.errors import ConfigError, DeviceError
from lite.model.save import write_protobuf_dir
from lite.model.text import parse_program
from lite.nnadapter.properties import unknown_keys

from .conftest import Command

SOURCE = Path(__file__).parents[1] / "nnadapter" / "drivers" / "foreign.cc"
X = np.arange(-4, 4, dtype=np.float32).reshape(2, 4)
TEXT = """program version 2006002
block 0 parent -1 {
  var feed: feed_minibatch
  var fetch: fetch_list
  var x: lod_tensor fp32[2,4]
  Out: [x] = feed(X: [feed]) {col: int 0}
  Out: [a] = relu(X: [x])
  Out: [b] = elementwise_add(X: [a], Y: [x]) {axis: int -1}
  Out: [y] = hard_swish(X: [b]) {offset: float 3, scale: float 6, threshold: float 6}
  Out: [fetch] = fetch(X: [y]) {col: int 0}
}
"""


def swished(x: np.ndarray) -> np.ndarray:
    b = np.maximum(x, 0) + x
    return b * np.clip(b + 3, 0, 6) / 6


@pytest.fixture
def small(tmp_path: Path) -> Path:
    write_protobuf_dir(parse_program(TEXT), tmp_path / "small")
    return tmp_path / "small"


@pytest.fixture(scope="module")
def drivers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    # A device that is open stays open: no other test takes cambricon_mlu for one that is not here.
    folder = tmp_path_factory.mktemp("drivers")
    for name in ("cambricon_mlu", "newcomer", "declared"):
        compiled(SOURCE, folder / f"lib{name}.so", [f"-DDEVICE={name}", *LIBRARY])
    crashing = ["-DDEVICE=crashing", "-DFOREIGN=segv_create_context", *LIBRARY]
    compiled(SOURCE, folder / "libcrashing.so", crashing)
    (folder / "declared.yaml").write_text("supported_operations: [RELU]\n")
    (folder / "libbroken_npu.so").write_bytes(b"\x7fELF __nnadapter_device__broken_npu\0")
    return folder


@pytest.fixture
def here(drivers: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NNADAPTER_DEVICE_PATH", str(drivers))
    return drivers


def failed(done: subprocess.CompletedProcess[str], said: str) -> None:
    assert done.returncode == 1 and said in done.stderr, done


def test_unknown_names_are_errors(cli: Command, opt: Command, small: Path) -> None:
    meant = "did you mean rockchip_npu"
    failed(cli("partition", small, "--device", "rockchip_nppu"), meant)
    failed(cli("run", small, "--device", "rockchip_nppu"), meant)
    failed(opt(f"--model_dir={small}", "--optimize_out=o", "--valid_targets=rockchip_nppu"), meant)
    failed(opt("--print_supported_ops", "--valid_targets=rockchip_nppu"), meant)
    failed(cli("partition", small, "--device", "zzz"), "there is no device 'zzz':")
    failed(cli("device-test", "fake_devise"), "did you mean fake_device?")
    config = lite.CxxConfig()
    config.set_model_dir(str(small))
    config.set_nnadapter_device_names(["rockchip_nppu"])
    with pytest.raises(DeviceError, match="did you mean rockchip_npu"):
        lite.create_paddle_predictor(config)
    with pytest.raises(DeviceError, match="did you mean builtin_device"):
        lite.load(small, devices=["buildin_device"])
    with pytest.raises(DeviceError, match=r"librockchip_npu\.so: no such file") as error:
        lite.load(small, devices=["rockchip_npu"])
    assert "did you mean" not in str(error.value)
    assert not list(Path.cwd().glob("*partition.txt"))


def test_known_names_without_a_driver(cli: Command, opt: Command, small: Path) -> None:
    done = cli("partition", small, "--device", "rockchip_npu,huawei_ascend_npu", "--json=r.json")
    assert done.returncode == 0
    said = "its driver is not here: judged by the public list"
    assert f"rockchip_npu: {said}" in done.stdout
    assert json.loads(Path("r.json").read_text())["judged"] == {
        "rockchip_npu": said,
        "huawei_ascend_npu": said,
    }
    done = opt(f"--model_dir={small}", "--optimize_out=o", "--valid_targets=rockchip_npu")
    assert done.returncode == 0 and f"rockchip_npu: {said}" in done.stdout
    done = cli("partition", small, "--device", "nnadapter")
    assert done.returncode == 0 and "judged" not in done.stdout


def places(report: Any) -> dict[str, str]:
    return {op.type: op.place for op in report.operators if not op.is_io}


@pytest.mark.parametrize("strict", [False, True])
def test_a_driver_that_cannot_be_asked(here: Path, small: Path, strict: bool) -> None:
    wanted = {
        "cambricon_mlu": ({"relu", "elementwise_add"}, "judged by the public list"),
        "declared": ({"relu"}, f"judged by {here / 'declared.yaml'}"),
    }
    for device, (taken, said) in wanted.items():
        if strict:
            with pytest.raises(DeviceError, match="strict: "):
                lite.load(small, devices=device, strict=True)
            continue
        predictor = lite.load(small, devices=device)
        np.testing.assert_allclose(predictor.run([X])["y"], swished(X), atol=1e-6)
        report = predictor.placement()
        assert {op for op, place in places(report).items() if place == "device"} == taken
        assert report.judged == {device: f"its driver cannot be asked: {said}"}
        assert said in report.table()


@pytest.mark.parametrize(
    "words", [["devices"], ["partition", "MODEL", "--device", "newcomer"],
              ["device-test", "newcomer", "--only", "RELU float32"]], ids=lambda words: words[0],
)  # fmt: skip
def test_drivers_that_the_loader_finds(drivers: Path, small: Path, words: list[str]) -> None:
    """In LD_LIBRARY_PATH, among libraries that are none."""
    code = "import sys; from lite.tools.cli import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", code, *(str(small) if word == "MODEL" else word for word in words)],
        env={**os.environ, "LD_LIBRARY_PATH": f"{drivers}:/nowhere", "NNADAPTER_DEVICE_PATH": ""},
        capture_output=True,
        text=True,
    )
    expected = " pass, 0 fail" if words[0] == "device-test" else "newcomer"
    assert expected in done.stdout and "there is no device" not in done.stderr, done
    if words[0] == "devices":
        assert str(drivers / "libnewcomer.so") in done.stdout and "broken_npu" not in done.stdout


def test_a_driver_that_nothing_lists(here: Path, small: Path) -> None:
    predictor = lite.load(small, devices="newcomer")
    np.testing.assert_allclose(predictor.run([X])["y"], swished(X), atol=1e-6)
    report = predictor.placement()
    assert "every operator that can be converted" in report.judged["newcomer"]
    assert "newcomer.yaml" in report.judged["newcomer"]
    assert set(places(report).values()) == {"cpu"}  # it was given hard_swish, too
    listed = DeviceOptions("newcomer", properties="SUPPORTED_OPERATIONS=ADD,RELU")
    report = lite.load(small, devices=listed).placement()
    assert report.judged["newcomer"].endswith("the property SUPPORTED_OPERATIONS")
    assert places(report) == {"relu": "device", "elementwise_add": "device", "hard_swish": "cpu"}


def test_a_cache_that_the_first_run_fills(here: Path, small: Path, tmp_path: Path) -> None:
    folder = tmp_path / "not" / "there"
    options = DeviceOptions("cambricon_mlu", properties="FOREIGN=late", cache_dir=str(folder))
    for hit in (False, True):
        predictor = lite.load(small, devices=options)
        np.testing.assert_allclose(predictor.run([X])["y"], swished(X), atol=1e-6)
        report = predictor.placement()
        assert [info.cache_hit for info in report.subgraphs] == [hit]
        assert report.warnings == []
        assert len(list(folder.glob("*.nnc"))) == 1
    (tmp_path / "file").touch()
    predictor = lite.load(
        small, devices=DeviceOptions("cambricon_mlu", cache_dir=str(tmp_path / "file" / "x"))
    )
    predictor.run([X])
    (warning,) = predictor.placement().warnings
    assert "nothing is cached: the folder" in warning


def test_one_name() -> None:
    assert DeviceOptions("fake_device").names == ("fake_device",)
    assert DeviceOptions(["a", "b"]).names == ("a", "b")  # type: ignore[arg-type]
    assert not DeviceOptions()
    with pytest.raises(ConfigError, match="empty"):
        DeviceOptions("")
    with pytest.raises(TypeError):
        DeviceOptions((1,))  # type: ignore[arg-type]


def test_unknown_properties_are_a_warning(here: Path, small: Path) -> None:
    with pytest.warns(UserWarning, match="BUILTIN_DEVICE_NUM_THREAD'; did you mean BUILTIN_DEV"):
        lite.load(small, devices=DeviceOptions("builtin_device", "BUILTIN_DEVICE_NUM_THREAD=2"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for device, text in (
            ("builtin_device", "BUILTIN_DEVICE_NUM_THREADS=2;"),
            ("newcomer", "FOREIGN=mutate;SUPPORTED_OPERATIONS=RELU"),
            ("onnxruntime", "ONNXRUNTIME_INTRA_OP_NUM_THREADS=1"),
        ):
            lite.load(small, devices=DeviceOptions(device, text))
    assert not unknown_keys(["newcomer"], "NEWCOMER_FOREIGN=1;")  # nobody knows what it reads
    assert unknown_keys(["rockchip_npu", "huawei_ascend_npu"], "HUAWEI_ASCEND_NPU_PRECISION=a")
    assert not unknown_keys(["nnadapter"], "ANYTHING=1")
    (text,) = unknown_keys(["onnxruntime"], "ONNXRUNTIME_PROVIDER=a")
    assert "did you mean ONNXRUNTIME_PROVIDERS" in text


def test_tables_have_the_devices_columns(opt: Command, small: Path) -> None:
    done = opt("--print_supported_ops", "--valid_targets=rockchip_npu")
    assert done.returncode == 0
    rows = {line.split()[0]: line for line in done.stdout.splitlines()}
    assert rows["OP_name"].endswith("rockchip_npu")
    assert rows["relu"].endswith("            Y") and len(rows["relu"]) == len(rows["OP_name"])
    assert len(rows["hard_swish"]) < len(rows["OP_name"])
    done = opt("--print_model_ops", f"--model_dir={small}", "--valid_targets=rockchip_npu,arm")
    assert done.returncode == 0 and "rockchip_npu" in done.stdout.splitlines()[1]
    assert (
        "1 of 3 ops are not supported on 'rockchip_npu' (judged by the public list) and run on the "
        "CPU. These ops are: 'hard_swish'." in done.stdout
    )


def test_a_library_that_does_not_load(cli: Command, here: Path, small: Path) -> None:
    done = cli("partition", small, "--device", "broken_npu")
    assert "warning: the library of broken_npu is not used: " in done.stdout
    with pytest.raises(DeviceError, match=r"device 'broken_npu' cannot be used: .*libbroken_npu"):
        lite.load(small, devices=["broken_npu"])


def test_devices_are_listed(cli: Command, here: Path) -> None:
    done = cli("devices", "--json")
    found = {device["name"]: device for device in json.loads(done.stdout)}
    assert done.returncode == 1  # broken_npu
    assert found["builtin_device"]["asks"] and found["python"]["origin"] == "in Python"
    assert found["cambricon_mlu"]["library"] == str(here / "libcambricon_mlu.so")
    assert found["cambricon_mlu"]["list"] == "the public list of cambricon_mlu"
    assert (found["newcomer"]["version"], found["newcomer"]["abi"]) == (1, "libstdc++")
    assert "libbroken_npu.so: " in found["broken_npu"]["error"]
    assert found["crashing"]["error"].startswith("it dies of SIGSEGV in create_context: stack: ")
    done = cli("devices")
    assert "does not load: " in done.stdout
    assert "judged by the public list, no driver here: amlogic_npu" in done.stdout


@pytest.mark.long
def test_a_device_that_does_not_answer(tmp_path: Path) -> None:
    """It does not keep the others from being heard, and is not left behind."""
    (tmp_path / "silent.py").write_text("import time\ntime.sleep(600)\n")
    asked = json.dumps([["silent:Hal", ""], ["fake_device", ""]])
    done = subprocess.run(
        [sys.executable, "-m", "lite.tools.open_devices", asked, str(tmp_path), "4"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([*filter(None, sys.path), str(tmp_path)])},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert json.loads(done.stdout) == [None, 0]
    assert json.loads((tmp_path / "1.1").read_text())[0]["name"] == "fake_device"
