"""lite partition: the report on a model, and the config that it writes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from lite.core.partition import SupportCheck
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

    monkeypatch.setattr("lite.tools.partition.DeviceCheck", load)
    return types


def _types(model: Path) -> list[str]:
    types = [op.type for op in load_program(model).root.ops]
    return [kind for kind in types if kind not in ("feed", "fetch")]


def test_report_and_config(cli: Command, model: Path, tmp_path: Path, refuses: set[str]) -> None:
    last = _types(model)[-1]
    refuses.add(last)
    before = set(tmp_path.iterdir())
    done = cli("partition", model, "--device", "rockchip_npu")
    assert done.returncode == 0, done.stderr
    assert f"{last} is not in the list of rockchip_npu" in done.stdout
    assert set(tmp_path.iterdir()) == before, "a config is written only when asked for"
    assert (
        "wrote npu.txt"
        in cli("partition", model, "--device=rockchip_npu", "--output=npu.txt").stdout
    )
    config = (tmp_path / "npu.txt").read_text()
    assert config.startswith("# model: ")
    (tmp_path / "npu.txt").write_text("@cpu type=*\n")
    done = cli(
        *(
            "partition",
            model,
            "--device=rockchip_npu",
            "--config=npu.txt",
            "--output=npu.txt",
            "--force",
        )
    )
    assert "excluded by line 1 of the partition config npu.txt" in done.stdout
    assert "0 of" in done.stdout
    assert (tmp_path / "npu.txt").read_text() != config


def test_a_config_of_another_model_is_a_warning(cli: Command, model: Path, tmp_path: Path) -> None:
    (tmp_path / "c.txt").write_text("# made by hand\n# model: resnet50\n@cpu type=*\n")
    done = cli("partition", model, "--device=rockchip_npu", "--config=c.txt")
    assert done.returncode == 0
    assert "was made for the model resnet50, this is " in done.stdout
    own = cli("partition", model, "--device=rockchip_npu", "--output=own.txt").stdout
    assert "wrote own.txt" in own
    again = cli("partition", model, "--device=rockchip_npu", "--config=own.txt").stdout
    assert "was made for" not in again


def test_all_files(cli: Command, model: Path, tmp_path: Path) -> None:
    done = cli(
        "partition", model, "--device", "rockchip_npu,mediatek_apu", "--device=amlogic_npu",
        "--output", "c.txt",
        "--json=r.json", "--dot=r.dot", "--html=r.html", "--nb=m.nb", "--input=x:5x4",
        "--properties=a=1;", "--min_size=1", "--max_transfers=9", "--no_compute",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["devices"] == ["rockchip_npu", "mediatek_apu", "amlogic_npu"]
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
    done = cli("partition", model, "--device=rockchip_npu", "--strict", "--json=r.json")
    assert done.returncode == 1 and done.stderr.startswith(
        "lite: DeviceError: strict: 1 operator cannot"
    )
    kinds = [op["kind"] for op in json.loads((tmp_path / "r.json").read_text())["operators"]]
    assert "unsupported" in kinds


def test_a_wrong_line_is_shown(cli: Command, model: Path, tmp_path: Path) -> None:
    kind = _types(model)[0]
    (tmp_path / "c.txt").write_text(f"{kind}x\n")
    done = cli("partition", model, "--device=rockchip_npu", "--config=c.txt")
    assert done.returncode == 0 and f"did you mean {kind}" in done.stdout
    done = cli("partition", model, "--device=rockchip_npu", "--config=c.txt", "--strict")
    assert done.returncode == 1 and f"did you mean {kind}" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "--device"),
        (("--device", ","), "names no device"),
        (("--device=rockchip_npu", "--config=missing"), "missing cannot be read"),
        (("--device=rockchip_npu", "--input=x:5y4"), "write NAME:1x3x224x224"),
        (("--device=rockchip_npu", "--input=z:5x4"), "no shape of an input"),
        (("--device=rockchip_npu", "--targets=rockchip_npu"), "give it with --device"),
        (("--device=rockchip_npu", "--min_size=-1"), "min_size"),
        (("--device=rockchip_npu", "--output=there.txt"), "--force replaces it"),
        (("--device=rockchip_npu", "--json=no/such/folder.json"), "no/such"),
    ],
)
def test_wrong_flags(
    cli: Command, model: Path, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    (tmp_path / "there.txt").write_text("mine")
    done = cli("partition", model, *words)
    assert done.returncode == 1 and said in done.stderr, done.stderr
    assert (tmp_path / "there.txt").read_text() == "mine"
