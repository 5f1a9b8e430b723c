# SPDX-License-Identifier: Apache-2.0
"""Pages far into a collection with the JDK's agent: by the stream of the collection itself.

That agent reads one node in a round trip, and a million of them take minutes. So a page behind
many nodes is what `entrySet().stream().skip(start).limit(count).toArray()` gives: code of the JDK
alone, which takes no lock, changes nothing and makes an array of one page. Our agent needs none of
this. The views call `streamed`; the session gives the way to run a method (`use_calls`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from jvmdebug.display import layout
from jvmdebug.display.views.view import Entry
from jvmdebug.errors import (
    EvaluationError,
    InvalidObjectError,
    ReadOnlyError,
    RequestTimeout,
    UnsupportedError,
)
from jvmdebug.model.primitives import PrimitiveKind
from jvmdebug.model.values import ArrayReference, ObjectReference, PrimitiveValue
from jvmdebug.together import together

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from jvmdebug.model.method import Method
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.values import Value
    from jvmdebug.model.virtual_machine import VirtualMachine

Call: TypeAlias = "Callable[[ObjectReference, Method, Sequence[Value]], Awaitable[Value]]"
"""Runs exactly this method on a stopped thread. EvaluationError where there is no such thread."""

_FAR: Final = 2_000
"""So many nodes are read one by one in about a fifth of a second."""
_FARTHEST: Final = 100_000
"""Reading these takes about ten seconds."""
_SLOTS_FOR_A_NODE: Final = 20
"""So many slots of a table are read in the time of one node."""


@dataclass(frozen=True, slots=True)
class Stream:
    """The source of a collection's stream, and what its elements are."""

    of: str
    """The class whose `by` is called: a program's subclass may have overridden it."""
    by: str | None = "entrySet"
    """The method that gives the collection of entries; None: it is the collection."""
    parts: tuple[str, ...] = ("key", "value")
    """The fields of an entry; none: the elements are the values."""
    makes_entries: bool = False
    """Whether entries are made for the one who asks: nobody else keeps them."""
    has_nodes: bool = True
    """Whether the view has an object for each entry."""


def cost(wanted: int, size: int, slots: int) -> int:
    """The cost of finding so many entries in a hash table, in nodes to read.

    The table of a map that was large is large still; slots alone are never too many to read.
    """
    passed = min(slots, wanted * slots // max(size, 1))
    return max(wanted, min(passed // _SLOTS_FOR_A_NODE, _FARTHEST))


class Calls:
    """How to run a method in one VM: `vm.companion(Calls)`."""

    def __init__(self) -> None:
        self.call: Call | None = None

    async def close(self) -> None:
        """Forget the session."""
        self.call = None


def use_calls(vm: VirtualMachine, call: Call) -> None:
    """Set how views of large collections may run methods of the JDK's collections."""
    vm.companion(Calls).call = call


async def streamed(
    reference: ObjectReference, way: Stream | None, start: int, count: int, before: int
) -> list[Entry] | None:
    """Entries from `start`; None where reading the nodes one by one is as good or the only way.

    `before` is how many nodes that is. UnsupportedError where it would take too long.
    """
    if before <= _FAR or count <= 0:
        return None
    why = "there is no way to it but through all entries before it"
    if way is not None:
        try:
            return await _page(reference, way, start, count)
        except EvaluationError as error:
            why = str(error)
        except ReadOnlyError:
            why = "a read-only session runs no method of the collection"
        except (InvalidObjectError, RequestTimeout):
            why = "its own stream gave no answer"
    if before > _FARTHEST:
        raise UnsupportedError(
            f"entry {start} cannot be shown: the JDK's agent reads one entry in a command, and "
            f"{why}; jvmdebug's agent shows any page at once"
        )
    return None


async def _page(
    reference: ObjectReference, way: Stream, start: int, count: int
) -> list[Entry] | None:
    array = await _array(reference, way, start, count)
    if array is None:
        return None
    elements = await array.get()
    if not way.parts:
        return [Entry(each) for each in elements]
    nodes = [each for each in map(layout.as_object, elements) if each is not None]
    if way.makes_entries and way.has_nodes:
        # Until their ids are disposed of, which is when nothing here refers to them.
        await together(each.disable_collection() for each in nodes)
    read = await layout.read_nodes(nodes, *way.parts)
    return [
        Entry(value, key, node if way.has_nodes else None)
        for node, (key, value) in zip(nodes, read, strict=True)
    ]


async def _array(
    reference: ObjectReference, way: Stream, start: int, count: int
) -> ArrayReference | None:
    """What the stream gives; None where the classes are others than expected."""
    call = reference.vm.companion(Calls).call
    of: str | None = way.of
    if way.by is None:
        # Its `stream` is an interface's: that of a program's subclass may be another.
        of = None if (await reference.type()).name == way.of else ""
    found: Value = reference
    for name, signature, argument in _steps(way, start, count):
        if call is None or not isinstance(found, ObjectReference):
            return None
        method = await _method(await found.type(), name, signature, of)
        if method is None:
            return None
        arguments = () if argument is None else (PrimitiveValue(PrimitiveKind.LONG, argument),)
        found = await call(found, method, arguments)
        of = None
    return found if isinstance(found, ArrayReference) else None


def _steps(way: Stream, start: int, count: int) -> list[tuple[str, str, int | None]]:
    """Name, signature and argument of each method to call, on what the one before returned."""
    steps: list[tuple[str, str, int | None]] = [
        ("stream", "()Ljava/util/stream/Stream;", None),
        ("skip", "(J)Ljava/util/stream/Stream;", start),
        ("limit", "(J)Ljava/util/stream/Stream;", count),
        ("toArray", "()[Ljava/lang/Object;", None),
    ]
    return steps if way.by is None else [(way.by, "()Ljava/util/Set;", None), *steps]


async def _method(type_: ReferenceType, name: str, signature: str, of: str | None) -> Method | None:
    """The method that the JDK's class has, or its superclass `of`."""
    for each in (type_, *await type_.supertypes()):
        if of is not None and each.name != of:
            continue
        for method in await each.methods():
            is_it = method.name == name and method.signature == signature
            if is_it and not method.is_abstract:
                return method if each.name.startswith("java.util.") else None
    return None
