"""PassBuilder: which optimizer passes a configuration runs."""

from __future__ import annotations

import logging

from lite.inference.arguments import checked, log_once
from lite.inference.errors import ConfigValueError

_REQUIRED = ("static_kernel_pick_pass",)
"""Without optimisation, what is left to do is to name kernels."""


class PassBuilder:
    """The list of passes, by the names of this framework (``lite_conv_bn_fuse_pass``, ...).

    Names that it does not have are kept in the list and change nothing, as in Paddle.
    """

    __slots__ = ("_analysis", "_changed", "_passes")

    @checked
    def __init__(self, passes: list[str], /) -> None:
        self._passes = list(passes)
        self._analysis: list[str] = []
        self._changed = False

    def all_passes(self) -> list[str]:
        """The passes in order."""
        return list(self._passes)

    @checked
    def set_passes(self, passes: list[str], /) -> None:
        """Replaces the list."""
        self._replace(list(passes))

    @checked
    def append_pass(self, name: str, /) -> None:
        """Adds a pass at the end."""
        self._replace([*self._passes, name])

    @checked
    def insert_pass(self, index: int, name: str, /) -> None:
        """Adds a pass at a position. Raises ConfigValueError outside the list."""
        if not 0 <= index <= len(self._passes):
            raise ConfigValueError(
                f"insert_pass({index}, {name!r}): the list has {len(self._passes)} passes"
            )
        self._replace([*self._passes[:index], name, *self._passes[index:]])

    @checked
    def delete_pass(self, name: str, /) -> None:
        """Leaves out a pass; Paddle's ``fc_fuse_pass`` means ``lite_fc_fuse_pass`` too."""
        self._replace([p for p in self._passes if p not in (name, f"lite_{name}")])

    def analysis_passes(self) -> list[str]:
        """What append_analysis_pass was given."""
        return list(self._analysis)

    @checked
    def append_analysis_pass(self, name: str, /) -> None:
        """Kept; there are no analysis passes here."""
        self._analysis.append(name)

    def turn_on_debug(self) -> None:
        """Paddle draws a picture after each pass; GLOG_v=3 prints what each pass changed here."""
        log_once(logging.INFO, "turn_on_debug(): set GLOG_v=3 to see what each pass changes")

    def debug_string(self) -> str:
        """The list as a text."""
        return "Passes to apply:\n" + "".join(f"  - {name}\n" for name in self._passes)

    def _replace(self, passes: list[str]) -> None:
        self._changed = self._changed or passes != self._passes
        self._passes = passes

    def _copy(self) -> PassBuilder:
        copied = PassBuilder(self._passes)
        copied._analysis = list(self._analysis)
        copied._changed = self._changed
        return copied

    def _chosen(self, optimise: bool) -> list[str] | None:
        """The passes to run; None is the default list."""
        if not optimise:
            return list(_REQUIRED)
        if not self._changed:
            return None
        from lite.core.optimizer.registry import pass_names

        known = pass_names()
        chosen = [name for name in self._passes if name in known]
        return [*chosen, *(name for name in _REQUIRED if name not in chosen)]


def default_passes() -> list[str]:
    """The passes that run where nothing else is asked for."""
    from lite.core.optimizer.pass_list import PASS_LIST

    return list(PASS_LIST)
