"""The API of ``paddle.inference``: deployed scripts change their import, and nothing else.

>>> from lite.inference import Config, create_predictor     # was: from paddle.inference import ...

``python -m lite.inference script.py`` and ``as_paddle()`` run programs unedited;
docs/from_paddle.md says what differs. Paddle itself is never imported here.
"""

from __future__ import annotations

import lite
from lite.inference.absent import XpuConfig
from lite.inference.arguments import checked, without_effect
from lite.inference.config import Config
from lite.inference.enums import DataType, PlaceType, PrecisionType, num_bytes
from lite.inference.errors import ConfigValueError
from lite.inference.passes import PassBuilder
from lite.inference.predictor import Predictor, PredictorPool, create_predictor
from lite.inference.redirect import as_paddle
from lite.inference.tensor import Tensor

_NO_TENSORRT = "changes nothing: there is no TensorRT here"


def get_version() -> str:
    """This framework's version, in the form of Paddle's."""
    return f"version: {lite.__version__}\nengine: lite\n"


def get_trt_compile_version() -> tuple[int, int, int]:
    """(0, 0, 0): there is no TensorRT."""
    return (0, 0, 0)


def get_trt_runtime_version() -> tuple[int, int, int]:
    """(0, 0, 0): there is no TensorRT."""
    return (0, 0, 0)


@checked
def get_num_bytes_of_data_type(dtype: DataType, /) -> int:
    """Bytes of one element."""
    return num_bytes(dtype)


@checked
def _get_phi_kernel_name(operator: str, /) -> str:
    # Paddle's table of the names of its kernels; its own operators have no others here.
    return operator


def convert_to_mixed_precision(
    model_file: str,
    params_file: str,
    mixed_model_file: str,
    mixed_params_file: str,
    mixed_precision: PrecisionType,
    backend: PlaceType,
    keep_io_types: bool = True,
    black_list: set[str] = set(),  # noqa: B006
    **kwargs: object,
) -> None:
    """Raises ConfigValueError, as Paddle does for the CPU: models compute in float32 here."""
    raise ConfigValueError(
        "convert_to_mixed_precision(): models compute in float32 on the CPU; use the model as it is"
    )


class InternalUtils:
    """What Paddle keeps for its own tools."""

    @staticmethod
    @without_effect(_NO_TENSORRT)
    def disable_tensorrt_half_ops(config: Config, operators: set[str], /) -> None:
        """Changes nothing."""

    @staticmethod
    @without_effect(_NO_TENSORRT)
    def set_transformer_posid(config: Config, name: str, /) -> None:
        """Changes nothing."""

    @staticmethod
    @without_effect(_NO_TENSORRT)
    def set_transformer_maskid(config: Config, name: str, /) -> None:
        """Changes nothing."""


__all__ = [
    "Config",
    "DataType",
    "InternalUtils",
    "PassBuilder",
    "PlaceType",
    "PrecisionType",
    "Predictor",
    "PredictorPool",
    "Tensor",
    "XpuConfig",
    "_get_phi_kernel_name",
    "as_paddle",
    "convert_to_mixed_precision",
    "create_predictor",
    "get_num_bytes_of_data_type",
    "get_trt_compile_version",
    "get_trt_runtime_version",
    "get_version",
]
