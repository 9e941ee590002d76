"""How PyInstaller freezes programs that import ``lite``: it asks the package itself."""

from pathlib import Path


def get_hook_dirs() -> list[str]:
    """Where the hooks are."""
    return [str(Path(__file__).parent)]
