"""What every Java program is given: models, the jars, classes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from java.jvm import READER
from sdk import example_models as models

from lite.tools.cli import main

HERE = Path(__file__).parent
NAMES = """classifier features integers words detector sounds wave segmenter heatmaps style grid
    chunks encoder decoder ranker pixels houses""".split()


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Models, jars, and the programs' classes in classes/."""
    folder = tmp_path_factory.mktemp("java")
    for name in NAMES:
        models.save_nb(getattr(models, name)(), folder / f"{name}.nb")
    models.save_folder(models.classifier(), folder / "classifier")
    assert main(["sdk", "--jar", str(folder / "light.jar")]) == 0
    assert main(["sdk", "--jar", str(folder / "full.jar"), "--full"]) == 0
    sources = [str(path) for path in sorted(HERE.rglob("*.java"))]
    options = ["-Xlint:all,-try", "-Werror", "-cp", str(folder / "light.jar")]
    options += ["-sourcepath", str(READER)]
    subprocess.run(["javac", *options, "-d", str(folder / "classes"), *sources], check=True)
    return folder
