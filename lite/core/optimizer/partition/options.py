"""What a user may ask of partitioning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from lite.core.optimizer.partition.config import PartitionConfig
from lite.core.optimizer.partition.placement import Placement
from lite.core.optimizer.partition.support import SupportCheck, load_check
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


@dataclass
class PartitionRequest:
    """A partitioning as ``optimize`` is asked for it; ``placement`` is its report afterwards.

    ``strict``: a config line that is malformed or names nothing is a ConfigError, an operator that
    the devices refuse is a DeviceError with the report as its ``placement``. ``shapes`` are those
    of the inputs by name, as far as they are known. ``offline``: a device whose library is not here
    is judged by what is declared. Quantised operators that ``mixed_precision`` names compute in
    floating point. ``model`` is the model's name, for the report.
    """

    devices: tuple[str, ...]
    check: SupportCheck | None = None
    config: PartitionConfig | None = None
    options: PartitionOptions = field(default_factory=PartitionOptions)
    strict: bool = False
    properties: str = ""
    shapes: dict[str, Sequence[int]] = field(default_factory=dict)
    offline: bool = False
    placement: Placement | None = None
    mixed_precision: PartitionConfig | None = None
    model: str = ""

    def support_check(self) -> SupportCheck:
        """The check that was given, or the one that the devices have."""
        return self.check or load_check(self.devices, self.properties, self.shapes, self.offline)
