"""How a command ends: an exit code, and one readable line on stderr for an error."""

from __future__ import annotations

import argparse
import os
import sys
import traceback
import warnings
from collections.abc import Callable
from typing import NoReturn


class Parser(argparse.ArgumentParser):
    """A parser that reports wrong arguments in one line and with exit code 1."""

    def error(self, message: str) -> NoReturn:
        self.exit(1, f"{self.prog}: {message}; see {self.prog} --help\n")


def reported(name: str, command: Callable[[], int]) -> int:
    """Runs a command. A warning becomes one line on stderr, an error one and 1; GLOG_v shows where
    it arose."""
    try:
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_, **__: print(
                f"{name}: warning: {message}", file=sys.stderr
            )
            code = command()
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # The reader of a pipe has gone, as in `lite print MODEL | head`.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        print(f"{name}: interrupted", file=sys.stderr)
        return 130
    except Exception as error:
        if os.environ.get("GLOG_v", "0") not in ("", "0"):
            traceback.print_exc()
        sys.stdout.flush()
        print(f"{name}: {describe(error)}", file=sys.stderr)
        return 1


def describe(error: BaseException) -> str:
    """An error in one line: its kind and what it says."""
    said = error.args[0] if isinstance(error, KeyError) and error.args else error
    text = " ".join(str(said).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
