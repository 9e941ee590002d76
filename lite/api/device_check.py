"""What devices take, asked of the converters and of their drivers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from lite import _core
from lite.core.optimizer.build import to_graph
from lite.core.optimizer.graph import Node
from lite.core.optimizer.quantization.calibration import CALIB
from lite.core.optimizer.quantization.scales import data_outputs, is_int8
from lite.core.optimizer.traits import having
from lite.core.optimizer.vendors import listed_operators, vendor_operators
from lite.errors import DeviceError
from lite.model.program import Program
from lite.nnadapter.table import DEVICES


class DeviceCheck:
    """Asks the converters (lite/kernels/nnadapter) and the drivers of some devices.

    ``shapes`` are those of inputs by name, -1 where a dimension is unknown; ``candidates`` are the
    complete ones that inputs will have, where these are known. With ``offline`` a
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
        candidates: Mapping[str, Sequence[Sequence[int]]] | None = None,
    ) -> None:
        self._devices = list(devices)
        self._settings = {"device_names": self._devices, "context_properties": properties}
        self._shapes = {name: list(shape) for name, shape in (shapes or {}).items()}
        self._candidates = {name: [*map(list, some)] for name, some in (candidates or {}).items()}
        self.judged: dict[str, str] = {}
        self.warnings: list[str] = []
        self._offline = offline
        self._declaration_only = False
        self._looked = False
        self._by_list = False

    @property
    def float_borders(self) -> bool:
        """Whether a device takes its subgraphs with float borders (``Hal.float_borders``)."""
        from lite.nnadapter.devices import registered_class

        if not self._looked:
            self._look()
        classes = [registered_class(name) for name in self._devices]
        return any(getattr(hal, "float_borders", False) for hal in classes)

    def _look(self) -> None:
        """Finds out how each device is judged."""
        self._looked = True
        absent = self._absent(self._offline)
        by_list = absent or self._unaskable(self._offline)
        lists = [name for name in by_list if name in vendor_operators()]
        # A device that no list judges may take anything.
        self._by_list = len(lists) == len(self._devices) and listed_operators(lists) is not None

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
        refused = self._unlisted(program, block, clusters) if self._by_list else {}
        left = [[at for at in some if at not in refused] for some in clusters]
        asked = [some for some in left if some]
        if asked:
            refused.update(self._ask(program, block, asked))
        return refused

    def _unlisted(self, program: Program, block: int, clusters: list[list[int]]) -> dict[int, str]:
        """What the vendors' lists refuse."""
        nodes = list(to_graph(program).blocks[block])
        reasons = {at: _unlisted(nodes[at], self._devices) for some in clusters for at in some}
        return {at: reason for at, reason in reasons.items() if reason}

    def _ask(self, program: Program, block: int, asked: list[list[int]]) -> dict[int, str]:
        """What is refused; dimensions that the program leaves open are known when a subgraph is
        compiled, so that what the devices take at examples of them is not."""

        def ask(shapes: Mapping[str, list[int]]) -> dict[int, str]:
            return _core.check_support(
                *(program, program.params, block, asked, self._settings),
                *(dict(shapes), self._declaration_only),
                op_versions=program.op_versions,
                counted=having("counts", "measures"),
            )

        refused = ask(self._shapes)
        examples = self._examples(program) if refused and block == 0 else []
        if not examples:
            return refused
        found = [ask(shapes) for shapes in examples]
        return {
            at: found[0].get(at, _SOME_SHAPES)
            for at in refused
            if any(at in answer for answer in found)
        }

    def _examples(self, program: Program) -> list[dict[str, list[int]]]:
        """Complete shapes of the inputs, where they will have several, or nobody said which."""
        count = max(map(len, self._candidates.values()), default=0)
        if count > 1:
            return [
                {name: some[min(at, len(some) - 1)] for name, some in self._candidates.items()}
                for at in range(count)
            ]
        return _examples(program, self._shapes)


_SOME_SHAPES = (
    "the devices take it at some shapes only: give the inputs' shapes (dynamic_shapes, --input)"
)

_SIZES = ((320, 320), (352, 384))
"""Examples of two dimensions that are open, the second one for those behind the first: sizes that
models of pictures take, equal and not, with few divisors in common."""


def _examples(program: Program, given: Mapping[str, list[int]]) -> list[dict[str, list[int]]]:
    """Complete shapes of what is fed, where the program leaves dimensions open and nobody said
    more; the first dimension counts as a batch of 1."""
    shapes: dict[str, list[int]] = {}
    for name in program.feed_names():
        var = program.root.vars.get(name)
        shapes[name] = list(given.get(name, var.shape if var is not None else ()))
    dims = [dim for shape in shapes.values() for dim in shape]
    if given or all(dim >= 0 for dim in dims):
        return []
    return [
        {name: _filled(shape, first, other) for name, shape in shapes.items()}
        for first, other in _SIZES
    ]


def _filled(shape: list[int], first: int, other: int) -> list[int]:
    sizes = iter([first])
    return [
        dim if dim >= 0 else 1 if axis == 0 else next(sizes, other)
        for axis, dim in enumerate(shape)
    ]


_EVERYTHING = "it is given every operator that can be converted"


INTEGERS_ONLY = frozenset(hal.name for hal in DEVICES.values() if hal.integers_only)


def _unlisted(node: Node, devices: Sequence[str]) -> str:
    """Why no vendor's list has the operator; empty where one has it."""
    takers = [name for name in devices if node.type in vendor_operators()[name]]
    if not takers:
        return f"{node.type} is not in the list of {' or '.join(devices)}"
    if not INTEGERS_ONLY.issuperset(takers) or not _in_floats(node):
        return ""
    return f"{' or '.join(takers)} takes quantised operators only, this one computes in floats"


def _in_floats(node: Node) -> bool:
    return node.type != CALIB and not is_int8(node) and any(data_outputs(node))
