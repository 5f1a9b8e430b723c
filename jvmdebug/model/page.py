# SPDX-License-Identifier: Apache-2.0
"""A page of a collection in one round trip, from our agent, whatever the entries are kept in.

A Walk says which fields lead to them; the agent counts through them and answers with those of the
page, and beforehand what will be requested to show them. Knows no class: `jvmdebug.display` does,
which calls this, and reads node by node where the agent cannot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.descriptors import is_primitive
from jvmdebug.errors import (
    IllegalArgumentError,
    InvalidFieldIdError,
    InvalidIndexError,
    InvalidLengthError,
    RequestTimeout,
    UnsupportedError,
)
from jvmdebug.jdwp.generated import agent, array_reference, object_reference
from jvmdebug.jdwp.ids import ArrayId
from jvmdebug.model.agent import AgentCapability
from jvmdebug.model.values import ObjectReference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.jdwp.snapshot import Snapshot
    from jvmdebug.model.field import Field
    from jvmdebug.model.values import ArrayReference, Value

MOST_ENTRIES: Final = 1_000
"""Of one round trip: the agent does nothing else meanwhile."""


@dataclass(frozen=True, slots=True)
class Walk:
    """The fields that lead from a collection to its entries, and how they are counted."""

    path: tuple[str, ...] = ()
    """From the object to the array or the first node."""
    of: str = ""
    """Descriptor of the class to look for the first of them in; empty: the object's own."""
    parts: tuple[str, ...] = ()
    """The fields of a node that are wanted; none: the array has the elements themselves."""
    after: str = ""
    """To the next node of a chain, or what is behind a node of a tree."""
    before: str = ""
    """To what is before a node of a tree."""
    holds: str = ""
    """Only nodes count where this is not null."""
    redirects: tuple[tuple[str, str], ...] = ()
    """Nodes in the array that lead to the first one: descriptor of their class, and the field."""
    first: int = 0
    """The slot of the array to begin with; behind the last one comes slot 0."""
    slot_size: int = 1
    is_backwards: bool = False
    """Whether slots are numbered from the end."""
    skips_null: bool = False
    """Whether slots that begin with null do not count; those of nodes never do."""


@dataclass(frozen=True, slots=True)
class PageEntry:
    """The node, if there is one, and its parts or the elements of the slot."""

    node: ObjectReference | None
    values: tuple[Value, ...]


async def entries(
    reference: ObjectReference, walk: Walk, skip: int, count: int
) -> list[PageEntry] | None:
    """Reads at most `count` entries behind the first `skip`; a round trip for each thousand.

    None when the agent cannot, or the object is not as the walk expects. UnsupportedError where too
    many nodes come before them.
    """
    vm = reference.vm
    found: list[PageEntry] = []
    while len(found) < count:
        wanted = min(count - len(found), MOST_ENTRIES)
        reply = await _page(reference, walk, skip + len(found), wanted)
        if reply is None:
            return None
        found += (
            PageEntry(
                vm.reference(each.node.tag, each.node.id) if each.node.id else None,
                tuple(map(vm.value, each.values)),
            )
            for each in reply.entries
        )
        if len(reply.entries) < wanted:
            break
    return found


async def count_entries(reference: ObjectReference, walk: Walk, most: int) -> int | None:
    """How many entries there are, counted up to so many; None as above."""
    reply = await _page(reference, walk, most, 0)
    return None if reply is None else reply.skipped


async def _page(
    reference: ObjectReference, walk: Walk, skip: int, count: int
) -> agent.PageReply | None:
    if not _can_page(reference):
        return None
    try:
        return await reference.vm.connection.prefetch(_command(reference, walk, skip, count))
    except (InvalidFieldIdError, InvalidIndexError, InvalidLengthError, RequestTimeout):
        return None
    except IllegalArgumentError as error:
        raise UnsupportedError(
            f"entry {skip} and those behind it cannot be shown: more than 100 million slots and "
            "nodes of the collection come before them, and the agent counts through no more"
        ) from error


async def elements(array: ArrayReference, start: int, count: int) -> list[Value] | None:
    """Elements of an array of objects, unless they are there with what they are shown with.

    None as above, and for an array of primitive values.
    """
    if not _can_page(array) or is_primitive((await array.type()).signature[1:]):
        return None
    here = array_reference.GetValues(ArrayId(array.id), start, count)
    if array.vm.connection.has_prefetched(here) and _are_described(await array.get(start, count)):
        return None
    found = await entries(array, Walk(), start, count)
    return None if found is None else [each.values[0] for each in found]


def _are_described(values: Sequence[Value]) -> bool:
    """Whether the last of them was prefetched: they are in their order, as far as there is room."""
    last = next((each for each in reversed(values) if isinstance(each, ObjectReference)), None)
    if last is None:
        return True
    return last.vm.connection.has_prefetched(object_reference.ReferenceType(last.id))


async def open_object(reference: ObjectReference, fields: Sequence[Field]) -> None:
    """Prefetch what showing these fields of an object will request, in one round trip."""
    vm = reference.vm
    if not fields or not _can_page(reference) or not vm.is_still():
        return
    here = object_reference.GetValues(reference.id, tuple(each.id for each in fields))
    if vm.connection.has_prefetched(here) and _are_described(await reference.get_values(fields)):
        return
    await vm.connection.prefetch(_command(reference, Walk(), 0, 0))


async def read_around(reference: ObjectReference, seen: Sequence[Snapshot]) -> Snapshot | None:
    """Reads an object and what it refers to, two deep, in one round trip, unless `seen` has it.

    While no thread runs, later requests are answered from it, and there is no snapshot: None. None
    too when the agent cannot.
    """
    vm = reference.vm
    if not _can_page(reference):
        return None
    command = _command(reference, Walk(), 0, 0, with_contents=True)
    if vm.is_still():
        if not vm.connection.has_prefetched(object_reference.ReferenceType(reference.id)):
            await vm.connection.prefetch(command)
        return None
    if any(each.has(reference.id) for each in seen):
        return None
    return await vm.connection.snapshot(command)


def _can_page(reference: ObjectReference) -> bool:
    """Whether the agent can tell pages of the object. One that exists here only has no id."""
    return bool(reference.id) and reference.vm.agent_can(AgentCapability.PAGE)


def _command(
    reference: ObjectReference, walk: Walk, skip: int, count: int, *, with_contents: bool = False
) -> agent.Page:
    return agent.Page(
        object=reference.id,
        of=walk.of,
        path=walk.path,
        first=walk.first,
        slot_size=walk.slot_size,
        is_backwards=walk.is_backwards,
        skips_null=walk.skips_null,
        before=walk.before,
        after=walk.after,
        holds=walk.holds,
        parts=walk.parts,
        redirects=tuple(agent.Page.Redirect(*each) for each in walk.redirects),
        skip=skip,
        count=count,
        with_contents=with_contents or reference.vm.is_still(),
    )
