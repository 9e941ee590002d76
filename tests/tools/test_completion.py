"""The scripts of lite completion, as bash and zsh use them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from lite.tools import completion
from lite.tools.cli import _COMMANDS

from .conftest import Command


def _bash(words: list[str], folder: Path) -> list[str]:
    """What bash proposes for the last word."""
    command = words[0].replace("lite", "_lite", 1) if words[0] == "lite" else f"_{words[0]}"
    listed = " ".join(f"'{word}'" for word in words)
    script = f"""
{completion.bash()}
COMP_WORDS=({listed}); COMP_CWORD={len(words) - 1}
{command}
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    command_line = ["bash", "-euo", "pipefail", "-c", script]
    done = subprocess.run(command_line, capture_output=True, text=True, cwd=folder)
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout.split()


def test_bash(tmp_path: Path) -> None:
    assert {*_COMMANDS, "opt", "--version"} <= {*_bash(["lite", ""], tmp_path)}
    assert _bash(["lite", "dev"], tmp_path) == ["devices", "device", "device-test"]
    assert "--profile" in _bash(["lite", "bench", "model", "--pro"], tmp_path)
    assert _bash(["lite", "convert", "m", "--to", ""], tmp_path) == [
        "nb",
        "onnx",
        "pdmodel",
        "text",
    ]
    assert _bash(["lite", "completion", ""], tmp_path) == ["bash", "zsh"]
    assert _bash(["lite", "run", ""], tmp_path) == []  # bash's own: files
    assert "--optimize_out" in _bash(["paddle_lite_opt", "--opt"], tmp_path)
    assert "--optimize_out" in _bash(["lite", "opt", "--opt"], tmp_path)
    assert _bash(["paddle_lite_opt", "--quant_type", "QUANT_INT8"], tmp_path) == ["QUANT_INT8"]


# A shell that completes for a terminal, and prints what it would show.
_ZSH = r"""
zmodload zsh/zpty
zpty shell zsh -f -i
wait_for() {
  local text= line
  repeat 200; do
    if zpty -rt shell line; then text+=$line; else sleep 0.05; fi
    [[ $text == *$1* ]] && break
  done
  print -r -- $text
}
zpty -w shell 'PS1=; autoload -Uz compinit; compinit -u -D; source ./script; print REA""DY'
wait_for READY > /dev/null
zpty -wn shell "$1"$'\t\t'
sleep 0.3
zpty -wn shell $'\C-u'"print DO''NE"$'\n'
wait_for DONE
"""


@pytest.mark.skipif(shutil.which("zsh") is None, reason="no zsh is installed")
@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("lite ", ("bench", "measure a model", "doctor", "view")),
        ("lite bench --pro", ("--profile", "--properties")),
        ("lite convert m --to ", ("onnx", "pdmodel")),
        ("paddle_lite_opt --optimize_out", ("--optimize_out_type",)),
    ],
)
def test_zsh(tmp_path: Path, typed: str, shown: tuple[str, ...]) -> None:
    (tmp_path / "script").write_text(completion.zsh())
    checked = subprocess.run(["zsh", "-n", "script"], cwd=tmp_path, capture_output=True, text=True)
    assert (checked.returncode, checked.stderr) == (0, "")
    done = subprocess.run(
        ["zsh", "-f", "-c", _ZSH, "zsh", typed], cwd=tmp_path, capture_output=True, text=True,
        errors="replace", env={"PATH": "/usr/bin:/bin", "TERM": "dumb", "HOME": str(tmp_path)},
    )  # fmt: skip
    for word in shown:
        assert word in done.stdout, done


def test_command(cli: Command) -> None:
    assert cli("completion", "bash").stdout == completion.bash()
    assert cli("completion", "zsh").stdout == completion.zsh()
    assert cli("completion", "fish").returncode == 1
