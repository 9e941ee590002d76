"""The npm package in Node and in Chromium, and the page that reads pictures.

LITE_TEST_WEB names the folder that tools/cross/web.sh wrote.
"""

from __future__ import annotations

import gzip
import json
import os
import queue
import shutil
import subprocess
import threading
from collections.abc import Iterator
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sdk import example_models as models

import lite
from examples.ocr import draw, fonts
from examples.ocr.wheels import cache_folder
from examples.web import serve
from examples.web.make import make

HERE = Path(__file__).parent
PACKAGE = Path(os.environ["LITE_TEST_WEB"]) / "package"
NAMES = ("classifier", "integers", "sounds")
CHROMIUM = """chromium --headless --no-sandbox --disable-gpu --no-first-run --disable-sync
--disable-background-networking --disable-component-update --disable-quic""".split()


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
    command = ["node", str(HERE / "api.mjs"), str(PACKAGE / "index.mjs"), str(folder), str(threads)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    np.testing.assert_allclose(json.loads(done.stdout), expected(folder), rtol=1e-5)


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


class Handler(serve.Handler):
    """What is posted goes to the server's queue."""

    def do_POST(self) -> None:  # noqa: N802 - http.server's name
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.reports.put(json.loads(body))  # type: ignore[attr-defined]
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(params=[False, True], ids=["", "isolated"])
def isolated(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether pages may share memory with their threads."""
    if not request.param:
        monkeypatch.setattr(serve, "ISOLATED", {})
    return bool(request.param)


@pytest.fixture
def site(
    tmp_path: Path, folder: Path, isolated: bool
) -> Iterator[tuple[Path, ThreadingHTTPServer]]:
    target = tmp_path / "site"
    make(PACKAGE, target, None, cache_folder())
    shutil.copy(HERE / "page.html", target)
    content = (folder / "classifier.nb").read_bytes()
    (target / "models" / "classifier.nb").write_bytes(content)
    (target / "models" / "damaged.nb").write_bytes(content[: len(content) // 2])
    server = ThreadingHTTPServer(("localhost", 0), partial(Handler, directory=str(target)))
    server.reports = queue.Queue()  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield target, server
    server.shutdown()


@pytest.mark.models
def test_a_page_in_chromium(
    site: tuple[Path, ThreadingHTTPServer], folder: Path, tmp_path: Path, isolated: bool
) -> None:
    target, server = site
    font, _ = fonts.find("".join(line.text for line in draw.CHINESE), cache_folder())
    drawn = draw.CHINESE if font.has_chinese else draw.ENGLISH
    lines = tuple(line for line in drawn if line.angle != 180)  # the page does not turn lines
    draw.sample(lines, font).save(target / "sample.png")
    url = f"http://localhost:{server.server_address[1]}/page.html"
    log = tmp_path / "chromium.log"
    with (
        log.open("w") as said,
        subprocess.Popen(
            [*CHROMIUM, f"--user-data-dir={tmp_path / 'profile'}", url], stdout=said, stderr=said
        ) as browser,
    ):
        try:
            report: dict[str, Any] = server.reports.get(timeout=240)  # type: ignore[attr-defined]
        except queue.Empty:
            raise AssertionError(log.read_text()[-2000:]) from None
        finally:
            browser.kill()
    assert "error" not in report, report["error"]
    assert report["threads"] == (2 if isolated else 1)
    np.testing.assert_allclose(report["prob"], expected(folder), rtol=1e-5)
    size = (target / "models" / "classifier.nb").stat().st_size
    assert report["loaded"] == [size, size] and report["ticks"] > 10
    missing, damaged, nothing = report["mistakes"]
    assert "'image' is missing" in missing and "is damaged" in damaged and "404" in nothing
    assert report["lines"] == [line.text for line in lines]
