"""lite serve: MLServer with models, a model repository for Triton, or a pipeline of PaddleX."""

from __future__ import annotations

import argparse
import gc
import importlib.util
import re
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from lite.api.serving_options import Options
from lite.errors import ConfigError
from lite.serving.repository import LOOPBACK, named, write_mlserver, write_triton


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("model", nargs="*", help="a folder, a model's file, or NAME=PATH")
    parser.add_argument(
        "--pipeline", metavar="NAME", help="instead of models: PaddleX's pipeline, or its YAML file"
    )
    parser.add_argument(
        "--workers", type=int, default=1, help="processes of a pipeline, weights shared (default 1)"
    )
    parser.add_argument(
        "--timeout", type=float, default=1800.0, metavar="SECONDS",
        help="a pipeline's worker that takes longer for a request is replaced (default 1800)",
    )  # fmt: skip
    parser.add_argument(
        "--port", type=int, default=8080, help="of HTTP; gRPC and metrics take the next two"
    )
    parser.add_argument("--host", default=LOOPBACK, help="address to listen on (default loopback)")
    parser.add_argument("--threads", type=int, default=1, help="threads of a run (default 1)")
    parser.add_argument("--instances", type=int, default=1, help="runs side by side (default 1)")
    parser.add_argument(
        "--max-batch-size", type=int, default=1, help="rows of requests that are joined (default 1)"
    )
    parser.add_argument(
        "--max-delay-ms", type=float, default=0.0, help="a request's wait for others (default 0)"
    )
    parser.add_argument(
        "--device", action="append", default=[], metavar="NAME", help="an NNAdapter device"
    )
    parser.add_argument(
        "--warm-up", action="append", default=[], metavar="NAME:1x3x224x224[,...]",
        help="shapes that are run before the model is ready; may be given again",
    )  # fmt: skip
    parser.add_argument(
        "--repository", metavar="DIR", help="write MLServer's settings there and do not start it"
    )
    parser.add_argument(
        "--triton-repository", metavar="DIR", help="write Triton's model repository there instead"
    )


_OF_PIPELINES = ("workers", "timeout")
_OF_MODELS = (
    "instances", "max_batch_size", "max_delay_ms", "device", "warm_up", "repository",
    "triton_repository",
)  # fmt: skip


def run(flags: argparse.Namespace) -> int:
    """Runs the command."""
    if bool(flags.pipeline) == bool(flags.model):
        raise ConfigError("name models, or one --pipeline")
    _refuse(flags, _OF_MODELS if flags.pipeline else _OF_PIPELINES)
    if flags.pipeline:
        from lite.paddlex.service import serve

        return serve(
            flags.pipeline, host=flags.host, port=flags.port, workers=flags.workers,
            threads=flags.threads, timeout=flags.timeout,
        )  # fmt: skip
    models = named(flags.model)
    options = Options.of(
        {
            "threads": flags.threads,
            "instances": flags.instances,
            "max_batch_size": flags.max_batch_size,
            "max_delay_ms": flags.max_delay_ms,
            "devices": flags.device,
            "warm_up": [_shapes(text) for text in flags.warm_up],
        }
    )
    if flags.triton_repository:
        write_triton(Path(flags.triton_repository), models, options)
        print(f"tritonserver --model-repository={flags.triton_repository}")
        return 0
    if flags.repository:
        write_mlserver(Path(flags.repository), models, options, flags.host, flags.port)
        print(f"mlserver start {flags.repository}")
        return 0
    with tempfile.TemporaryDirectory(prefix="lite-serve-") as folder:
        write_mlserver(Path(folder), models, options, flags.host, flags.port)
        return _start(folder)


def _refuse(flags: argparse.Namespace, names: Sequence[str]) -> None:
    """Options that would be without effect."""
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    given = [name for name in names if getattr(flags, name) != parser.get_default(name)]
    if given:
        options = ", ".join("--" + name.replace("_", "-") for name in given)
        served = "models" if flags.pipeline else "a --pipeline"
        raise ConfigError(f"{options}: only where {served} would be served; leave it out")


def _shapes(text: str) -> dict[str, list[int]]:
    """``x:1x3x224x224,y:1`` as shapes by name; names may hold colons."""
    found = {}
    for part in text.split(","):
        match = re.fullmatch(r"(.+):(\d+(?:x\d+)*)", part.strip())
        if match is None:
            raise ConfigError(f"--warm-up {text}: expected NAME:1x3x224x224, several by commas")
        found[match.group(1)] = [int(dim) for dim in match.group(2).split("x")]
    return found


def _start(folder: str) -> int:
    """Serves until it is told to stop; 1 where a model did not load."""
    if importlib.util.find_spec("mlserver") is None:
        raise ConfigError(
            "MLServer is not installed: pip install 'paddle-lite-predictor[serving]' "
            "(Python 3.10 to 3.12), or write its folder with --repository"
        )
    from mlserver.cli.main import root
    from mlserver.utils import install_uvloop_event_loop

    from lite.serving.mlserver_model import FAILED
    from lite.serving.raw_tensors import keep_raw_tensors

    keep_raw_tensors()
    install_uvloop_event_loop()
    gc.collect()
    gc.freeze()  # half a million objects of imports are no garbage
    sys.setswitchinterval(0.0002)  # a run that ended waits this long for the busy event loop
    root(["start", folder], standalone_mode=False)
    for reason in FAILED:
        print(f"lite serve: {reason}", file=sys.stderr)
    return 1 if FAILED else 0
