# SPDX-License-Identifier: Apache-2.0
"""What observations report: values, places and stacks as they were, as plain frozen data.

Read while the thread is held, so that nothing of it changes later and no VM is needed to show it.
Texts are safe for a terminal. Called by the observations.
"""

from __future__ import annotations

import dataclasses
import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.descriptors import simple_name
from jvmdebug.display import render, type_name
from jvmdebug.display.literals import primitive_text
from jvmdebug.errors import ConnectionLost, JvmDebugError
from jvmdebug.model.primitives import PrimitiveKind
from jvmdebug.model.values import NullValue, ObjectReference, PrimitiveValue, StringReference
from jvmdebug.printable import one_line
from jvmdebug.sources import source_line, source_path
from jvmdebug.together import together

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.display import ValueStyle
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.location import Location
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.values import Value

_MAX_STRING: Final = 10_000
"""Longer strings are cut in `ObservedValue.value`, in characters."""

_BOXES: Final = frozenset(
    f"java.lang.{name}"
    for name in (
        *("Boolean", "Byte", "Character", "Short"),
        *("Integer", "Long", "Float", "Double"),
    )
)


def as_plain(observed: object) -> object:
    """Dataclasses as dicts, tuples as lists: what `json.dumps` takes."""
    if dataclasses.is_dataclass(observed) and not isinstance(observed, type):
        pairs = ((each.name, getattr(observed, each.name)) for each in dataclasses.fields(observed))
        return {name: as_plain(value) for name, value in pairs}
    if isinstance(observed, tuple | list):
        return [as_plain(each) for each in observed]
    if isinstance(observed, dict):
        return {str(key): as_plain(value) for key, value in observed.items()}
    return observed


class Shown:
    """What is shown at a prompt for it: its name and the first line of its text, not all fields."""

    __slots__ = ()

    def __repr__(self) -> str:
        first, _, more = str(self).partition("\n")
        return f"{type(self).__name__}({first}{' …' if more else ''})"


@dataclass(frozen=True, slots=True, repr=False)
class ObservedValue(Shown):
    """A value as it was when it was observed. `str(value)` is its text."""

    text: str
    """On one line, as Java would write it: `42`, `"abc"`, `Cart@1f {total=3}`."""
    type_name: str
    """Its own type: `int`, `java.util.ArrayList`; `null` for null."""
    value: bool | int | float | str | None = None
    """The same in Python for primitives, boxes and strings (cut after 10,000 characters); None for
    null and for other objects."""
    object_id: int | None = None
    """The same for the same object, while the program runs; None for primitives and null."""

    @property
    def is_null(self) -> bool:
        """Whether it is null."""
        return self.type_name == "null"

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True, repr=False)
class NamedValue(Shown):
    """An argument or a variable."""

    name: str
    value: ObservedValue

    def __str__(self) -> str:
        return f"{self.name}={self.value}"


@dataclass(frozen=True, slots=True, repr=False)
class StackEntry(Shown):
    """A place in the code. `str(entry)` is as in a stack trace: `shop.Cart.add(Cart.java:42)`."""

    type_name: str
    method_name: str
    source_path: str | None
    """`shop/Cart.java`; None if it is not known."""
    line: int | None
    is_native: bool = False

    @property
    def source(self) -> str:
        """`Cart.java:42`, `Native Method`, `Unknown Source`."""
        if self.is_native:
            return "Native Method"
        name = "Unknown Source" if self.source_path is None else self.source_path
        name = name.rpartition("/")[2]
        return name if self.line is None else f"{name}:{self.line}"

    @property
    def function(self) -> str:
        """`Cart.add`."""
        return f"{simple_name(self.type_name)}.{self.method_name}"

    def __str__(self) -> str:
        return one_line(f"{self.type_name}.{self.method_name}({self.source})")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ObservedEvent(Shown):
    """One thing that was observed."""

    time: float
    """When, in seconds since 1970, as `time.time()`."""
    thread: str
    """The name of the thread; empty where none was observed."""
    thread_id: int
    """Tells threads of the same name apart; 0 where none was observed."""
    missed_before: int = 0
    """So many events right before this one were dropped: they were not taken in time."""

    def __str__(self) -> str:
        return self.thread

    def as_dict(self) -> dict[str, object]:
        """Returns dicts and lists, for `json.dumps`."""
        plain = as_plain(self)
        return plain if isinstance(plain, dict) else {}


async def observe(value: Value, style: ValueStyle) -> ObservedValue:
    """A value as it is now; one that cannot be read has the reason as its text."""
    try:
        text, name, plain = await _read(value, style)
    except ConnectionLost:
        raise
    except JvmDebugError as error:
        text, name, plain = f"<{error}>", "?", None
    is_object = isinstance(value, ObjectReference)
    object_id = value.id if is_object and isinstance(value, ObjectReference) else None
    return ObservedValue(one_line(text), one_line(name), plain, object_id)


async def observe_all(values: Sequence[Value], style: ValueStyle) -> list[ObservedValue]:
    """`observe` for many values, their requests sent together."""
    return await together(observe(value, style) for value in values)


def observed_string(text: str, style: ValueStyle) -> ObservedValue:
    """A string that is known without an object in the VM."""
    quoted = one_line(json.dumps(text, ensure_ascii=False), style.max_length)
    return ObservedValue(quoted, "java.lang.String", text[:_MAX_STRING])


def observed_primitive(value: PrimitiveValue) -> ObservedValue:
    """A primitive that is known without the VM."""
    return ObservedValue(primitive_text(value), value.kind.java_name, _plain(value))


async def _read(
    value: Value, style: ValueStyle
) -> tuple[str, str, bool | int | float | str | None]:
    text, name = await render(value, style), await type_name(value)
    if isinstance(value, StringReference):
        whole = _unquoted(text)
        return text, name, (await value.beginning(_MAX_STRING))[0] if whole is None else whole
    if isinstance(value, ObjectReference):
        boxed = await _unboxed(value, name)
        return text, name, None if boxed is None else _plain(boxed)
    if isinstance(value, PrimitiveValue):
        return text, name, _plain(value)
    return text, "null" if isinstance(value, NullValue) else name, None


def _unquoted(text: str) -> str | None:
    """The string that is shown as this text; None if the text was cut. Saves a request."""
    try:
        found: object = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, str) else None


async def _unboxed(box: ObjectReference, name: str) -> PrimitiveValue | None:
    if name not in _BOXES:
        return None
    fields = [each for each in await (await box.type()).fields() if each.name == "value"]
    held = (await box.get_values(fields))[0] if fields else None
    return held if isinstance(held, PrimitiveValue) else None


def _plain(value: PrimitiveValue) -> bool | int | float | str:
    return chr(int(value.value)) if value.kind is PrimitiveKind.CHAR else value.value


async def entry_of(location: Location) -> StackEntry:
    """A code location as an entry of a stack."""
    name = location.type.name
    line = await source_line(location)
    if line is not None:
        path: str | None = line.path
    else:
        source = await location.type.source_file()
        path = None if source is None else source_path(name, source)
    return StackEntry(
        one_line(name),
        one_line(location.method.name),
        None if path is None else one_line(path),
        None if line is None else line.line,
        location.method.is_native,
    )


async def stack_of(thread: Thread, count: int) -> tuple[StackEntry, ...]:
    """The topmost `count` frames of a suspended thread."""
    frames = await thread.frames(0, count)
    return tuple(await together(entry_of(each.location) for each in frames))


async def variables_of(frame: Frame, style: ValueStyle) -> tuple[NamedValue, ...]:
    """The variables of a frame, by slot."""
    variables = sorted(await frame.variables(), key=lambda each: each.slot)
    values = await observe_all(await frame.values(variables), style)
    return tuple(
        NamedValue(one_line(each.name), value)
        for each, value in zip(variables, values, strict=True)
    )


def now() -> float:
    """Seconds since 1970."""
    return time.time()
