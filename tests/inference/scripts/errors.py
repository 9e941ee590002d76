# Which of the classes that clients catch comes out of wrong use; a predictor goes on after each.
import sys

import numpy as np
from paddle.inference import (
    Config,
    DataType,
    PlaceType,
    PrecisionType,
    PredictorPool,
    convert_to_mixed_precision,
    create_predictor,
)

folder = sys.argv[1]
X = np.ones((2, 3, 8, 8), "float32")


def classify():
    config = Config(
        folder + "/classify/inference.pdmodel", folder + "/classify/inference.pdiparams"
    )
    config.disable_glog_info()
    return config


predictor = create_predictor(classify())
image = predictor.get_input_handle("image")
out_name = predictor.get_output_names()[0]
scores = predictor.get_output_handle(out_name)
tokens = Config(folder + "/tokens/inference.pdmodel", folder + "/tokens/inference.pdiparams")
tokens.disable_glog_info()
tokens = create_predictor(tokens)


def fed(array):
    image.copy_from_cpu(array)
    predictor.run()


def token(ids):
    tokens.get_input_handle("ids").copy_from_cpu(ids)
    tokens.get_input_handle("mask").copy_from_cpu(ids > 0)
    tokens.run()


def twice():
    config = classify()
    create_predictor(config)
    create_predictor(config)


CASES = {
    "read before run": scores.copy_to_cpu,
    "input read before it is set": image.copy_to_cpu,
    "unknown input": lambda: predictor.get_input_handle("nope"),
    "unknown output": lambda: predictor.get_output_handle("nope"),
    "name is no str": lambda: predictor.get_input_handle(0),
    "list": lambda: image.copy_from_cpu([1.0]),
    "scalar": lambda: image.copy_from_cpu(1.0),
    "complex": lambda: image.copy_from_cpu(X.astype("complex64")),
    "objects": lambda: image.copy_from_cpu(X.astype(object)),
    "text": lambda: image.copy_from_cpu(np.array(["a"])),
    "wrong channels": lambda: fed(np.ones((1, 4, 8, 8), "float32")),
    "wrong rank": lambda: fed(np.ones((3, 8), "float32")),
    "wrong type": lambda: fed(X.astype("float64")),
    "id out of range": lambda: token(np.array([[99]])),
    "write an output": lambda: scores.copy_from_cpu(X),
    "reshape an output": lambda: scores.reshape([1]),
    "reshape to text": lambda: image.reshape("12"),
    "reshape to floats": lambda: image.reshape([1.0]),
    "lod of a number": lambda: image.set_lod(3),
    "negative lod": lambda: image.set_lod([[-1]]),
    "share an array": lambda: image.share_external_data(X),
    "run a number": lambda: predictor.run(3),
    "run nothing": lambda: predictor.run(None),
    "run numbers": lambda: predictor.run([1]),
    "config used twice": twice,
    "no config": lambda: create_predictor(None),
    "missing program": lambda: create_predictor(Config("/no/m.pdmodel", "/no/m.pdiparams")),
    "missing parameters": lambda: create_predictor(
        Config(folder + "/classify/inference.pdmodel", "/no/m.pdiparams")
    ),
    "missing folder": lambda: create_predictor(Config("/no/folder")),
    "three texts": lambda: Config("a", "b", "c"),
    "keyword": lambda: Config(model_dir="a"),
    "number": lambda: Config(3),
    "threads as text": lambda: classify().set_cpu_math_library_num_threads("2"),
    "threads as float": lambda: classify().set_cpu_math_library_num_threads(1.5),
    "gpu without memory": lambda: classify().enable_use_gpu(),
    "precision as int": lambda: classify().enable_use_gpu(1, 0, 2),
    "memory optim as text": lambda: classify().enable_memory_optim("yes"),
    "pass is no str": lambda: classify().delete_pass(3),
    "ops as list": lambda: classify().set_mkldnn_op(["a"]),
    "buffer without size": lambda: classify().set_model_buffer(b"a", b"b"),
    "empty pool": lambda: PredictorPool(classify(), 0),
    "pool index": lambda: PredictorPool(classify(), 2).retrive(2),
    "negative pool index": lambda: PredictorPool(classify(), 2).retrive(-1),
    "pickle": lambda: __import__("pickle").dumps(predictor),
    "mixed precision": lambda: convert_to_mixed_precision(
        folder + "/classify/inference.pdmodel", folder + "/classify/inference.pdiparams",
        "mixed/m.pdmodel", "mixed/m.pdiparams", PrecisionType.Half, PlaceType.CPU,
    ),
}  # fmt: skip

facts, results = [], {}
for name, case in CASES.items():
    try:
        case()
        facts.append([name, "done"])
    except (TypeError, ValueError, RuntimeError) as error:
        caught = [c.__name__ for c in (TypeError, ValueError, RuntimeError) if isinstance(error, c)]
        facts.append([name, caught[0]])
fed(X)
results["after all"] = scores.copy_to_cpu()
try:
    classify().foo = 1
except AttributeError:
    facts.append(["foo", "AttributeError"])
facts.append([DataType.FLOAT32 == 0, PlaceType.CPU.name, hash(DataType.INT64)])
