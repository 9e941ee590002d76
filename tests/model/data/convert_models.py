"""Converts the models of this folder with the real paddle_lite_opt.

Run with the Python of a paddlelite wheel as convert_models.py FOLDER RELEASE; the environment
variable PADDLE_LITE_MODEL_VERSION1=1 gives meta version 1. Runs on Python 3.7 (2.14's wheel).
"""

import os
import sys

from paddlelite.lite import Opt


def convert(folder, name, target, release):
    """In a process of its own, since real opt aborts on what it does not like."""
    pid = os.fork()
    if pid == 0:
        opt = Opt()
        opt.set_model_file(os.path.join(folder, name + ".pdmodel"))
        opt.set_param_file(os.path.join(folder, name + ".pdiparams"))
        opt.set_valid_places(target)
        opt.set_model_type("naive_buffer")
        opt.set_optimize_out(os.path.join(folder, f"{name}.{target}.{release}"))
        opt.run()
        os._exit(0)
    _, status = os.waitpid(pid, 0)
    if status:
        print(f"{name} for {target}: real opt ended with status {status}")


def main():
    folder, release = sys.argv[1:]
    for entry in sorted(os.listdir(folder)):
        if entry.endswith(".pdmodel"):
            for target in ("x86", "arm"):
                convert(folder, entry[: -len(".pdmodel")], target, release)


if __name__ == "__main__":
    main()
