"""Clients in C99: one with its own declarations of the API, one that includes nnadapter.h."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from nnadapter.compiling import INCLUDE, compiled

from lite.nnadapter import capi

SOURCE = Path(__file__).with_name("client.c")


def test_an_independent_client(tmp_path: Path) -> None:
    client = compiled(SOURCE, tmp_path / "client", ["-Wextra", "-ldl"])
    library = capi.library()._name
    (tmp_path / "cache").mkdir()
    done = subprocess.run(
        [str(client), library, str(tmp_path / "cache"), "fake_device"],
        capture_output=True,
        text=True,
    )
    found = re.search(r"(\d+) checks, 0 failed", done.stdout)
    assert done.returncode == 0 and found, done.stdout + done.stderr
    assert int(found[1]) >= 120


def test_a_client_of_the_header(tmp_path: Path) -> None:
    source = tmp_path / "small.c"
    source.write_text(
        '#include "nnadapter/nnadapter.h"\n'
        "int main(void) {\n"
        "  uint32_t version = 0;\n"
        "  NNAdapterDevice* device = NULL;\n"
        "  if (NNAdapter_getVersion(&version) || version != NNADAPTER_VERSION) return 1;\n"
        '  if (NNAdapterDevice_acquire("builtin_device", &device)) return 2;\n'
        "  NNAdapterDevice_release(device);\n"
        "  return NNAdapterDevice_acquire(NULL, &device) != NNADAPTER_INVALID_PARAMETER;\n"
        "}\n"
    )
    library = Path(capi.library()._name)
    flags = ["-Wextra", "-I", str(INCLUDE), str(library)]
    flags += [f"-Wl,-rpath,{library.parent}"]
    program = compiled(source, tmp_path / "small", flags)
    assert subprocess.run([str(program)]).returncode == 0
