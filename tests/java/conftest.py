"""What needs a JDK and Kotlin runs where `.ci/nightly java` says that they are there."""

from __future__ import annotations

import os

collect_ignore_glob: list[str] = []
if not os.environ.get("LITE_TEST_JAVA"):
    collect_ignore_glob.append("test_with_java*.py")
