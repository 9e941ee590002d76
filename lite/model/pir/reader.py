"""`inference.json` of Paddle 3 (PIR) to Program."""

from __future__ import annotations

import os

from lite.errors import LiteError, ModelFormatError
from lite.model.pir import constants, control_flow, special  # noqa: F401  (they register themselves)
from lite.model.pir.document import Operation, Parameter, Region, parse_document
from lite.model.pir.onednn import use_plain_operators
from lite.model.pir.scope import Scope, Shared
from lite.model.pir.translate import Translator, check_known
from lite.model.pir.translate import special as translates
from lite.model.program import Attr, AttrType, OpDesc, Program, VarDesc, VarType

NEWER = "LITE_PIR_NEWER"
"""Set to 1, this environment variable admits files of a version that is not known."""

VOCABULARY = 2006002
"""The version of Paddle whose operators a program is made of."""


@translates("pd_op.data")
def data(t: Translator, op: Operation) -> None:
    """An input of the model."""
    if t.block.idx != 0:
        op.fail("an input stands inside a region")
    id, type = op.tensor()
    name = op.attributes().get("name")
    if not isinstance(name, str) or not name or name in t.block.vars:
        op.fail(f"attribute 'name' is {name!r}, expected the name of a new variable")
    col = sum(other.type == "feed" for other in t.block.ops)
    feed = OpDesc("feed", {"X": ["feed"]}, {"Out": [name]}, {"col": Attr(AttrType.INT, col)})
    t.block.ops.append(feed)
    t.define(id, type, name)
    t.block.vars[name].need_check_feed = True


@translates("pd_op.fetch", "builtin.shadow_output")
def fetch(t: Translator, op: Operation) -> None:
    """An output of the model; its variable has the output's name."""
    if t.block.idx != 0:
        op.fail("an output stands inside a region")
    col, wanted = _output(op)
    value = t.operand(op, 0)
    name = value.variable()
    if wanted and name != wanted:
        copy = t.fresh(value.type, wanted)
        t.add("assign", {"X": [name]}, {"Out": [copy]})
        name = copy
    if col < 0:
        col = sum(other.type == "fetch" for other in t.block.ops)
    t.add("fetch", {"X": [name]}, {"Out": ["fetch"]}, {"col": Attr(AttrType.INT, col)})
    for id, _ in op.results:
        t.bind(id, value)


def _output(op: Operation) -> tuple[int, str]:
    """Column (-1 where there is none) and name."""
    attributes = op.attributes()
    col = attributes.get("col", -1)
    name = attributes.get("name", attributes.get("output_name", ""))
    if type(col) is not int or col < -1 or not isinstance(name, str):
        op.fail(f"col is {col!r} and name {name!r}")
    return col, name


def _shared(region: Region, version: int) -> Shared:
    """Names that are taken, and the names that outputs want."""
    reserved = {"feed", "fetch"}
    outputs: dict[int, str] = {}
    for item in region.operations:
        if isinstance(item, Parameter):
            reserved.add(item.name)
        elif item.full_name == "pd_op.data":
            reserved.add(str(item.attributes().get("name")))
        elif item.full_name in ("pd_op.fetch", "builtin.shadow_output") and item.operands:
            outputs.setdefault(item.operands[0], _output(item)[1])
    return Shared(region, reserved, {id: name for id, name in outputs.items() if name}, version)


def read_pir(data: bytes, name: str = "model") -> Program:
    """A Program (without parameters) from the bytes of an `inference.json`.

    ``name`` stands in messages. Raises ModelFormatError for a broken file,
    UnsupportedOperatorError for operators, attributes or versions that are not known, LiteError for
    what is known and not supported.
    """
    try:
        document = parse_document(data, newer=os.environ.get(NEWER) == "1")
        region = document.region
        use_plain_operators(region)
        check_known(region)
        program = Program(version=VOCABULARY)
        block = program.root
        block.vars["feed"] = VarDesc("feed", VarType.FEED_MINIBATCH, None, persistable=True)
        block.vars["fetch"] = VarDesc("fetch", VarType.FETCH_LIST, None, persistable=True)
        shared = _shared(region, document.version)
        translator = Translator(program, shared, block, Scope())
        if region.arguments:
            raise ModelFormatError("the program's region has arguments")
        translator.translate(region)
        shared.drop_unused_constants()
    except LiteError as error:
        raise type(error)(f"{name}: {error}") from None
    except RecursionError:
        raise ModelFormatError(f"{name}: the program is nested too deeply") from None
    return program
