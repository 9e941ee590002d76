"""lite view: a model as one HTML page, with its graph, shapes, weights, places and times."""

from __future__ import annotations

import argparse
import re
import warnings
from collections import Counter

from lite.api.build import Source
from lite.api.device_check import DeviceCheck
from lite.api.profile import OperatorProfile, Profile
from lite.api.profile.table import label, shapes, summary
from lite.api.system_errors import system_errors
from lite.core.partition import PartitionOptions, PartitionRequest, Placement, partition
from lite.core.partition.from_program import describe, placement_of_program
from lite.errors import LiteError
from lite.model.atomic import replacing, require_folder
from lite.model.program import Program
from lite.nnadapter.known import refuse_unknown
from lite.report.colors import CPU_COLOR, subgraph_color
from lite.report.histogram import histograms
from lite.report.html import Overlay, html
from lite.report.places import FOLDED
from lite.report.progress import Progress

from .named_model import named_model
from .partition import input_shape
from .run import add_model_arguments, device_options, load_with_inputs

_TYPES = 14
"""Types of operators with a colour of their own: more cannot be told apart."""
_RUNS = 10
_HEAT = ((0.10, "#b2182b"), (0.03, "#ef8a62"), (0.01, "#fddbc7"), (0.0, "#f7f2ee"))
"""Shares of the time from which on an operator has the colour."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_model_arguments(parser)
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="the page (default: the model's name with .html)"
    )
    parser.add_argument("--optimized", action="store_true", help="after the optimizer's passes")
    parser.add_argument(
        "--profile", action="store_true", help="run it, and show what operators take (optimised)"
    )


def run(flags: argparse.Namespace) -> int:
    """Runs the command."""
    source = named_model(flags)
    output = flags.output or f"{source.name or 'model'}.html"
    require_folder(output)
    program = source.read()
    profile = None
    if flags.device:
        placement, profile = _on_devices(flags, source, program)
    else:
        if flags.optimized or flags.profile:
            program = source.optimize(program)[0]
        placement = placement_of_program(program, ())
        if flags.profile:
            profile, _, given = _profile(flags)
        else:
            given = _shapes(flags, program)
        describe(placement, program, given)
    overlay = _overlay(placement, profile, bool(flags.device))
    overlay.weights = histograms(program.params)
    page = html(placement, source.name, overlay)
    with system_errors(LiteError), replacing(output) as file:
        file.write(page.encode("utf-8", "surrogateescape"))
    print(overlay.summary)
    print(f"wrote {output}")
    return 0


def _shapes(flags: argparse.Namespace, program: Program) -> dict[str, list[int]]:
    return dict(input_shape(text, program) for text in flags.input)


def _profile(flags: argparse.Namespace) -> tuple[Profile, Placement, dict[str, list[int]]]:
    """Of a few runs; where operators went, and the shapes of the inputs."""
    predictor, values = load_with_inputs(flags)
    with Progress("profiling"):
        profile = predictor.profile(values, runs=_RUNS, warmup=1)
    taken = {name: list(array.shape) for name, (array, _) in values.items()}
    return profile, predictor.placement(), taken


def _on_devices(
    flags: argparse.Namespace, source: Source, program: Program
) -> tuple[Placement, Profile | None]:
    """Where operators go: on devices that are here as they ran, on others as they would."""
    options = device_options(flags)
    if flags.profile:
        profile, placement, _ = _profile(flags)
        return placement, profile
    refuse_unknown(options.names)
    if any(op.type == "subgraph" for op in program.root.ops):
        placement = placement_of_program(program, options.names)
        describe(placement, program, _shapes(flags, program))
        return placement, None
    given = _shapes(flags, program)
    check = DeviceCheck(options.names, options.properties, given, offline=True)
    request = PartitionRequest(
        options.names,
        check,
        options=PartitionOptions(),
        strict=flags.strict,
        shapes=given,
        model=source.name,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the page repeats them
        return partition(program, request)[1], None


def _overlay(placement: Placement, profile: Profile | None, has_devices: bool) -> Overlay:
    shown = [at for at, op in enumerate(placement.operators) if op.place != FOLDED]
    text = f"{len(shown):,} operators, {_work(placement)}"
    if profile is not None:
        text = summary(profile)
    if has_devices:
        text = f"{placement.summary()}; {text}"
    overlay = Overlay(text, colors=None if has_devices else {})
    if profile is not None:
        _add_times(overlay, placement, profile)
    elif not has_devices:
        _color_by_type(overlay, placement)
    for at in () if has_devices else shown:
        placement.operators[at].reason = ""  # on the CPU because nobody asked for more
    return overlay


def _work(placement: Placement) -> str:
    total = sum(op.compute for op in placement.operators)
    return f"{total / 1e6:,.1f} M multiply-adds as far as shapes are known"


def _color_by_type(overlay: Overlay, placement: Placement) -> None:
    assert overlay.colors is not None
    kinds = Counter(op.type for op in placement.operators if not op.is_io)
    for number, (kind, _) in enumerate(kinds.most_common(_TYPES)):
        overlay.legend.append((kind, subgraph_color(number)))
    colors = dict(overlay.legend)
    for at, op in enumerate(placement.operators):
        overlay.colors[at] = colors.get(op.type, CPU_COLOR)
    overlay.legend.append(("others", CPU_COLOR))


def _add_times(overlay: Overlay, placement: Placement, profile: Profile) -> None:
    """Times beside the operators, and as colours where the devices do not want them."""
    whole = profile.operators_ms or 1.0
    spent: dict[int, float] = {}
    elsewhere = 0.0
    positions = _Positions(placement)
    for op in profile.operators:
        at = positions.find(op)
        if at is None:
            elsewhere += op.ms
            continue
        spent[at] = spent.get(at, 0.0) + op.ms
        about = {
            "time": f"{op.ms:.3f} ms, {100 * op.ms / whole:.1f} %",
            "ran as": label(op),
            "kernel": op.kernel,
            "shapes": shapes(op),
            "speed": f"{op.gflops:.1f} GFLOPS" if op.flops else "",
        }
        overlay.details[at] = {name: text for name, text in about.items() if text}
    if elsewhere > 0.001 * whole:
        # Conversions that the planner inserted, planning, what runs on devices.
        overlay.summary += f"; {elsewhere:.3f} ms are no operator's of the graph"
    if overlay.colors is None:
        return
    for at, ms in spent.items():
        overlay.colors[at] = next(color for least, color in _HEAT if ms / whole >= least)
    names = [f"{100 * least:.0f} % of the time or more" for least, _ in _HEAT[:-1]] + ["less"]
    overlay.legend += [(name, color) for name, (_, color) in zip(names, _HEAT, strict=True)]
    overlay.legend.append(("no time of its own", CPU_COLOR))


class _Positions:
    """Where a recorded operator stands in the report: by its place, or by what it writes."""

    def __init__(self, placement: Placement) -> None:
        self._places = {
            (op.block, op.index, op.type): at for at, op in enumerate(placement.operators)
        }
        self._writers = {
            name: at
            for at, op in enumerate(placement.operators)
            for names in op.outputs.values()
            for name in names
            if op.type != "fetch" and op.place != FOLDED
        }

    def find(self, op: OperatorProfile) -> int | None:
        match = re.fullmatch(r"operator (\d+) \((\S+)(?: -> (.*))?, block (\d+)\)", op.where)
        if match is None:
            return None
        index, kind, written, block = int(match[1]), match[2], match[3] or "", int(match[4])
        at = self._places.get((block, index, kind))
        names = [name.strip() for name in written.split(",")]
        return next((self._writers[name] for name in names if name in self._writers), at)
