"""verisilicon_timvx in VeriSilicon's simulator: NNAdapter's cases, Paddle's quantised models.

In processes of their own: the SDK's libraries are found by the loader's path.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(os.environ["LITE_TEST_TIMVX"])
DATA = Path(__file__).parents[1] / "models" / "data" / "quantised"
CHIPS = {"A311D": "VIPNANOQI_PID0X88", "i.MX8MP": "VIP8000NANOSI_PLUS_PID0X9F"}

RUN = """
import sys
import numpy as np
import lite
from lite.api.devices import DeviceOptions

folder, cache = sys.argv[1:]
x = np.load(f"{folder}/expected.npz")["in0"]
shapes = {"x": [list(x.shape)]}
options = DeviceOptions(("verisilicon_timvx",), dynamic_shapes=shapes, cache_dir=cache)
for _ in range(2):  # compiled, and from the cache
    predictor = lite.load(folder, devices=options)
    for _ in range(2):
        (found,) = predictor.run([x]).values()
    infos = predictor.placement().subgraphs
    assert infos and all(info.devices == ["verisilicon_timvx"] for info in infos)
    (expected,) = lite.load(folder, devices=["builtin_device"]).run([x]).values()
    noise = np.square(np.float64(found) - expected).sum() / np.square(expected).sum()
    assert noise < 1e-4, 10 * np.log10(noise)
"""


OTHER_CHIP = """
import sys
import numpy as np
import lite
from lite.api.devices import DeviceOptions

folder, cache = sys.argv[1:]
x = np.load(f"{folder}/expected.npz")["in0"]
shapes = {"x": [list(x.shape)]}
options = DeviceOptions(("verisilicon_timvx",), dynamic_shapes=shapes, cache_dir=cache)
predictor = lite.load(folder, devices=options)
predictor.run([x])
print(predictor.placement().json())
"""


def run(command: list[str], chip: str = "A311D") -> subprocess.CompletedProcess[str]:
    sdk = FOLDER / "vsi_sdk"
    libraries = [sdk / "build/install/lib", sdk / "prebuilt-sdk/x86_64_linux/lib"]
    changes = {
        "VIVANTE_SDK_DIR": str(sdk / "prebuilt-sdk/x86_64_linux"),
        "LD_LIBRARY_PATH": os.pathsep.join(map(str, libraries)),
        "LD_PRELOAD": str(FOLDER / "hardware_caps.so"),
        "VSIMULATOR_CONFIG": CHIPS[chip],
        "NNADAPTER_DEVICE_PATH": str(FOLDER / "build"),
    }
    return subprocess.run(
        command, env={**os.environ, **changes}, capture_output=True, text=True, timeout=900
    )


def test_what_nnadapter_expects(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    command = [sys.executable, "-m", "lite.tools.cli", "device-test", "verisilicon_timvx"]
    done = run([*command, "--only", "quant", "--json", str(report)])
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    results = json.loads(report.read_text())["checks"]
    assert sum(result["outcome"] == "pass" for result in results) >= 40


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", ["ptq_convolutions_onnx_channels", "ptq_convolutions_fake_tensor"])
def test_paddle_s_quantised_models(name: str, chip: str, tmp_path: Path) -> None:
    done = run([sys.executable, "-c", RUN, str(DATA / name), str(tmp_path)], chip)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]


def test_what_is_compiled_for_another_chip_is_not_used(tmp_path: Path) -> None:
    command = [sys.executable, "-c", OTHER_CHIP, str(DATA / "ptq_convolutions_onnx_channels")]
    first = run([*command, str(tmp_path)])
    assert first.returncode == 0, first.stderr[-2000:]
    other = run([*command, str(tmp_path)], "i.MX8MP")
    assert other.returncode == 0, other.stderr[-2000:]
    assert f"compiled for {CHIPS['A311D']}, this is {CHIPS['i.MX8MP']}" in other.stdout
