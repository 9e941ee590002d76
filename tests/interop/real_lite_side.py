"""Runs under a Python (3.7 on) with a real paddlelite wheel.

python real_lite_side.py run MODEL.nb INPUT.npy OUTPUT.npz
python real_lite_side.py opt MODEL_PREFIX OUT TARGET
python real_lite_side.py shapes MODEL_DIR OUT.json
python real_lite_side.py cases LIST.json OUT.json
"""

import json
import os
import signal
import sys

import numpy as np

import paddlelite.lite as real


def run(model, input_path, output_path):
    """The outputs as out0, out1, ..."""
    config = real.MobileConfig()
    config.set_model_from_file(model)
    predictor = real.create_paddle_predictor(config)
    array = np.load(input_path)
    tensor = predictor.get_input(0)
    tensor.resize(list(array.shape))
    # from_numpy of 2.13 may give garbage under numpy 2.
    tensor.set_float_data(array.reshape(-1).tolist())
    predictor.run()
    outputs = {}
    for i in range(len(predictor.get_output_names())):
        output = predictor.get_output(i)
        values = np.array(output.float_data(), np.float32)
        outputs[f"out{i}"] = values.reshape(output.shape())
    np.savez(output_path, **outputs)


def opt(prefix, out, target):
    """Writes OUT.nb."""
    tool = real.Opt()
    tool.set_model_file(prefix + ".pdmodel")
    tool.set_param_file(prefix + ".pdiparams")
    tool.set_valid_places(target)
    tool.set_optimize_out(out)
    tool.run()


def shapes(folder, out):
    """The first input's shape before anything was set, by the kind of predictor."""
    config = real.CxxConfig()
    config.set_model_file(folder + "/model")
    config.set_param_file(folder + "/params")
    x86 = real.Place(real.TargetType.X86, real.PrecisionType.FP32)
    host = real.Place(real.TargetType.Host, real.PrecisionType.FP32)
    config.set_valid_places([x86, host])
    cxx = real.create_paddle_predictor(config)
    cxx.save_optimized_model(folder + "/real")
    mobile = real.MobileConfig()
    mobile.set_model_from_file(folder + "/real.nb")
    light = real.create_paddle_predictor(mobile)
    found = {"cxx": cxx.get_input(0).shape(), "mobile": light.get_input(0).shape()}
    with open(out, "w") as file:
        json.dump(found, file)


def cases(listed, out):
    """What becomes of each (name, .nb, .npz): "" where its numbers are right."""
    with open(listed) as file:
        todo = json.load(file)
    found = {name: in_child(nb, arrays) for name, nb, arrays in todo}
    for name, nb, arrays in todo:
        # It reads beyond its tensors at times, and ends where nothing is there.
        if found[name].startswith("ended"):
            found[name] = in_child(nb, arrays)
    with open(out, "w") as file:
        json.dump(found, file)


def in_child(nb, arrays):
    """Real Paddle Lite ends the process where something is wrong, or never comes back."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(30)
        try:
            said = compare(nb, dict(np.load(arrays)))
        except BaseException as error:
            said = repr(error)
        os.write(writing, said.encode()[:1000])
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        said = pipe.read()
    status = os.waitpid(child, 0)[1]
    return f"ended with {status}" if status else said


def compare(nb, arrays):
    """Empty where all runs give Paddle's numbers, or what is wrong."""
    for run in sorted({key.split(".")[0] for key in arrays if ".out." in key}):
        config = real.MobileConfig()
        config.set_model_from_file(nb)
        predictor = real.create_paddle_predictor(config)
        for i, name in enumerate(predictor.get_input_names()):
            array = np.ascontiguousarray(arrays[f"{run}.in.{name}"])
            tensor = predictor.get_input(i)
            tensor.resize(list(array.shape) or [1])
            tensor.from_numpy(array.reshape(array.shape or (1,)))
        predictor.run()
        for i in range(sum(key.startswith(run + ".out.") for key in arrays)):
            want = arrays[f"{run}.out.{i}"]
            tensor = predictor.get_output(i)
            # numpy() of 2.13 gives garbage for bool.
            got = np.array(tensor.int8_data()) if want.dtype == bool else tensor.numpy()
            said = difference(got, tensor.shape(), want, float(arrays.get("tol", 1e-4)))
            if said:
                return f"run {run}, output {i}: {said}"
    return ""


def difference(got, shape, want, tolerance):
    """Empty where an output is right; a number without dimensions may be [1]."""
    if tuple(shape) != want.shape and not (want.ndim == 0 and got.size == 1):
        return f"shape {shape}, expected {want.shape}"
    got, want = got.reshape(-1).astype(np.float64), want.reshape(-1).astype(np.float64)
    finite = np.isfinite(want)
    if not np.array_equal(np.nan_to_num(got[~finite]), np.nan_to_num(want[~finite])):
        return "not finite elsewhere"
    error = np.abs(got[finite] - want[finite]).max() if finite.any() else 0.0
    largest = np.abs(want[finite]).max() if finite.any() else 1.0
    return "" if error <= tolerance * max(largest, 1e-30) else f"{error:g} of {largest:g}"


if __name__ == "__main__":
    {"run": run, "opt": opt, "shapes": shapes, "cases": cases}[sys.argv[1]](*sys.argv[2:])
