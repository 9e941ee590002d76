"""Paddle Lite's Python API under its old name."""

from lite.api.config import CxxConfig, CxxModelBuffer, MobileConfig
from lite.api.enums import (
    CLPrecisionType,
    CLTuneMode,
    DataLayoutType,
    Place,
    PowerMode,
    PrecisionType,
    TargetType,
)
from lite.api.light_predictor import CxxPredictor, LightPredictor, create_paddle_predictor
from lite.api.opt import Opt
from lite.api.tensor import Tensor

__all__ = [
    "CLPrecisionType",
    "CLTuneMode",
    "CxxConfig",
    "CxxModelBuffer",
    "CxxPredictor",
    "DataLayoutType",
    "LightPredictor",
    "MobileConfig",
    "Opt",
    "Place",
    "PowerMode",
    "PrecisionType",
    "TargetType",
    "Tensor",
    "create_paddle_predictor",
]
