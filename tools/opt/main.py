"""paddle_lite_opt: the flags and the console output of Paddle Lite's tool."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys

from lite.api.opt import Opt
from lite.errors import ConfigError

from ..report import reported
from .flags import make_parser, parse


def main(argv: list[str] | None = None) -> int:
    """Runs the tool; returns 0, or 1 after one line on stderr."""
    arguments = sys.argv[1:] if argv is None else argv
    if list(arguments) == ["--pipe"]:
        from .pipe import serve

        return serve()
    return reported("paddle_lite_opt", lambda: _run(parse(list(arguments))))


def _run(flags: argparse.Namespace) -> int:
    opt = _configured(flags)
    if flags.version:
        print(opt.version())
    elif flags.print_all_ops:
        opt.print_all_ops()
    elif flags.print_all_ops_in_md_format:
        opt.print_all_ops_in_md_dormat()
    elif flags.print_supported_ops:
        opt.print_supported_ops()
    elif flags.display_kernels:
        opt.display_kernels_info()
    elif flags.print_model_ops:
        opt.check_if_model_supported(True)
    elif flags.optimized_nb_model_path or flags.visualization_file_output_path:
        _visualize(opt, flags)
    elif not flags.optimize_out:
        make_parser().print_help()
    else:
        opt.run()
    return 0


def _configured(flags: argparse.Namespace) -> Opt:
    opt = Opt()
    opt.set_model_dir(flags.model_dir or "")
    _set_model_file(opt, flags)
    opt.set_param_file(flags.param_file or "")
    opt.set_modelset_dir(flags.model_set_dir or "")
    opt.set_model_type(flags.optimize_out_type)
    opt.set_optimize_out(flags.optimize_out or "")
    opt.set_valid_places(flags.valid_targets)
    opt.record_model_info(flags.record_tailoring_info)
    opt.set_quant_model(flags.quant_model)
    opt.set_quant_type(flags.quant_type)
    opt.set_sparse_model(flags.sparse_model)
    opt.set_sparse_threshold(flags.sparse_threshold)
    opt.keep_tensors(flags.keep_tensors)
    if flags.enable_fp16:
        opt.enable_fp16()
    opt.set_nnadapter_subgraph_partition_config_path(
        flags.nnadapter_subgraph_partition_config_path or ""
    )
    opt.set_nnadapter_mixed_precision_quantization_config_path(
        flags.nnadapter_mixed_precision_quantization_config_path or ""
    )
    return opt


def _set_model_file(opt: Opt, flags: argparse.Namespace) -> None:
    if not flags.torch:
        return opt.set_model_file(flags.model_file or "")
    if not flags.torch.endswith(".pt2"):
        raise ConfigError(f"--torch takes a .pt2 file of torch.export.save, not {flags.torch}")
    from lite.torch.exported import read_exported

    opt.set_model_file(flags.torch, read_exported)


def _visualize(opt: Opt, flags: argparse.Namespace) -> None:
    model, folder = flags.optimized_nb_model_path, flags.visualization_file_output_path
    if not model or not folder:
        raise ConfigError(
            "drawing a model takes both --optimized_nb_model_path and "
            "--visualization_file_output_path"
        )
    dot = shutil.which("dot")
    for name in opt.visualize_optimized_nb_model(model, folder):
        path = os.path.join(folder, name)
        print(f"{path}.dot")
        if dot is not None:
            subprocess.run([dot, "-Tpdf", f"{path}.dot", "-o", f"{path}.pdf"], check=True)
            print(f"{path}.pdf")


if __name__ == "__main__":
    sys.exit(main())
