"""Command line and recording of the operator tables."""

from __future__ import annotations

import harness
import pytest


@pytest.fixture(autouse=True)
def _values_of_its_own(request: pytest.FixtureRequest) -> None:
    """What a test draws does not depend on those that ran before it."""
    harness.seed(request.node.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if harness.RECORD:
        for table in harness.TABLES.values():
            if table.recorded:
                table.save()
