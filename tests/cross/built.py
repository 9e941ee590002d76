"""What tools/cross/aarch64.sh made, and the models that are run beside it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILT = Path(os.environ.get("LITE_AARCH64", "nowhere")).resolve()
RECIPES = ("ghostnet", "sentiment_lstm", "picodet_esnet", "vit", "qat_convolutions_fake_channels")
# The benchmarks' networks at sizes that take the emulator seconds; not vgg16, whose weights take
# 553 MB, nor picodet_s, whose random weights magnify every rounding.
SMALL = "1,3,64,64"
NETWORKS = {
    **dict.fromkeys(("mobilenet_v1", "mobilenet_v2", "mobilenet_v3_small"), SMALL),
    **dict.fromkeys(("mobilenet_v3_large", "shufflenet_v2_x1_0", "squeezenet1_1"), SMALL),
    **dict.fromkeys(("resnet18", "resnet50", "pp_lcnet_x1_0", "pp_hgnet_tiny"), SMALL),
    "convnext_tiny": SMALL,
    "vit_small_16": "1,3,224,224",
    "transformer_256": "1,128,256",
    "transformer_312": "1,128,312",
}
PUBLISHED = {
    "ch_PP-OCRv3_rec_infer": "1,3,48,96",
    "ch_PP-OCRv4_det_infer": "1,3,96,96",
    "ch_PP-OCRv4_rec_infer": "1,3,48,160",
    "ch_ppocr_mobile_v2.0_cls_infer": "1,3,48,192",
}

NEEDS_BUILT = pytest.mark.skipif(
    not (BUILT / "sdk").exists() or shutil.which("qemu-aarch64") is None,
    reason="LITE_AARCH64 names no folder of tools/cross/aarch64.sh, or there is no qemu-aarch64",
)
