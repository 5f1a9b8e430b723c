# SPDX-License-Identifier: Apache-2.0
"""Reactor: a chain of operators from its source on, and whether a sink has its value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.display import layout

if TYPE_CHECKING:
    from jvmdebug.display.line import Line, TextOf
    from jvmdebug.display.views.view import View
    from jvmdebug.display.views.wrapper import Wrapper
    from jvmdebug.model.values import ObjectReference

_PUBLISHER: Final = "reactor.core.publisher."
_RANGE: Final = f"{_PUBLISHER}FluxRange"
_MOST: Final = 12
_VALUES: Final = ("value", "array", "iterable", "error", "supplier", "callable", "future")
"""What a publisher without a source gives, by its field."""


async def _chain(reference: ObjectReference, line: Line) -> str:
    """`MonoJust["a"] → filter → map`"""
    steps: list[str] = []
    at: ObjectReference | None = reference
    while at is not None and len(steps) < _MOST:
        name = line.style.class_name((await at.type()).name).removesuffix("Fuseable")
        source = await _source(at)
        if source is None:
            steps.append(name + await _given(at, line))
        else:
            steps.append(_operator(name))
        at = source
    shown = steps if at is None else [*steps, "…"]
    return " → ".join(reversed(shown)) if not line.is_brief else steps[0]


def _operator(name: str) -> str:
    """`MonoFilter` → `filter`, as it is called."""
    bare = name.removeprefix("Mono").removeprefix("Flux")
    return bare[:1].lower() + bare[1:] if bare else name


async def _source(reference: ObjectReference) -> ObjectReference | None:
    try:
        return await layout.read_object(reference, "source")
    except layout.UnknownLayoutError:
        return None


async def _given(reference: ObjectReference, line: Line) -> str:
    try:
        if (await reference.type()).name == _RANGE:
            return (await _range(reference, line)).removeprefix("FluxRange")
        name = await layout.field_name(reference, *_VALUES)
    except layout.UnknownLayoutError:
        return ""
    (value,) = await layout.read(reference, name)
    return f"[{await line.part(value, line.room)}]"


async def _range(reference: ObjectReference, _line: Line) -> str:
    start, end = await layout.read_integers(reference, "start", "end")
    return f"FluxRange[{start}, {end - 1}]"


async def _sink(reference: ObjectReference, line: Line) -> str:
    """`SinkOneMulticast[pending]`, `[done: "a"]`, `[failed: …]`"""
    names = {
        each.name
        for type_ in (await reference.type(), *await (await reference.type()).superclasses())
        for each in await type_.fields()
    }
    error = await layout.read_object(reference, "error")
    subscribers = await layout.read_object(reference, "subscribers")
    name = line.style.class_name((await reference.type()).name)
    if error is not None:
        return f"{name}[failed: {await line.part(error, line.room)}]"
    is_done = subscribers is not None and await _is_ended(reference, subscribers)
    if not is_done:
        return f"{name}[pending]"
    if "value" not in names:
        return f"{name}[done]"
    (value,) = await layout.read(reference, "value")
    return f"{name}[done: {await line.part(value, line.room)}]"


async def _is_ended(reference: ObjectReference, subscribers: ObjectReference) -> bool:
    """An array of the class stands for a sink that gives nothing more."""
    for type_ in (await reference.type(), *await (await reference.type()).superclasses()):
        fields = [each for each in await type_.fields() if each.name.startswith("TERMINATED")]
        if fields and subscribers in await type_.static_values(fields):
            return True
    return False


async def _serialized(reference: ObjectReference, line: Line) -> str:
    inner = await layout.read_object(reference, "sink")
    if inner is None:
        raise layout.UnknownLayoutError("a sink without the one that it guards")
    return await line.part(inner, line.room)


TEXTS: Final[dict[str, TextOf]] = {
    f"{_PUBLISHER}Mono": _chain,
    f"{_PUBLISHER}Flux": _chain,
    _RANGE: _range,
    f"{_PUBLISHER}SinkEmptyMulticast": _sink,
    f"{_PUBLISHER}SinkEmptySerialized": _serialized,
    f"{_PUBLISHER}SinkOneSerialized": _serialized,
}
VIEWS: Final[dict[str, View | Wrapper]] = {}
