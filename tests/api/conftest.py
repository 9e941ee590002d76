"""Fixtures of the API tests: tiny models, and predictors over them."""

from __future__ import annotations

import pytest
from api import tiny_models

import lite


@pytest.fixture(scope="session")
def dense_nb() -> bytes:
    return tiny_models.nb_bytes(tiny_models.dense())


@pytest.fixture(scope="session")
def mixed_nb() -> bytes:
    return tiny_models.nb_bytes(tiny_models.mixed())


@pytest.fixture(scope="session")
def pooled_nb() -> bytes:
    return tiny_models.nb_bytes(tiny_models.pooled())


@pytest.fixture
def light(dense_nb: bytes) -> lite.LightPredictor:
    config = lite.MobileConfig()
    config.set_model_from_buffer(dense_nb)
    return lite.create_paddle_predictor(config)
