# SPDX-License-Identifier: Apache-2.0
"""Renderers: Python classes of users that define how their own Java classes are shown.

Owns the protocol, the object that a renderer gets, and the guard around it: whatever a renderer
raises is shown in the value. Renderers are found by the entry points of the group
`jvmdebug.renderers`.

To write one: 1. a class with `type_names`, `text` and `children` (see `Renderer`), 2. an entry
point that names it, or `session.settings.style`, 3. a debuggee value to try it on. Renderers
read fields; no code of the debuggee runs.
"""

from __future__ import annotations

import asyncio
import functools
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, TypeVar

from jvmdebug import entry_points
from jvmdebug.display import layout
from jvmdebug.display.layout import UnknownLayoutError
from jvmdebug.display.literals import cut
from jvmdebug.display.texts.language import BOXES
from jvmdebug.display.views.known import contents
from jvmdebug.model.primitives import PrimitiveKind
from jvmdebug.model.values import (
    ArrayReference,
    ObjectReference,
    PrimitiveValue,
    StringReference,
    UnavailableValue,
    Value,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Sequence

    from jvmdebug.display.line import Line
    from jvmdebug.model.reference_type import ReferenceType

_DEADLINE_S: Final = 5.0
_LOG = logging.getLogger("jvmdebug.display")
T = TypeVar("T")

Plain: TypeAlias = "RenderedObject | str | int | float | bool | None"
"""A value as a Python object: strings, chars and boxes are converted, others are RenderedObjects.
"""


@dataclass(frozen=True, slots=True)
class RenderedChild:
    """A line below the object. `path` are the fields that lead to the value, for Add to Watch."""

    name: str
    value: Value
    declared_type: str
    path: tuple[str, ...]


class RenderedObject:
    """An object of the debuggee as a renderer sees it: its fields, and nothing that runs code."""

    def __init__(
        self, reference: ObjectReference, type_name: str, write: Callable[[Value], Awaitable[str]]
    ) -> None:
        self.type_name = type_name
        """The object's own class: `shop.Money`."""
        self._reference = reference
        self._write = write

    async def get(self, *path: str) -> Plain:
        """The value of a field, inherited ones too; `get("a", "b")` is `a.b`, None past a null.

        LookupError when there is no such field.
        """
        return await self._plain(await self._follow(path))

    async def items(self, *path: str) -> list[Plain]:
        """The elements of an array or of a known collection of the JDK (keys, for a map)."""
        value = await self._follow(path)
        if not isinstance(value, ObjectReference):
            return []
        if isinstance(value, ArrayReference):
            return [await self._plain(each) for each in await value.get()]
        found = await contents(value)
        entries = [] if found is None else await found.page(0, found.size)
        shown = (each.value if each.key is None else each.key for each in entries)
        return [await self._plain(each) for each in shown]

    async def as_text(self, *path: str) -> str:
        """How the debugger writes a field's value inside of a line: `"abc"`, `ArrayList(2)`."""
        return await self._write(await self._follow(path))

    async def child(self, *path: str, name: str | None = None) -> RenderedChild:
        """A field as a line below the object, under its own name or another one."""
        *before, last = path
        holder = await self._follow(tuple(before))
        if not isinstance(holder, ObjectReference):
            raise LookupError(f"{'.'.join(before)} is null")  # noqa: TRY004 - as for no such field
        value, field_type = await self._read(holder, last), await _declared(holder, last)
        return RenderedChild(name or last, value, field_type, path)

    async def _follow(self, path: tuple[str, ...]) -> Value:
        value: Value = self._reference
        for name in path:
            if not isinstance(value, ObjectReference):
                return value
            value = await self._read(value, name)
        return value

    async def _read(self, holder: ObjectReference, name: str) -> Value:
        try:
            return await layout.read_nearest(holder, name)
        except UnknownLayoutError as error:
            raise LookupError(str(error)) from error

    async def _plain(self, value: Value) -> Plain:
        if isinstance(value, PrimitiveValue):
            return chr(int(value.value)) if value.kind is PrimitiveKind.CHAR else value.value
        if isinstance(value, StringReference):
            return await value.as_text()
        if not isinstance(value, ObjectReference):
            return None
        name = (await value.type()).name
        if name in BOXES:
            return await self._plain((await layout.read(value, "value"))[0])
        return RenderedObject(value, name, self._write)


class Renderer(Protocol):
    """Shows the objects of some classes. Both methods may return None, for the default."""

    @property
    def type_names(self) -> Sequence[str]:
        """`shop.Money`: classes and interfaces; objects of their subclasses are shown, too."""

    async def text(self, it: RenderedObject, /) -> str | None:
        """The value on one line."""

    async def children(self, it: RenderedObject, /) -> Sequence[RenderedChild] | None:
        """The children; the raw view still has the fields."""


@functools.cache
def installed_renderers() -> tuple[Renderer, ...]:
    """The renderers of the entry points, which name renderers, or classes and functions that make
    one.
    """
    found: list[Renderer] = []
    for each in entry_points.of_group(entry_points.RENDERERS):
        try:
            loaded = each.load()
            is_made = hasattr(loaded, "text") and not isinstance(loaded, type)
            found.append(loaded if is_made else loaded())
        except Exception:  # noqa: BLE001 - any code may be behind the name
            _LOG.exception("the renderer %s (%s) is left out", each.name, each.value)
    return tuple(found)


async def custom_text(reference: ObjectReference, line: Line) -> str | None:
    """The text that a renderer gives for the object; None when no renderer applies."""
    found = await _renderer_for(await reference.type(), line.style.renderers)
    if found is None:
        return None
    it = RenderedObject(reference, (await reference.type()).name, line.part)
    try:
        text = await _in_time(found.text(it))
        return None if text is None else cut(str(text), line.room)
    except Exception as error:  # noqa: BLE001 - a renderer may raise anything
        return f"<{_failed(found, error)}>"


async def custom_children(
    reference: ObjectReference,
    renderers: Sequence[Renderer],
    write: Callable[[Value], Awaitable[str]],
) -> list[RenderedChild] | None:
    """The children that a renderer gives for the object; None when no renderer applies."""
    type_ = await reference.type()
    found = await _renderer_for(type_, renderers)
    if found is None:
        return None
    try:
        shown = await _in_time(found.children(RenderedObject(reference, type_.name, write)))
        return None if shown is None else list(shown)
    except Exception as error:  # noqa: BLE001 - a renderer may raise anything
        return [RenderedChild("<renderer>", UnavailableValue(_failed(found, error)), "", ())]


async def _in_time(work: Coroutine[Any, Any, T]) -> T:
    """Awaits the result; TimeoutError when it takes too long."""
    task = asyncio.create_task(work)
    try:
        await asyncio.wait({task}, timeout=_DEADLINE_S)
        if not task.done():
            raise TimeoutError
        return task.result()
    finally:
        task.cancel()


def _failed(renderer: Renderer, error: Exception) -> str:
    kind = type(error).__name__
    return f"renderer {type(renderer).__name__} failed: {kind}{f': {error}' if str(error) else ''}"


async def _renderer_for(type_: ReferenceType, renderers: Sequence[Renderer]) -> Renderer | None:
    """The renderer by the object's class, else the nearest superclass, else an interface."""
    if not renderers:
        return None
    by_name = {name: each for each in reversed(renderers) for name in each.type_names}
    for each in (type_, *await type_.supertypes()):
        if each.name in by_name:
            return by_name[each.name]
    return None


async def _declared(holder: ObjectReference, name: str) -> str:
    for field in await (await holder.type()).instance_fields():
        if field.name == name:
            return field.type_name
    return ""
