"""The table of aten operators (`operators.yaml`): names, releases of torch, and meanings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from lite.errors import ConfigError

TABLE = Path(__file__).with_name("operators.yaml")
SECTIONS = ("official", "custom", "symint")
DTYPE_GROUPS = ("", "float", "number")
_KEYS = {"func", "forms", "lite_op", "gen_lite", "derivatives"}
_GEN_KEYS = {"structured_inherit", "dtypes", "out", "cast", "when", "new_params", "exec", "adapter"}


@dataclass(frozen=True)
class Condition:
    """What must hold of a call's arguments, and what users read where it does not."""

    test: str
    why: str


@dataclass(frozen=True)
class Meaning:
    """What an operator becomes: statements of Paddle operators, or an adapter by hand.

    ``dtypes`` are the element types that its tensors may have: ``float`` (float32), ``number``
    (float32, int32, int64), or all that the framework knows.
    """

    statements: tuple[str, ...] = ()
    adapter: str = ""
    dtypes: str = ""
    cast: str = ""
    out: Mapping[str, Any] = field(default_factory=dict)
    new_params: Mapping[str, str] = field(default_factory=dict)
    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True)
class Row:
    """One line of the table. ``name`` is ``aten::add.Tensor``; ``schema`` is torch's own text."""

    name: str
    schema: str
    section: str
    versions: tuple[str, ...]
    meaning: Meaning
    inherits: str = ""
    derivatives: Mapping[str, str] = field(default_factory=dict)


def operator_name(schema: str, namespace: str = "aten") -> str:
    """``add.Tensor(Tensor self, ...) -> Tensor`` as ``aten::add.Tensor``."""
    name = schema.partition("(")[0].strip()
    return name if "::" in name else f"{namespace}::{name}"


def form_schema(schema: str, name: str) -> str:
    """The schema of another form of an operator, functional or (``name_``) in place.

    >>> form_schema("add.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "add_.Tensor")
    'add_.Tensor(Tensor(a!) self) -> Tensor(a!)'
    """
    arguments, _, result = schema.partition("(")[2].rpartition(") -> ")
    arguments = re.sub(r"(, )?(\*, )?Tensor\(\w!\) \w+(, Tensor\(\w!\) \w+)*$", "", arguments)
    result = re.sub(r"Tensor\(\w!\)", "Tensor", result)
    if name.partition(".")[0].endswith("_"):
        arguments = re.sub(r"^Tensor(\(a\))? \w+", "Tensor(a!) self", arguments)
        result = "Tensor(a!)"
    return f"{name}({arguments}) -> {result}"


def load_table(
    path: Path = TABLE, inherited: Mapping[str, Row] | None = None
) -> dict[str, list[Row]]:
    """The rows of a file by operator name; several where a schema changed between releases.

    Raises ConfigError for what the file must not hold.
    """
    document = _document(path)
    releases = [str(version) for version in document.get("all_version", [])]
    rows: dict[str, list[Row]] = {}
    for section in SECTIONS:
        for entry in document.get(section) or []:
            for row in _rows(path, section, entry, releases):
                rows.setdefault(row.name, []).append(row)
    return {name: [_resolved(path, row, rows) for row in same] for name, same in rows.items()}


@cache
def official() -> dict[str, list[Row]]:
    """The project's own table."""
    return load_table()


def _document(path: Path) -> dict[str, Any]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        document = yaml.load(path.read_text(encoding="utf-8"), Loader=loader)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConfigError(f"{path}: {error}") from None
    if not isinstance(document, dict):
        raise ConfigError(f"{path}: expected all_version and the sections {', '.join(SECTIONS)}")
    unknown = set(document) - {"all_version", *SECTIONS}
    if unknown:
        raise ConfigError(f"{path}: unknown section {sorted(unknown)[0]!r}; there are {SECTIONS}")
    return document


def _rows(path: Path, section: str, entry: Any, releases: list[str]) -> list[Row]:
    """The row of an entry, and those of its other forms."""
    where = f"{path.name}: {section}"
    if not isinstance(entry, dict) or not isinstance(entry.get("func"), str):
        raise ConfigError(f"{where}: {entry!r} has no func, the operator's schema")
    schema = " ".join(entry["func"].split())
    name = operator_name(schema, "aten" if section != "custom" else "lite")
    where = f"{where}: {name}"
    _only(where, entry, _KEYS)
    gen = entry.get("gen_lite") or {}
    _only(where, gen, _GEN_KEYS)
    statements = gen.get("exec") or []
    meaning = Meaning(
        statements=tuple([statements] if isinstance(statements, str) else statements),
        adapter=gen.get("adapter", ""),
        dtypes=gen.get("dtypes", ""),
        cast=gen.get("cast", ""),
        out=dict(gen.get("out") or {}),
        new_params=dict(gen.get("new_params") or {}),
        conditions=tuple(
            Condition(str(test), str(why))
            for condition in gen.get("when") or []
            for test, why in condition.items()
        ),
    )
    if not (meaning.statements or meaning.adapter or gen.get("structured_inherit")):
        raise ConfigError(f"{where}: gen_lite says neither exec, adapter nor structured_inherit")
    if meaning.dtypes not in DTYPE_GROUPS:
        raise ConfigError(f"{where}: dtypes {meaning.dtypes!r}; there are {DTYPE_GROUPS[1:]}")
    versions = tuple(_versions(where, entry.get("lite_op", "all_version"), releases))
    inherits = gen.get("structured_inherit", "")
    derivatives = dict(entry.get("derivatives") or {})
    row = Row(name, schema, section, versions, meaning, inherits, derivatives)
    namespace, _, base = name.partition("::")
    forms = entry.get("forms", [])
    if not isinstance(forms, list) or not all(isinstance(form, str) for form in forms):
        raise ConfigError(f"{where}: forms {forms!r}; a list of operators' names is expected")
    others = [(operator_name(form, namespace), form_schema(schema, form)) for form in forms]
    return [row] + [
        replace(row, name=other, schema=text, inherits=base, derivatives={})
        for other, text in others
    ]


def _only(where: str, entry: Any, keys: set[str]) -> None:
    if not isinstance(entry, dict):
        raise ConfigError(f"{where}: expected keys of {sorted(keys)}, not {entry!r}")
    unknown = set(entry) - keys
    if unknown:
        raise ConfigError(f"{where}: unknown key {sorted(unknown)[0]!r}; there are {sorted(keys)}")


def _versions(where: str, said: Any, releases: list[str]) -> list[str]:
    """``all_version``, ``v2.8``, ``v2.6, v2.8`` or the closed range ``[v2.8, newest]``."""
    if said == "all_version":
        return releases
    if isinstance(said, list) and len(said) == 2:
        first, last = str(said[0]), releases[-1] if said[1] == "newest" else str(said[1])
        if first in releases and last in releases:
            return releases[releases.index(first) : releases.index(last) + 1]
    elif isinstance(said, str):
        named = [part.strip() for part in said.split(",")]
        if all(name in releases for name in named):
            return named
    raise ConfigError(f"{where}: lite_op {said!r} names no releases of {releases}")


def _resolved(path: Path, row: Row, rows: Mapping[str, list[Row]]) -> Row:
    if not row.inherits:
        return row
    namespace = row.name.partition("::")[0]
    name = operator_name(row.inherits, namespace)
    for parent in rows.get(name, []):
        if not parent.inherits and set(row.versions) <= set(parent.versions):
            return replace(row, meaning=parent.meaning)
    raise ConfigError(
        f"{path.name}: {row.name} inherits from {row.inherits}, which has no meaning of its own "
        f"for all of {', '.join(row.versions)}"
    )


def release(version: str) -> str:
    """A torch version (``2.13.0+cpu``) as the table names it (``v2.13``)."""
    major, minor = version.split("+")[0].split(".")[:2]
    return f"v{major}.{minor}"


def find(name: str, version: str, tables: tuple[Mapping[str, list[Row]], ...] = ()) -> Row | None:
    """The row of an operator (``aten::add.Tensor``) for a torch version, the users' tables first.

    A torch newer than the table knows takes the newest rows, which the schema check covers.
    """
    wanted = release(version)
    for table in (*tables, official()):
        same = table.get(name, [])
        for row in same:
            if wanted in row.versions:
                return row
        if same and _key(wanted) > max(_key(v) for row in same for v in row.versions):
            return same[-1]
    return None


def _key(release: str) -> tuple[int, ...]:
    return tuple(int(part) for part in release.removeprefix("v").split("."))
