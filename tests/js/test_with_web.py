"""The npm package in Node and in Chromium, and the page that reads pictures.

LITE_TEST_WEB names the folder that tools/cross/web.sh wrote.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from js.pages import report
from sdk import example_models as models

import lite
from examples.ocr import draw, fonts
from examples.ocr.wheels import cache_folder
from examples.web.make import make

HERE = Path(__file__).parent
PACKAGE = Path(os.environ["LITE_TEST_WEB"]) / "package"
NAMES = ("classifier", "integers", "sounds")
BUNDLED = PACKAGE.parent / "bundled"  # .ci/web has npm make its node_modules
BUNDLERS = {
    "webpack": "webpack --mode production --entry ./src/index.js -o {}",
    "vite": "vite build --base ./ --outDir {}",
    "esbuild": "esbuild src/index.js --bundle --format=esm --entry-names=main --outdir={}",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    for name in NAMES:
        models.save_nb(getattr(models, name)(), folder / f"{name}.nb")
    return folder


def expected(folder: Path) -> np.ndarray:
    x = np.float32(np.arange(3 * 24 * 24) % 5 / 5 - 0.4).reshape(1, 3, 24, 24)
    return next(iter(lite.load(folder / "classifier.nb").run([x]).values())).ravel()


@pytest.mark.parametrize("threads", [1, 2])
def test_the_api_in_node(folder: Path, threads: int) -> None:
    command = ["node", str(HERE / "api.mjs"), str(PACKAGE / "node.mjs"), str(folder), str(threads)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    np.testing.assert_allclose(json.loads(done.stdout), expected(folder), rtol=1e-5)


def test_a_thread_that_cannot_start(folder: Path, tmp_path: Path) -> None:
    package = shutil.copytree(PACKAGE, tmp_path / "package")
    (package / "node_thread.mjs").write_text("throw new Error('nothing here');")
    program = (
        f"import('{package}/node.mjs').then(({{ Predictor }}) =>"
        f"Predictor.load('{folder}/classifier.nb', {{ threads: 3 }}))"
        ".catch((error) => console.log(error.name, error.message))"
    )
    done = subprocess.run(["node", "-e", program], capture_output=True, text=True, timeout=60)
    assert done.stdout == "PaddleLiteError no thread starts: nothing here\n", done.stderr


def test_the_package(tmp_path: Path) -> None:
    """npm takes it, another program finds it by its name; it is small, without eval."""
    packed = subprocess.run(
        ["npm", "pack", "--silent", str(PACKAGE)], cwd=tmp_path, capture_output=True, text=True
    )
    assert packed.returncode == 0, packed.stderr
    shutil.unpack_archive(tmp_path / packed.stdout.strip(), tmp_path)
    target = tmp_path / "node_modules" / "paddle-lite-predictor"
    target.parent.mkdir()
    (tmp_path / "package").rename(target)
    program = (
        "import('paddle-lite-predictor').then((m) => console.log(Object.keys(m).sort().join()))"
    )
    done = subprocess.run(["node", "-e", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == "PaddleLiteError,Predictor\n", done.stderr
    assert json.loads((target / "package.json").read_text())["version"] == lite.__version__
    engines = [gzip.compress(engine.read_bytes()) for engine in target.glob("*.wasm")]
    assert len(engines) == 2 and max(map(len, engines)) < 2 << 20
    for file in target.glob("*.*js"):
        assert "eval(" not in file.read_text() and "new Function" not in file.read_text()


@pytest.fixture
def site(tmp_path: Path, folder: Path) -> Path:
    target = tmp_path / "site"
    make(PACKAGE, target, None, cache_folder())
    shutil.copy(HERE / "page.html", target)
    content = (folder / "classifier.nb").read_bytes()
    (target / "models" / "classifier.nb").write_bytes(content)
    (target / "models" / "damaged.nb").write_bytes(content[: len(content) // 2])
    return target


@pytest.mark.models
@pytest.mark.parametrize("isolated", [True, False], ids=["isolated", ""])
def test_a_page_in_chromium(site: Path, folder: Path, tmp_path: Path, isolated: bool) -> None:
    """It may have threads where it is isolated."""
    font, _ = fonts.find("".join(line.text for line in draw.CHINESE), cache_folder())
    drawn = draw.CHINESE if font.has_chinese else draw.ENGLISH
    lines = tuple(line for line in drawn if line.angle != 180)  # the page does not turn lines
    draw.sample(lines, font).save(site / "sample.png")
    found = report(site, "page.html", tmp_path, isolated)
    assert found["threads"] == (2 if isolated else 1)
    np.testing.assert_allclose(found["prob"], expected(folder), rtol=1e-5)
    size = (site / "models" / "classifier.nb").stat().st_size
    assert found["loaded"] == [size, size] and found["ticks"] > 10
    missing, damaged, nothing = found["mistakes"]
    assert "'image' is missing" in missing and "is damaged" in damaged and "404" in nothing
    assert found["lines"] == [line.text for line in lines]


@pytest.mark.parametrize("bundler", BUNDLERS)
def test_bundled(bundler: str, folder: Path, tmp_path: Path) -> None:
    """A program that imports the package, as bundlers make it ready for a page."""
    target, program = tmp_path / "site", tmp_path / "program"
    shutil.copytree(HERE / "bundled", program)
    (program / "node_modules").symlink_to(BUNDLED / "node_modules")
    command = ["npx", "--no-install", *BUNDLERS[bundler].format(target).split()]
    done = subprocess.run(command, cwd=program, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    if bundler == "esbuild":  # which leaves other files to the program
        package = BUNDLED / "node_modules" / "paddle-lite-predictor"
        shutil.copytree(package, target, dirs_exist_ok=True)
    if bundler != "vite":
        page = (program / "index.html").read_text().replace("src/index.js", "main.js")
        (target / "index.html").write_text(page)
    shutil.copy(folder / "classifier.nb", target)
    found = report(target, "index.html", tmp_path)
    assert found["threads"] == [1, 2, 2]
    for prob in found["probs"]:
        np.testing.assert_allclose(prob, expected(folder), rtol=1e-5)
