"""What devices take, asked of the converters and of their drivers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from lite import _core
from lite.core.optimizer.vendors import listed_operators, vendor_operators
from lite.errors import DeviceError
from lite.model.program import Program


class DeviceCheck:
    """Asks the converters (lite/kernels/nnadapter) and the drivers of some devices.

    ``shapes`` are those of inputs by name, -1 where a dimension is unknown. With ``offline`` a
    device whose library is not here is judged by the declaration alone, and by the vendor's list
    of operators where there is one; without, it is a DeviceError of the first call, which looks for
    the devices. ``judged`` says of each device what decides in its driver's place, where that is
    so; ``warnings`` is what is wrong with their libraries.
    """

    def __init__(
        self,
        devices: Sequence[str],
        properties: str = "",
        shapes: Mapping[str, Sequence[int]] | None = None,
        offline: bool = False,
    ) -> None:
        self._devices = list(devices)
        self._settings = {"device_names": self._devices, "context_properties": properties}
        self._shapes = {name: list(shape) for name, shape in (shapes or {}).items()}
        self.judged: dict[str, str] = {}
        self.warnings: list[str] = []
        self._offline = offline
        self._declaration_only = False
        self._looked = False
        self._listed: frozenset[str] | None = None

    def _look(self) -> None:
        """Finds out how each device is judged."""
        self._looked = True
        absent = self._absent(self._offline)
        by_list = absent or self._unaskable(self._offline)
        lists = [name for name in by_list if name in vendor_operators()]
        # A device that no list judges may take anything.
        self._listed = listed_operators(lists) if len(lists) == len(self._devices) else None

    def _absent(self, offline: bool) -> list[str]:
        """The devices that are not here."""
        from lite.nnadapter import ensure_devices
        from lite.nnadapter.known import libraries, refuse_unknown

        if not offline:
            ensure_devices(self._devices)
            return []
        refuse_unknown(self._devices)
        absent = []
        for name in self._devices:
            try:
                ensure_devices([name])
                _core.require_device(name)
                continue
            except DeviceError as error:
                reason = str(error)
            absent.append(name)
            if any(entry["name"] == name for entry in libraries()):
                self.warnings.append(f"the library of {name} is not used: {reason}")
            self._judge_by_list(name, "its driver is not here")
        self._declaration_only = bool(absent)
        return absent

    def _judge_by_list(self, name: str, because: str) -> None:
        if name in vendor_operators():
            self.judged[name] = f"{because}: judged by the public list"
        elif name != "nnadapter":
            self.judged[name] = f"{because}: {_EVERYTHING}"

    def _unaskable(self, offline: bool) -> list[str]:
        """The devices that neither answer themselves nor have a declaration."""
        try:
            described = json.loads(_core.describe_devices(self._settings) or "[]")
        except DeviceError as error:
            if not offline:
                raise
            self.warnings.append(f"{', '.join(self._devices)} cannot be asked here: {error}")
            for name in self._devices:
                self._judge_by_list(name, "it does not work here")
            self._declaration_only = True
            return self._devices
        found = []
        for facts in described:
            name, source = facts["name"], facts["list"]
            if facts["asks"]:
                continue
            if source and not source.startswith("the public list"):
                self.judged[name] = f"its driver cannot be asked: judged by {source}"
                continue
            found.append(name)
            self._judge_by_list(name, "its driver cannot be asked")
            if name not in vendor_operators():
                self.judged[name] += (
                    f". List what it takes in {name}.yaml beside its library or in the property "
                    "SUPPORTED_OPERATIONS"
                )
        return found

    def __call__(
        self, program: Program, block: int, clusters: list[list[int]], /
    ) -> Mapping[int, str]:
        if not self._looked:
            self._look()
        refused = _unlisted(program, block, clusters, self._listed, self._devices)
        left = [[at for at in some if at not in refused] for some in clusters]
        asked = [some for some in left if some]
        if asked:
            answer = _core.check_support(
                *(program, program.params, block, asked, self._settings),
                *(self._shapes, self._declaration_only),
                op_versions=program.op_versions,
            )
            refused.update(answer)
        return refused


_EVERYTHING = "it is given every operator that can be converted"


def _unlisted(
    program: Program,
    block: int,
    clusters: list[list[int]],
    listed: frozenset[str] | None,
    devices: Sequence[str],
) -> dict[int, str]:
    """What the vendors' lists refuse."""
    if listed is None:
        return {}
    ops = program.blocks[block].ops
    names = " or ".join(devices)
    return {
        at: f"{ops[at].type} is not in the list of {names}"
        for some in clusters
        for at in some
        if ops[at].type not in listed
    }
