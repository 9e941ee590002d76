"""A dense layer as a `.nb` in memory and as Paddle's two files."""

from __future__ import annotations

from pathlib import Path

import pytest
from api import tiny_models


@pytest.fixture(scope="module")
def dense() -> bytes:
    return tiny_models.nb_bytes(tiny_models.dense())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from lite.model.save import write_protobuf_dir

    path = tmp_path_factory.mktemp("inference") / "dense"
    write_protobuf_dir(tiny_models.dense(), str(path))
    return path
