# SPDX-License-Identifier: Apache-2.0
"""Jackson: trees of JSON. A node is written as JSON, an object or array opens to its children."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.display import layout
from jvmdebug.display.views.wrapper import Wrapper

if TYPE_CHECKING:
    from jvmdebug.display.line import Line, TextOf
    from jvmdebug.display.views.view import View
    from jvmdebug.model.values import ObjectReference

_PACKAGES: Final = ("com.fasterxml.jackson.databind.node.", "tools.jackson.databind.node.")
_SCALARS: Final = (
    *("BooleanNode", "IntNode", "LongNode", "ShortNode", "FloatNode", "DoubleNode"),
    *("DecimalNode", "BigIntegerNode", "TextNode", "StringNode", "POJONode", "BinaryNode"),
)


async def _scalar(reference: ObjectReference, line: Line) -> str:
    value = (await layout.read(reference, await layout.field_name(reference, "_value", "_data")))[0]
    return await line.part(value, line.room)


async def _null(_reference: ObjectReference, _line: Line) -> str:
    return "null node"


async def _missing(_reference: ObjectReference, _line: Line) -> str:
    return "missing node"


TEXTS: Final[dict[str, TextOf]] = {
    **{f"{package}{name}": _scalar for package in _PACKAGES for name in _SCALARS},
    **{f"{package}NullNode": _null for package in _PACKAGES},
    **{f"{package}MissingNode": _missing for package in _PACKAGES},
}
VIEWS: Final[dict[str, View | Wrapper]] = {
    f"{package}{name}": Wrapper("_children")
    for package in _PACKAGES
    for name in ("ObjectNode", "ArrayNode")
}
