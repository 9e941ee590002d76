"""`python export_families.py FOLDER [NAME...]`: PaddleX's model classes as folders that it reads.

Needs paddlepaddle 3 and PaddleX. Weights are random; one batch sets the batch norms, so that no
layer dies, and the heads of detectors are spread, so that boxes of several kinds come out.
"""

from __future__ import annotations

import importlib
import sys
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import paddle
from paddle.static import InputSpec

sys.path.insert(0, str(Path(__file__).parent))
from model_folders import write_yml

_NORMALIZE: dict[str, Any] = {"mean": [0.485, 0.456, 0.406], "std": [0.229, 0.224, 0.225]}
_DECODE = {"DecodeImage": {"channel_first": False, "img_mode": "BGR"}}
_TO_CHW: dict[str, Any] = {"ToCHWImage": None}


def _text_detector() -> dict[str, Any]:
    steps = [_DECODE, {"DetResizeForTest": {"resize_long": 960}}]
    steps += [{"NormalizeImage": {**_NORMALIZE, "order": "hwc", "scale": "1./255."}}, _TO_CHW]
    after = {"name": "DBPostProcess", "thresh": 0.3, "box_thresh": 0.6, "unclip_ratio": 1.5}
    return {
        "PreProcess": {"transform_ops": steps},
        "PostProcess": {**after, "max_candidates": 1000},
    }


def _recogniser(classes: int) -> dict[str, Any]:
    steps = [_DECODE, {"RecResizeImg": {"image_shape": [3, 48, 320]}}]
    known = [chr(0x4E00 + i) for i in range(classes - 2)]  # a blank before, a space behind
    after = {"name": "CTCLabelDecode", "character_dict": known}
    return {"PreProcess": {"transform_ops": steps}, "PostProcess": after}


def _classifier(height: int, width: int, labels: int) -> dict[str, Any]:
    steps = [{"ResizeImage": {"size": [width, height]}}]
    steps += [{"NormalizeImage": {**_NORMALIZE, "scale": 1 / 255, "order": ""}}, _TO_CHW]
    names = [str(i * 90) if labels == 4 else f"{i * 180}_degree" for i in range(labels)]
    after = {"Topk": {"topk": 1, "label_list": names}}
    return {"PreProcess": {"transform_ops": steps}, "PostProcess": after}


def _object_detector(size: int, labels: list[str]) -> dict[str, Any]:
    resize = {"type": "Resize", "interp": 2, "keep_ratio": False, "target_size": [size, size]}
    steps = [resize, {"type": "NormalizeImage", "norm_type": "none"}, {"type": "Permute"}]
    return {"Preprocess": steps, "label_list": labels, "draw_threshold": 0.5}


def _table(size: int) -> dict[str, Any]:
    labels = {"merge_no_span_structure": True}
    steps = [_DECODE, {"TableLabelEncode": labels}, {"ResizeTableImage": {"max_len": size}}]
    steps += [{"NormalizeImage": {**_NORMALIZE, "scale": 1 / 255, "order": "hwc"}}]
    steps += [{"PaddingTableImage": {"size": [size, size]}}, _TO_CHW]
    spans = [f' {kind}span="{n}"' for kind in ("col", "row") for n in range(2, 20)]
    plain = ["<thead>", "</thead>", "<tbody>", "</tbody>", "<tr>", "</tr>", "<td>", "<td", ">"]
    after = {"name": "TableLabelDecode", "character_dict": [*plain, "</td>", *spans]}
    return {"PreProcess": {"transform_ops": steps}, "PostProcess": after}


_LAYOUT = (
    "paragraph_title image text number abstract content figure_title formula table reference "
    "doc_title footnote header algorithm footer seal chart formula_number aside_text "
    "reference_content"
).split()


@dataclass(frozen=True)
class Family:
    """A class of PaddleX, the size of its pictures, and what inference.yml says of them."""

    module: str
    name: str
    size: tuple[int, int]
    yml: dict[str, Any]
    config: dict[str, Any] = field(default_factory=dict)
    free: bool = False
    """Height and width are the caller's."""


def _lcnet(height: int, width: int, labels: int, scale: float = 1.0) -> Family:
    yml, config = _classifier(height, width, labels), {"num_labels": labels, "scale": scale}
    return Family("image_classification", "PPLCNet", (height, width), yml, config)


def _hgnet(**config: Any) -> Family:
    name = "HGNetV2ForImageClassification"
    return Family("image_classification", name, (224, 224), _classifier(224, 224, 1000), config)


def _detr(size: int, labels: list[str], name: str = "RTDETR") -> Family:
    yml = _object_detector(size, labels)
    config: dict[str, Any] = {"num_labels": len(labels)}
    if name == "PPDocLayoutV2":
        config |= {
            "class_thresholds": [0.5] * len(labels),
            "class_order": [i % 20 for i in range(len(labels))],
        }
    return Family("object_detection", name, (size, size), yml, config)


def _text(name: str) -> Family:
    return Family("text_detection", name, (640, 640), _text_detector(), free=True)


def _line(name: str, classes: int) -> Family:
    yml, config = _recogniser(classes), {"head_out_channels": classes}
    return Family("text_recognition", name, (48, 320), yml, config, free=True)


def _structure(name: str, size: int) -> Family:
    yml, config = _table(size), {"max_text_length": 40}
    return Family("table_structure_recognition", name, (size, size), yml, config)


FAMILIES = {
    "PP-LCNet_x1_0_doc_ori": _lcnet(224, 224, 4),
    "PP-LCNet_x1_0_textline_ori": _lcnet(80, 160, 2),
    "PP-LCNet_x1_0_table_cls": _lcnet(224, 224, 2),
    "PP-LCNet_x0_25": _lcnet(224, 224, 1000, 0.25),
    "PP-LCNet_x0_5": _lcnet(224, 224, 1000, 0.5),
    "PP-LCNet_x2_5": _lcnet(224, 224, 1000, 2.5),
    "PP-HGNetV2-B0": _hgnet(
        stem_channels=[3, 16, 16],
        stage_in_channels=[16, 64, 256, 512],
        stage_mid_channels=[16, 32, 64, 128],
        stage_out_channels=[64, 256, 512, 1024],
        hidden_sizes=[64, 256, 512, 1024],
        stage_num_blocks=[1, 1, 2, 1],
        stage_numb_of_layers=[3, 3, 3, 3],
        use_learnable_affine_block=True,
    ),
    "PP-HGNetV2-B4": _hgnet(),
    "PP-HGNetV2-B6": _hgnet(
        stem_channels=[3, 48, 96],
        stage_in_channels=[96, 192, 512, 1024],
        stage_mid_channels=[96, 192, 384, 768],
        stage_out_channels=[192, 512, 1024, 2048],
        stage_num_blocks=[2, 3, 6, 3],
    ),
    "UVDoc": Family("image_unwarping", "UVDocNet", (640, 480), {}, free=True),
    "PP-OCRv5_mobile_det": _text("PPOCRV5MobileDet"),
    "PP-OCRv5_server_det": _text("PPOCRV5ServerDet"),
    "PP-OCRv6_small_det": _text("PPOCRV6SmallDet"),
    "PP-OCRv6_medium_det": _text("PPOCRV6MediumDet"),
    "PP-OCRv4_server_seal_det": _text("PPOCRV5ServerDet"),
    "PP-OCRv5_mobile_rec": _line("PPOCRV5MobileRec", 18385),
    "PP-OCRv5_server_rec": _line("PPOCRV5ServerRec", 18385),
    "en_PP-OCRv5_mobile_rec": _line("PPOCRV5MobileRec", 438),
    "latin_PP-OCRv5_mobile_rec": _line("PPOCRV5MobileRec", 838),
    "PP-OCRv6_small_rec": _line("PPOCRV6SmallRec", 18714),
    "PP-OCRv6_tiny_rec": _line("PPOCRV6TinyRec", 6906),
    "PP-DocLayout_plus-L": _detr(800, _LAYOUT),
    "PP-DocBlockLayout": _detr(640, ["Region"]),
    "PP-DocLayoutV2": _detr(800, _LAYOUT + [f"more{i}" for i in range(5)], "PPDocLayoutV2"),
    "PP-DocLayoutV3": _detr(800, _LAYOUT + [f"more{i}" for i in range(5)], "PPDocLayoutV3"),
    "RT-DETR-L_wired_table_cell_det": _detr(640, ["cell"]),
    "RT-DETR-L_wireless_table_cell_det": _detr(640, ["cell"]),
    "SLANet_plus": _structure("SLANet", 488),
    "SLANeXt_wired": _structure("SLANeXt", 512),
    "SLANeXt_wireless": _structure("SLANeXt", 512),
    "PP-FormulaNet-L": Family(
        "formula_recognition",
        "PPFormulaNet",
        (512, 512),
        {},
        {"text_config": {"max_position_embeddings": 24, "vocab_size": 4000}},
    ),
}


class _Named(paddle.nn.Layer):  # type: ignore[misc]
    """PaddleX's networks take a list; programs have inputs of the names that it gives them by."""

    def __init__(self, network: Any, is_detector: bool) -> None:
        super().__init__()
        self.network = network
        self.is_detector = is_detector

    def forward(self, x, im_shape=None, scale_factor=None):  # type: ignore[no-untyped-def]
        found = self.network([im_shape, x, scale_factor] if self.is_detector else [x])
        return found[0] if isinstance(found, (list, tuple)) and len(found) == 1 else found


class _TableHead(paddle.nn.Layer):  # type: ignore[misc]
    """The head of SLANet as a loop that a program can hold, with corners of cells as published."""

    def __init__(self, head: Any) -> None:
        super().__init__()
        self.cell = head.structure_attention_cell
        self.kind = head.structure_generator
        self.steps = head.config.max_text_length + 1
        self.width = head.config.hidden_size
        self.kinds = head.config.out_channels
        self.corners = paddle.nn.Linear(self.width, 8)

    def forward(self, seen):  # type: ignore[no-untyped-def]
        batch = paddle.shape(seen)[0]
        state = paddle.zeros([batch, self.width], seen.dtype)
        last = paddle.zeros([batch], "int64")
        ended = paddle.zeros([batch], "bool")
        kinds = paddle.zeros([batch, self.steps, self.kinds], seen.dtype)
        corners = paddle.zeros([batch, self.steps, 8], seen.dtype)
        step = paddle.zeros([1], "int64")
        while step < self.steps:
            before = paddle.nn.functional.one_hot(last, self.kinds).astype(seen.dtype)
            state, _ = self.cell(state, seen, before)
            found = self.kind(state)
            kinds[:, step] = found.unsqueeze(1)
            corners[:, step] = paddle.nn.functional.sigmoid(self.corners(state)).unsqueeze(1)
            last = found.argmax(axis=1)
            ended = paddle.logical_or(ended, last == self.kinds - 1)
            if ended.all():
                break
            step = step + 1
        return corners, paddle.nn.functional.softmax(kinds, axis=-1)


class _Formula(paddle.nn.Layer):  # type: ignore[misc]
    """PP-FormulaNet, whose words come one by one, as a loop that a program can hold."""

    def __init__(self, network: Any) -> None:
        super().__init__()
        self.network = network
        self.config = network.config.text_config

    def forward(self, inputs):  # type: ignore[no-untyped-def]
        memory = self.network._encode(inputs[0])
        decoder, config = self.network.model.decoder, self.config
        crosses = []
        for layer in decoder.layers:
            cross = layer.encoder_attn
            k, v = cross._shape(cross.k_proj(memory)), cross._shape(cross.v_proj(memory))
            crosses.append({"cross_k": k, "cross_v": v})
        batch, heads = paddle.shape(memory)[0], config.decoder_attention_heads
        # Keys and values of all layers, [2 * layers, batch, heads, words so far, width].
        seen = [2 * config.decoder_layers, batch, heads, 0, config.d_model // heads]
        kept = paddle.zeros(seen, memory.dtype)
        words = paddle.full([batch, 1], config.decoder_start_token_id, "int64")
        going = paddle.ones([batch, 1], "int64")
        step = paddle.zeros([1], "int64")
        while step < config.max_position_embeddings - 1:
            x = decoder.embed_tokens(words[:, -1:]) + decoder.embed_positions(step.unsqueeze(0))
            x = decoder.layernorm_embedding(x)
            more = []
            for at, layer in enumerate(decoder.layers):
                cache = {"self_k": kept[2 * at], "self_v": kept[2 * at + 1], **crosses[at]}
                x = layer(x, encoder_hidden_states=memory, cache=cache)
                more += [cache["self_k"], cache["self_v"]]
            kept = paddle.stack(more)
            word = self.network.lm_head(decoder.layer_norm(x)).argmax(axis=-1)
            word = word * going + config.pad_token_id * (1 - going)
            words = paddle.concat([words, word], axis=1)
            going = going * (word != config.eos_token_id).astype("int64")
            step = step + 1
            if going.sum() == 0:
                break
        return words[:, 1:]


def _build(family: Family, seed: int) -> _Named:
    paddle.seed(seed)
    modeling = importlib.import_module(f"paddlex.inference.models.{family.module}.modeling")
    kind = getattr(modeling, family.name)
    network = kind(kind.config_class(**family.config))
    for path, layer in network.named_sublayers():
        if not isinstance(layer, paddle.nn.Linear):
            continue
        if "class_embed" in path:
            layer.weight.set_value(paddle.randn(layer.weight.shape) * 0.2)
            layer.bias.set_value(paddle.full(layer.bias.shape, -2.0))
        # As a training of RT-DETR begins: offsets by their bias, boxes moved a little. Otherwise
        # each layer looks at places that rounding chooses.
        if path.endswith("sampling_offsets"):
            layer.weight.set_value(layer.weight * 0.01)
            layer.bias.set_value(paddle.uniform(layer.bias.shape, min=-4.0, max=4.0))
        if "bbox_embed" in path and layer.weight.shape[1] == 4:
            layer.weight.set_value(layer.weight * 0.1)
    if hasattr(network, "head") and hasattr(network.head, "structure_generator"):
        network.head = _TableHead(network.head)
    if hasattr(network, "lm_head"):
        network = _Formula(network)
    return _Named(network, family.module == "object_detection")


def _inputs(family: Family, batch: int, seed: int) -> list[Any]:
    height, width = family.size
    random = np.random.default_rng(seed)
    # Patches with some noise: of noise alone nothing is left after the first pools.
    patches = random.standard_normal((batch, 3, height // 16 + 1, width // 16 + 1), np.float32)
    whole = patches.repeat(16, axis=2).repeat(16, axis=3)[:, :, :height, :width]
    arrays = [whole + 0.1 * random.standard_normal(whole.shape, np.float32)]
    if family.module == "object_detection":
        arrays += [np.array([size] * batch, np.float32) for size in (family.size, (1, 1))]
    return [paddle.to_tensor(array) for array in arrays]


def _set_norms(network: _Named, inputs: list[Any]) -> None:
    norms = (paddle.nn.BatchNorm1D, paddle.nn.BatchNorm2D, paddle.nn.BatchNorm)
    for layer in network.sublayers():
        if isinstance(layer, norms):
            layer._momentum = 0.0
    network.train()
    with paddle.no_grad():
        network(*inputs)
    network.eval()


def export(name: str, family: Family, folder: Path, seed: int) -> None:
    """Writes FOLDER/NAME: inference.json, .pdiparams and .yml."""
    network = _build(family, seed)
    try:
        _set_norms(network, _inputs(family, 2, seed))
    except Exception:  # a head that cannot be trained: its norms stand before it and are set
        traceback.print_exc(limit=1)
        network.eval()
    target = folder / name
    target.mkdir(parents=True, exist_ok=True)
    sides = (-1, -1) if family.free and family.size[0] != 48 else family.size
    specs = [InputSpec([-1, 3, sides[0], -1 if family.free else sides[1]], "float32", "x")]
    if family.module == "object_detection":
        # Their frames of anchors and of pictures are made for a number of pictures that is known.
        specs[0] = InputSpec([1, 3, *sides], "float32", "image")
        specs += [InputSpec([1, 2], "float32", n) for n in ("im_shape", "scale_factor")]
    paddle.jit.save(network, str(target / "inference"), input_spec=specs)
    write_yml(target, name, family.yml)
    _write_reference(target / "reference.npz", network, _inputs(family, 1, seed + 100))


def _write_reference(file: Path, network: _Named, inputs: list[Any]) -> None:
    """One picture and what the network makes of it in float64."""
    network.to(dtype="float64")
    wide = [value.astype("float64") for value in inputs]
    astype = paddle.Tensor.astype
    # The networks say float32 where they turn whole numbers into floats.
    paddle.Tensor.astype = lambda self, to: astype(self, "float64" if to == "float32" else to)
    try:
        with paddle.no_grad():
            found = network(*wide)
    finally:
        paddle.Tensor.astype = astype
    names = ("x",) if len(inputs) == 1 else ("image", "im_shape", "scale_factor")
    kept: dict[str, Any] = {n: value.numpy() for n, value in zip(names, inputs, strict=True)}
    outputs = found if isinstance(found, (list, tuple)) else [found]
    kept.update((f"output{i}", np.asarray(value)) for i, value in enumerate(outputs))
    np.savez_compressed(file, **kept)


def _let_programs_be_made() -> None:
    """What PaddleX's networks do that works eagerly only."""
    value = paddle.base.libpaddle.pir.Value
    value.numpy = lambda self: self  # they end in `.cpu().numpy()`
    transpose = value.transpose

    @paddle.jit.not_to_static  # type: ignore[untyped-decorator]
    def whole(self: Any, perm: list[int]) -> Any:  # eagerly, axes without a name stay in place
        return transpose(self, list(perm) + list(range(len(perm), len(self.shape))))

    value.transpose = whole
    measured = importlib.import_module("paddlex.inference.utils.benchmark").benchmark
    measured.timeit_with_options = lambda **_: lambda function: function


def main(folder: Path, *names: str) -> None:
    """Exports the families of these names, or all."""
    _let_programs_be_made()
    failed = []
    for seed, (name, family) in enumerate(FAMILIES.items()):
        if names and name not in names:
            continue
        try:
            export(name, family, folder, seed)
            print(name, flush=True)
        except Exception as error:  # the others are wanted all the same
            failed.append(name)
            print(f"{name}: {type(error).__name__}: {str(error)[-400:]}", flush=True)
    if failed:
        sys.exit(f"not exported: {', '.join(failed)}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
