"""What pickling and copying a predictor says."""

from __future__ import annotations

from typing import NoReturn


def no_pickle(value: object) -> NoReturn:
    """Raises TypeError: a predictor is memory of this process."""
    raise TypeError(
        f"a {type(value).__name__} cannot be pickled or copied: it is memory of this process. Hand "
        "the model's path to the other process and load it there; clone() of a predictor gives "
        "another one here"
    )
