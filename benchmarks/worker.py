"""One engine in a process of its own: loads a model, then runs it whenever a line asks for it.

    python worker.py ENGINE FOLDER SHAPE THREADS     (ENGINE: lite, paddlelite, openvino,
                                                     or device:NAME of an NNAdapter device)

Reads a number of runs a line from standard input and answers with the milliseconds of each.
Works with Python 3.7, for old Paddle Lite wheels.
"""

import glob
import json
import os
import sys
import time


def files(folder):
    model = next(path for path in glob.glob(folder + "/*.pdmodel") if "/._" not in path)
    return model, model[: -len("pdmodel")] + "pdiparams"


def lite_engine(folder, x, threads):
    import lite

    predictor = lite.load(folder, threads=threads)
    return lambda: predictor.run([x])


def device_engine(name):
    def make(folder, x, threads):
        import lite

        predictor = lite.load(folder, threads=threads, devices=[name])
        return lambda: predictor.run([x])

    return make


def paddlelite_engine(folder, x, threads):
    import paddlelite.lite as lite

    config = lite.CxxConfig()
    model, params = files(folder)
    config.set_model_file(model)
    config.set_param_file(params)
    targets = [(lite.TargetType.X86, lite.PrecisionType.FP32),
               (lite.TargetType.X86, lite.PrecisionType.INT64),
               (lite.TargetType.X86, lite.PrecisionType.Any),
               (lite.TargetType.Host, lite.PrecisionType.Any)]  # fmt: skip
    config.set_valid_places([lite.Place(*place) for place in targets])
    predictor = lite.create_paddle_predictor(config)
    handle = predictor.get_input(0)
    handle.resize(list(x.shape))
    handle.set_float_data(x.ravel().tolist())

    def run():
        predictor.run()
        return predictor.get_output(0)

    return run


def openvino_engine(folder, x, threads):
    import openvino

    core = openvino.Core()
    model = core.read_model(files(folder)[0])
    model.reshape(list(x.shape))
    settings = {"INFERENCE_NUM_THREADS": threads, "INFERENCE_PRECISION_HINT": "f32",
                "PERFORMANCE_HINT": "LATENCY"}  # fmt: skip
    request = core.compile_model(model, "CPU", settings).create_infer_request()
    return lambda: request.infer([x])


def main():
    import numpy as np

    engine, folder, shape, threads = sys.argv[1:5]
    os.environ.setdefault("OMP_NUM_THREADS", threads)
    shape = [int(dim) for dim in shape.split("x")]
    x = np.random.RandomState(0).rand(*shape).astype("float32")
    makers = {"lite": lite_engine, "paddlelite": paddlelite_engine, "openvino": openvino_engine}
    start = time.perf_counter()
    make = device_engine(engine[7:]) if engine.startswith("device:") else makers[engine]
    run = make(folder, x, int(threads))
    run()
    first = 1e3 * (time.perf_counter() - start)
    run()
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever the engine prints goes elsewhere
    answer.write(json.dumps({"load_and_first_ms": first}) + "\n")
    answer.flush()
    for line in sys.stdin:
        times = []
        for _ in range(int(line)):
            start = time.perf_counter()
            run()
            times.append(1e3 * (time.perf_counter() - start))
        answer.write(json.dumps(times) + "\n")
        answer.flush()


if __name__ == "__main__":
    main()
