"""What needs the library for Windows runs where `.ci/windows` has made it."""

from __future__ import annotations

import os

collect_ignore_glob: list[str] = []
if not os.environ.get("LITE_TEST_WINDOWS"):
    collect_ignore_glob.append("test_with_wine*.py")
