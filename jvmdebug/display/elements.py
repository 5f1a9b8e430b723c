# SPDX-License-Identifier: Apache-2.0
"""Values as Python's own: primitives, boxes and strings; the elements of collections; entries.

Runs no code of the program. Called by the session, for scripts, and by renderers and observations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.display import layout
from jvmdebug.display.libraries import stand_ins
from jvmdebug.display.texts.language import BOXES
from jvmdebug.display.views.fields import Single
from jvmdebug.display.views.known import contents
from jvmdebug.model.primitives import PrimitiveKind
from jvmdebug.model.values import (
    ArrayReference,
    NullValue,
    ObjectReference,
    PrimitiveValue,
    StringReference,
)

if TYPE_CHECKING:
    from jvmdebug.display.views.known import Contents
    from jvmdebug.display.views.view import Entry
    from jvmdebug.model.values import Value


def python_primitive(value: PrimitiveValue) -> bool | int | float | str:
    """The same in Python; a char is a string of one character."""
    return chr(int(value.value)) if value.kind is PrimitiveKind.CHAR else value.value


async def python_value(value: Value) -> bool | int | float | str | None:
    """The same in Python, for primitives, boxes, strings and null; LookupError for others."""
    if isinstance(value, NullValue):
        return None
    if isinstance(value, PrimitiveValue):
        return python_primitive(value)
    if isinstance(value, StringReference):
        return await value.as_text()
    if isinstance(value, ObjectReference) and (await value.type()).name in BOXES:
        (held,) = await layout.read(value, "value")
        return await python_value(held)
    raise LookupError(str(value))


async def collection(value: Value) -> Contents | None:
    """What a collection or map has; None for other values, arrays too."""
    if not isinstance(value, ObjectReference) or isinstance(value, ArrayReference):
        return None
    stand_in = await stand_ins.find(value)
    if stand_in is not None and stand_in.target is not None:
        value = stand_in.target
    found = await contents(value)
    return None if found is not None and isinstance(found.view, Single) else found


async def element_count(value: Value) -> int | None:
    """How many elements an array, a collection or map, or characters a string has; else None."""
    if isinstance(value, ArrayReference):
        return await value.length()
    if isinstance(value, StringReference):
        return (await value.beginning(0))[1]
    found = await collection(value)
    return None if found is None else found.size


async def map_entries(value: Value) -> list[Entry] | None:
    """The entries of a map, each with its key; None for what is no map."""
    found = await collection(value)
    if found is None or not await _is_map(value):
        return None
    return await found.page(0, found.size)


async def _is_map(value: Value) -> bool:
    """Whether it is a java.util.Map, or a map of another language, which an entry's key tells."""
    if isinstance(value, ObjectReference) and await (await value.type()).is_subtype_of(
        "java.util.Map"
    ):
        return True
    found = await collection(value)
    first = [] if found is None else await found.page(0, 1)
    return bool(first) and first[0].key is not None


async def enum_constant_name(value: Value) -> str | None:
    """`RED`, of a constant; None for other values."""
    if not isinstance(value, ObjectReference):
        return None
    if not await (await value.type()).is_subtype_of("java.lang.Enum"):
        return None
    return await layout.read_text(value, "name", of="java.lang.Enum")
