"""`inference.yml`, which PaddleX and PaddleOCR write beside a model."""

from __future__ import annotations

import os
import reprlib
from dataclasses import dataclass, field
from typing import Any

from lite.errors import ModelFormatError
from lite.model.source import FileSource

NAME = "inference.yml"
_LARGEST = 64 << 20  # bytes; the largest published ones have a tenth of a megabyte


@dataclass(frozen=True)
class DynamicRange:
    """The shapes of one input: the smallest, the usual and the largest."""

    smallest: tuple[int, ...]
    usual: tuple[int, ...]
    largest: tuple[int, ...]


@dataclass(frozen=True)
class InferenceYml:
    """What the file says; what it does not say is empty.

    ``characters`` are the classes of a text recogniser or the labels of a classifier, in order and
    as they stand in the file; ``post_process`` and ``pre_process`` are the file's own settings.
    """

    model_name: str = ""
    dynamic_shapes: dict[str, DynamicRange] = field(default_factory=dict)
    character_dict: tuple[str, ...] = ()
    label_list: tuple[str, ...] = ()
    pre_process: tuple[dict[str, Any], ...] = ()
    post_process: dict[str, Any] = field(default_factory=dict)

    def device_shapes(self) -> dict[str, list[list[int]]]:
        """The ranges as DeviceOptions.dynamic_shapes takes them, without repetitions."""
        return {
            name: list(map(list, dict.fromkeys((shapes.smallest, shapes.usual, shapes.largest))))
            for name, shapes in self.dynamic_shapes.items()
        }


def _at(content: Any, *keys: str) -> Any:
    for key in keys:
        content = content.get(key) if isinstance(content, dict) else None
    return content


def _range(path: str, name: Any, shapes: Any) -> DynamicRange:
    found = [tuple(shape) for shape in shapes] if _are_shapes(shapes) else []
    if len(found) != 3 or len({len(shape) for shape in found}) != 1 or not isinstance(name, str):
        raise ModelFormatError(
            f"{path}: the dynamic shapes of {name!r} are {reprlib.repr(shapes)}, expected three "
            "shapes of one rank"
        )
    return DynamicRange(*found)


def _are_shapes(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(shape, list) and all(type(dim) is int and dim > 0 for dim in shape)
        for shape in value
    )


def _texts(path: str, what: str, value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise ModelFormatError(f"{path}: {what} is a {type(value).__name__}, expected a list")
    for item in value:
        if not isinstance(item, (str, int, float)):
            raise ModelFormatError(f"{path}: {what} has {reprlib.repr(item)}, expected texts")
    return tuple(map(str, value))


def read_inference_yml(path: str | os.PathLike[str]) -> InferenceYml:
    """What an `inference.yml` says; ``path`` is the file or the model's folder.

    Raises FileNotFoundError where there is none, ModelFormatError for one that is not YAML or has
    other things where these are expected.
    """
    import yaml

    name = os.fspath(path)
    if os.path.isdir(name):
        name = os.path.join(name, NAME)
    source = FileSource(name, "inference.yml")
    if source.size > _LARGEST:
        raise ModelFormatError(f"{name} has {source.size} bytes, expected at most {_LARGEST}")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        content = yaml.load(source.read(0, source.size), Loader=loader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ModelFormatError(f"{name} is not YAML: {str(error)[:200]}") from None
    if not isinstance(content, dict):
        raise ModelFormatError(f"{name}: expected a mapping with Global, PreProcess, PostProcess")
    backends = _at(content, "Hpi", "backend_configs")
    shapes = (
        _at(backends, "paddle_infer", "trt_dynamic_shapes")
        or _at(backends, "tensorrt", "dynamic_shapes")
        or {}
    )
    if not isinstance(shapes, dict):
        raise ModelFormatError(f"{name}: the dynamic shapes are {reprlib.repr(shapes)}")
    after = _at(content, "PostProcess")
    after = after if isinstance(after, dict) else {}
    steps = _at(content, "PreProcess", "transform_ops")
    steps = steps if isinstance(steps, list) else []
    labels = _at(after, "Topk", "label_list") or content.get("label_list")
    model_name = _at(content, "Global", "model_name")
    return InferenceYml(
        model_name=model_name if isinstance(model_name, str) else "",
        dynamic_shapes={key: _range(name, key, value) for key, value in shapes.items()},
        character_dict=_texts(name, "character_dict", after.get("character_dict")),
        label_list=_texts(name, "label_list", labels),
        pre_process=tuple(item for item in steps if isinstance(item, dict)),
        post_process=after,
    )
