"""Runs under a Python (3.7 on) with a real paddlelite wheel.

python real_lite_side.py run MODEL.nb INPUT.npy OUTPUT.npz
python real_lite_side.py opt MODEL_PREFIX OUT TARGET
python real_lite_side.py shapes MODEL_DIR OUT.json
"""

import json
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


if __name__ == "__main__":
    {"run": run, "opt": opt, "shapes": shapes}[sys.argv[1]](*sys.argv[2:])
