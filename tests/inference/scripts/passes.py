# Without optimisation, and with some of it left out, the numbers are the same.
import sys

import numpy as np
from paddle.inference import Config, create_predictor

results, facts = {}, []


def predict(name, change):
    folder = sys.argv[1] + "/classify"
    config = Config(folder + "/inference.pdmodel", folder + "/inference.pdiparams")
    config.disable_glog_info()
    change(config)
    facts.append([name, config.ir_optim()])
    predictor = create_predictor(config)
    image = predictor.get_input_handle("image")
    image.copy_from_cpu(np.linspace(-1, 1, 3 * 14 * 14, dtype="float32").reshape(1, 3, 14, 14))
    predictor.run()
    results[name] = predictor.get_output_handle(predictor.get_output_names()[0]).copy_to_cpu()


def delete_all(config):
    for name in config.pass_builder().all_passes():
        if "fuse" in name:
            config.delete_pass(name)
    facts.append([n for n in config.pass_builder().all_passes() if "fuse" in n])


def build(config):
    builder = config.pass_builder()
    builder.append_pass("my_pass")
    builder.insert_pass(0, "another_pass")
    builder.delete_pass("my_pass")
    facts.append([builder.all_passes()[0], "my_pass" in builder.all_passes()])
    builder.set_passes(["conv_bn_fuse_pass"])
    facts.append([builder.all_passes(), builder.debug_string()])


predict("no ir", lambda config: config.switch_ir_optim(False))
predict("ir 0", lambda config: config.switch_ir_optim(0))
predict("deleted", lambda config: config.delete_pass("conv_bn_fuse_pass"))
predict("all deleted", delete_all)
predict("built", build)
