# SPDX-License-Identifier: Apache-2.0
"""What is inside of a value: fields, elements, entries; in pages.

The logical view shows what a collection holds; the raw view its fields. Neither runs code in the
debuggee. A page is read in few round trips, whatever the size of the whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmdebug.display.known_views import contents
from jvmdebug.display.layout import read_range
from jvmdebug.display.rendering import render_brief
from jvmdebug.display.text import escaped, literal
from jvmdebug.model.signature import java_name
from jvmdebug.model.values import (
    ArrayReference,
    ObjectReference,
    PrimitiveValue,
    StringReference,
)

if TYPE_CHECKING:
    from jvmdebug.display.known_views import Contents
    from jvmdebug.display.views import Entry
    from jvmdebug.model.field import Field
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.values import Value

_WHOLE_VALUES = frozenset(
    f"java.lang.{name}"
    for name in ("Boolean", "Byte", "Character", "Short", "Integer", "Long", "Float", "Double")
)


@dataclass(frozen=True, slots=True)
class Child:
    """A field, element or entry. `evaluate_name` is an expression that gives `value` in the frame
    that the parent's `evaluate_name` belongs to; None when there is none.
    """

    name: str
    value: Value
    declared_type: str
    evaluate_name: str | None = None
    is_static: bool = False


async def children(
    value: Value,
    start: int = 0,
    count: int | None = None,
    *,
    evaluate_name: str | None = None,
    raw: bool = False,
) -> list[Child]:
    """Children from `start`, at most `count` of them. `evaluate_name` is that of `value`."""
    if not isinstance(value, ObjectReference) or start < 0 or (count is not None and count <= 0):
        return []
    parent = _operand(evaluate_name)
    if isinstance(value, ArrayReference):
        return await _elements(value, start, count, parent)
    found = None if raw else await contents(value)
    if found is not None:
        wanted = found.size - start if count is None else count
        return await _entries(found, start, wanted, parent)
    fields = await _fields(value, raw=raw)
    page = fields[start : None if count is None else start + count]
    values = await value.get_values(page)
    hidden = _hidden(fields)
    return [
        Child(
            field.name,
            each,
            field.type_name,
            _field_expression(field, parent, is_hidden=field in hidden),
            field.is_static,
        )
        for field, each in zip(page, values, strict=True)
    ]


async def child_count(value: Value, *, raw: bool = False) -> int:
    """How many children there are; 0 for primitives, null and (in the logical view) strings."""
    if not isinstance(value, ObjectReference):
        return 0
    if isinstance(value, ArrayReference):
        return await value.length()
    found = None if raw else await contents(value)
    return found.size if found is not None else len(await _fields(value, raw=raw))


async def is_indexed(value: Value, *, raw: bool = False) -> bool:
    """Whether the children are elements by index (arrays, lists), so that paging makes sense."""
    if isinstance(value, ArrayReference):
        return True
    if not isinstance(value, ObjectReference) or raw:
        return False
    found = await contents(value)
    return found is not None and found.is_indexed


# --- fields ---------------------------------------------------------------------------------------


async def _fields(reference: ObjectReference, *, raw: bool) -> list[Field]:
    """Instance fields of the class and its superclasses, its own first; in the raw view the static
    ones too. A string or a box is a value as a whole, except in the raw view.
    """
    type_ = await reference.type()
    if not raw and (isinstance(reference, StringReference) or type_.name in _WHOLE_VALUES):
        return []
    instance = list(await type_.instance_fields())
    if not raw:
        return instance
    return instance + [each for each in await type_.all_fields() if each.is_static]


def _hidden(fields: list[Field]) -> set[Field]:
    """Fields of superclasses that a field of the same name hides."""
    seen: set[str] = set()
    hidden: set[Field] = set()
    for field in fields:
        if field.name in seen:
            hidden.add(field)
        seen.add(field.name)
    return hidden


def _field_expression(field: Field, parent: str | None, *, is_hidden: bool) -> str | None:
    declaring = field.declaring_type.name.replace("$", ".")
    if field.is_static:
        return f"{declaring}.{field.name}"
    if parent is None:
        return None
    return f"(({declaring}) {parent}).{field.name}" if is_hidden else f"{parent}.{field.name}"


def _operand(evaluate_name: str | None) -> str | None:
    """The expression as something that a dot can follow."""
    if evaluate_name is None:
        return None
    is_simple = all(each.isalnum() or each in "_$.[]()" for each in evaluate_name)
    is_cast = evaluate_name.startswith("(")
    return evaluate_name if is_simple and not is_cast else f"({evaluate_name})"


# --- elements and entries -------------------------------------------------------------------------


async def _elements(
    array: ArrayReference, start: int, count: int | None, parent: str | None
) -> list[Child]:
    length = await array.length()
    wanted = length - start if count is None else min(count, length - start)
    if wanted <= 0:
        return []
    element_type = java_name((await array.type()).signature[1:])
    return [
        Child(
            f"[{index}]",
            element,
            element_type,
            None if parent is None else f"{parent}[{index}]",
        )
        for index, element in enumerate(await read_range(array, start, wanted), start)
    ]


async def _entries(found: Contents, start: int, count: int, parent: str | None) -> list[Child]:
    return [
        await _entry(entry, index, found, parent)
        for index, entry in enumerate(await found.page(start, count), start)
    ]


async def _entry(entry: Entry, index: int, found: Contents, parent: str | None) -> Child:
    if entry.key is None:
        expression = f"{parent}.get({index})" if found.is_indexed and parent is not None else None
        return Child(f"[{index}]", entry.value, "java.lang.Object", expression)
    name = await render_brief(entry.key)
    key = await _key_literal(entry.key)
    if key is None and entry.node is not None:
        # The key is an object with an inside of its own: show the node, which has both.
        return Child(f"[{index}] {name}", entry.node, "java.util.Map.Entry")
    expression = None if parent is None or key is None else f"{parent}.get({key})"
    return Child(name, entry.value, "java.lang.Object", expression)


async def _enum_constant(constant: ObjectReference, type_: ReferenceType) -> str | None:
    """`shop.Color.RED`; a constant with a body has a class of its own below the enum."""
    names = [each.name for each in (type_, *await type_.superclasses())]
    if "java.lang.Enum" not in names:
        return None
    enum = names[names.index("java.lang.Enum") - 1]
    return f"{enum.replace('$', '.')}.{await render_brief(constant)}"


async def _key_literal(key: Value) -> str | None:
    """A Java expression for a map's key; None when there is no short one."""
    if isinstance(key, StringReference):
        return f'"{escaped(await key.text())}"'
    if isinstance(key, ObjectReference):
        type_ = await key.type()
        if type_.name in _WHOLE_VALUES:
            fields = [each for each in await type_.fields() if each.name == "value"]
            (value,) = await key.get_values([each for each in fields if not each.is_static])
            return literal(value) if isinstance(value, PrimitiveValue) else None
        return await _enum_constant(key, type_)
    return "null"
