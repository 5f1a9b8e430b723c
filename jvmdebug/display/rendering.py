# SPDX-License-Identifier: Apache-2.0
"""A value on one line, as Java would write it: `42`, `"abc"`, `Cart@1f {total=3}`.

No code runs in the debuggee: a class without a text of its own is shown by type, id and a few
fields. Values inside of a value are shown briefly. Requests for the parts of one value are sent
together.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.descriptors import java_name
from jvmdebug.display.lambdas import lambda_text
from jvmdebug.display.layout import UnknownLayoutError
from jvmdebug.display.libraries import shown_class, stand_ins
from jvmdebug.display.line import Line
from jvmdebug.display.literals import cut, primitive_text
from jvmdebug.display.renderers import custom_text
from jvmdebug.display.shown_fields import display_name, logical_fields
from jvmdebug.display.style import ValueStyle
from jvmdebug.display.texts import COMPLETE_TEXTS, text_of
from jvmdebug.display.texts.language import boxed_character, builder_text, quoted
from jvmdebug.display.views.known import contents, has_own_view
from jvmdebug.display.views.recorded import recorded_text
from jvmdebug.errors import InvalidObjectError
from jvmdebug.model.primitives import PrimitiveKind
from jvmdebug.model.values import (
    ArrayReference,
    NullValue,
    ObjectReference,
    PrimitiveValue,
    StringReference,
    UnavailableValue,
)
from jvmdebug.printable import one_line
from jvmdebug.sources.lambdas import is_lambda
from jvmdebug.together import together

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.display.line import TextOf
    from jvmdebug.display.views.known import Contents
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.values import Value

_MAX_PARTS: Final = 100
_LEAST_PART: Final = len("0, ")
_USUAL_PART: Final = 8
"""A limit for objects, each of which needs requests: as many as usually fit."""
_MAX_FIELDS: Final = 5
_COLLECTED: Final = "<collected>"
_UNCUT: Final = 2**31


async def render(
    value: Value, style: ValueStyle | None = None, *, max_length: int | None = None
) -> str:
    """One line of at most `max_length` (or the style's) characters; what was cut ends in `…`."""
    style = style or ValueStyle()
    if max_length is not None:
        style = style.within(max_length)
    text = cut(await _write(value, Line(style, _write)), style.max_length)
    return one_line(text, None)  # names of types and texts of renderers may have anything in them


async def render_all(values: Sequence[Value], style: ValueStyle | None = None) -> list[str]:
    """`render` for many values, their requests sent together."""
    return await together(render(value, style) for value in values)


async def full_text(value: Value, style: ValueStyle | None = None) -> str:
    """The text to copy: a string's whole text, unquoted; else the line uncut."""
    if isinstance(value, StringReference):
        return await value.as_text()
    if isinstance(value, ObjectReference):
        builder = await builder_text(value)
        if builder is not None:
            return builder
    return await render(value, (style or ValueStyle()).within(_UNCUT))


async def plain_text(value: Value, max_length: int) -> str:
    """The beginning of the text as Java's string concatenation has it, as far as that needs no
    code of the debuggee: strings, string builders and characters without quotes.
    """
    if isinstance(value, StringReference):
        return (await value.beginning(max_length))[0]
    if isinstance(value, ObjectReference):
        builder = await builder_text(value, max_length)
        if builder is not None:
            return builder
    character = await boxed_character(value) if isinstance(value, ObjectReference) else value
    if isinstance(character, PrimitiveValue) and character.kind is PrimitiveKind.CHAR:
        return chr(int(character.value))
    return await render(value, max_length=max_length)


async def head_of(reference: ObjectReference, style: ValueStyle | None = None) -> str:
    """The class and the number of an object, `Cart@1f`, as `render` begins."""
    type_ = await reference.type()
    return one_line(Line(style or ValueStyle(), _write).head(type_.name, reference), None)


async def type_name(value: Value) -> str:
    """The Java name of the value's own type: `int`, `java.util.ArrayList`, `a.B$C[]`; `unknown` of
    a value that is not available.
    """
    if isinstance(value, PrimitiveValue):
        return value.kind.java_name
    if isinstance(value, ObjectReference):
        try:
            return (await value.type()).name
        except InvalidObjectError:
            return _COLLECTED
    if isinstance(value, UnavailableValue):
        return "unknown"
    return str(value) if isinstance(value, NullValue) else "void"


async def render_brief(value: Value, style: ValueStyle | None = None) -> str:
    """The value as part of a larger line: strings short, objects without their fields."""
    return await Line(style or ValueStyle(), _write).part(value)


async def is_known(type_: ReferenceType) -> bool:
    """Whether the class has a text of its own instead of a few of its fields."""
    return await _text_of(type_) is not None


async def has_complete_text(type_: ReferenceType) -> bool:
    """Whether the line shows the whole value: a date, a number, a path of the JDK."""
    if not type_.name.startswith(("java.", "jdk.", "sun.")):
        return False
    above = await type_.superclasses()
    return any(each.name in COMPLETE_TEXTS for each in (type_, *above))


async def _text_of(type_: ReferenceType) -> TextOf | None:
    own = await recorded_text(type_) or text_of(type_.name)
    if own is not None or has_own_view(type_):
        return own
    for superclass in await type_.superclasses():
        found = text_of(superclass.name)
        if found is not None:
            return found
    return None


async def _write(value: Value, line: Line) -> str:
    if isinstance(value, PrimitiveValue):
        return primitive_text(value, in_hex=line.style.hex)
    if not isinstance(value, ObjectReference):
        return str(value)
    try:
        if isinstance(value, StringReference):
            return await quoted(value, line.room)
        if isinstance(value, ArrayReference):
            return await _array(value, line)
        return await _object(value, line)
    except InvalidObjectError:
        return _COLLECTED


async def _array(array: ArrayReference, line: Line) -> str:
    """`int[3] {1, 2, 3}`, `String[2][] {…}`: the length in the first brackets."""
    type_, length = await asyncio.gather(array.type(), array.length())
    element = java_name(type_.signature.lstrip("["))
    dimensions = len(type_.signature) - len(type_.signature.lstrip("["))
    head = f"{line.style.class_name(element)}[{length}]{'[]' * (dimensions - 1)}"
    if line.is_brief:
        return head
    is_primitive = len(type_.signature.lstrip("[")) == 1 and dimensions == 1
    count = _fitting(length, line.room, _LEAST_PART if is_primitive else _USUAL_PART)
    texts = await together(line.part(each) for each in await array.get(0, count))
    return _joined(f"{head} ", list(texts), length, line.room)


def _fitting(size: int, max_length: int, part_length: int) -> int:
    """How many parts are worth reading to fill the line."""
    return max(0, min(size, _MAX_PARTS, max_length // part_length + 1))


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


async def _object(reference: ObjectReference, line: Line) -> str:
    type_ = await reference.type()
    head = line.head(type_.name, reference)
    if line.is_deep:
        return head
    custom = await custom_text(reference, line)
    if custom is None and (stand_in := await stand_ins.find(reference)) is not None:
        custom = await stand_in.text(line)
    if custom is not None:
        return custom
    known = await _text_of(type_)
    if known is not None:
        with contextlib.suppress(UnknownLayoutError):  # then it is shown by its fields
            return await known(reference, line)
    if is_lambda(type_):
        return await lambda_text(reference, line)
    found = await contents(reference)
    if found is not None:
        with contextlib.suppress(UnknownLayoutError):
            return await _collection(type_, found, line)
    return head if line.is_brief else await _fields(head, reference, type_, line)


async def _fields(head: str, reference: ObjectReference, type_: ReferenceType, line: Line) -> str:
    every = await logical_fields(type_)
    shown = [each for each in every if not each.name.startswith("this$")][:_MAX_FIELDS]
    if not shown:
        return head
    values = await reference.get_values(shown)
    texts = await together(line.part(value) for value in values)
    parts = [f"{display_name(each, every)}={text}" for each, text in zip(shown, texts, strict=True)]
    return _joined(f"{head} ", parts, len(every), line.room)


async def _collection(type_: ReferenceType, found: Contents, line: Line) -> str:
    name = shown_class(type_.name) or line.style.class_name(type_.name)
    if type_.name.startswith("java.util.Optional"):
        if not found.size:
            return f"{name}.empty"
        return f"{name}[{await line.part((await found.page(0, 1))[0].value)}]"
    head = f"{name}({found.size})"
    if line.is_brief:
        return head
    entries = await found.page(0, _fitting(found.size, line.room, _USUAL_PART))
    texts = await together(line.part(entry.value) for entry in entries)
    keyed = [entry for entry in entries if entry.key is not None]
    if keyed:
        keys = await together(line.part(e.key) for e in keyed if e.key is not None)
        texts = [f"{key}={text}" for key, text in zip(keys, texts, strict=True)]
    return _joined(f"{head} ", list(texts), found.size, line.room)
