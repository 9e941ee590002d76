"""The flags of paddle_lite_opt; booleans are written ``--x``, ``--x=true`` or ``--x true``."""

from __future__ import annotations

import argparse

from lite.api.opt import MODEL_TYPES, QUANT_TYPES
from lite.api.targets import CPU_TARGETS, GPU_TARGETS, NNADAPTER_TARGETS, OWN_DEVICES

from ..report import Parser

_TRUE = ("true", "1", "yes", "on")
_FALSE = ("false", "0", "no", "off")


def boolean(text: str) -> bool:
    """A boolean in any of its spellings."""
    word = text.strip().lower()
    if word not in _TRUE + _FALSE:
        raise argparse.ArgumentTypeError(f"expected true or false, got '{text}'")
    return word in _TRUE


def _flag(group: argparse._ArgumentGroup, name: str, text: str) -> None:
    group.add_argument(
        name, type=boolean, nargs="?", const=True, default=False, metavar="true|false", help=text
    )


def make_parser() -> Parser:
    """The parser of paddle_lite_opt's command line."""
    parser = Parser(
        prog="paddle_lite_opt",
        description="Optimises a Paddle model and writes a .nb file.",
        allow_abbrev=False,
    )
    model = parser.add_argument_group("model")
    model.add_argument("--model_dir", help="the model's folder; ignored with --model_file")
    model.add_argument("--model_file", help="the program's file")
    model.add_argument("--param_file", help="the combined parameters' file")
    model.add_argument(
        "--torch", metavar="FILE.pt2", help="a program of torch.export instead (docs/torch.md)"
    )
    model.add_argument(
        "--model_set_dir", "--model_set", dest="model_set_dir", help="a folder of model folders"
    )

    out = parser.add_argument_group("output")
    out.add_argument("--optimize_out", help="where to write; .nb is appended")
    out.add_argument("--optimize_out_type", default="naive_buffer", choices=MODEL_TYPES)
    out.add_argument(
        "--valid_targets",
        nargs="+",
        default=[],
        metavar="TARGET",
        help=f"separated by commas or spaces: {', '.join(CPU_TARGETS)} (default: this machine's "
        f"CPU), NNAdapter devices: {', '.join(NNADAPTER_TARGETS + OWN_DEVICES)} or any other "
        f"name; without an effect: {', '.join(GPU_TARGETS)}",
    )
    out.add_argument(
        "--keep_tensors",
        nargs="+",
        default=[],
        metavar="NAME",
        help="intermediate tensors that are outputs, too",
    )
    _flag(out, "--enable_fp16", "name kernels of half precision (arm)")
    _flag(out, "--sparse_model", "store 1x1 convolutions without their zero weights (arm)")
    out.add_argument(
        "--sparse_threshold",
        type=float,
        default=0.6,
        help="the share of zeros that makes weights sparse (default: 0.6)",
    )
    _flag(out, "--quant_model", "store the weights of convolutions and products in integers")
    out.add_argument(
        "--quant_type",
        default="QUANT_INT16",
        choices=QUANT_TYPES,
        help="the integers of --quant_model (default: QUANT_INT16)",
    )
    _flag(out, "--record_tailoring_info", "also list the used operators and kernels")

    devices = parser.add_argument_group("NNAdapter devices")
    devices.add_argument(
        "--nnadapter_subgraph_partition_config_path", help="a file that says what stays on the CPU"
    )
    devices.add_argument(
        "--nnadapter_mixed_precision_quantization_config_path",
        help="a file that says which quantised operators compute in floating point",
    )

    info = parser.add_argument_group("information")
    info.add_argument("--version", action="store_true", help="print the version")
    _flag(info, "--print_model_ops", "the operators of the model")
    _flag(info, "--print_supported_ops", "the operators that run on the targets")
    _flag(info, "--print_all_ops", "all operators")
    _flag(info, "--print_all_ops_in_md_format", "all operators, in Markdown")
    _flag(info, "--display_kernels", "all kernels")
    info.add_argument("--optimized_nb_model_path", help="a .nb file to draw")
    info.add_argument("--visualization_file_output_path", help="the folder for its Graphviz files")

    return parser


def parse(argv: list[str]) -> argparse.Namespace:
    """The flags; words after ``--valid_targets=x86`` are more targets."""
    parser = make_parser()
    flags, rest = parser.parse_known_args(argv)
    if flags.valid_targets and rest and not any(word.startswith("-") for word in rest):
        flags.valid_targets += rest
    elif rest:
        parser.error(f"unknown argument {' '.join(rest)}")
    flags.valid_targets = ",".join(flags.valid_targets)
    return flags
