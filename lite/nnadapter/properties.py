"""Context properties that no device reads are mistakes: keys that are known, and who reads them."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from difflib import get_close_matches

from lite.nnadapter.devices import registered_class

_LIST = "SUPPORTED_OPERATIONS"

# device: keys, without the device's name in front
_KEYS = {
    "android_nnapi": (
        *("SELECTED_DEVICE_NAMES", "SELECTED_DEVICE_IDS", "ONLY_USE_ACC_DEVICE"),
        *("DISABLE_CPU_DEVICE", "RELAX_FP32_TO_FP16"),
    ),
    "builtin_device": ("NUM_THREADS",),
    "cambricon_mlu": ("BUILD_CONFIG_FILE_PATH", "OP_PARAMS_FILE_PATH"),
    "google_xnnpack": ("NUM_THREADS",),
    "huawei_ascend_npu": (
        *("SELECTED_DEVICE_IDS", "PROFILING_FILE_PATH", "DUMP_MODEL_FILE_PATH", "PRECISION_MODE"),
        *("MODIFY_MIXLIST_FILE_PATH", "OP_SELECT_IMPL_MODE", "OPTYPELIST_FOR_IMPLMODE"),
        *("ENABLE_COMPRESS_WEIGHT", "AUTO_TUNE_MODE", "ENABLE_DYNAMIC_SHAPE_RANGE"),
        "INITIAL_BUFFER_LENGTH_OF_DYNAMIC_SHAPE_RANGE",
    ),
    "intel_openvino": ("SELECT_DEVICE_NAMES", "INFERENCE_NUM_THREADS"),
    "kunlunxin_xtcl": ("SELECTED_DEVICE_IDS", "DEVICE_TARGET"),
    "mediatek_apu": ("RELAX_FP32_TO_FP16",),
    "nvidia_tensorrt": (
        *("DEVICE_TYPE", "DEVICE_ID", "PRECISION", "GPU_FALLBACK", "CALIBRATION_DATASET_PATH"),
        *("CALIBRATION_TABLE_PATH", "MAX_WORKSPACE_SIZE"),
    ),
    "verisilicon_timvx": ("BATCHNORM_FUSION_MAX_ALLOWED_QUANT_SCALE_DEVIATION",),
}
_LISTED = frozenset(
    {"amlogic_npu", "eeasytech_npu", "fake_device", "huawei_kirin_npu", "imagination_nna"}
    | {"rockchip_npu", *_KEYS}
)
"""Devices whose keys are all in the table."""


def known_keys(device: str) -> list[str] | None:
    """The keys that a device reads; None where nobody knows."""
    name = device.upper()
    hal_class = registered_class(device)
    own = None if hal_class is None else getattr(hal_class, "keys", None)
    if own is None and device not in _LISTED:
        return None
    listed = [f"{name}_{key}" for key in _KEYS.get(device, ())] if own is None else own
    return [*listed, f"{name}_{_LIST}"]


def warn_of_unknown(devices: Iterable[str], properties: str) -> None:
    """Warns of keys that none of the devices reads, as far as that can be told."""
    names = list(devices)
    for text in unknown_keys(names, properties) if properties else []:
        warnings.warn(text, stacklevel=4)


def unknown_keys(devices: list[str], properties: str) -> list[str]:
    """A sentence for every key that none of the devices reads."""
    known, found = {_LIST}, []
    for device in (*devices, "builtin_device"):  # the CPU is what devices fall back to
        keys = known_keys(device)
        if keys is None:
            return []
        known.update(keys)
    for section in filter(None, properties.split(";")):
        key = section.partition("=")[0]
        if key in known:
            continue
        near = get_close_matches(key, sorted(known), n=2, cutoff=0.6)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        found.append(f"no device of {', '.join(devices)} reads the property {key!r}{hint}")
    return found
