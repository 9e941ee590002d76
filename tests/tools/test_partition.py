"""lite partition: the report on a model, and the config that it writes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from lite.core.optimizer.partition import SupportCheck, options
from lite.model.load import load_program
from lite.model.program import Program

from .conftest import Command


@pytest.fixture(autouse=True)
def refuses(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The operator types that the device of these tests refuses."""
    types: set[str] = set()

    def load(
        devices: Sequence[str], properties: str, shapes: Mapping[str, Sequence[int]], offline: bool
    ) -> SupportCheck:
        assert (
            devices
            and offline
            and (properties, dict(shapes)) in (("", {}), ("a=1;", {"x": [5, 4]}))
        )

        def check(program: Program, block: int, clusters: list[list[int]]) -> dict[int, str]:
            ops = program.blocks[block].ops
            return {
                at: f"{ops[at].type} is not in the list of {devices[0]}"
                for some in clusters
                for at in some
                if ops[at].type in types
            }

        return check

    monkeypatch.setattr(options, "load_check", load)
    return types


def _types(model: Path) -> list[str]:
    types = [op.type for op in load_program(model).root.ops]
    return [kind for kind in types if kind not in ("feed", "fetch")]


def test_report_and_config(cli: Command, model: Path, tmp_path: Path, refuses: set[str]) -> None:
    last = _types(model)[-1]
    refuses.add(last)
    done = cli("partition", model, "--device", "npu")
    assert done.returncode == 0, done.stderr
    assert f"{last} is not in the list of npu" in done.stdout
    assert "wrote npu_partition.txt" in done.stdout
    config = (tmp_path / "npu_partition.txt").read_text()
    again = cli("partition", model, "--device", "npu", "--config", "npu_partition.txt")
    assert "npu_partition.txt stays as it is" in again.stderr
    assert (tmp_path / "npu_partition.txt").read_text() == config
    (tmp_path / "npu_partition.txt").write_text("@cpu type=*\n")
    done = cli("partition", model, "--device=npu", "--config=npu_partition.txt", "--force")
    assert "excluded by line 1 of the partition config npu_partition.txt" in done.stdout
    assert "0 of" in done.stdout
    assert (tmp_path / "npu_partition.txt").read_text() != config


def test_all_files(cli: Command, model: Path, tmp_path: Path) -> None:
    done = cli(
        "partition", model, "--device", "npu,other", "--device=third", "--output", "c.txt",
        "--json=r.json", "--dot=r.dot", "--html=r.html", "--nb=m.nb", "--input=x:5x4",
        "--properties=a=1;", "--min_size=1", "--max_transfers=9", "--no_compute",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["devices"] == ["npu", "other", "third"]
    assert report["subgraphs"][0]["inputs"][0]["shape"] == [5, 4]
    assert (tmp_path / "r.dot").read_text().startswith("digraph")
    assert "<svg" in (tmp_path / "r.html").read_text()
    assert "subgraph" in {op.type for op in load_program(tmp_path / "m.nb").root.ops}
    assert (tmp_path / "c.txt").exists()


def test_strict_writes_the_report_and_fails(
    cli: Command, model: Path, tmp_path: Path, refuses: set[str]
) -> None:
    last = _types(model)[-1]
    refuses.add(last)
    done = cli("partition", model, "--device=npu", "--strict", "--json=r.json")
    assert done.returncode == 1 and done.stderr.startswith(
        "lite: DeviceError: strict: 1 operator cannot"
    )
    kinds = [op["kind"] for op in json.loads((tmp_path / "r.json").read_text())["operators"]]
    assert "unsupported" in kinds


def test_a_wrong_line_is_shown(cli: Command, model: Path, tmp_path: Path) -> None:
    kind = _types(model)[0]
    (tmp_path / "c.txt").write_text(f"{kind}x\n")
    done = cli("partition", model, "--device=npu", "--config=c.txt")
    assert done.returncode == 0 and f"did you mean {kind}" in done.stdout
    done = cli("partition", model, "--device=npu", "--config=c.txt", "--strict")
    assert done.returncode == 1 and f"did you mean {kind}" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "--device"),
        (("--device", ","), "names no device"),
        (("--device=npu", "--config=missing"), "missing cannot be read"),
        (("--device=npu", "--input=x:5y4"), "write NAME:1x3x224x224"),
        (("--device=npu", "--input=z:5x4"), "no shape of an input"),
        (("--device=npu", "--targets=rockchip_npu"), "give it with --device"),
        (("--device=npu", "--min_size=-1"), "min_size"),
        (("--device=npu", "--output=there.txt"), "--force replaces it"),
        (("--device=npu", "--json=no/such/folder.json"), "no/such"),
    ],
)
def test_wrong_flags(
    cli: Command, model: Path, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    (tmp_path / "there.txt").write_text("mine")
    done = cli("partition", model, *words)
    assert done.returncode == 1 and said in done.stderr, done.stderr
    assert (tmp_path / "there.txt").read_text() == "mine"
