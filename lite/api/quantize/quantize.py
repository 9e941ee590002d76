"""lite quantize: an artifact in int8, with the fewest layers in floats that keep its accuracy."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import lite
from lite.api.artifact import Value, build_artifact, empty_folder
from lite.api.build import Source
from lite.api.devices import DeviceOptions
from lite.api.manifest import MODEL, Artifact, Quantization
from lite.api.predictor import Predictor
from lite.api.quantize.metrics import METRICS, Metric, Outputs
from lite.api.quantize.search import Block, blocks_by_loss, fewest
from lite.errors import ConfigError, DeviceError
from lite.nnadapter.driver.compiled.quantization import (
    Calibrated,
    Recorded,
    planned,
    precision_key,
    recording,
)

MOST_CALIBRATED = 32
"""Samples from which a quantiser finds its ranges."""
_MEASURED = 3
"""Samples by which a block's loss is measured."""

Say = Callable[[str], None]
Layer = tuple[str, str]  # a program's key, a name


def quantize_artifact(
    source: Source,
    sets: Sequence[Mapping[str, Value]],
    samples: Sequence[Mapping[str, Value]],
    folder: str | Path,
    *,
    metric: str = "cosine",
    at_least: float = 0.999,
    most_trials: int = 80,
    say: Say = lambda _: None,
) -> Artifact:
    """Writes what `build_artifact` writes, with programs in int8.

    `samples` are the model's real inputs: the device's quantiser finds its ranges by some of them,
    and the accuracy, against the CPU in fp32, is measured by all. Where int8 alone does not reach
    it, the layers that lose most stay in floats, as few as possible. `most_trials` compilations
    find where it is lost, and half as many which layers stay.

    Raises ConfigError for a metric that does not fit, DeviceError where the device has no int8,
    does not run all of it, or does not reach the accuracy in floats.
    """
    if metric not in METRICS or not samples:
        raise ConfigError(f"expected samples and a metric of {', '.join(METRICS)}, not {metric!r}")
    folder = empty_folder(folder)
    _check_shapes(sets, samples, source.devices.padded_axes)
    with TemporaryDirectory() as scratch:
        # Divided once: what the device takes does not depend on the precision.
        divided = source.save_naive_buffer(os.path.join(scratch, MODEL))
        judge = _Judge(source, divided, samples, METRICS[metric], at_least, say)
        with recording() as recorded:
            floats = judge.accuracy(source.devices)
        if not recorded:
            raise DeviceError(f"{source.devices.names[0]} has no int8 for what it runs of this")
        if floats < at_least:
            raise DeviceError(f"with all layers in floats the {metric} is {floats:.5f} already")
        say(f"in floats: {metric} {floats:.5f}")
        search = _Search(source.devices, recorded, judge)
        kept = search.kept(most_trials)
        with planned(search.plans(kept)):
            made = Quantization(
                *(metric, at_least, floats, search.alone, search.found, len(samples)),
                sum(len(some.layers) for some in search.calibrated.values()),
                sorted({name for block in kept for _, name in block.layers}),
                search.refused,
            )
            return build_artifact(replace(source, devices=search.in_int8), sets, folder, made)


def _check_shapes(
    sets: Sequence[Mapping[str, Value]],
    samples: Sequence[Mapping[str, Value]],
    padded_axes: Mapping[str, Sequence[int]],
) -> None:
    """Each sample has a program, each program a sample: the smallest that holds it is run."""
    used = set()
    for sample in samples:
        holding = [at for at, some in enumerate(sets) if _holds(some, sample, padded_axes)]
        if not holding:
            raise ConfigError(f"no program is wished for a sample of {_said(sample)}: see --shape")
        used.add(min(holding, key=lambda at: sum(array.size for array, _ in sets[at].values())))
    for at, some in enumerate(sets):
        if at not in used:
            raise ConfigError(f"no sample is run by the program for {_said(some)}")


def _holds(
    bucket: Mapping[str, Value], sample: Mapping[str, Value], axes: Mapping[str, Sequence[int]]
) -> bool:
    for name, (array, _) in sample.items():
        of = bucket[name][0]
        if of.ndim != array.ndim:
            return False
        for axis, (size, most) in enumerate(zip(array.shape, of.shape, strict=True)):
            if size > most or (size < most and axis not in axes.get(name, ())):
                return False
    return True


def _said(inputs: Mapping[str, Value]) -> str:
    return ", ".join(
        f"{name}:{'x'.join(map(str, array.shape))}" for name, (array, _) in inputs.items()
    )


class _Judge:
    """Measures accuracy against the CPU."""

    def __init__(
        self,
        source: Source,
        divided: str,
        samples: Sequence[Mapping[str, Value]],
        metric: Metric,
        at_least: float,
        say: Say,
    ) -> None:
        self.metric, self.at_least, self.say = metric, at_least, say
        self._divided, self._samples = divided, samples
        reference = Predictor(*replace(source, devices=DeviceOptions()).make_core())
        self._wanted: list[Outputs] = [reference.run(inputs) for inputs in samples]
        self._weight = sum(map(self.metric.weight, self._wanted))
        if not self._weight:
            raise ConfigError("the samples have nothing that the metric counts")

    def accuracy(self, devices: DeviceOptions, enough: float = 0.0) -> float:
        """1 is the same as on the CPU; less than `enough` is not measured to the end."""
        options = replace(devices, strict=True)  # a subgraph that does not compile is an error
        predictor = lite.load(self._divided, devices=options)
        lost = 0.0
        for inputs, wanted in zip(self._samples, self._wanted, strict=True):
            lost += self.metric.lost(predictor.run(inputs), wanted)
            if 1 - lost / self._weight < enough:
                break
        return max(0.0, 1 - lost / self._weight)


class _Search:
    """Trials of the programs that were recorded."""

    def __init__(
        self, devices: DeviceOptions, recorded: Mapping[str, Recorded], judge: _Judge
    ) -> None:
        self._recorded, self._judge = recorded, judge
        self.alone = self.found = 0.0  # of all layers in int8; of the latest that were good
        given = [text for text in devices.properties.split(";") if text]
        properties = [*given, f"{precision_key(devices.names[0])}=int8"]
        self.in_int8 = replace(devices, properties=";".join(properties) + ";")
        self.calibrated: dict[str, Calibrated] = {}
        self.refused: list[str] = []
        for key, program in recorded.items():
            try:
                some = program.calibrate(_spread(program.samples, MOST_CALIBRATED))
                program.build(some.with_floats([]))
                self.calibrated[key] = some
            except DeviceError as error:
                self.refused.append(str(error))
        if not self.calibrated:
            raise DeviceError(f"nothing of the model can be int8: {self.refused[0]}")

    def kept(self, most_trials: int) -> list[Block[Layer]]:
        """The blocks that stay in floats."""
        self.alone = self.found = self._accuracy([])
        self._judge.say(f"in int8: {self.alone:.5f}")
        if self.alone >= self._judge.at_least:
            return []
        share = max(3, most_trials // len(self.calibrated))
        blocks = [block for key in self.calibrated for block in self._blocks(key, share)]
        if not blocks:
            raise DeviceError(f"no layer can stay in floats, and int8 reaches {self.alone:.5f}")
        blocks.sort(key=lambda block: block.cost, reverse=True)
        kept = fewest(blocks, self._good, most_trials // 2)
        if kept is None:
            raise DeviceError("not even all layers in floats that can be reach the accuracy")
        return kept

    def plans(self, kept: Sequence[Block[Layer]]) -> dict[str, bytes]:
        """What programs are built of."""
        names = [layer for block in kept for layer in block.layers]
        return dict.fromkeys(self._recorded, b"") | {
            key: some.with_floats([name for of, name in names if of == key])
            for key, some in self.calibrated.items()
        }

    def _good(self, kept: Sequence[Block[Layer]]) -> bool:
        number = sum(len(block.layers) for block in kept)
        try:
            found = self._accuracy(kept, self._judge.at_least)
        except DeviceError as error:  # the toolkit does not build every mixture
            self._judge.say(f"{number} layers in floats are refused: {error}")
            return False
        good = found >= self._judge.at_least
        if good:
            self.found = found
        said = f": {found:.5f}" if good else " are not enough"
        self._judge.say(f"{number} layers in floats{said}")
        return good

    def _accuracy(self, kept: Sequence[Block[Layer]], enough: float = 0.0) -> float:
        with planned(self.plans(kept)):
            return self._judge.accuracy(self.in_int8, enough)

    def _blocks(self, key: str, most_trials: int) -> list[Block[Layer]]:
        program, calibrated = self._recorded[key], self.calibrated[key]
        if not calibrated.may_stay:
            return []
        loss = _Loss(program, calibrated)
        found = blocks_by_loss([(key, name) for name in calibrated.may_stay], loss, most_trials)
        worst = max(found, key=lambda block: block.loss, default=None)
        if worst is not None:
            self._judge.say(f"where it is lost: most by {worst.layers[0][1]}, {worst.loss:.1e}")
        return found


class _Loss:
    """Of a program's outputs: the noise over the signal."""

    def __init__(self, program: Recorded, calibrated: Calibrated) -> None:
        self._program, self._calibrated = program, calibrated
        self._samples = _spread(program.samples, _MEASURED)
        self._wanted = self._run(calibrated.may_stay)

    def __call__(self, int8: Sequence[Layer]) -> float:
        names = {name for _, name in int8}
        kept = [name for name in self._calibrated.may_stay if name not in names]
        try:
            found = self._run(kept)
        except DeviceError:  # not in int8, as it seems
            return 1.0
        return sum(map(_noise, found, self._wanted)) / len(found)

    def _run(self, kept: Sequence[str]) -> list[np.ndarray[Any, Any]]:
        run = self._program.build(self._calibrated.with_floats(kept))
        return [array for sample in self._samples for array in run(sample)]


def _noise(found: np.ndarray[Any, Any], wanted: np.ndarray[Any, Any]) -> float:
    a, b = found.astype(np.float64), wanted.astype(np.float64)
    noise = float(np.square(a - b).sum())
    if not np.isfinite(noise):
        return 1.0
    return noise / (float(np.square(b).sum()) or 1.0)


def _spread(samples: Sequence[Any], most: int) -> list[Any]:
    """At most so many, from the whole of them."""
    if len(samples) <= most:
        return list(samples)
    return [samples[at * len(samples) // most] for at in range(most)]
