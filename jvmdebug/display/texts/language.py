# SPDX-License-Identifier: Apache-2.0
"""One line for objects of the language itself: boxes, enums, records, classes, exceptions, threads.

Texts are made of fields, as everywhere in this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.descriptors import is_primitive
from jvmdebug.display import layout
from jvmdebug.display.layout import UnknownLayoutError
from jvmdebug.display.literals import primitive_text, string_text
from jvmdebug.errors import UnsupportedError
from jvmdebug.model.java_text import decoded
from jvmdebug.model.values import (
    NULL,
    ClassObjectReference,
    ObjectReference,
    PrimitiveValue,
    StringReference,
)
from jvmdebug.together import together

if TYPE_CHECKING:
    from jvmdebug.display.line import Line, TextOf
    from jvmdebug.model.values import Value

BOXES: Final = frozenset(
    f"java.lang.{name}"
    for name in ("Boolean", "Byte", "Character", "Short", "Integer", "Long", "Float", "Double")
)
_INTERFACE: Final = 0x0200
_WHOLE: Final = 2**31 - 1
_NULL_POINTER: Final = "java.lang.NullPointerException"
BUILDERS: Final = ("java.lang.StringBuilder", "java.lang.StringBuffer")


async def _box(reference: ObjectReference, line: Line) -> str:
    (value,) = await layout.read(reference, "value")
    if not isinstance(value, PrimitiveValue):
        raise UnknownLayoutError("a box without a primitive value")
    return primitive_text(value, in_hex=line.style.hex)


async def _enum(reference: ObjectReference, _line: Line) -> str:
    """A constant by its name, in the field that java.lang.Enum has for it."""
    return await layout.read_text(reference, "name", of="java.lang.Enum")


async def _class_object(reference: ObjectReference, _line: Line) -> str:
    """`class shop.Cart`, `interface java.util.List`, `int`: as Class.toString."""
    if not isinstance(reference, ClassObjectReference):
        raise UnknownLayoutError("not a class object")
    try:
        type_ = await reference.reflected_type()
    except UnsupportedError:  # some agents have no id for a primitive type
        return await layout.read_text(reference, "name")
    if is_primitive(type_.signature):
        return type_.name
    name = type_.signature.replace("/", ".") if type_.signature.startswith("[") else type_.name
    is_interface = await type_.modifiers() & _INTERFACE
    return f"{'interface' if is_interface else 'class'} {name}"


async def _throwable(reference: ObjectReference, line: Line) -> str:
    return await _with_text(reference, "detailMessage", "java.lang.Throwable", line)


async def _null_pointer(reference: ObjectReference, line: Line) -> str:
    """The VM computes the message of one that it throws when it is asked for first."""
    (own,) = await layout.read(reference, "detailMessage", of="java.lang.Throwable")
    if isinstance(own, StringReference):
        return await _throwable(reference, line)
    try:
        return await _with_text(reference, "extendedMessage", _NULL_POINTER, line)
    except UnknownLayoutError:  # Java 16 and older keep none
        return await _throwable(reference, line)


async def _thread(reference: ObjectReference, line: Line) -> str:
    text = await _with_text(reference, "name", "java.lang.Thread", line)
    return text.removesuffix(' ""')  # that of most virtual threads


async def _with_text(reference: ObjectReference, field: str, of: str, line: Line) -> str:
    """`IllegalStateException@1f "message"`."""
    (text,) = await layout.read(reference, field, of=of)
    head = line.head((await reference.type()).name, reference)
    if not isinstance(text, StringReference):
        return head
    return f"{head} {await quoted(text, line.room - len(head) - 1)}"


async def quoted(string: StringReference, room: int) -> str:
    """`"text"`, in so much room: no more of a string is read than is shown."""
    most = _enough_for(room)
    text, length = await string.beginning(most)
    return string_text(text, room, is_whole=length <= most)


def _enough_for(room: int) -> int:
    """More units than can be shown, whatever characters they are."""
    return min(2 * max(room, 1), _WHOLE)


async def _record(reference: ObjectReference, line: Line) -> str:
    """`Point[x=1, y=2]`, as a record's own toString writes it."""
    type_ = await reference.type()
    components = [each for each in await type_.fields() if not each.is_static]
    values = await reference.get_values(components)
    texts = await together(line.part(value) for value in values)
    parts = [f"{field.name}={text}" for field, text in zip(components, texts, strict=True)]
    return f"{line.style.class_name(type_.name)}[{', '.join(parts)}]"


async def _builder(reference: ObjectReference, line: Line) -> str:
    name = line.style.class_name((await reference.type()).name)
    room = line.room - len(name) - 1
    most = _enough_for(room)
    text, length = await _beginning(reference, most)
    return f"{name} {string_text(text, room, is_whole=length <= most)}"


async def builder_text(reference: ObjectReference, most: int = _WHOLE) -> str | None:
    """The text of a StringBuilder, at most so many units of it; None for any other object."""
    if (await reference.type()).name not in BUILDERS:
        return None
    return (await _beginning(reference, most))[0]


async def boxed_character(reference: ObjectReference) -> PrimitiveValue | None:
    """The `char` in a Character; None for any other object."""
    if (await reference.type()).name != "java.lang.Character":
        return None
    (value,) = await layout.read(reference, "value")
    return value if isinstance(value, PrimitiveValue) else None


async def _beginning(reference: ObjectReference, most: int) -> tuple[str, int]:
    """StringBuilder: `count` units in `value`, one byte each when `coder` is 0, else UTF-16.

    At most so many of them, and how many there are.
    """
    count, coder = await layout.read_integers(reference, "count", "coder")
    array = await layout.read_array(reference, "value")
    if array is None:
        return "", 0
    bytes_each = 2 if coder else 1
    if await array.length() < count * bytes_each:
        raise UnknownLayoutError("a string builder that is being changed")
    content = await array.get_bytes(0, min(count, most) * bytes_each)
    return decoded(content, is_latin=not coder), count


async def _referring(reference: ObjectReference, line: Line) -> str:
    """`WeakReference["text"]`, `AtomicReference[null]`"""
    name = (await reference.type()).name
    field = "referent" if name.startswith("java.lang.ref.") else "value"
    (value,) = await layout.read(reference, field)
    return f"{line.style.class_name(name)}[{await line.part(value)}]"


def _entry(key: str, value: str) -> TextOf:
    async def text(reference: ObjectReference, line: Line) -> str:
        """`"key"=1`"""
        found: tuple[Value, ...] = await layout.read(reference, key, value)
        return "=".join(await together(line.part(each) for each in found))

    return text


async def _weak_entry(reference: ObjectReference, line: Line) -> str:
    """`"key"=1`, of an entry that is a reference to its key"""
    key, value = await layout.read(reference, "referent", "value")
    if key in (await layout.statics(reference, "java.util.WeakHashMap", "NULL_KEY") or ()):
        key = NULL
    return "=".join(await together(line.part(each) for each in (key, value)))


async def _stack_trace_element(reference: ObjectReference, _line: Line) -> str:
    """`java.base/java.lang.Thread.run(Thread.java:833)`"""
    names = ("declaringClass", "methodName", "fileName", "moduleName")
    *values, line_number = await layout.read(reference, *names, "lineNumber")
    texts = await together(layout.text_or_none(each) for each in values)
    declaring, method, file, module = texts
    number = layout.integer(line_number)
    if number == -2:
        where = "Native Method"
    elif file is None:
        where = "Unknown Source"
    else:
        where = f"{file}:{number}" if number >= 0 else file
    return f"{module + '/' if module else ''}{declaring}.{method}({where})"


async def _method(reference: ObjectReference, line: Line) -> str:
    """`Method shop.Cart.add`"""
    declaring, name = await layout.read(reference, "clazz", "name")
    if not isinstance(declaring, ClassObjectReference):
        raise UnknownLayoutError("a method of no class")
    kind = line.style.class_name((await reference.type()).name)
    return f"{kind} {(await declaring.reflected_type()).name}.{await layout.text_or_none(name)}"


_ENTRIES: Final = {
    "java.util.HashMap$Node": _entry("key", "value"),
    "java.util.TreeMap$Entry": _entry("key", "value"),
    "java.util.Hashtable$Entry": _entry("key", "value"),
    "java.util.concurrent.ConcurrentHashMap$Node": _entry("key", "val"),
    "java.util.concurrent.ConcurrentHashMap$MapEntry": _entry("key", "val"),
    "java.util.concurrent.ConcurrentSkipListMap$Node": _entry("key", "val"),
    "java.util.AbstractMap$SimpleEntry": _entry("key", "value"),
    "java.util.AbstractMap$SimpleImmutableEntry": _entry("key", "value"),
    "java.util.WeakHashMap$Entry": _weak_entry,
    "java.lang.ThreadLocal$ThreadLocalMap$Entry": _entry("referent", "value"),
    "java.util.KeyValueHolder": _entry("key", "value"),
}

LANGUAGE_TEXTS: Final[dict[str, TextOf]] = {
    **dict.fromkeys(BOXES, _box),
    **dict.fromkeys(BUILDERS, _builder),
    **_ENTRIES,
    "java.lang.Class": _class_object,
    "java.lang.Enum": _enum,
    "java.lang.Record": _record,
    "java.lang.Throwable": _throwable,
    _NULL_POINTER: _null_pointer,
    "java.lang.Thread": _thread,
    "java.lang.StackTraceElement": _stack_trace_element,
    "java.lang.ref.SoftReference": _referring,
    "java.lang.ref.WeakReference": _referring,
    "java.lang.reflect.Method": _method,
    "java.lang.reflect.Field": _method,
    "java.util.concurrent.atomic.AtomicReference": _referring,
}
