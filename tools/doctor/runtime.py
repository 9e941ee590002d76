"""Checks by use: do the libraries load, which kernels are chosen, do a model and devices run?"""

from __future__ import annotations

import os
from collections.abc import Iterator

from .finding import OK, WARNING, WRONG, ChildError, Finding, ask
from .package import LIBRARIES, folder

_OPEN = "import ctypes, json, sys; ctypes.CDLL(sys.argv[1]); print(json.dumps('loaded'))"

_CORE = """
import json
from lite import _core
print(json.dumps({"isa": _core.isa_name(), "operators": len(_core.operator_table())}))
"""

_MODEL = r'''
import json, tempfile, os
import numpy, lite
from lite.model.naive_buffer import write_nb_file
from lite.model.text import parse_program
TEXT = """
program version 2006002
block 0 parent -1 {
  var feed: feed_minibatch persistable
  var fetch: fetch_list persistable
  var x: lod_tensor fp32[64,64]
  var y: lod_tensor fp32[64,64]
  Out: [x] = feed(X: [feed]) {col: int 0}
  Out: [y] = matmul_v2(X: [x], Y: [x]) {trans_x: bool false, trans_y: bool true}
  Out: [fetch] = fetch(X: [y]) {col: int 0}
}
"""
x = numpy.linspace(-1, 1, 4096, dtype=numpy.float32).reshape(64, 64)
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "model.nb")
    write_nb_file(parse_program(TEXT), path)
    (y,) = lite.load(path).run({"x": x}).values()
print(json.dumps(float(abs(y - x @ x.T).max())))
'''

_DEVICES = """
import contextlib, io, json
from lite.tools.cli import main
with contextlib.redirect_stdout(io.StringIO()) as text:
    main(["devices", "--json"])
print(json.dumps(json.loads(text.getvalue())))
"""


def findings() -> Iterator[Finding]:
    """All checks of this file."""
    yield from _libraries()
    try:
        core = ask(_CORE)
    except ChildError as error:
        yield Finding("core", WRONG, f"lite._core does not import: {error}", _remedy(str(error)))
        return
    yield Finding("core", OK, f"loads, {core['operators']} operators")
    yield _isa(core["isa"])
    yield _model()
    yield from _devices()


def _libraries() -> Iterator[Finding]:
    home = folder()
    paths = [home / name for name in LIBRARIES] + sorted((home / "sdk" / "lib").glob("*.so"))
    failed = False
    for path in paths:
        if path.exists():
            try:
                ask(_OPEN, str(path))
            except ChildError as error:
                failed = True
                text = str(error).removeprefix("OSError: ")
                yield Finding(
                    "libraries", WRONG, f"{path.name} does not load: {text}", _remedy(text)
                )
    if not failed:
        yield Finding("libraries", OK, f"those of {home} load")


def _remedy(text: str) -> str:
    if "GLIBC" in text or "CXXABI" in text:
        return "this system is older than the wheel was built for: pip install it from source here"
    if "noexec" in text or "failed to map segment" in text:
        return "the package lies on a file system that is mounted noexec; install it elsewhere"
    return "the libraries are of different builds: pip install --force-reinstall the package"


def _isa(chosen: str) -> Finding:
    wanted = os.environ.get("LITE_ISA", "")
    if wanted and wanted != chosen:
        return Finding(
            "instruction set",
            WARNING,
            f"LITE_ISA={wanted} was not followed: {chosen}",
            "baseline, avx2, avx512 and amx are known, and those that the CPU has",
        )
    if wanted:
        return Finding(
            "instruction set",
            WARNING,
            f"{chosen}, as LITE_ISA asks",
            "unset LITE_ISA where speed counts",
        )
    return Finding("instruction set", OK, chosen)


def _model() -> Finding:
    try:
        error = float(ask(_MODEL))
    except ChildError as failure:
        return Finding("a model", WRONG, f"does not run: {failure}", "see docs/errors.md")
    if not error < 1e-3:
        return Finding(
            "a model",
            WRONG,
            f"gives wrong numbers: off by {error:g}",
            "please report it, with what `lite env` says",
        )
    return Finding("a model", OK, "runs, and its numbers are right")


def _devices() -> Iterator[Finding]:
    for entry in filter(None, os.environ.get("NNADAPTER_DEVICE_PATH", "").split(os.pathsep)):
        if not os.path.isdir(entry):
            yield Finding(
                "devices",
                WRONG,
                f"NNADAPTER_DEVICE_PATH names {entry}, no folder",
                "correct it, or unset it",
            )
    try:
        devices = ask(_DEVICES)
    except ChildError as error:
        yield Finding("devices", WRONG, f"cannot be listed: {error}", "see docs/nnadapter.md")
        return
    loads = [device["name"] for device in devices if not device.get("error")]
    for device in devices:
        if not device.get("error") or not device["library"]:
            continue  # those in Python need packages that nobody has to install
        state = WARNING if device["hidden"] else WRONG
        text = " ".join(device["error"].split())
        yield Finding(
            "devices",
            state,
            f"{device['library']} does not load: {text}",
            "docs/nnadapter.md; lite devices shows all of it",
        )
    yield Finding("devices", OK, f"usable: {', '.join(loads) or 'none'}")
