"""LiteNNAdapterConfig: which devices ``enable_lite_engine()`` leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lite.inference.arguments import checked

if TYPE_CHECKING:
    from lite.api.devices import DeviceOptions


class LiteNNAdapterConfig:
    """NNAdapter devices and their settings; every method returns the object itself.

    The devices count where ``config.enable_lite_engine()`` or ``enable()`` was called and
    ``disable()`` was not.
    """

    __slots__ = ("_enabled", "_settings")

    def __init__(self) -> None:
        self._enabled: bool | None = None
        self._settings: dict[str, Any] = {}

    def enable(self) -> LiteNNAdapterConfig:
        """Uses the devices."""
        self._enabled = True
        return self

    def disable(self) -> LiteNNAdapterConfig:
        """Leaves everything on the CPU."""
        self._enabled = False
        return self

    @checked
    def set_device_names(self, names: list[str], /) -> LiteNNAdapterConfig:
        """Devices in order of preference: ``["rockchip_npu"]``."""
        return self._set("names", tuple(names))

    @checked
    def set_context_properties(self, properties: str, /) -> LiteNNAdapterConfig:
        """``key=value;`` pairs for the devices."""
        return self._set("properties", properties)

    @checked
    def set_model_cache_dir(self, path: str, /) -> LiteNNAdapterConfig:
        """Where compiled subgraphs are kept."""
        return self._set("cache_dir", path)

    @checked
    def set_model_cache_buffers(self, token: str, buffer: list[str], /) -> LiteNNAdapterConfig:
        """A compiled subgraph in memory, as a list of characters."""
        from lite.api import arguments

        known = self._settings.get("cache_buffers", {})
        data = arguments.characters(buffer, "the cache buffer")
        return self._set("cache_buffers", {**known, token: data})

    @checked
    def set_subgraph_partition_config_path(self, path: str, /) -> LiteNNAdapterConfig:
        """A file that says what stays on the CPU (docs/partitioning.md)."""
        return self._set("partition_config_path", path)

    @checked
    def set_subgraph_partition_config_buffer(self, text: str, /) -> LiteNNAdapterConfig:
        """The text of such a file; it comes before the path."""
        return self._set("partition_config", text)

    def _set(self, name: str, value: Any) -> LiteNNAdapterConfig:
        self._settings[name] = value
        return self

    def _copy(self) -> LiteNNAdapterConfig:
        copied = LiteNNAdapterConfig()
        copied._enabled = self._enabled
        copied._settings = dict(self._settings)
        return copied

    def _options(self, lite_engine: bool, cpu_operators: list[str]) -> DeviceOptions:
        """What was set, for the runtime; ``cpu_operators`` stay on the CPU."""
        from lite.api.devices import DeviceOptions

        wanted = lite_engine if self._enabled is None else self._enabled
        if not wanted or not self._settings.get("names"):
            return DeviceOptions()
        settings = dict(self._settings)
        if cpu_operators:
            settings["partition_config"] = with_cpu_operators(settings, cpu_operators)
        return DeviceOptions(**settings)


def with_cpu_operators(settings: dict[str, Any], operators: list[str]) -> str:
    """The partition config that ``settings`` name, and a line for each operator type."""
    text = settings.get("partition_config")
    if text is None and settings.get("partition_config_path"):
        with open(settings["partition_config_path"], encoding="utf-8") as file:
            text = file.read()
    return "\n".join([*([text] if text else []), *operators])
