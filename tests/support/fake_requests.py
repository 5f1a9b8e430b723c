# SPDX-License-Identifier: Apache-2.0
"""The event requests of a fake VM: which are armed now, which are refused, and which an event hits.

A class that is prepared meets the class prepare requests whose filters let it through, as in a VM.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from tests.support.fake_vm import EVENT_THREAD, MAIN_THREAD, Refusal

if TYPE_CHECKING:
    from tests.support.fake_classes import FakeClass
    from tests.support.fake_vm import FakeVm, Reply
    from tests.support.wire_reading import Message

BREAKPOINT, EXCEPTION, CLASS_PREPARE, CLASS_UNLOAD = 2, 4, 8, 9
FIELD_ACCESS, FIELD_MODIFICATION, METHOD_ENTRY = 20, 21, 40
CLASS_ONLY, CLASS_MATCH, LOCATION_ONLY, SOURCE_NAME_MATCH = 4, 5, 7, 12
_OF_SESSION = (CLASS_UNLOAD,)


class EventRequests:
    """What the debugger asked this VM to report."""

    def __init__(self, vm: FakeVm) -> None:
        self._vm = vm
        self.armed: dict[int, Message] = {}
        """Request id → request, but for those that every session has."""
        self.refused: list[tuple[int, Message, int]] = []
        """Kind, a part of a modifier, error code: what `refuse` said."""
        self._last_id = 0
        vm.on("EventRequest.Set", self._set)
        vm.on("EventRequest.Clear", self._clear)

    def refuse(self, kind: int, code: int, **part: object) -> None:
        """Refuse requests of this kind that have a modifier with these fields."""
        self.refused.append((kind, part, code))

    def of(self, *kinds: int) -> list[Message]:
        """The armed requests of these kinds, oldest first."""
        return [each for each in self.armed.values() if each["event_kind"] in kinds]

    @property
    def locations(self) -> list[Message]:
        """The places where breakpoints are armed, oldest first."""
        return [each["modifiers"][0]["location"] for each in self.of(BREAKPOINT)]

    def ids_at(self, location: Message) -> list[int]:
        """The breakpoint requests at a location, oldest first."""
        return [
            number
            for number, each in self.armed.items()
            if each["event_kind"] == BREAKPOINT and each["modifiers"][0]["location"] == location
        ]

    async def prepare(self, class_: FakeClass) -> None:
        """Send the events of a class that was prepared, and wait until its thread runs on."""
        met = [
            number
            for number, each in self.armed.items()
            if each["event_kind"] == CLASS_PREPARE and _passes(class_, each["modifiers"])
        ]
        if not met:
            return
        resumed = len(self._vm.commands("ThreadReference.Resume"))
        events = [
            {
                "kind": CLASS_PREPARE,
                "request_id": number,
                "thread": MAIN_THREAD,
                "type_tag": class_.tag,
                "type_id": class_.id,
                "signature": class_.signature,
                "status": 3,
            }
            for number in met
        ]
        await self._vm.send_events(EVENT_THREAD, *events)
        await self._vm.wait_for("ThreadReference.Resume", resumed + 1)

    def hit(self, location: Message, thread: int = MAIN_THREAD) -> Message:
        """The event of the newest breakpoint request there."""
        return self.hits(location, thread)[-1]

    def hits(self, location: Message, thread: int = MAIN_THREAD) -> list[Message]:
        """The events of all breakpoint requests there."""
        return [
            {"kind": BREAKPOINT, "request_id": number, "thread": thread, "location": location}
            for number in self.ids_at(location)
        ]

    def _set(self, request: Message) -> Reply:
        for kind, part, code in self.refused:
            if request["event_kind"] == kind and any(
                part.items() <= modifier.items() for modifier in request["modifiers"]
            ):
                return Refusal(code)
        self._last_id += 1
        if request["event_kind"] not in _OF_SESSION:
            self.armed[self._last_id] = request
        return {"request_id": self._last_id}

    def _clear(self, request: Message) -> Reply:
        self.armed.pop(request["request_id"], None)
        return {}


def _passes(class_: FakeClass, modifiers: list[Message]) -> bool:
    return all(_lets_through(class_, each) for each in modifiers)


def _lets_through(class_: FakeClass, modifier: Message) -> bool:
    match modifier["kind"]:
        case 5:
            return fnmatchcase(class_.name, modifier["pattern"])
        case 12:
            return class_.source is not None and fnmatchcase(class_.source, modifier["pattern"])
        case 4:
            return modifier["type_id"] in _ids_above(class_)
        case _:
            raise AssertionError(f"no class prepare request has {modifier}")


def _ids_above(class_: FakeClass) -> set[int]:
    above = [*class_.interfaces, *([class_.superclass] if class_.superclass else [])]
    return {class_.id}.union(*map(_ids_above, above))
