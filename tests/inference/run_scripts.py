"""Runs scripts one after the other, each in a child, with ``paddle.inference`` or with ours.

    python run_scripts.py paddle|lite MODELS OUT SCRIPT...

For ``lite`` a script is run with its imports changed, and nothing else. What it left in ``results``
(arrays) and ``facts`` (anything that JSON takes) goes to OUT/NAME.npz and OUT/NAME.json.
"""

from __future__ import annotations

import json
import os
import re
import sys
import traceback
from pathlib import Path
from typing import Any

import numpy as np


def changed(source: str) -> str:
    """The script with `paddle` in its import statements replaced by `lite`."""
    return re.sub(r"^(from|import) paddle\b", r"\1 lite", source, flags=re.M)


def run(engine: str, models: str, out: Path, script: Path) -> None:
    """One script, in this process."""
    source = script.read_text()
    names: dict[str, Any] = {"__name__": "__main__"}
    sys.argv = [script.name, models]
    os.chdir(out)
    code = source if engine == "paddle" else changed(source)
    assert (code != source) == (engine == "lite")
    exec(compile(code, str(script), "exec"), names)
    np.savez(out / f"{script.stem}.npz", **names["results"])
    (out / f"{script.stem}.json").write_text(json.dumps(names["facts"], default=str))


def main(engine: str, models: str, out: Path, scripts: list[Path]) -> None:
    """Each script in a child: what one does, even crash, is its own."""
    if engine == "paddle":
        import paddle.inference  # noqa: F401
    else:
        import lite.inference  # noqa: F401
    for script in scripts:
        if child := os.fork():
            os.waitpid(child, 0)
            continue
        try:
            run(engine, models, out, script)
        except BaseException:
            (out / f"{script.stem}.txt").write_text(traceback.format_exc())
        os._exit(0)
    if engine == "lite":
        assert not [name for name in sys.modules if name.split(".")[0] == "paddle"]


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]), [Path(name) for name in sys.argv[4:]])
