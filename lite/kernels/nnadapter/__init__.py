"""How operators become NNAdapter operations: rules of one's own beside operators.yaml."""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path

__all__ = ["add_operators", "declared_operators", "reset_operators"]


def add_operators(file: str | PathLike[str], text: str | None = None) -> list[str]:
    """Adds the rules of a YAML file (or of `text`, which `file` then only names) and returns their
    operators. A rule replaces one of the same operator. All or none are added; raises ConfigError
    naming file, line and field of a mistake, and OSError where the file cannot be read.

    Operators of the file may inherit from each other and from those of operators.yaml.
    docs/generated/nnadapter_operators.md describes the file.
    """
    from lite import _core
    from lite.errors import ConfigError

    from . import rules

    name = fspath(file)
    try:
        content = Path(name).read_text(encoding="utf-8") if text is None else text
        found = rules.parse(content, name, base=Path(__file__).with_name("operators.yaml"))
    except UnicodeDecodeError as error:
        raise ConfigError(f"{name}: the file is not UTF-8 text: {error.reason}") from error
    except rules.RuleError as error:
        raise ConfigError(str(error)) from error
    try:
        _core.nnadapter_add_rules([rule.node.rows() for rule in found])
    except ConfigError as error:  # what the library alone knows, such as its converters
        raise ConfigError(f"{name}: {error}") from error
    return [rule.op for rule in found]


def declared_operators() -> list[str]:
    """The operators that can become NNAdapter operations, sorted."""
    from lite import _core

    return _core.nnadapter_operators()


def reset_operators() -> None:
    """Forgets what add_operators added."""
    from lite import _core

    _core.nnadapter_reset_rules()
