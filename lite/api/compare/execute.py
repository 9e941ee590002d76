"""Runs a job in this process. Only child processes do: a device may end them."""

from __future__ import annotations

import contextlib
import importlib
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from lite.api.build import make_core
from lite.api.compare.flat import flatten
from lite.api.compare.jobs import CPU, DEVICE, ONNXRUNTIME, PARTITION, Job, Outcome, Value
from lite.api.devices import DeviceOptions
from lite.api.predictor import Predictor
from lite.core.optimizer import optimize
from lite.core.partition import PartitionOptions, Placement, partition
from lite.errors import ConfigError
from lite.nnadapter.devices import registered_class
from lite.report.places import DEVICE as ON_DEVICE


def execute(job: Job) -> Outcome:
    """The outcome of a job; every exception becomes an error."""
    try:
        for module in job.modules:
            importlib.import_module(module)
        if job.engine in (DEVICE, PARTITION):
            return _on_device(job)
        if job.engine == CPU:
            core = make_core(optimize(job.program))
            return Outcome(results=[_run(Predictor(core), feeds, ())[0] for feeds in job.runs])
        run = _onnxruntime if job.engine == ONNXRUNTIME else _paddle
        return Outcome(results=list(run(job)))
    except Exception as error:
        text = " ".join(str(error).split())
        return Outcome("error", f"{type(error).__name__}: {text}")


def _computes_in_half(job: Job) -> bool:
    """Whether a device says that it computes floats in 16 bits."""
    classes = [registered_class(name) for name in job.devices]
    return any(getattr(some, "precision", "fp32") != "fp32" for some in classes)


def _on_device(job: Job) -> Outcome:
    options = DeviceOptions(
        job.devices,
        properties=job.properties,
        cache_dir=job.cache_dir,
        partition_config=job.config,
        options=PartitionOptions(no_compute=job.forced, shape_arithmetic=job.forced),
    )
    options.make_available()
    request = options.request(model=job.model)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the report has them
        if job.engine == PARTITION:
            return Outcome(flat=flatten(job.program, request), half=_computes_in_half(job))
        program, placement = partition(job.program, request)
    # A subgraph that does not compile must not run on the CPU instead.
    core = make_core(program, {**options.core_settings(), "strict": True})
    predictor = Predictor(core, placement)
    outcome = Outcome(taken=len(placement.on_device()))
    if job.forced:
        outcome.left = _left(placement)
    for at, feeds in enumerate(job.runs):
        results, changed = _run(predictor, feeds, job.echoed)
        outcome.results.append(results)
        outcome.changed += [(at, name) for name in changed]
    return outcome


def _left(placement: Placement) -> list[str]:
    """Why operators that the config names for the device are not there."""
    return [
        f"{op.label}: {op.reason}"
        for op in placement.operators
        if op.place != ON_DEVICE and op.kind is not None and op.kind.value in _REFUSED
    ]


_REFUSED = ("unsupported", "driver")


def _run(
    predictor: Predictor, feeds: dict[str, Value], echoed: tuple[str, ...]
) -> tuple[dict[str, Value], list[str]]:
    """The outputs, and the inputs that are not what they were."""
    given = {name: (array.copy(), lod) for name, (array, lod) in feeds.items()}
    outputs = predictor.run(given)
    results: dict[str, Value] = {
        name: (array, predictor.lod(name)) for name, array in outputs.items()
    }
    changed = [
        name
        for name, (array, _) in feeds.items()
        if not _same(given[name][0], array)
        or (name in echoed and not _same(results[name][0], array))
    ]
    return results, changed


def _same(a: np.ndarray, b: np.ndarray) -> bool:
    return a.shape == b.shape and np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")


def _onnxruntime(job: Job) -> Iterator[dict[str, Value]]:
    import onnxruntime

    from lite.model.onnx.export import export_model

    model = export_model(job.program)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    names = job.program.fetch_names()
    for feeds in job.runs:
        _refuse_lod(feeds, ONNXRUNTIME)
        arrays = session.run(None, {name: array for name, (array, _) in feeds.items()})
        yield {name: (array, []) for name, array in zip(names, arrays, strict=True)}


def _refuse_lod(feeds: dict[str, Value], engine: str) -> None:
    for name, (_, lod) in feeds.items():
        if lod:
            raise ConfigError(f"input {name} has a LoD, which the reference {engine} cannot take")


def _paddle(job: Job) -> Iterator[dict[str, Value]]:
    import paddle
    import paddle.inference

    from lite.model.save import write_protobuf_dir

    paddle.enable_static()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(None):
        write_protobuf_dir(job.program, folder)
        config = paddle.inference.Config(str(Path(folder, "model")), str(Path(folder, "params")))
        config.disable_gpu()
        config.disable_glog_info()
        config.switch_ir_optim(False)
        predictor = paddle.inference.create_predictor(config)
        for feeds in job.runs:
            for name, (array, lod) in feeds.items():
                handle = predictor.get_input_handle(name)
                handle.copy_from_cpu(np.ascontiguousarray(array))
                if lod:
                    handle.set_lod(lod)
            predictor.run()
            handles = [predictor.get_output_handle(name) for name in predictor.get_output_names()]
            results = [(handle.copy_to_cpu(), handle.lod()) for handle in handles]
            yield dict(zip(job.program.fetch_names(), results, strict=True))
