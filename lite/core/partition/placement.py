"""The report of a partition, with what renders it."""

from __future__ import annotations

from lite.report.places import Places


class Placement(Places):
    """The whole report; ``table()``, ``json()``, ``dot()`` and ``html()`` render it."""

    def __str__(self) -> str:
        return self.table()

    def _repr_html_(self) -> str:
        from lite.report.html import framed

        return framed(self.html(self.model or "Placement"))

    def table(self) -> str:
        """The report as text."""
        from lite.report.table import table

        return table(self)

    def json(self) -> str:
        """The report as JSON, indented."""
        from lite.report.to_json import to_json

        return to_json(self)

    def print_log(self) -> None:
        """Prints what Paddle Lite prints of its subgraphs, where ``GLOG_v`` is 5 or more."""
        from lite.core.partition.log import print_at_level_5

        print_at_level_5(self)

    def dot(self) -> str:
        """The report as a Graphviz digraph, one cluster of nodes for each subgraph."""
        from lite.report.dot import dot

        return dot(self)

    def html(self, title: str = "Placement") -> str:
        """The report as one HTML page that needs no network."""
        from lite.report.html import html

        return html(self, title)

    def config_text(self) -> str:
        """A partition config that keeps on the CPU what is there now, to be edited."""
        from lite.core.partition.config_text import config_text

        return config_text(self)
