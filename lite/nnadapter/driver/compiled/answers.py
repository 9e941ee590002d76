"""What compilers answered, in files: a question costs seconds to minutes of compilations."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from lite.model.atomic import replacing
from lite.nnadapter.driver.compiled.toolkit import user_folder

Answer = Mapping[int, str] | str
"""The operations that are refused, with reasons; or a text: the model is not read."""


def recall(key: str) -> Answer | None:
    """What was remembered; None where that is nothing, or no answer."""
    try:
        said = json.loads(_path(key).read_text())
        return (
            {int(n): str(why) for n, why in said.items()} if isinstance(said, dict) else str(said)
        )
    except (OSError, ValueError):
        return None


def remember(key: str, answer: Answer) -> None:
    """Writes an answer; one that cannot be written is asked for again."""
    path = _path(key)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            file.write(json.dumps(answer if isinstance(answer, str) else dict(answer)).encode())


def _path(key: str) -> Path:
    return user_folder("XDG_CACHE_HOME", ".cache") / "answers" / key[:2] / key[2:]
