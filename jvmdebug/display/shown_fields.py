# SPDX-License-Identifier: Apache-2.0
"""The fields and names that the logical view shows: compiler-generated ones as in the source.

The raw view shows every field by its real name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.descriptors import java_name, simple_name
from jvmdebug.display.texts.language import BOXES
from jvmdebug.model.field import captured_name, is_captured

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.model.field import Field
    from jvmdebug.model.reference_type import ReferenceType

_THROWABLE: Final = "java.lang.Throwable"
_OF_THROWABLE: Final = ("detailMessage", "cause", "suppressedExceptions")
_ENTRY_FIELDS: Final = ("key", "value", "val")
_WEAK_ENTRIES: Final = frozenset(
    {"java.util.WeakHashMap$Entry", "java.lang.ThreadLocal$ThreadLocalMap$Entry"}
)
"""Entries that are references to their keys."""
_ENTRIES: Final = frozenset(
    {
        *("java.util.HashMap$Node", "java.util.TreeMap$Entry", "java.util.Hashtable$Entry"),
        "java.util.concurrent.ConcurrentHashMap$Node",
        "java.util.concurrent.ConcurrentSkipListMap$Node",
    }
)
_WHOLE: Final = BOXES | {"java.lang.String"}


async def logical_fields(type_: ReferenceType) -> list[Field]:
    """Instance fields of the class and its superclasses, its own first, without bookkeeping."""
    if type_.name in _WHOLE:
        return []
    fields = await type_.instance_fields()
    above = {each.name for each in (type_, *await type_.superclasses())}
    if above & _WEAK_ENTRIES:
        named = {each.name: each for each in fields}
        return [named[each] for each in ("referent", "value") if each in named]
    if above & _ENTRIES:
        return [each for each in fields if each.name in _ENTRY_FIELDS]
    if _THROWABLE in above:
        return [
            each
            for each in fields
            if each.declaring_type.name != _THROWABLE or each.name in _OF_THROWABLE
        ]
    return list(fields)


def is_whole(type_: ReferenceType) -> bool:
    """Whether the object is shown as one value, without children: a string or a box."""
    return type_.name in _WHOLE


def display_name(field: Field, among: Sequence[Field], *, is_kotlin: bool = False) -> str:
    """`x` for a captured `val$x` (Kotlin: `$x`), `Cart.this` (Kotlin: `this@Cart`) for `this$0`;
    else the field's own name.
    """
    if field.name == "referent" and any(
        each.declaring_type.name in _WEAK_ENTRIES for each in among
    ):
        return "key"
    if not field.is_synthetic or field.is_static:
        return field.name
    shown = field.name
    if field.name.startswith("this$"):
        outer = simple_name(java_name(field.signature))
        shown = f"this@{outer.rpartition('$')[2]}" if is_kotlin else f"{outer}.this"
    elif is_captured(field.name):
        shown = captured_name(field.name)
    taken = any(
        each is not field
        and (each.name == shown or (each.is_synthetic and captured_name(each.name) == shown))
        for each in among
    )
    return field.name if taken else shown
