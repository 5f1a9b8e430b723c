# SPDX-License-Identifier: Apache-2.0
"""Objects of a program that runs: those of a class, chosen by a condition, and what refers to one.

Works with every agent that can look for objects; ours sends them page by page, with subclasses.
Called by the session's door, `jvmdebug.session.heap`.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, overload

from jvmdebug import display, evaluator
from jvmdebug.arguments import require_text, require_whole
from jvmdebug.errors import EvaluationError, InvalidObjectError, JvmDebugError
from jvmdebug.heap.errors import HeapError
from jvmdebug.jdwp.generated import heap as heap_set
from jvmdebug.model.agent import AgentCapability
from jvmdebug.model.class_names import classes_named
from jvmdebug.model.values import ArrayReference, ClassObjectReference, ObjectReference
from jvmdebug.printable import one_line
from jvmdebug.together import together

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence

    from jvmdebug.display import ValueStyle
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.virtual_machine import VirtualMachine

_FIRST_CHUNK: Final = 500
_LARGEST_CHUNK: Final = 20_000
_AT_ONCE: Final = 100
_ELEMENTS: Final = 1_000_000
"""So many elements of an array are looked through for an object."""
_CALL_DEADLINE_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class LiveObject:
    """An object of the program, as it was when it was found. `str(object)` is its text.

    It is not kept alive by this. `paths_to_roots`, `retained_size`, `referrers` and `mark` of
    `session.heap` take it, and `variable` shows what is in it.
    """

    reference: ObjectReference
    """The object as the model has it."""
    type_name: str
    """Its own class."""
    text: str
    """On one line, as Java would write it."""

    @property
    def id(self) -> int:
        """The same for the same object, while the program runs."""
        return self.reference.id

    def as_dict(self) -> dict[str, Any]:
        """Returns a dict for JSON."""
        return {"id": self.id, "type_name": self.type_name, "text": self.text}

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class ObjectPage:
    """Objects of one class and its subclasses; iterate over it."""

    type_name: str
    total: int
    """How many objects the program can reach, whatever the condition."""
    objects: tuple[LiveObject, ...]
    has_more: bool
    """Whether there are more behind these."""
    failed: int = 0
    """For so many objects the condition had no value, such as for a null on the way: they are left
    out."""
    failure: str | None = None
    """Why, for the first of them."""

    def __iter__(self) -> Iterator[LiveObject]:
        return iter(self.objects)

    @overload
    def __getitem__(self, index: int) -> LiveObject: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[LiveObject, ...]: ...
    def __getitem__(self, index: int | slice) -> LiveObject | tuple[LiveObject, ...]:
        return self.objects[index]

    def __len__(self) -> int:
        return len(self.objects)

    def as_dict(self) -> dict[str, Any]:
        """Returns a dict for JSON."""
        return {
            "type_name": self.type_name,
            "total": self.total,
            "objects": [each.as_dict() for each in self.objects],
            "has_more": self.has_more,
            "failed": self.failed,
            "failure": self.failure,
        }


@dataclass(frozen=True, slots=True)
class Referrer:
    """An object that refers to another one."""

    object: LiveObject
    via: tuple[str, ...]
    """By which fields or elements: `.next`, `[3]`, `static shop.Main.CACHE`; empty when the VM does
    not tell, as for a class and its loader."""

    def as_dict(self) -> dict[str, Any]:
        """Returns a dict for JSON."""
        return {"object": self.object.as_dict(), "via": list(self.via)}

    def __str__(self) -> str:
        return f"{self.object} {', '.join(self.via)}".rstrip()


@dataclass(frozen=True, slots=True)
class ObjectQuery:
    """What objects are asked for."""

    type_name: str
    where: str | None
    limit: int
    offset: int
    subclasses: bool


async def find_objects(
    vm: VirtualMachine, query: ObjectQuery, style: ValueStyle, thread: Thread | None
) -> ObjectPage:
    """See `SessionHeap.instances`. Methods of a condition are called on `thread`."""
    require_text("type_name", query.type_name)
    require_whole("limit", query.limit, 1)
    require_whole("offset", query.offset, 0)
    vm.require("can_get_instance_info", "looking for the objects of a class")
    types = await classes_named(vm, query.type_name)
    if not types:
        raise EvaluationError(
            f"no class {query.type_name} is loaded: give its full name, shop.Cart$Item for a "
            "nested one"
        )
    source = _Source(vm, types, subclasses=query.subclasses)
    if query.where is None:
        found = await source.page(query.offset, query.limit)
        objects = await show(found, style)
        has_more = source.total > query.offset + len(found)
        return ObjectPage(query.type_name, source.total, tuple(objects), has_more)
    chosen = _Chosen(query.where, types[0], thread)
    try:
        wanted = query.offset + query.limit
        async for some in source.chunks(first=max(_FIRST_CHUNK, 2 * wanted)):
            await chosen.add(some, wanted + 1)
            if len(chosen.objects) > wanted:
                break
    finally:
        await chosen.release()
    objects = await show(chosen.objects[query.offset : wanted], style)
    more = len(chosen.objects) > wanted
    return ObjectPage(
        query.type_name, source.total, tuple(objects), more, chosen.failed, chosen.failure
    )


class _Source:
    """The objects of some types, page by page."""

    def __init__(
        self, vm: VirtualMachine, types: Sequence[ReferenceType], *, subclasses: bool
    ) -> None:
        self._vm = vm
        self._types = types
        self._subclasses = subclasses
        self._all: list[ObjectReference] | None = None
        self.total = 0
        """Known behind the first page."""

    async def page(self, skip: int, count: int) -> list[ObjectReference]:
        vm = self._vm
        if not vm.agent_can(AgentCapability.HEAP):
            if self._all is None:
                self._all = await self._of_stock_agent()
                self.total = len(self._all)
            return self._all[skip : skip + count]
        while self._types:
            ids = tuple(each.id for each in self._types)
            command = heap_set.Instances(ids, self._subclasses, skip, count)
            try:
                reply = await vm.request(command, timeout_s=None)
            except InvalidObjectError:  # one of them was unloaded meanwhile
                self._types = await classes_named(vm, self._types[0].name)
                continue
            self.total = reply.total
            return [vm.reference(each.tag, each.id) for each in reply.objects]
        self.total = 0
        return []

    async def chunks(self, first: int) -> AsyncIterator[list[ObjectReference]]:
        skip, size = 0, min(first, _LARGEST_CHUNK)
        while some := await self.page(skip, size):
            yield some
            skip += len(some)
            size = min(size * 4, _LARGEST_CHUNK)
            if skip >= self.total:
                return

    async def _of_stock_agent(self) -> list[ObjectReference]:
        """All of them: JDWP has no pages, and no subclasses."""
        types = list(self._types)
        if self._subclasses:
            name = types[0].name
            every = await self._vm.all_classes()
            below = await together(each.is_subtype_of(name) for each in every)
            found = (each for each, is_below in zip(every, below, strict=True) if is_below)
            types = list(dict.fromkeys([*types, *found]))
        return [obj for each in types for obj in await each.instances()]


class _Chosen:
    """The objects that a condition holds for."""

    def __init__(self, where: str, type_: ReferenceType, thread: Thread | None) -> None:
        self._thread = thread
        self._read_only = True
        self._condition = evaluator.ObjectCondition(where, type_, read_only=True)
        self._calling = evaluator.ObjectCondition(where, type_, read_only=False)
        self.objects: list[ObjectReference] = []
        self.failed = 0
        self.failure: str | None = None
        self._tested = 0

    async def add(self, candidates: Sequence[ObjectReference], enough: int) -> None:
        """Adds those that it holds for, until there are enough in all."""
        for start in range(0, len(candidates), _AT_ONCE):
            some = candidates[start : start + _AT_ONCE]
            for obj, holds in zip(some, await self._test(some), strict=True):
                self._tested += 1
                if holds is True:
                    self.objects.append(obj)
                elif isinstance(holds, EvaluationError):
                    self._fail(holds, is_last=self._tested == len(some))
            if len(self.objects) >= enough:
                return

    def _fail(self, error: EvaluationError, *, is_last: bool) -> None:
        self.failed += 1
        self.failure = self.failure or one_line(str(error))
        if is_last and self.failed == self._tested:
            raise error  # of the first objects none has a value: the condition is wrong

    async def _test(
        self, objects: Sequence[ObjectReference]
    ) -> list[bool | EvaluationError | None]:
        if self._read_only:
            try:
                return await asyncio.gather(*(self._holds(each, None) for each in objects))
            except evaluator.ReadOnlyError:
                if self._thread is None:
                    raise HeapError(
                        "the condition calls a method, which takes a thread that is stopped at a "
                        "breakpoint or after a step: stop the program there, or compare fields only"
                    ) from None
            self._read_only = False
            self._condition, self._calling = self._calling, self._condition
        return [await self._holds(each, self._thread) for each in objects]

    async def _holds(
        self, obj: ObjectReference, thread: Thread | None
    ) -> bool | EvaluationError | None:
        """None: it was collected meanwhile."""
        try:
            return await self._condition.holds(obj, thread, _CALL_DEADLINE_S)
        except evaluator.ReadOnlyError:
            raise
        except EvaluationError as error:
            if isinstance(error.__cause__, InvalidObjectError):
                return None
            return error

    async def release(self) -> None:
        await self._condition.release()
        await self._calling.release()


async def show(objects: Sequence[ObjectReference], style: ValueStyle) -> list[LiveObject]:
    """What they look like now; those that were collected meanwhile are left out."""

    async def one(obj: ObjectReference) -> LiveObject | None:
        try:
            name, text = await asyncio.gather(display.type_name(obj), display.render(obj, style))
        except InvalidObjectError:
            return None
        return LiveObject(obj, one_line(name), one_line(text))

    found = await together(one(each) for each in objects)
    return [each for each in found if each is not None]


async def find_referrers(obj: ObjectReference, limit: int, style: ValueStyle) -> list[Referrer]:
    """See `SessionHeap.referrers`."""
    vm = obj.vm
    vm.require("can_get_instance_info", "looking for what refers to an object")
    found = await obj.referring_objects(limit)
    shown = await show(found, style)
    vias = await together(_ways(each.reference, obj) for each in shown)
    return [Referrer(each, tuple(via)) for each, via in zip(shown, vias, strict=True)]


async def _ways(referrer: ObjectReference, target: ObjectReference) -> list[str]:
    """How it refers to the other object."""
    try:
        if isinstance(referrer, ArrayReference):
            return await _elements(referrer, target)
        if isinstance(referrer, ClassObjectReference):
            return await _static_fields(referrer, target)
        fields = [each for each in await (await referrer.type()).all_fields() if not each.is_static]
        values = await referrer.get_values(fields)
    except JvmDebugError:
        return []  # it has been collected, or does not show its fields
    return [
        f".{field.name}" for field, value in zip(fields, values, strict=True) if value == target
    ]


async def _elements(array: ArrayReference, target: ObjectReference) -> list[str]:
    length = min(await array.length(), _ELEMENTS)
    values = await array.get(0, length)
    return [f"[{index}]" for index, value in enumerate(values) if value == target]


async def _static_fields(class_object: ClassObjectReference, target: ObjectReference) -> list[str]:
    type_ = await class_object.reflected_type()
    fields = [each for each in await type_.fields() if each.is_static]
    values = await type_.static_values(fields)
    return [
        f"static {type_.name}.{field.name}"
        for field, value in zip(fields, values, strict=True)
        if value == target
    ]
