"""A pipeline of PaddleX on this engine."""

from __future__ import annotations

from typing import Any

from paddlex.inference.pipelines import create_pipeline, load_pipeline_config

from lite.errors import ConfigError, LiteError
from lite.paddlex.engine import NAME


def create(pipeline: str, threads: int) -> tuple[Any, dict[str, Any]]:
    """A pipeline by PaddleX's name or from a YAML file, and its configuration.

    Raises ConfigError, which names it.
    """
    try:
        config = load_pipeline_config(pipeline)
        settings = {NAME: {"threads": threads}}
        made = create_pipeline(config=config, engine=NAME, engine_config=settings, device="cpu")
    except LiteError:
        raise
    except Exception as error:  # PaddleX raises Exception itself
        raise ConfigError(f"pipeline {pipeline}: {error}") from error
    return made, config
