# SPDX-License-Identifier: Apache-2.0
"""Reading well-known classes by their fields, without running code of the debuggee.

What a JDK's class keeps in which field is not part of its contract, so every reader says which
fields it needs, and a class without them is shown as any other object. The layouts read here are
those of JDK 8 to 25.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.descriptors import descriptor_of
from jvmdebug.model import page
from jvmdebug.model.values import (
    ArrayReference,
    ObjectReference,
    PrimitiveValue,
    StringReference,
)
from jvmdebug.together import together

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jvmdebug.model.field import Field
    from jvmdebug.model.page import PageEntry, Walk
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.values import Value


_KNOWN: Final = (
    *(
        "java.",
        "javax.",
        "jdk.",
        "sun.",
        "kotlin.",
        "kotlinx.",
        "scala.",
        "groovy.",
        "io.netty.",
        "reactor.",
    ),
    *("com.google.common.", "com.fasterxml.jackson.", "tools.jackson."),
    *("org.hibernate.", "org.springframework."),
)
"""Packages of the classes that are read by their fields; a program's subclasses add others."""


class UnknownLayoutError(Exception):
    """The class does not have the expected fields; show its fields instead."""


async def read(reference: ObjectReference, *names: str, of: str | None = None) -> tuple[Value, ...]:
    """The values of instance fields by name, nearest class first; one round trip when known.

    `of` is the name of the only class whose fields count. Without it those of the program's own
    subclasses do not: they may have the same names.
    """
    return await _read(reference, names, _is_known if of is None else lambda it: it.name == of)


async def field_name(reference: ObjectReference, *names: str) -> str:
    """The first of these that is a field of the object, by its name or behind `$$`.

    Versions of a library differ in that; Scala makes `scala$…$HashMap$$table` of a private `table`
    that other classes use.
    """
    type_ = await reference.type()
    for name in names:
        for declaring in (type_, *await type_.superclasses()):
            for field in await declaring.fields() if _is_known(declaring) else ():
                is_named = field.name == name or field.name.endswith(f"$${name}")
                if is_named and not field.is_static:
                    return field.name
    raise UnknownLayoutError(f"{type_.name} has none of the fields {names}")


async def read_nearest(reference: ObjectReference, name: str) -> Value:
    """The value of the field that the name denotes in the object's class, inherited ones too."""
    (value,) = await _read(reference, (name,), lambda _: True)
    return value


async def _read(
    reference: ObjectReference, names: Sequence[str], counts: Callable[[ReferenceType], bool]
) -> tuple[Value, ...]:
    return await reference.get_values(await _fields(reference, names, counts))


async def _fields(
    reference: ObjectReference, names: Sequence[str], counts: Callable[[ReferenceType], bool]
) -> list[Field]:
    type_ = await reference.type()
    by_name: dict[str, Field] = {}
    for declaring in (type_, *await type_.superclasses()):
        if counts(declaring):
            for field in await declaring.fields():
                if not field.is_static:
                    by_name.setdefault(field.name, field)
            if all(name in by_name for name in names):
                return [by_name[name] for name in names]
    raise UnknownLayoutError(f"{type_.name} has no fields {names}")


async def read_all(references: Sequence[ObjectReference], *names: str) -> list[tuple[Value, ...]]:
    """`read` for many objects, the requests sent together."""
    return await together(read(each, *names) for each in references)


async def read_nodes(nodes: Sequence[ObjectReference], *names: str) -> list[tuple[Value, ...]]:
    """`read_all` for what comes from an array or fields of the nodes' class, which declares the
    fields of these names: only the first is asked for its class. One round trip when that is known.
    """
    if not nodes:
        return []
    fields = await _fields(nodes[0], names, _is_known)
    return await together(each.get_values(fields) for each in nodes)


def _is_known(declaring: ReferenceType) -> bool:
    return declaring.name.startswith(_KNOWN)


async def read_range(array: ArrayReference, start: int, count: int) -> list[Value]:
    """Elements of an array, however many: in several replies where one would be too large."""
    if count > 0 and start + count > await array.length():
        # The object is under construction, or is changed without a lock.
        raise UnknownLayoutError("an array shorter than what it should hold")
    paged = await page.elements(array, start, count)
    if paged is not None:
        return paged
    return list(await array.get(start, max(count, 0)))


async def walk(
    reference: ObjectReference, way: Walk, skip: int, count: int
) -> list[PageEntry] | None:
    """Entries of a collection in few round trips; None where the agent cannot do that.

    The fields are those of the class and its superclasses that do not belong to the program.
    """
    way = dataclasses.replace(way, of=await _known_class(reference))
    return await page.entries(reference, way, skip, count)


async def count(reference: ObjectReference, way: Walk, most: int) -> int | None:
    """How many entries a collection has that keeps no count; None as above."""
    way = dataclasses.replace(way, of=await _known_class(reference))
    return await page.count_entries(reference, way, most)


async def _known_class(reference: ObjectReference) -> str:
    type_ = await reference.type()
    above = (type_, *await type_.superclasses())
    return next(each.signature for each in above if _is_known(each))


async def statics(near: ObjectReference, class_name: str, *names: str) -> tuple[Value, ...] | None:
    """Constant static fields of a JDK class; None unless it has all of them.

    Read once for each class of objects that needs them.
    """

    async def find() -> tuple[Value, ...] | None:
        for type_ in await near.vm.classes_by_signature(descriptor_of(class_name)):
            by_name = {each.name: each for each in await type_.fields() if each.is_static}
            if all(name in by_name for name in names):
                return await type_.static_values([by_name[name] for name in names])
        return None

    type_ = await near.type()
    return await type_.derived(f"{class_name} {names}", find)


async def read_integers(reference: ObjectReference, *names: str) -> list[int]:
    """Fields of integers, characters or booleans."""
    return [integer(each) for each in await read(reference, *names)]


async def read_int(reference: ObjectReference, name: str) -> int:
    """An int field."""
    return (await read_integers(reference, name))[0]


async def read_text(reference: ObjectReference, name: str, of: str | None = None) -> str:
    """A field that holds a string and is not null."""
    (value,) = await read(reference, name, of=of)
    text = await text_or_none(value)
    if text is None:
        raise UnknownLayoutError(f"{name} is no string")
    return text


async def text_or_none(value: Value) -> str | None:
    """The text of a string; None for anything else, null above all."""
    return await value.as_text() if isinstance(value, StringReference) else None


async def read_array(reference: ObjectReference, name: str) -> ArrayReference | None:
    """A field that holds an array; None when it holds null."""
    value = (await read(reference, name))[0]
    if isinstance(value, ArrayReference):
        return value
    if isinstance(value, ObjectReference):
        raise UnknownLayoutError(f"{name} is no array")
    return None


async def read_object(reference: ObjectReference, name: str) -> ObjectReference | None:
    """A field that holds an object; None when it holds null."""
    return as_object((await read(reference, name))[0])


def as_object(value: Value) -> ObjectReference | None:
    return value if isinstance(value, ObjectReference) else None


def integer(value: Value) -> int:
    if isinstance(value, PrimitiveValue):
        return int(value.value)
    raise UnknownLayoutError(f"expected an int, found {value}")
