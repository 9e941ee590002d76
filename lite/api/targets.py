"""Targets by name, as ``--valid_targets`` and ``Opt.set_valid_places`` take them."""

from __future__ import annotations

import platform
import re
import warnings
from difflib import get_close_matches

from lite.errors import ConfigError

CPU_TARGETS = ("arm", "x86", "host")

NNADAPTER_TARGETS = (
    "android_nnapi",
    "amlogic_npu",
    "cambricon_mlu",
    "eeasytech_npu",
    "huawei_ascend_npu",
    "huawei_kirin_npu",
    "imagination_nna",
    "kunlunxin_xtcl",
    "mediatek_apu",
    "qualcomm_qnn",
    "rockchip_npu",
    "verisilicon_timvx",
)

OWN_DEVICES = ("nnadapter", "builtin_device", "fake_device")
"""NNAdapter as such (any operator that it declares), and the devices that come with it."""

GPU_TARGETS = (
    "opencl",
    "opencl_buffer",
    "metal",
    "arm_metal",
    "x86_metal",
    "x86_opencl",
    "xpu",
)

_OTHER_GPUS = ("cuda", "gpu")


def host_target() -> str:
    """The target that is this machine's own CPU: x86 or arm."""
    return "arm" if platform.machine().startswith(("aarch64", "arm")) else "x86"


def parse_targets(text: str) -> tuple[str, ...]:
    """Targets from a list separated by commas or spaces; this machine's CPU for an empty one.

    A name that is no CPU is an NNAdapter device: one of the vendors', or one that is here. GPUs
    are left out, with one warning. Raises ConfigError for other names.
    """
    names = [name for name in re.split(r"[,\s]+", text.strip()) if name]
    gpus = [name for name in names if name.lower() in GPU_TARGETS + _OTHER_GPUS]
    if gpus:
        warn_of_absent(f"targets {', '.join(gpus)}", stacklevel=3)
    targets = tuple(dict.fromkeys(_target(name) for name in names if name not in gpus))
    return targets or (host_target(),)


def warn_of_absent(what: str, stacklevel: int) -> None:
    """Says that a setting has no effect: public scripts and guides name OpenCL freely."""
    warnings.warn(
        f"{what}: without an effect, models run on CPUs ({', '.join(CPU_TARGETS)}) and NNAdapter "
        "devices in this version",
        stacklevel=stacklevel + 1,
    )


def _target(name: str) -> str:
    known = CPU_TARGETS + NNADAPTER_TARGETS + OWN_DEVICES
    lower = name.lower()
    if lower in known:
        return lower
    from lite.nnadapter.known import is_known, suggestion

    for known_as in (name, lower):
        if is_known(known_as):
            return known_as
    near = get_close_matches(lower, known, n=2, cutoff=0.65)
    hint = f" (did you mean {' or '.join(near)}?)" if near else suggestion(name)
    raise ConfigError(
        f"unknown target '{name}'{hint}; known are {', '.join(known)}, and devices whose libraries "
        "stand in NNADAPTER_DEVICE_PATH; nnadapter stands for any device"
    )
