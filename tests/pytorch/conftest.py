"""What needs torch runs where it is installed: `.ci/torch` makes such an environment."""

from __future__ import annotations

import importlib.util

collect_ignore_glob: list[str] = []
if importlib.util.find_spec("torch") is None:
    collect_ignore_glob = ["test_with_torch_*.py"]
