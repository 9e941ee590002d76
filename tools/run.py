"""lite run: runs a model once and shows, or saves, what it computes."""

from __future__ import annotations

import argparse
import re
import time
from typing import Any

import numpy as np

from lite.api.devices import DeviceOptions
from lite.api.predictor import Predictor, load
from lite.api.system_errors import system_errors
from lite.errors import LiteError

from . import inputs
from .dump import intermediate_results
from .named_model import add_model, named_model


def add_model_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments that ``lite run`` and ``lite bench`` share."""
    add_model(parser)
    parser.add_argument("--input", action="append", default=[], metavar="SPEC", help=inputs.HELP)
    parser.add_argument("--threads", type=int, default=1, help="threads of a run (default 1)")
    parser.add_argument(
        "--precision",
        default="fp32",
        help="bf16 and fp16 round the operands of products with constant weights (default fp32)",
    )
    parser.add_argument(
        "--device",
        "--devices",
        action="append",
        default=[],
        metavar="NAME",
        help="an NNAdapter device; several in order of preference, with commas or given again",
    )
    parser.add_argument("--properties", default="", help="the devices' properties, key=value;...")
    parser.add_argument("--cache_dir", default="", help="where compiled subgraphs are kept")
    parser.add_argument("--partition", default="", help="a partition config file")
    parser.add_argument("--strict", action="store_true", help="a fallback to the CPU is an error")
    parser.add_argument("--seed", type=int, default=0, help="of random inputs (default 0)")


def device_options(flags: argparse.Namespace) -> DeviceOptions:
    """What the flags say of devices."""
    return DeviceOptions(
        tuple(name for text in flags.device for name in re.split(r"[,\s]+", text) if name),
        properties=flags.properties,
        cache_dir=flags.cache_dir,
        partition_config_path=flags.partition,
        strict=flags.strict,
    )


def load_with_inputs(flags: argparse.Namespace) -> tuple[Predictor, dict[str, inputs.Value]]:
    """The model as the flags say, and values for its inputs."""
    predictor = load(
        flags.model,
        flags.params,
        threads=flags.threads,
        devices=device_options(flags),
        precision=flags.precision,
    )
    return predictor, inputs.make_inputs(predictor.inputs, flags.input, flags.seed)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_model_arguments(parser)
    parser.add_argument("--output", metavar="FILE.npz", help="save the outputs and their LoD")
    parser.add_argument("--dump", metavar="FILE.npz", help="save every intermediate result")


def run(flags: argparse.Namespace) -> int:
    """Runs the command."""
    predictor, values = load_with_inputs(flags)
    for name, (array, lod) in values.items():
        spec = next((s for s in flags.input if s.startswith(f"{name}=")), None)
        origin = spec.partition("=")[2] if spec else f"random, seed {flags.seed}"
        print(f"input  {name}: {_shape(array)} {array.dtype} ({origin}){_lod(lod)}")
    start = time.perf_counter()
    outputs = predictor.run(values)
    elapsed = time.perf_counter() - start
    for name, array in outputs.items():
        print(f"output {name}: {_shape(array)} {array.dtype}{_lod(predictor.lod(name))}")
        print(f"       {summary(array)}")
    print(f"first run took {elapsed * 1e3:.3f} ms with {flags.threads} thread(s)")
    if flags.device:
        print(predictor.placement().summary())
    if flags.output:
        save(flags.output, outputs, predictor)
        print(f"outputs saved into {flags.output}")
    if flags.dump:
        results = intermediate_results(named_model(flags), values)
        write_npz(flags.dump, results)
        print(f"{len(results)} intermediate results saved into {flags.dump}")
    return 0


def save(path: str, outputs: dict[str, np.ndarray[Any, Any]], predictor: Predictor) -> None:
    """Writes outputs as NAME and their LoD as NAME.lod0, NAME.lod1, ..."""
    arrays = dict(outputs)
    for name in outputs:
        for level, offsets in enumerate(predictor.lod(name)):
            arrays[f"{name}.lod{level}"] = np.asarray(offsets, np.int64)
    write_npz(path, arrays)


def write_npz(path: str, arrays: dict[str, np.ndarray[Any, Any]]) -> None:
    """Arrays by name; the file is written whole or not at all."""
    from lite.model.atomic import replacing

    with system_errors(LiteError), replacing(path) as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]


def summary(array: np.ndarray[Any, Any]) -> str:
    """Range, mean and the first numbers of an array; complex ones by their sizes."""
    if not array.size:
        return "empty"
    is_complex = array.dtype.kind == "c"
    wide = array.astype(np.complex128 if is_complex else np.float64)
    head = " ".join(f"{value:.6g}" for value in wide.reshape(-1)[:6])
    numbers = np.abs(wide) if is_complex else wide
    spread = f"min {numbers.min():.6g}, mean {numbers.mean():.6g}, max {numbers.max():.6g}"
    if is_complex:
        spread = f"sizes: {spread}"
    wrong = int((~np.isfinite(numbers)).sum())
    warning = f"; {wrong} are NaN or infinite" if wrong else ""
    return f"{spread}{warning}; first: {head}{' ...' if array.size > 6 else ''}"


def _shape(array: np.ndarray[Any, Any]) -> str:
    return "x".join(map(str, array.shape)) or "scalar"


def _lod(lod: list[list[int]]) -> str:
    return f", LoD {lod}" if lod else ""
