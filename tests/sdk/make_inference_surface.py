"""Writes data/inference_api_VERSION.txt: the C++ API that an installed Paddle's library exports.

``python make_inference_surface.py FOLDER``, with an interpreter that has paddlepaddle. A line is a
method or a function, its types in C++.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

CLASSES = (
    "paddle::AnalysisConfig paddle::LiteNNAdapterConfig paddle::PaddleBuf "
    "paddle::PaddlePassBuilder paddle_infer::Predictor paddle_infer::Tensor "
    "paddle_infer::services::PredictorPool"
).split()
STRING = "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >"
DEFAULTS = r", std::(?:allocator|hash|equal_to|less)<(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>"
# Templates have their result before them.
OWN = re.compile(
    rf"(?:[\w:*&<> ]+ )?((?:{'|'.join(CLASSES)})::~?\w+(?:<[^()]*>)?\(.*|"
    r"paddle_infer::(?:Create|Get|Update|Convert)\w+\(.*|paddle::get_version\(\)|"
    r"paddle::PaddleDtypeSize\(.*)"
)
INTERNAL = re.compile(r"::FindTensor|::\w+Impl<|::(?:Tensor|Predictor)\(|float16|_\w*stream")


def surface(library: Path) -> list[str]:
    """The API's exported functions, sorted."""
    command = ["nm", "-D", "-C", "--defined-only", str(library)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found = set()
    for line in done.stdout.splitlines():
        _, _, text = line.partition(" ")
        kind, _, text = text.partition(" ")
        text = text.replace(STRING, "std::string").replace("[abi:cxx11]", "")
        while (shorter := re.sub(DEFAULTS, "", text)) != text:
            text = shorter
        text = re.sub(r" +>", ">", text)
        declared = OWN.fullmatch(text)
        if kind in "TW" and declared and not INTERNAL.search(text):
            found.add(declared.group(1))
    return sorted(found)


def main() -> None:
    """Writes the file."""
    import paddle

    library = Path(paddle.__file__).parent / "base" / "libpaddle.so"
    text = "".join(f"{line}\n" for line in surface(library))
    path = Path(sys.argv[1]) / f"inference_api_{paddle.__version__}.txt"
    path.write_text(text, encoding="utf-8")
    print(path)


if __name__ == "__main__":
    main()
