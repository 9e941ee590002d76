"""One engine in a process of its own: loads a model, then runs it whenever a line asks for it.

    python worker.py JSON       {"engine", "files", "inputs", "outputs", "threads",
                               "cpus"}

Answers with a line of JSON once the model has run ({"error"} where it did not), then reads a number
of runs a line from standard input and answers with the milliseconds of each. Needs numpy and the
engine only, and Python 3.7, for old wheels.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import sys
import time
from typing import Any, Callable, Dict, List, Tuple

Files = Dict[str, Any]
Feeds = List[Tuple[str, Any]]
Loaded = Tuple[Any, Callable[[], List[Any]]]  # the engine's version, and a run


def lite_engine(files: Files, feeds: Feeds, threads: int) -> Loaded:
    import lite
    from lite.api.devices import DeviceOptions

    devices = DeviceOptions(**{**files["devices"], "names": tuple(files["devices"]["names"])})
    predictor = lite.load(files["model"], files["params"], threads=threads, devices=devices)
    lods = files["lods"]
    given = {name: (array, lods[name]) if name in lods else array for name, array in feeds}
    return lite.__version__, lambda: list(predictor.run(given).values())


def onnxruntime_engine(files: Files, feeds: Feeds, threads: int) -> Loaded:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(
        files["onnx"], options, providers=["CPUExecutionProvider"]
    )
    taken = {item.name for item in session.get_inputs()}
    given = {name: array for name, array in feeds if name in taken}
    return onnxruntime.__version__, lambda: session.run(None, given)


def openvino_engine(files: Files, feeds: Feeds, threads: int) -> Loaded:
    import openvino

    core = openvino.Core()
    try:
        model = core.read_model(files["pdmodel"] or files["onnx"])
    except RuntimeError:
        if not files["pdmodel"]:
            raise
        model = core.read_model(files["onnx"])
    ports = {name: port for port in model.inputs for name in port.get_names()}
    model.reshape({ports[name]: list(array.shape) for name, array in feeds if name in ports})
    settings = {
        "INFERENCE_NUM_THREADS": threads,
        "INFERENCE_PRECISION_HINT": "f32",
        "PERFORMANCE_HINT": "LATENCY",
    }
    compiled = core.compile_model(model, "CPU", settings)
    request = compiled.create_infer_request()
    given = {name: array for name, array in feeds if name in ports}

    def run() -> List[Any]:
        results = request.infer(given)
        return [results[port] for port in compiled.outputs]

    return openvino.__version__.split("-")[0], run


def ncnn_engine(files: Files, feeds: Feeds, threads: int) -> Loaded:
    import ncnn
    import numpy as np

    net = ncnn.Net()
    net.opt.num_threads = threads
    net.opt.use_vulkan_compute = False
    for name in ("use_fp16_packed", "use_fp16_storage", "use_fp16_arithmetic", "use_bf16_storage"):
        setattr(net.opt, name, False)
    if net.load_param(files["param"]) != 0 or net.load_model(files["bin"]) != 0:
        raise RuntimeError("ncnn cannot load what pnnx wrote")
    inputs, outputs = net.input_names(), net.output_names()
    # ncnn has no batch: the first axis was checked to be 1.
    mats = [ncnn.Mat(np.ascontiguousarray(array[0])) for _, array in feeds]

    def run() -> List[Any]:
        extractor = net.create_extractor()
        for name, mat in zip(inputs, mats):  # noqa: B905
            extractor.input(name, mat)
        return [np.array(extractor.extract(name)[1]) for name in outputs]

    return ncnn.__version__, run


def mnn_engine(files: Files, feeds: Feeds, threads: int) -> Loaded:
    import MNN
    import numpy as np

    expr = MNN.expr
    config = {"precision": "high", "backend": "CPU", "numThread": threads}
    manager = MNN.nn.create_runtime_manager((config,))
    module = MNN.nn.load_module_from_file(
        files["mnn"], [name for name, _ in feeds], files["outputs"], runtime_manager=manager
    )
    inputs = []
    for _, array in feeds:
        real = array.dtype.kind == "f"
        kind = expr.float if real else expr.int
        made = expr.placeholder(list(array.shape), expr.NCHW, kind)
        made.write(np.ascontiguousarray(array, np.float32 if real else np.int32))
        inputs.append(made)

    def run() -> List[Any]:
        results = module.forward(inputs)
        listed = results if isinstance(results, (list, tuple)) else [results]
        return [np.array(expr.convert(one, expr.NCHW).read()) for one in listed]

    return MNN.version(), run


def executorch_engine(files: Files, feeds: Feeds, threads: int) -> Loaded:
    from importlib.metadata import version

    import numpy as np
    import torch
    from executorch.extension.pybindings import portable_lib
    from executorch.runtime import Runtime

    portable_lib._unsafe_reset_threadpool(threads)
    program = Runtime.get().load_program(files["model"])
    method = program.load_method("forward")
    given = [torch.from_numpy(array) for _, array in feeds]

    def run() -> List[Any]:
        return [np.array(output) for output in method.execute(given)]

    return version("executorch"), run


def litert_engine(files: Files, feeds: Feeds, threads: int) -> Loaded:
    from importlib.metadata import version

    from ai_edge_litert.interpreter import Interpreter

    interpreter = Interpreter(model_path=files["model"], num_threads=threads)
    runner = interpreter.get_signature_runner()
    given = {"args_%d" % at: array for at, (_, array) in enumerate(feeds)}
    count = len(runner.get_output_details())

    def run() -> List[Any]:
        results = runner(**given)
        return [results["output_%d" % at] for at in range(count)]

    return version("ai-edge-litert"), run


def paddlelite_engine(files: Files, feeds: Feeds, threads: int) -> Loaded:
    import numpy as np

    import paddlelite.lite as lite

    if lite.create_paddle_predictor.__module__.startswith("lite."):
        raise RuntimeError(
            "paddlelite is this framework's own drop-in package here; name a Python that has the "
            "real one: --compare paddlelite=/path/python3"
        )
    config = lite.CxxConfig()
    config.set_model_file(files["pb_model"])
    config.set_param_file(files["pb_params"])
    targets = [
        (lite.TargetType.X86, lite.PrecisionType.FP32),
        (lite.TargetType.X86, lite.PrecisionType.INT64),
        (lite.TargetType.X86, lite.PrecisionType.Any),
        (lite.TargetType.Host, lite.PrecisionType.Any),
    ]
    config.set_valid_places([lite.Place(*place) for place in targets])
    predictor = lite.create_paddle_predictor(config)
    names = predictor.get_input_names()
    given = dict(feeds)
    for at, name in enumerate(names):
        tensor = predictor.get_input(at)
        tensor.from_numpy(given[name])
        if not np.array_equal(tensor.numpy(), given[name]):
            raise RuntimeError(
                f"its from_numpy does not keep the numbers under numpy {np.__version__}; "
                "install numpy<2 in its Python"
            )
    count = len(predictor.get_output_names())

    def run() -> List[Any]:
        predictor.run()
        return [predictor.get_output(at).numpy() for at in range(count)]

    return predictor.get_version(), run


def paddle_engine(files: Files, feeds: Feeds, threads: int) -> Loaded:
    import numpy as np
    import paddle
    from paddle import inference

    config = inference.Config(files["program"], files["params"])
    config.disable_gpu()
    config.disable_glog_info()
    config.set_cpu_math_library_num_threads(threads)
    if files["onednn"]:
        config.enable_mkldnn()
    elif hasattr(config, "disable_mkldnn"):
        config.disable_mkldnn()
    predictor = inference.create_predictor(config)
    outputs = [predictor.get_output_handle(name) for name in predictor.get_output_names()]
    taken = set(predictor.get_input_names())

    def run() -> List[Any]:
        for name, array in feeds:
            if name in taken:
                predictor.get_input_handle(name).copy_from_cpu(np.ascontiguousarray(array))
        predictor.run()
        return [output.copy_to_cpu() for output in outputs]

    return paddle.__version__, run


paddle_onednn_engine = paddle_engine


def main() -> None:
    """Serves until standard input ends."""
    sys.path.pop(0)  # this file's folder
    job = json.loads(sys.argv[1])
    os.environ["OMP_NUM_THREADS"] = str(job["threads"])
    if job["cpus"]:
        os.sched_setaffinity(0, job["cpus"])
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever the engine prints goes elsewhere
    import numpy as np

    def say(value: Any) -> None:
        answer.write(json.dumps(value) + "\n")
        answer.flush()

    try:
        with np.load(job["inputs"]) as archive:
            feeds = [(name, archive["arr_%d" % at]) for at, name in enumerate(job["names"])]
        start = time.perf_counter()
        version, run = globals()[job["engine"] + "_engine"](job["files"], feeds, job["threads"])
        loaded = time.perf_counter()
        outputs = run()
        end = time.perf_counter()
        np.savez(job["outputs"], *[np.asarray(array) for array in outputs])
        ready = {"version": str(version), "load_ms": 1e3 * (loaded - start)}
        say(dict(ready, first_run_ms=1e3 * (end - loaded), peak_rss_mb=peak_megabytes()))
    except Exception as error:
        text = " ".join(str(error).split())
        say({"error": ": ".join(filter(None, [type(error).__name__, text]))})
        return
    for line in sys.stdin:
        times = []
        for _ in range(int(line)):
            start = time.perf_counter()
            run()
            times.append(1e3 * (time.perf_counter() - start))
        say(times)


def peak_megabytes() -> float:
    """Of this process alone, where the system tells: rusage counts what its parent had."""
    with (
        contextlib.suppress(OSError, StopIteration),
        open("/proc/self/status", encoding="utf-8") as file,
    ):
        return int(next(line for line in file if line.startswith("VmHWM")).split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
