"""What needs the npm package runs where `.ci/web` has made it."""

from __future__ import annotations

import os

collect_ignore_glob: list[str] = []
if not os.environ.get("LITE_TEST_WEB"):
    collect_ignore_glob.append("test_with_web*.py")
