"""Command line and recording of the operator tables."""

from __future__ import annotations

import harness
import pytest


def pytest_sessionfinish(session: pytest.Session) -> None:
    if harness.RECORD:
        for table in harness.TABLES.values():
            if table.recorded:
                table.save()
