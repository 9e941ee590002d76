"""The worked example of docs/partitioning.md, run as it stands there.

As a program it writes what the commands print into the page.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from nnadapter.compiling import ROOT
from nnadapter.guides import blocks_of, environment, make_programs
from nnadapter.recogniser import CLASSES, recogniser

from lite.model.save import write_protobuf_dir

PAGE = ROOT / "docs/partitioning.md"


def follow(folder: Path) -> list[tuple[str, str, str]]:
    """What each command prints: the command, what the page says, and what it is."""
    blocks = blocks_of(PAGE.read_text())
    make_programs(folder)
    write_protobuf_dir(recogniser(), folder / "rec")
    results = []
    for at, (kind, name, text) in enumerate(blocks):
        if kind == "file":
            (folder / name).write_text(text)
        if kind != "run":
            continue
        done = subprocess.run(
            ["sh", "-c", text],
            cwd=folder,
            env=environment(folder),
            capture_output=True,
            text=True,
        )
        following = blocks[at + 1] if at + 1 < len(blocks) else ("", "", "")
        results.append((text, following[2] if following[0] == "output" else "", done.stdout))
    return results


def test_the_example_is_true(tmp_path: Path) -> None:
    results = follow(tmp_path)
    assert len(results) > 3
    for command, said, found in results:
        assert found == said, command
    printed = "".join(found for _, _, found in results)
    assert f"{CLASSES} columns" in printed and "9 of 12 operators" in printed


def test_the_numbers_are_those_of_the_cpu(tmp_path: Path) -> None:
    import numpy as np

    commands = [command for command, _, _ in follow(tmp_path)]
    last = next(c.split("|")[0].strip() for c in reversed(commands) if c.startswith("lite run"))
    found = []
    for command in (f"{last} --output a.npz", "lite run rec --output b.npz"):
        subprocess.run(["sh", "-ec", command], cwd=tmp_path, env=environment(tmp_path), check=True)
        found.append(np.load(tmp_path / command.split()[-1])["classes"])
    assert found[0].shape == (1, 20, CLASSES)
    assert np.abs(found[0] - found[1]).max() <= 1e-4 * np.abs(found[1]).max()


def main() -> None:
    """Rewrites the page's outputs."""
    page = PAGE.read_text()
    with TemporaryDirectory() as folder:
        for command, said, found in follow(Path(folder)):
            if said == found:
                continue
            old, new = (f"{command}```\n\n<!-- output -->\n```text\n{t}```" for t in (said, found))
            assert page.count(old) == 1, command
            page = page.replace(old, new)
    PAGE.write_text(page)


if __name__ == "__main__":
    main()
