"""What a configuration asks of NNAdapter devices, and how it reaches optimizer and runtime."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lite.api.system_errors import system_errors
from lite.errors import ConfigError

if TYPE_CHECKING:
    from lite.core.partition import PartitionOptions, PartitionRequest


@dataclass(frozen=True)
class DeviceOptions:
    """Devices in order of preference and all that goes with them; no names: the CPU alone.

    ``names`` may be a single name, too.

    ``partition_config`` and ``mixed_precision_config`` are texts, the ``_path`` ones files that
    hold such a text; the text comes first. ``cache_buffers`` are compiled subgraphs by token,
    ``dynamic_shapes`` complete shapes by input name. ``padded_axes``, by input name, are axes along
    which zeros at the end do no harm: an input is padded to the smallest of those shapes that
    holds it, and the outputs are cut to what it gives.
    """

    names: tuple[str, ...] = ()
    properties: str = ""
    cache_dir: str = ""
    cache_buffers: dict[str, bytes] = field(default_factory=dict)
    dynamic_shapes: dict[str, list[list[int]]] = field(default_factory=dict)
    padded_axes: dict[str, list[int]] = field(default_factory=dict)
    partition_config: str | None = None
    partition_config_path: str = ""
    mixed_precision_config: str | None = None
    mixed_precision_config_path: str = ""
    options: PartitionOptions | None = None
    strict: bool = False

    def __post_init__(self) -> None:
        names = (self.names,) if isinstance(self.names, str) else tuple(self.names)
        if not all(isinstance(name, str) for name in names):
            raise TypeError(f"device names must be str, not {names!r}")
        if "" in names:
            raise ConfigError("a device name is empty")
        object.__setattr__(self, "names", names)
        for name, axes in self.padded_axes.items():
            for shape in self.dynamic_shapes.get(name) or [[]]:
                if any(not 0 <= axis < len(shape) for axis in axes):
                    raise ConfigError(
                        f"padded axes {list(axes)} of {name!r}: expected axes of its shapes, which "
                        f"dynamic_shapes declares: {self.dynamic_shapes.get(name)}"
                    )

    def __bool__(self) -> bool:
        return bool(self.names)

    def core_settings(self, threads: int = 1) -> dict[str, Any]:
        """The settings that the runtime takes."""
        return {
            "device_names": list(self.names),
            "context_properties": self.properties,
            "model_cache_dir": self.cache_dir,
            "model_cache_buffers": self.cache_buffers,
            "dynamic_shape_info": self.dynamic_shapes,
            "padded_axes": self.padded_axes,
            "strict": self.strict,
            "threads": threads,
        }

    def make_available(self) -> None:
        """Registers devices that are written in Python. Raises DeviceError where one is missing."""
        if not self.names:
            return
        from lite.nnadapter import ensure_devices
        from lite.nnadapter.known import require
        from lite.nnadapter.properties import warn_of_unknown

        ensure_devices(self.names)
        for name in self.names:
            require(name)
        warn_of_unknown(self.names, self.properties)

    def request(self, offline: bool = False, model: str = "") -> PartitionRequest:
        """What partitioning is asked for a model of that name; ``offline`` as in DeviceCheck."""
        from lite.api.device_check import DeviceCheck
        from lite.core.partition import (
            PartitionOptions,
            PartitionRequest,
            load_mixed_precision_config,
            load_partition_config,
        )

        with system_errors(ConfigError):
            config = load_partition_config(
                buffer=self.partition_config, path=self.partition_config_path or None
            )
            mixed_precision = load_mixed_precision_config(
                buffer=self.mixed_precision_config, path=self.mixed_precision_config_path or None
            )
        shapes = {name: _common(name, shapes) for name, shapes in self.dynamic_shapes.items()}
        return PartitionRequest(
            devices=self.names,
            check=DeviceCheck(self.names, self.properties, shapes, offline, self.dynamic_shapes),
            config=config,
            options=self.options or PartitionOptions(),
            strict=self.strict,
            mixed_precision=mixed_precision,
            shapes=shapes,
            model=model,
        )


def _common(name: str, candidates: Sequence[Sequence[int]]) -> list[int]:
    """What all candidates agree on; -1 where they do not."""
    if not candidates:
        raise ConfigError(f"dynamic shapes of {name!r}: the list is empty; expected 1 to 8 shapes")
    for shape in candidates:
        if any(dim < 1 for dim in shape):
            raise ConfigError(f"dynamic shapes of {name!r}: {list(shape)} has a dimension below 1")
    ranks = {len(shape) for shape in candidates}
    if len(ranks) != 1:
        raise ConfigError(
            f"dynamic shapes {list(candidates)} of {name!r} have different numbers of dimensions"
        )
    return [axis[0] if len(set(axis)) == 1 else -1 for axis in zip(*candidates, strict=True)]
