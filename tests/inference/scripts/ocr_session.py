# As PaddleOCR 2 does it: a session for all pages, memory shrunk after each.
import sys

import numpy as np
from paddle import inference


class Session:
    def __init__(self, folder):
        config = inference.Config(folder + "/inference.pdmodel", folder + "/inference.pdiparams")
        if hasattr(config, "enable_new_ir"):
            config.enable_new_ir()
        if hasattr(config, "enable_new_executor"):
            config.enable_new_executor()
        config.disable_gpu()
        config.enable_memory_optim()
        config.disable_glog_info()
        config.delete_pass("conv_transpose_eltwiseadd_bn_fuse_pass")
        config.delete_pass("matmul_transpose_reshape_fuse_pass")
        config.switch_use_feed_fetch_ops(False)
        config.switch_ir_optim(True)
        self.predictor = inference.create_predictor(config)
        for name in self.predictor.get_input_names():
            self.input = self.predictor.get_input_handle(name)
        self.outputs = [
            self.predictor.get_output_handle(name) for name in self.predictor.get_output_names()
        ]

    def __call__(self, page):
        self.input.copy_from_cpu(page)
        self.predictor.run()
        answers = [output.copy_to_cpu() for output in self.outputs]
        self.predictor.try_shrink_memory()
        return answers


session = Session(sys.argv[1] + "/classify")
pages = np.random.RandomState(5).rand(6, 3, 20, 40).astype("float32")
results = {f"{n}": session(pages[: n + 1])[0] for n in range(6)}
facts = [isinstance(session.predictor.try_shrink_memory(), int)]
