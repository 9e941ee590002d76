"""YAML with line numbers, and the error that names them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import yaml

MAX_DEPTH = 50


class RuleError(Exception):
    """A mistake in a file of operator rules: where it is and what is wrong."""

    def __init__(self, file: str, line: int, where: str, message: str) -> None:
        super().__init__(f"{file}:{line}: {where}: {message}")


@dataclass(frozen=True)
class Item:
    """A part of the file: a str, int, float, bool, None, list[Item] or dict[str, Item]."""

    value: Any
    line: int


class Reader:
    def __init__(self, file: str) -> None:
        self.file = file

    def fail(self, item: Item | int, where: str, message: str) -> RuleError:
        line = item if isinstance(item, int) else item.line
        return RuleError(self.file, line, where, message)

    def load(self, text: str) -> Item:
        try:
            node = yaml.compose(text, Loader=yaml.SafeLoader)
            return self._item(node, 0) if node is not None else Item({}, 1)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            line = mark.line + 1 if mark else 1
            raise RuleError(self.file, line, "YAML", error.problem or "is malformed") from error
        except (yaml.YAMLError, ValueError) as error:
            raise RuleError(self.file, 1, "YAML", str(error).splitlines()[0]) from error
        except RecursionError as error:
            raise RuleError(self.file, 1, "YAML", "nests too deeply") from error

    def _item(self, node: yaml.Node, depth: int) -> Item:
        line = node.start_mark.line + 1
        if depth > MAX_DEPTH:
            raise RuleError(self.file, line, "YAML", "nests too deeply")
        if isinstance(node, yaml.ScalarNode):
            loader = yaml.SafeLoader("")
            value: Any = loader.construct_object(node)
            if not isinstance(value, (str, int, float, bool, type(None))):
                value = node.value
            if isinstance(value, str) and not value.isascii():
                value.encode()  # raises a ValueError for half a character
            return Item(value, line)
        if isinstance(node, yaml.SequenceNode):
            return Item([self._item(child, depth + 1) for child in node.value], line)
        fields: dict[str, Item] = {}
        for key, child in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise RuleError(self.file, line, "YAML", "a key is not a name")
            if key.value in fields:
                raise RuleError(
                    self.file, key.start_mark.line + 1, key.value, "stands here a second time"
                )
            fields[key.value] = self._item(child, depth + 1)
        return Item(fields, line)
