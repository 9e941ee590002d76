"""Configurations of lite.inference: threads, passes, devices, and what has no effect."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from api import tiny_models
from inference.helpers import X, answer, config_of

import lite
from lite.errors import LiteError
from lite.inference import (
    Config,
    DataType,
    PlaceType,
    PrecisionType,
    arguments,
    convert_to_mixed_precision,
    create_predictor,
    get_num_bytes_of_data_type,
    get_trt_compile_version,
    get_trt_runtime_version,
    get_version,
)
from lite.inference.errors import ConfigValueError


def test_threads(dense: bytes) -> None:
    for threads, used in ((0, 1), (-3, 1), (2, 2), (5000, 256)):
        config = config_of(dense)
        config.set_cpu_math_library_num_threads(threads)
        assert config.cpu_math_library_num_threads() == threads
        assert create_predictor(config)._core.threads() == used


def test_what_has_no_meaning_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    arguments._logged.clear()
    with caplog.at_level(logging.INFO, "lite.inference"):
        for _ in range(3):
            config = Config()
            config.enable_mkldnn()
            config.enable_use_gpu(100, 0)
    levels = [(record.levelno, record.message.partition(":")[0]) for record in caplog.records]
    assert levels == [(logging.INFO, "enable_mkldnn()"), (logging.WARNING, "enable_use_gpu()")]


def test_devices(folder: Path) -> None:
    config = Config(str(folder / "model"), str(folder / "params"))
    config.enable_lite_engine(PrecisionType.Float32, zero_copy=True)
    nnadapter = config.nnadapter()
    assert nnadapter is config.nnadapter()
    assert (
        nnadapter.set_device_names(["builtin_device"])
        .set_context_properties("")
        .set_model_cache_dir("")
        .enable()
        is nnadapter
    )
    predictor = create_predictor(config)
    assert predictor.placement().on_device()
    np.testing.assert_allclose(answer(predictor), tiny_models.dense_result(X), 1e-5)
    clone = predictor.clone()
    np.testing.assert_allclose(answer(clone), tiny_models.dense_result(X), 1e-5)


@pytest.mark.parametrize(
    "change",
    [
        lambda config: config.nnadapter().disable(),
        lambda config: config.enable_lite_engine(ops_filter=["mul", "softmax", "elementwise_add"]),
        lambda config: config.nnadapter().set_subgraph_partition_config_buffer("@cpu type=*"),
    ],
)
def test_what_stays_on_the_cpu(folder: Path, change: Any) -> None:
    config = Config(str(folder / "model"), str(folder / "params"))
    config.enable_lite_engine()
    config.nnadapter().set_device_names(["builtin_device"])
    change(config)
    predictor = create_predictor(config)
    assert not predictor.placement().on_device()
    np.testing.assert_allclose(answer(predictor), tiny_models.dense_result(X), 1e-5)


def test_devices_need_the_engine(folder: Path) -> None:
    config = Config(str(folder / "model"), str(folder / "params"))
    config.nnadapter().set_device_names(["no_such_device"])
    create_predictor(Config(config))
    config.enable_lite_engine()
    with pytest.raises(LiteError, match="no_such_device"):
        create_predictor(config)


def test_passes_count(folder: Path) -> None:
    def types(change: Any) -> list[str]:
        config = Config(str(folder / "model"), str(folder / "params"))
        change(config)
        predictor = create_predictor(config)
        np.testing.assert_allclose(answer(predictor), tiny_models.dense_result(X), 1e-5)
        return [op.type for op in predictor.placement().operators]

    assert "fc" in types(lambda config: None)
    for change in (
        lambda config: config.delete_pass("fc_fuse_pass"),
        lambda config: config.switch_ir_optim(False),
        lambda config: config.pass_builder().set_passes(["my_own_pass"]),
        lambda config: config.enable_lite_engine(passes_filter=["lite_fc_fuse_pass"]),
    ):
        assert "fc" not in types(change)


def test_functions() -> None:
    assert get_version().startswith(f"version: {lite.__version__}")
    assert get_trt_compile_version() == get_trt_runtime_version() == (0, 0, 0)
    sizes = {name: get_num_bytes_of_data_type(t) for name, t in DataType.__members__.items()}
    assert (sizes["FLOAT32"], sizes["INT64"], sizes["BOOL"], sizes["FLOAT16"]) == (4, 8, 1, 2)
    with pytest.raises(ConfigValueError, match="float32"):
        convert_to_mixed_precision("a", "b", "c", "d", PrecisionType.Half, PlaceType.CPU)
