"""Writes the C++ table of the optimizer's default passes: make_pass_list.py PASS_LIST.py OUT.cc."""

import runpy
import sys
from pathlib import Path

names = runpy.run_path(sys.argv[1])["PASS_LIST"]
rows = "".join(f'      "{name}",\n' for name in names)
Path(sys.argv[2]).write_text(
    '#include "lite/sdk/inference/pass_list.h"\n\n'
    "const std::vector<std::string>& paddle::DefaultPasses() {\n"
    f"  static const std::vector<std::string> kPasses = {{\n{rows}  }};\n"
    "  return kPasses;\n}\n",
    encoding="utf-8",
)
