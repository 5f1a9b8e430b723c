# SPDX-License-Identifier: Apache-2.0
"""A value on one line, as Java would write it: `42`, `"abc"`, `Cart@1f {total=3}`.

No code runs in the debuggee: what is not known structurally is shown by type, id and a few fields.
Values inside of a value are shown briefly. Requests for the parts of one value are sent together.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from jvmdebug.display import layout
from jvmdebug.display.known_views import contents, has_own_view
from jvmdebug.display.layout import UnknownLayoutError
from jvmdebug.display.text import cut, primitive_text, string_text
from jvmdebug.errors import InvalidObjectError
from jvmdebug.model.signature import java_name, simple_name
from jvmdebug.model.values import (
    ArrayReference,
    ClassObjectReference,
    NullValue,
    ObjectReference,
    PrimitiveValue,
    StringReference,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from jvmdebug.display.known_views import Contents
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.values import Value

DEFAULT_MAX_LENGTH: Final = 200
_BRIEF_LENGTH: Final = 40
_MOST_PARTS: Final = 100
_LEAST_PART: Final = len("0, ")
_USUAL_PART: Final = 8
"""Each object that is shown costs requests: no more of them than usually fit."""
_MOST_FIELDS: Final = 5
_COLLECTED: Final = "<collected>"

_BOXES: Final = frozenset(
    f"java.lang.{name}"
    for name in (
        "Boolean",
        "Byte",
        "Character",
        "Short",
        "Integer",
        "Long",
        "Float",
        "Double",
    )
)


async def render(value: Value, *, max_length: int = DEFAULT_MAX_LENGTH) -> str:
    """One line of at most `max_length` characters; what was cut ends in `…`."""
    return cut(await _line(value, max_length, is_brief=False), max_length)


async def render_all(values: Sequence[Value], *, max_length: int = DEFAULT_MAX_LENGTH) -> list[str]:
    """`render` for many values, their requests sent together."""
    return list(await asyncio.gather(*(render(value, max_length=max_length) for value in values)))


async def render_brief(value: Value, *, max_length: int = _BRIEF_LENGTH) -> str:
    """As part of a larger line: strings short, objects without their fields."""
    return cut(await _line(value, max_length, is_brief=True), max_length)


async def full_text(value: Value) -> str:
    """What copying the value gives: a string's whole text, unquoted; else the line uncut."""
    if isinstance(value, StringReference):
        return await value.text()
    if isinstance(value, ObjectReference):
        builder = await _builder_text(value)
        if builder is not None:
            return builder
    return await render(value, max_length=2**31)


async def type_name(value: Value) -> str:
    """The Java name of the value's own type: `int`, `java.util.ArrayList`, `a.B$C[]`."""
    if isinstance(value, PrimitiveValue):
        return value.kind.java_name
    if isinstance(value, ObjectReference):
        try:
            return (await value.type()).name
        except InvalidObjectError:
            return _COLLECTED
    return str(value) if isinstance(value, NullValue) else "void"


def _short_name(name: str) -> str:
    """`Item` of `shop.Cart$Item`; `Cart$$Lambda` of the hidden class `shop.Cart$$Lambda/0x1f`."""
    if "$$" in name:
        return name.partition("/")[0].rpartition(".")[2]
    return simple_name(name)


async def _line(value: Value, max_length: int, *, is_brief: bool) -> str:
    if isinstance(value, PrimitiveValue):
        return primitive_text(value)
    if not isinstance(value, ObjectReference):
        return str(value)
    try:
        if isinstance(value, StringReference):
            return string_text(await value.text(), max_length)
        if isinstance(value, ArrayReference):
            return await _array(value, max_length, is_brief=is_brief)
        return await _object(value, max_length, is_brief=is_brief)
    except InvalidObjectError:
        return _COLLECTED


async def _array(array: ArrayReference, max_length: int, *, is_brief: bool) -> str:
    """`int[3] {1, 2, 3}`, `String[2][] {…}`: the length in the first brackets."""
    type_, length = await asyncio.gather(array.type(), array.length())
    element = java_name(type_.signature.lstrip("["))
    dimensions = len(type_.signature) - len(type_.signature.lstrip("["))
    head = f"{_short_name(element)}[{length}]{'[]' * (dimensions - 1)}"
    if is_brief:
        return head
    is_primitive = len(type_.signature.lstrip("[")) == 1 and dimensions == 1
    count = _fitting(length, max_length, _LEAST_PART if is_primitive else _USUAL_PART)
    return await _braced(head, list(await array.get(0, count)), length, max_length)


def _fitting(size: int, max_length: int, part_length: int) -> int:
    """How many parts are worth reading to fill the line."""
    return max(0, min(size, _MOST_PARTS, max_length // part_length + 1))


async def _braced(head: str, parts: list[Value], size: int, max_length: int) -> str:
    texts = await asyncio.gather(*(render_brief(each) for each in parts))
    return _joined(f"{head} ", list(texts), size, max_length)


def _joined(head: str, texts: list[str], size: int, max_length: int) -> str:
    """`head{a, b, …}`: whole parts only, closed, within the length."""
    room = max_length - len(head) - len("{, …}")
    shown: list[str] = []
    for text in texts:
        room -= len(text) + 2
        if room < 0 and shown:
            break
        shown.append(text)
    missing = ["…"] if len(shown) < size else []
    return f"{head}{{{', '.join([*shown, *missing])}}}"


async def _object(reference: ObjectReference, max_length: int, *, is_brief: bool) -> str:
    type_ = await reference.type()
    special = _SPECIAL.get(type_.name)
    if special is None and not has_own_view(type_):
        above = await type_.superclasses()
        special = next((_SPECIAL[each.name] for each in above if each.name in _SPECIAL), None)
    if special is not None:
        try:
            return await special(reference, max_length)
        except UnknownLayoutError:
            pass  # a JDK that keeps it otherwise: shown by its fields
    found = await contents(reference)
    if found is not None:
        return await _collection(type_, found, max_length, is_brief=is_brief)
    head = f"{_short_name(type_.name)}@{reference.id:x}"
    return head if is_brief else await _fields(head, reference, type_, max_length)


async def _fields(
    head: str, reference: ObjectReference, type_: ReferenceType, max_length: int
) -> str:
    every = await type_.instance_fields()
    shown = [each for each in every if not each.name.startswith("this$")][:_MOST_FIELDS]
    if not shown:
        return head
    values = await reference.get_values(shown)
    texts = await asyncio.gather(*(render_brief(value) for value in values))
    parts = [f"{field.name}={text}" for field, text in zip(shown, texts, strict=True)]
    return _joined(f"{head} ", parts, len(every), max_length)


async def _collection(
    type_: ReferenceType, found: Contents, max_length: int, *, is_brief: bool
) -> str:
    name = simple_name(type_.name)
    if name.startswith("Optional"):
        if not found.size:
            return f"{name}.empty"
        return f"{name}[{await render_brief((await found.page(0, 1))[0].value)}]"
    head = f"{name}({found.size})"
    if is_brief:
        return head
    entries = await found.page(0, _fitting(found.size, max_length, _USUAL_PART))
    texts = await asyncio.gather(*(render_brief(entry.value) for entry in entries))
    keyed = [entry for entry in entries if entry.key is not None]
    if keyed:
        keys = await asyncio.gather(*(render_brief(e.key) for e in keyed if e.key is not None))
        texts = [f"{key}={text}" for key, text in zip(keys, texts, strict=True)]
    return _joined(f"{head} ", list(texts), found.size, max_length)


# --- single classes -------------------------------------------------------------------------------


async def _box(reference: ObjectReference, _max_length: int) -> str:
    (value,) = await layout.read(reference, "value")
    if not isinstance(value, PrimitiveValue):
        raise UnknownLayoutError("a box without a primitive value")
    return primitive_text(value)


async def _enum(reference: ObjectReference, _max_length: int) -> str:
    """A constant by its name, in the field that java.lang.Enum has for it."""
    superclasses = await (await reference.type()).superclasses()
    declaring = next(each for each in superclasses if each.name == "java.lang.Enum")
    fields = [each for each in await declaring.fields() if each.name == "name"]
    (name,) = await reference.get_values(fields)
    if not isinstance(name, StringReference):
        raise UnknownLayoutError("an enum constant without a name")
    return await name.text()


async def _class_object(reference: ObjectReference, _max_length: int) -> str:
    (name,) = await layout.read(reference, "name")
    if isinstance(name, StringReference):
        return f"class {await name.text()}"
    if not isinstance(reference, ClassObjectReference):
        raise UnknownLayoutError("a class object that is none")
    # The name is computed when it is first asked for.
    return f"class {(await reference.reflected_type()).name}"


async def _throwable(reference: ObjectReference, max_length: int) -> str:
    return await _with_text(reference, "detailMessage", max_length)


async def _thread(reference: ObjectReference, max_length: int) -> str:
    return await _with_text(reference, "name", max_length)


async def _with_text(reference: ObjectReference, field: str, max_length: int) -> str:
    """`IllegalStateException@1f "message"`."""
    (text,) = await layout.read(reference, field)
    head = f"{_short_name((await reference.type()).name)}@{reference.id:x}"
    if not isinstance(text, StringReference):
        return head
    return f"{head} {string_text(await text.text(), max_length - len(head) - 1)}"


async def _builder(reference: ObjectReference, max_length: int) -> str:
    text = await _builder_text(reference)
    if text is None:
        raise UnknownLayoutError("a string builder that keeps its text otherwise")
    name = simple_name((await reference.type()).name)
    return f"{name} {string_text(text, max_length - len(name) - 1)}"


async def _builder_text(reference: ObjectReference) -> str | None:
    """StringBuilder: `count` units in `value`, one byte each when `coder` is 0, else UTF-16."""
    if (await reference.type()).name not in _BUILDERS:
        return None
    coder, count_value = await layout.read(reference, "coder", "count")
    array = await layout.read_array(reference, "value")
    is_latin, count = layout.integer(coder) == 0, layout.integer(count_value)
    if array is None or count == 0:
        return ""
    elements = await array.get(0, count if is_latin else count * 2)
    content = bytes(layout.integer(each) & 0xFF for each in elements)
    return content.decode("latin-1") if is_latin else content.decode("utf-16-le", "surrogatepass")


_BUILDERS: Final = ("java.lang.StringBuilder", "java.lang.StringBuffer")
_SPECIAL: Final[dict[str, Callable[[ObjectReference, int], Awaitable[str]]]] = {
    **dict.fromkeys(_BOXES, _box),
    **dict.fromkeys(_BUILDERS, _builder),
    "java.lang.Class": _class_object,
    "java.lang.Enum": _enum,
    "java.lang.Throwable": _throwable,
    "java.lang.Thread": _thread,
}
