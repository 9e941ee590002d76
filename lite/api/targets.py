"""Targets by name, as ``--valid_targets`` and ``Opt.set_valid_places`` take them."""

from __future__ import annotations

import platform
import re

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

GPU_TARGETS = (
    "opencl",
    "opencl_buffer",
    "metal",
    "arm_metal",
    "x86_metal",
    "x86_opencl",
    "xpu",
)


def host_target() -> str:
    """The target that is this machine's own CPU: x86 or arm."""
    return "arm" if platform.machine().startswith(("aarch64", "arm")) else "x86"


def parse_targets(text: str) -> tuple[str, ...]:
    """CPU targets from a list separated by commas or spaces; this machine's CPU for an empty one.

    Raises ConfigError for unknown names and for devices that are not available yet.
    """
    names = tuple(dict.fromkeys(re.split(r"[,\s]+", text.strip().lower())))
    if names == ("",):
        return (host_target(),)
    names = tuple(name for name in names if name)
    known = CPU_TARGETS + GPU_TARGETS + NNADAPTER_TARGETS
    for name in names:
        if name not in known:
            from difflib import get_close_matches

            near = get_close_matches(name, known, n=2)
            hint = f" (did you mean {' or '.join(near)}?)" if near else ""
            raise ConfigError(f"unknown target '{name}'{hint}; known are {', '.join(known)}")
    missing = [name for name in names if name not in CPU_TARGETS]
    if missing:
        raise ConfigError(
            f"target {', '.join(missing)} is not available yet: this version optimises for CPUs "
            f"({', '.join(CPU_TARGETS)})"
        )
    return names
