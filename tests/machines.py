"""Folders that describe processors, as LITE_CPU_FOLDER names them."""

from __future__ import annotations

from pathlib import Path


def with_caches(folder: Path, l1: str, l2: str) -> Path:
    """One core with caches of these sizes, as 32K."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "online").write_text("0\n")
    for level, size in ((1, l1), (2, l2)):
        cache = folder / "cpu0" / "cache" / f"index{level - 1}"
        cache.mkdir(parents=True)
        for name, text in (("level", str(level)), ("type", "Data"), ("size", size)):
            (cache / name).write_text(f"{text}\n")
    return folder
