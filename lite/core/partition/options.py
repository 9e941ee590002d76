"""What a user may ask of partitioning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lite.core.partition.config import PartitionConfig
from lite.core.partition.support import SupportCheck
from lite.errors import ConfigError


@dataclass(frozen=True)
class PartitionOptions:
    """Which subgraphs are worth a device.

    ``min_size`` counts operators. ``min_compute`` counts multiply-adds (unknown dimensions count
    1). ``max_transfers`` bounds the tensors that go to and from all subgraphs of the program; the
    subgraphs with the least compute for a transfer stay on the CPU first. ``no_compute`` keeps
    subgraphs that only move or reshape data, ``shape_arithmetic`` puts what is computed from
    shapes alone on the device also where the CPU reads it. Operators that a config line puts on the
    device are exempt.
    """

    min_size: int = 1
    min_compute: int = 0
    max_transfers: int | None = None
    no_compute: bool = False
    shape_arithmetic: bool = False

    def __post_init__(self) -> None:
        for name in ("min_size", "min_compute", "max_transfers"):
            value = getattr(self, name)
            if value is None and name == "max_transfers":
                continue
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise ConfigError(f"partition option {name} is {value!r}, expected 0 or more")
        for name in ("no_compute", "shape_arithmetic"):
            if not isinstance(getattr(self, name), bool):
                raise ConfigError(
                    f"partition option {name} is {getattr(self, name)!r}, expected True or False"
                )


@dataclass(frozen=True)
class PartitionRequest:
    """What ``partition`` is asked for.

    ``check`` says what the devices take; it is asked where there is something to ask for.
    ``strict``: a config line that is malformed or names nothing is a ConfigError, an operator that
    the devices refuse is a DeviceError with the report as its ``placement``. ``shapes`` are those
    of the inputs by name, as far as they are known. Quantised operators that ``mixed_precision``
    names compute in floating point. ``model`` is the model's name, for the report.
    """

    devices: tuple[str, ...]
    check: SupportCheck
    config: PartitionConfig | None = None
    options: PartitionOptions = field(default_factory=PartitionOptions)
    strict: bool = False
    shapes: Mapping[str, Sequence[int]] = field(default_factory=dict)
    mixed_precision: PartitionConfig | None = None
    model: str = ""
