"""precision="bf16" and "fp16": products with constant weights round their operands, the rest stays
fp32."""

from __future__ import annotations

import platform
from pathlib import Path

import numpy as np
import pytest
from api import tiny_models
from api.tiny_models import BIAS, WEIGHT, Array

import lite
from lite.api.build import make_core
from lite.core.optimizer import optimize
from lite.errors import ConfigError
from lite.model.save import write_protobuf_dir
from lite.model.text import parse_program

HEAD = """program version 0
block 0 parent -1 {
var feed: feed_minibatch persistable
var fetch: fetch_list persistable
var x: lod_tensor fp32[-1,64,50,50]
Out: [x] = feed(X: [feed]) {col: int 0}
"""
CONVOLUTION = f"""{HEAD}var w: lod_tensor fp32[64,64,3,3] persistable
Output: [y] = conv2d(Input: [x], Filter: [w]) {{strides: ints [1, 1], paddings: ints [0, 0]}}
Out: [fetch] = fetch(X: [y]) {{col: int 0}}
}}"""
SAME = "{strides: ints [1, 1], paddings: ints [1, 1]}"
HARD_SWISH = f"""{HEAD}Out: [y] = hard_swish(X: [x])
Out: [fetch] = fetch(X: [y]) {{col: int 0}}
}}"""


def nearest_bf16(x: Array) -> Array:
    """The nearest number of 8 significant bits, ties to even."""
    bits = x.astype(np.float32).view(np.uint32).astype(np.uint64)
    rounded = bits + 0x7FFF + ((bits >> 16) & 1)
    return (rounded & 0xFFFF0000).astype(np.uint32).view(np.float32).astype(np.float64)


def nearest_fp16(x: Array) -> Array:
    """The nearest number of 11 significant bits, ties to even."""
    return x.astype(np.float16).astype(np.float64)


def dense_of_rounded(x: Array, precision: str) -> Array:
    """What the model ``dense`` computes of rounded operands."""
    nearest = {"bf16": nearest_bf16, "fp16": nearest_fp16}[precision]
    z = nearest(x) @ nearest(WEIGHT) + BIAS
    e = np.exp(z - z.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@pytest.fixture
def x() -> Array:
    return np.random.default_rng(3).normal(size=(5, 4)).astype(np.float32)


@pytest.fixture
def folder(tmp_path: Path) -> str:
    write_protobuf_dir(tiny_models.dense(), str(tmp_path / "dense"))
    return str(tmp_path / "dense")


def check(y: Array, x: Array, precision: str) -> None:
    expected = dense_of_rounded(x, precision)
    assert np.abs(expected - tiny_models.dense_result(x)).max() > 1e-5, "rounding makes no odds"
    # 64-bit Arm may add up in fp16, too.
    in_fp16 = precision == "fp16" and platform.machine() == "aarch64"
    np.testing.assert_allclose(y, expected, rtol=4e-3 if in_fp16 else 1e-6, atol=1e-7)


@pytest.mark.parametrize("precision", ["bf16", "fp16"])
def test_load(dense_nb: bytes, folder: str, tmp_path: Path, x: Array, precision: str) -> None:
    path = tmp_path / "dense.nb"
    path.write_bytes(dense_nb)
    for model in (dense_nb, path, folder):
        check(lite.load(model, precision=precision).run(x)["y"], x, precision)
        plain = lite.load(model).run(x)["y"]
        np.testing.assert_allclose(plain, tiny_models.dense_result(x), rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("precision", ["bf16", "fp16"])
def test_configs(dense_nb: bytes, folder: str, x: Array, precision: str) -> None:
    mobile = lite.MobileConfig()
    mobile.set_model_from_buffer(dense_nb)
    cxx = lite.CxxConfig()
    cxx.set_model_dir(folder)
    for config in (mobile, cxx):
        assert config.precision() == "fp32"
        config.set_precision(precision)
        assert config.precision() == precision
        predictor = lite.create_paddle_predictor(config)
        predictor.get_input(0).from_numpy(x)
        predictor.run()
        check(predictor.get_output(0).numpy(), x, precision)


def test_exact_rounds_less_than_winograd_s_large_tiles() -> None:
    rng = np.random.default_rng(1)
    x = rng.random((1, 64, 50, 50), np.float32)
    w = rng.standard_normal((64, 64, 3, 3)).astype(np.float32)
    program = parse_program(CONVOLUTION)
    program.params["w"] = w
    windows = np.lib.stride_tricks.sliding_window_view(x.astype(np.float64), (3, 3), (2, 3))
    expected = np.einsum("nchwij,ocij->nohw", windows, w.astype(np.float64))
    errors = {}
    for precision in ("fp32", "exact"):
        (y,) = lite.load(tiny_models.nb_bytes(program), precision=precision).run([x]).values()
        errors[precision] = np.sqrt(np.square(y - expected).mean() / np.square(expected).mean())
    assert errors["exact"] < 6e-7
    if platform.machine() == "x86_64":  # where tiles of 4 pay for this image
        # AMX's products in fp32 round less than the vectors'.
        limit = 0.75 if lite._core.isa_name() == "amx" else 0.6
        assert errors["exact"] < limit * errors["fp32"]


def _algorithms(count: int) -> list[str]:
    """Of so many 3x3 convolutions in turn."""
    text, x = HEAD, "x"
    for i in range(count):
        text += f"var w{i}: lod_tensor fp32[64,64,3,3] persistable\n"
    for i in range(count):
        text += f"Output: [y{i}] = conv2d(Input: [{x}], Filter: [w{i}]) {SAME}\n"
        x = f"y{i}"
    program = parse_program(f"{text}Out: [fetch] = fetch(X: [{x}]) {{col: int 0}}\n}}")
    weight = np.full((64, 64, 3, 3), 1 / 576, np.float32)
    program.params.update({f"w{i}": weight.copy() for i in range(count)})
    image = np.ones((1, 64, 50, 50), np.float32)
    profile = lite.load(tiny_models.nb_bytes(program)).profile([image], runs=1)
    return [op.algorithm for op in profile.operators if op.type == "conv2d"]


def test_the_first_of_many_convolutions_round_less() -> None:
    few, many = _algorithms(20), _algorithms(30)
    assert set(few) == set(many[4:]) == {few[0]}
    if platform.machine() == "x86_64" and lite._core.isa_name() != "amx":
        assert many[:4] == ["winograd_2"] * 4 and few[0] == "winograd_4"


def test_hard_swish_has_no_bias() -> None:
    x = np.random.default_rng(1).uniform(-2, 6, (8, 64, 50, 50)).astype(np.float32)
    (y,) = lite.load(tiny_models.nb_bytes(parse_program(HARD_SWISH))).run([x]).values()
    wide = x.astype(np.float64)
    expected = wide * np.clip(wide + 3, 0, 6) / 6
    # That of a product with 1/6, as the tiles' assembly for Arm has it, is 3e-8.
    limit = 5e-8 if platform.machine() == "aarch64" else 3e-9
    assert abs((y / expected - 1).mean()) < limit


@pytest.mark.parametrize("name", ["fp8", "", "BF16"])
def test_unknown(dense_nb: bytes, name: str) -> None:
    expected = f"precision {name!r} is unknown; possible are 'fp32', 'bf16', 'fp16' and 'exact'"
    with pytest.raises(ConfigError, match=expected):
        lite.load(dense_nb, precision=name)
    with pytest.raises(ConfigError, match=expected):
        lite.MobileConfig().set_precision(name)
    with pytest.raises(ConfigError, match=expected):
        make_core(optimize(tiny_models.dense()), {"precision": name})
    with pytest.raises(TypeError, match="precision must be a str"):
        lite.load(dense_nb, precision=16)  # type: ignore[arg-type]


@pytest.mark.parametrize("precision", ["bf16", "fp16"])
def test_clones_and_profile(dense_nb: bytes, x: Array, precision: str) -> None:
    predictor = lite.load(dense_nb, precision=precision, threads=2)
    check(predictor.clone().run(x)["y"], x, precision)
    kernels = {op.type: op.kernel for op in predictor.profile(x).operators}
    assert any(precision in kernel for kernel in kernels.values()), kernels
