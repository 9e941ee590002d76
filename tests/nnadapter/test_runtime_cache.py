"""Compiled programs in .nnc files and in memory."""

from __future__ import annotations

import json
import multiprocessing
import random
import struct
from collections.abc import Callable
from ctypes import byref, c_char_p, c_void_p
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from probes import binary, build, diamond, diamond_result

from lite.errors import DeviceError
from lite.nnadapter import capi
from lite.nnadapter.capi import Compilation, Context, Execution, Model
from lite.nnadapter.types import ResultCode

X = np.array([[1, -2, 3], [-4, 5, -6]], np.float32)
SPLIT = "PROBE_A_TAKES=52,3"  # MUL, ADD on probe_a, RELU on probe_b


def report(compilation: Compilation) -> dict[str, Any]:
    function = capi.library().NNAdapterCompilation_getReport
    function.argtypes = [c_void_p, c_void_p]
    text = c_char_p()
    assert function(compilation.handle, byref(text)) == 0
    result: dict[str, Any] = json.loads(text.value or b"")
    return result


def check(compilation: Compilation, weight: np.ndarray) -> None:
    outputs = Execution(compilation).run([X])
    for got, expected in zip(outputs, diamond_result(X, weight), strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-6)


def crc(data: bytes) -> int:
    """CRC-32C's polynomial, from 0 and not inverted: an implementation of its own."""
    value = 0
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = (value >> 1) ^ (0x82F63B78 if value & 1 else 0)
    return value


def unpack(data: bytes) -> dict[str, bytes]:
    magic, version, checksum, _, count = struct.unpack_from("<4sIIIQ", data)
    assert (magic, version, checksum) == (b"cnn.", 1, crc(data[24:]))
    at, entries = 24, {}
    for _ in range(count):
        key_size, value_size = struct.unpack_from("<QQ", data, at)
        at += 16
        key = data[at : at + key_size].decode()
        entries[key] = data[at + key_size : at + key_size + value_size]
        at += (key_size + value_size + 3) // 4 * 4
    assert at == len(data)
    return entries


def pack(entries: dict[str, bytes]) -> bytes:
    body = b""
    for key, value in sorted(entries.items()):
        text = key.encode() + value
        body += struct.pack("<QQ", len(key), len(value)) + text + b"\0" * (-len(text) % 4)
    return struct.pack("<4sIIIQ", b"cnn.", 1, crc(body), 0, len(entries)) + body


def written(folder: Path, properties: str = "", devices: tuple[str, ...] = ("probe_a",)) -> bytes:
    model, weight = diamond()
    compilation = Compilation(
        model, Context(devices, properties), token="t", directory=str(folder)
    ).finish()
    check(compilation, weight[0])
    return (folder / "t.nnc").read_bytes()


@pytest.mark.parametrize(
    ("devices", "properties"),
    [
        (("probe_a",), ""),
        (("probe_a", "probe_b"), SPLIT),
        (("probe_b", "probe_a"), "PROBE_B_TAKES=65"),
        (("builtin_device",), ""),
    ],
)
def test_a_cache_is_written_and_used(
    probe_folder: Path, tmp_path: Path, devices: tuple[str, ...], properties: str
) -> None:
    model, (weight,) = diamond()
    context = Context(devices, properties)
    where = {"token": "t", "directory": str(tmp_path)}
    first = Compilation(model, context, **where).finish()
    assert report(first)["from_cache"] is False
    assert "written" in report(first)["cache"]
    assert [path.name for path in tmp_path.iterdir()] == ["t.nnc"]
    data = (tmp_path / "t.nnc").read_bytes()

    again = Compilation(model, context, **where).finish()
    assert report(again)["from_cache"] is True
    without_model = Compilation(None, context, **where).finish()
    in_memory = Compilation(None, context, token="t", cache=data).finish()
    for compilation in (first, again, without_model, in_memory):
        check(compilation, weight)
    inputs, outputs = without_model.types()
    assert [list(t.dimensions.data)[: t.dimensions.count] for t in inputs] == [[-65535, 3]]
    assert len(outputs) == 2


def test_a_public_hal_that_restores_wrongly_is_not_cached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(tmp_path, "google_xnnpack")
    monkeypatch.setenv("NNADAPTER_DEVICE_PATH", str(tmp_path))
    model, (weight,) = diamond()
    context = Context(("google_xnnpack",))
    folder = tmp_path / "cache"
    for _ in range(2):
        compilation = Compilation(model, context, token="t", directory=str(folder)).finish()
        assert "computes with other weights" in report(compilation)["cache"]
        assert not report(compilation)["from_cache"] and not folder.exists()
        check(compilation, weight)
    with pytest.raises(DeviceError, match="no cache that can be used: nothing is cached"):
        Compilation(None, context, token="t", cache=b"cnn.").finish()


def test_the_container(probe_folder: Path, tmp_path: Path) -> None:
    data = written(tmp_path, SPLIT, ("probe_a", "probe_b"))
    entries = unpack(data)
    assert pack(entries) == data
    programs = struct.unpack("<Q", entries["num_caches"])[0]
    kinds = (
        *("device_name", "input_indexes", "input_types"),
        *("model_buffer", "output_indexes", "output_types"),
    )
    expected = {"input_types", "output_types", "num_caches", "fingerprint"}
    expected |= {f"cache_{i}_{kind}" for i in range(programs) for kind in kinds}
    assert set(entries) == expected
    assert len(entries["input_types"]) == 328
    assert len(entries["output_types"]) == 2 * 328
    assert len(entries["fingerprint"]) == 32


def other_weight() -> Model:
    model = Model()
    x = model.tensor(np.float32, [-1, 3])
    product = binary(model, "MUL", x, model.constant(np.full(3, 2, np.float32)))
    (positive,) = model.operation("RELU", [product])
    return model.finish([x], [product, binary(model, "ADD", positive, x)])


def test_a_cache_of_another_model_is_refused(probe_folder: Path, tmp_path: Path) -> None:
    data = written(tmp_path)
    context = Context(["probe_a"])
    where = {"token": "t", "directory": str(tmp_path)}
    compilation = Compilation(other_weight(), context, **where).finish()
    assert "made for another model" in report(compilation)["cache"]
    check(compilation, np.full(3, 2, np.float32))
    assert (tmp_path / "t.nnc").read_bytes() != data
    # Properties count, too.
    other = Compilation(other_weight(), Context(["probe_a"], "a=b"), **where).finish()
    assert "made for another model" in report(other)["cache"]


def test_a_public_container_loads_without_a_model(probe_folder: Path, tmp_path: Path) -> None:
    """No fingerprint; an old one of a single program has no indexes either."""
    entries = unpack(written(tmp_path))
    _, weight = diamond()
    del entries["fingerprint"]
    check(Compilation(None, Context(["probe_a"]), token="t", cache=pack(entries)).finish(), *weight)
    with_model = Compilation(
        diamond()[0], Context(["probe_a"]), token="t", cache=pack(entries)
    ).finish()
    assert "no fingerprint" in report(with_model)["cache"]
    check(with_model, *weight)
    del entries["cache_0_input_indexes"], entries["cache_0_output_indexes"]
    check(Compilation(None, Context(["probe_a"]), token="t", cache=pack(entries)).finish(), *weight)


def test_scales_are_not_read_from_a_file(probe_folder: Path, tmp_path: Path) -> None:
    entries = unpack(written(tmp_path))
    kind = bytearray(entries["input_types"])
    struct.pack_into("<i", kind, 0, 25)  # QUANT_INT8_SYMM_PER_CHANNEL
    struct.pack_into("<IIQ", kind, 312, 0, 3, 0xDEADBEEF)
    entries["input_types"] = entries["cache_0_input_types"] = bytes(kind)
    compilation = Compilation(None, Context(["probe_a"]), token="t", cache=pack(entries)).finish()
    inputs, _ = compilation.types()
    assert not inputs[0].symm_per_channel_params.scales


def test_without_a_usable_cache_and_model(probe_folder: Path, tmp_path: Path) -> None:
    context = Context(["probe_a"])
    missing = Compilation(None, context, token="none", directory=str(tmp_path))
    with pytest.raises(DeviceError, match="no such file") as caught:
        missing.finish()
    assert caught.value.code == ResultCode.INVALID_PARAMETER  # type: ignore[attr-defined]
    with pytest.raises(DeviceError, match="less than its header"):
        Compilation(None, context, token="t", cache=b"x").finish()
    data = written(tmp_path)
    with pytest.raises(DeviceError, match="which the context has not"):
        Compilation(None, Context(["probe_b"]), token="t", cache=data).finish()
    with pytest.raises(DeviceError, match="create_program"):
        Compilation(
            None, Context(["probe_a"], "PROBE_A_FAULT=restore_5"), token="t", cache=data
        ).finish()


def test_a_program_that_cannot_be_restored_is_made_again(
    probe_folder: Path, tmp_path: Path
) -> None:
    for fault in ("restore_5", "restore_throws", "restore_99"):
        for expected in ("written", "create_program"):
            model, (weight,) = diamond()
            compilation = Compilation(
                model,
                Context(["probe_a"], f"PROBE_A_FAULT={fault}"),
                token=fault,
                directory=str(tmp_path),
            ).finish()
            assert expected in report(compilation)["cache"]
            check(compilation, weight)


def test_places_where_nothing_can_be_written(probe_folder: Path, tmp_path: Path) -> None:
    model, (weight,) = diamond()
    context = Context(["probe_a"])
    (tmp_path / "no").touch()
    compilation = Compilation(model, context, token="t", directory=str(tmp_path / "no")).finish()
    assert "cannot be made" in report(compilation)["cache"]
    check(compilation, weight)
    (tmp_path / "no").unlink()
    (tmp_path / "d.nnc").mkdir()
    for _ in range(2):
        compilation = Compilation(model, context, token="d", directory=str(tmp_path)).finish()
        assert "no regular file" in report(compilation)["cache"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["d.nnc"]
    with pytest.raises(DeviceError, match="cannot hold '/'"):
        Compilation(model, context, token="../t", directory=str(tmp_path))
    silent = Compilation(
        model, Context(["probe_a"], "PROBE_A_FAULT=no_cache"), token="t", directory=str(tmp_path)
    ).finish()
    check(silent, weight)
    assert "does not save its programs" in report(silent)["cache"]
    assert not (tmp_path / "t.nnc").exists()


def damage(rng: random.Random, data: bytes) -> bytes:
    """Random bytes changed, or entries changed under a right checksum."""
    kind = rng.randrange(6)
    if kind == 0:
        return data[: rng.randrange(len(data))]
    if kind == 1:
        changed = bytearray(data)
        for _ in range(rng.randrange(1, 5)):
            changed[rng.randrange(len(data))] = rng.randrange(256)
        return bytes(changed)
    if kind == 2:
        changed = bytearray(data)
        at = rng.randrange(24, min(len(data), 400) - 8)
        changed[at : at + 8] = rng.choice([b"\xff" * 8, b"\0" * 8, struct.pack("<Q", 2**63)])
        changed[8:12] = struct.pack("<I", crc(bytes(changed[24:])))
        return bytes(changed)
    entries = unpack(data)
    key = rng.choice(sorted(entries))
    value = bytearray(entries[key])
    if kind == 3:
        del entries[key]
    elif kind == 4 and value:
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(value)) // 4 * 4
            number = rng.choice([0, 1, -1, 7, 2**30, 2**31 - 1, -(2**31), rng.randrange(-9, 9)])
            value[at : at + 4] = struct.pack("<i", number)
        entries[key] = bytes(value)
    else:
        entries[key] = bytes(value[: rng.randrange(len(value) + 1)]) + b"x" * rng.randrange(2)
    return pack(entries)


@pytest.mark.parametrize("seed", range(8))
def test_damaged_caches(probe_folder: Path, tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    data = written(tmp_path, SPLIT, ("probe_a", "probe_b"))
    model, (weight,) = diamond()
    context = Context(["probe_a", "probe_b"], SPLIT)
    used = 0
    for _ in range(60):
        damaged = damage(rng, data)
        try:
            loaded = Compilation(None, context, token="t", cache=damaged).finish()
            used += 1
            Execution(loaded).run([X] * len(loaded.types()[0]))
        except (DeviceError, ValueError):
            pass
    (tmp_path / "t.nnc").write_bytes(data[:-5] + b"\0\1\2\3\4")
    rebuilt = Compilation(model, context, token="t", directory=str(tmp_path)).finish()
    assert "checksum is wrong" in report(rebuilt)["cache"]
    check(rebuilt, weight)
    assert used < 60
    check(Compilation(model, context, token="t", directory=str(tmp_path)).finish(), weight)


def _compile_often(folder: str, results: Any) -> None:
    good = True
    for _ in range(30):
        model, (weight,) = diamond()
        compilation = Compilation(model, Context(["probe_a"]), token="t", directory=folder)
        check(compilation.finish(), weight)
        good = good and "refused" not in report(compilation)["cache"]
    results.put(good)


def test_processes_that_share_a_folder(probe_folder: Path, tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    target: Callable[[str, Any], None] = _compile_often
    workers = [
        context.Process(target=target, args=(str(tmp_path), results), daemon=True) for _ in range(3)
    ]
    for worker in workers:
        worker.start()
    assert [results.get(timeout=120) for _ in workers] == [True] * 3
    for worker in workers:
        worker.join()
    assert [path.name for path in tmp_path.iterdir()] == ["t.nnc"]
