"""Folders that servers read: MLServer's settings, and Triton's model repository."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lite.api.batching import Batcher
from lite.api.build import Source
from lite.api.devices import DeviceOptions
from lite.api.predictor import TensorInfo
from lite.api.serving_options import Options
from lite.errors import ConfigError
from lite.serving.tensors import datatype
from lite.serving.triton_model import MODEL, OPTIONS

LOOPBACK = "127.0.0.1"
_MODEL_PY = '''"""Written by `lite serve --triton-repository`."""

from lite.serving.triton_model import TritonPythonModel

__all__ = ["TritonPythonModel"]
'''


def named(models: list[str]) -> dict[str, str]:
    """Absolute paths by name, of ``PATH`` or ``NAME=PATH``; ConfigError for two of a name."""
    found: dict[str, str] = {}
    for model in models:
        name, equals, path = model.partition("=")
        if not equals or os.path.exists(model):
            name, path = "", model
        name = name or _name_of(path)
        if not name or name != os.path.basename(name) or name in found:
            raise ConfigError(
                f"{model}: the model's name '{name}' is taken or none; give NAME={path}"
            )
        if not os.path.exists(path):
            raise FileNotFoundError(f"there is no model {path}")
        found[name] = os.path.abspath(path)
    return found


def _name_of(path: str) -> str:
    return Source(model_dir=path).name if os.path.isdir(path) else Source(model_file=path).name


def write_mlserver(
    folder: Path, models: Mapping[str, str], options: Options, host: str, port: int
) -> None:
    """settings.json and NAME/model-settings.json: HTTP on ``port``, gRPC and metrics after it.

    MLServer's own batching, processes and default address (0.0.0.0) are off.
    """
    if not 1 <= port <= 65533:
        raise ConfigError(f"port is {port}, expected 1 to 65533: the next two are taken as well")
    settings = {"host": host, "http_port": port, "grpc_port": port + 1, "metrics_port": port + 2,
                "parallel_workers": 0, "debug": False, "gzip_enabled": False}  # fmt: skip
    _write_json(folder / "settings.json", settings)
    for name, path in models.items():
        parameters = {"uri": path, "extra": options.changed()}
        content = {"name": name, "implementation": "lite.serving.LiteModel"}
        _write_json(folder / name / "model-settings.json", {**content, "parameters": parameters})


def _write_json(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def write_triton(folder: Path, models: Mapping[str, str], options: Options) -> None:
    """NAME/config.pbtxt, NAME/1/model.py and NAME/1/model.nb: complete, without the original."""
    for name, path in models.items():
        version = folder / name / "1"
        version.mkdir(parents=True, exist_ok=True)
        target = version / MODEL
        if path.endswith(".nb"):
            shutil.copyfile(path, target)
        else:
            devices = DeviceOptions(options.devices)
            where = {"model_dir": path} if os.path.isdir(path) else {"model_file": path}
            Source(**where, devices=devices).save_naive_buffer(str(target))  # type: ignore[arg-type]
        batcher, types = options.load(target)
        batcher.close()
        (folder / name / "config.pbtxt").write_text(_config(name, batcher, types, options))
        (version / "model.py").write_text(_MODEL_PY)


def _config(name: str, model: Batcher, types: Mapping[str, str], options: Options) -> str:
    """Triton gives several requests at once only where it may join along a free dimension."""
    infos = [*model.inputs, *model.outputs]
    joins = options.max_batch_size > 1 and all(info.shape[:1] == (-1,) for info in infos)
    rows = options.max_batch_size if joins else 0
    lines = [f'name: "{name}"', 'backend: "python"', f"max_batch_size: {rows}"]
    if joins:
        delay = int(options.max_delay_ms * 1000)
        lines.append(f"dynamic_batching {{ max_queue_delay_microseconds: {delay} }}")
    for kind, some in (("input", model.inputs), ("output", model.outputs)):
        lines += [_tensor(kind, info, types.get(info.name), joins) for info in some]
    lines.append("instance_group [ { count: 1 kind: KIND_CPU } ]")
    said = json.dumps(json.dumps(options.changed()))
    lines.append(f'parameters {{ key: "{OPTIONS}" value: {{ string_value: {said} }} }}')
    return "\n".join(lines) + "\n"


def _tensor(kind: str, info: TensorInfo, dtype: str | None, joins: bool) -> str:
    dims = ", ".join(map(str, info.shape[1:] if joins else info.shape))
    said = datatype(dtype or info.dtype or "float32")
    return f'{kind} [ {{ name: "{info.name}" data_type: TYPE_{said} dims: [ {dims} ] }} ]'
