# SPDX-License-Identifier: Apache-2.0
"""One act of a debuggee of the package `acts`: chosen by the debugger, then back at its stop.

Owns the way into an act and out of it, so that conversations about time share a VM: the main
thread stands at `@stop` before and after, all threads suspended once, nothing requested. What the
script asks through `Play` is recorded; the ways in and out are not.

    @acting(WALKS, "straight")
    def over(play: Play) -> None:
        play.run_to("callMiddle")
        play.step(OVER)
"""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

from tests.conformance.differential.registry import conversation
from tests.conformance.differential.scene import Scene
from tests.conformance.jdwp.stage import (
    ALL,
    BREAKPOINT,
    CLASS_PREPARE,
    LINE,
    SINGLE_STEP,
    class_match,
    location_only,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from tests.conformance.differential.talk import Answer, Talk
    from tests.support.wire_reading import Message

T = TypeVar("T")

WALKS = Scene("walks", "walks", "acts.Walks", marker="stop")
"""Code to step through."""

EVENTS = Scene("events", "events", "acts.Events", marker="stop")
"""Things that happen."""

CROWD = Scene("crowd", "crowd", "acts.Crowd", marker="stop")
"""Several threads, methods to invoke and stacks to change."""


class Play:
    """An act that is being played to one agent."""

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self.stage = talk.stage
        self.vm = talk.vm
        self.thread = talk.stage.main_thread
        self._made: list[tuple[int, int]] = []

    # --- the way in and out, unrecorded -----------------------------------------------------------

    def choose(self, act: str) -> None:
        """What is played when the main thread leaves its stop."""
        text = self.vm.ask("VirtualMachine.CreateString", text=act)["string"]
        self.set_static("next", text.to_bytes(8))

    def set_static(self, name: str, content: bytes) -> None:
        """A static field of the main class, as the wire has it without its tag."""
        content = self.stage.field(name).to_bytes(8) + content
        self.vm.ask(
            "ClassType.SetValues",
            type_id=self.stage.type(),
            values={"count": 1, "content": content},
        )

    def home(self) -> None:
        """Back at the stop, with nothing requested."""
        for kind, request in self._made:
            self.stage.clear(kind, request)
        self._made.clear()
        self.choose("nothing")
        if self.stage.suspend_count(self.thread) == 0:
            # It must not come to the breakpoint before it is resumed.
            self.vm.ask("VirtualMachine.Suspend")
        self.stage.run_to("stop")

    def run_to(self, marker: str) -> int:
        """Until a thread comes to the line; that thread."""
        return self.stage.run_to(marker)

    def drop_sets(self) -> None:
        """Forget event sets that may or may not have come."""
        self.vm.sets.clear()

    def method(self, signature: str, name: str) -> int:
        """The one method of that name, or of that name and descriptor."""
        listed = self.vm.ask("ReferenceType.Methods", type_id=self.stage.type(signature))
        (found,) = [
            one["method_id"]
            for one in listed["methods"]
            if name in (one["name"], one["name"] + one["signature"])
        ]
        return int(found)

    def prepare(self, name: str) -> None:
        """Until that class is prepared."""
        request = self.stage.request(CLASS_PREPARE, class_match(name))
        self.stage.resume()
        self.stage.next_event(CLASS_PREPARE)
        self.stage.clear(CLASS_PREPARE, request)

    # --- recorded ---------------------------------------------------------------------------------

    def ask(self, command: str, **fields: Any) -> Answer:
        """The reply to a command."""
        return self.talk.ask(command, **fields)

    def request(self, kind: int, *modifiers: Message, policy: int = ALL) -> int:
        """Ask for events; the request id, 0 when that is refused."""
        answer = self.talk.ask(
            "EventRequest.Set",
            event_kind=kind,
            suspend_policy=policy,
            modifiers=list(modifiers),
        )
        if answer.refused != "NONE":
            return 0
        self._made.append((kind, answer["request_id"]))
        return int(answer["request_id"])

    def clear(self, kind: int, request: int) -> None:
        """Take a request back."""
        self.talk.ask("EventRequest.Clear", event_kind=kind, request_id=request)
        self._made.remove((kind, request))

    def break_at(self, marker: str, *modifiers: Message, policy: int = ALL) -> int:
        """A breakpoint at the line of the marker in the main class."""
        place = location_only(self.stage.place(marker))
        return self.request(BREAKPOINT, place, *modifiers, policy=policy)

    def resume(self) -> None:
        """All threads."""
        self.talk.ask("VirtualMachine.Resume")

    def go(self) -> list[Message]:
        """Resume all, and the events of the next set."""
        self.resume()
        return list(self.talk.next_set()["events"])

    def to_the_stop(self, most: int = 60) -> None:
        """Resume, set by set, until the main thread comes to its stop."""
        stop = self.break_at("stop")
        for _ in range(most):
            events = self.go()
            if any((one["kind"], one["request_id"]) == (BREAKPOINT, stop) for one in events):
                return
        raise TimeoutError(f"{most} event sets, and no end")

    def walk(self, depth: int, steps: int, *modifiers: Message, size: int = LINE) -> None:
        """So many steps of one request, or until the stop."""
        stop = self.stage.marked_line("stop")
        request = self.begin_step(depth, *modifiers, size=size)
        for _ in range(steps):
            where = self.go()[0]["location"]
            if where["type_id"] == self.stage.type() and self.stage.line_of(where) == stop:
                break
        self.clear(SINGLE_STEP, request)

    def begin_step(
        self, depth: int, *modifiers: Message, size: int = LINE, thread: int = 0, policy: int = ALL
    ) -> int:
        """A step request; its id."""
        step = {"kind": 10, "thread": thread or self.thread, "size": size, "depth": depth}
        return self.request(SINGLE_STEP, step, *modifiers, policy=policy)

    def step(
        self, depth: int, *modifiers: Message, size: int = LINE, thread: int = 0
    ) -> list[Message]:
        """One step; the events of the set that ends it."""
        request = self.begin_step(depth, *modifiers, size=size, thread=thread)
        events = self.go()
        self.clear(SINGLE_STEP, request)
        return events

    def invoke(self, name: str, *numbers: int, thread: int = 0, options: int = 1) -> Answer:
        """A static method of the main class that takes ints."""
        return self.talk.ask(
            "ClassType.InvokeMethod",
            type_id=self.stage.type(),
            thread=thread or self.thread,
            method_id=self.stage.methods()[name],
            arguments=[{"tag": ord("I"), "value": number} for number in numbers],
            options=options,
        )

    def note_sets(self) -> None:
        """How many event sets have come that nobody looked at."""
        self.talk.note("event sets so far", len(self.vm.sets))

    def stack(self, thread: int = 0) -> list[Message]:
        """The frames of a suspended thread."""
        answer = self.talk.ask(
            "ThreadReference.Frames",
            thread=thread or self.thread,
            start_frame=0,
            length=-1,
        )
        return list(answer["frames"])

    def counts(self, threads: Iterable[int]) -> None:
        """How often each is suspended."""
        for thread in threads:
            self.talk.ask("ThreadReference.SuspendCount", thread=thread)


def acting(
    scene: Scene, act: str, *, least_version: int = 0, most_version: int = 999
) -> Callable[[Callable[[Play], None]], Callable[[Play], None]]:
    """Register the function as a conversation in that act, whose VM it shares with others."""

    def register(script: Callable[[Play], None]) -> Callable[[Play], None]:
        @wraps(script)
        def whole(talk: Talk) -> None:
            _in_act(talk, act, script)

        conversation(scene, least_version=least_version, most_version=most_version)(whole)
        return script

    return register


def acting_over(
    cases: Mapping[str, T],
    scene: Scene,
    act: str,
    *,
    fresh: bool = False,
    least_version: int = 0,
) -> Callable[[Callable[[Play, T], None]], Callable[[Play, T], None]]:
    """Register the function once for each case, as `<module>.<function>[<case>]`.

    One with a VM of its own (`fresh`) is not brought back to the stop.
    """

    def register(script: Callable[[Play, T], None]) -> Callable[[Play, T], None]:
        for key, case in cases.items():
            register_case = conversation(scene, fresh=fresh, least_version=least_version)
            register_case(_whole(act, key, case, script, is_last=fresh))
        return script

    return register


def _whole(
    act: str, key: str, case: T, script: Callable[[Play, T], None], *, is_last: bool
) -> Callable[[Talk], None]:
    def whole(talk: Talk) -> None:
        _in_act(talk, act, lambda play: script(play, case), is_last=is_last)

    whole.__module__ = script.__module__
    whole.__name__ = f"{script.__name__}[{key}]"
    return whole


def _in_act(talk: Talk, act: str, script: Callable[[Play], None], *, is_last: bool = False) -> None:
    play = Play(talk)
    play.choose(act)
    script(play)
    if not is_last:
        play.home()
