# SPDX-License-Identifier: Apache-2.0
"""One scenario of a debuggee of the package `scenarios`, and the conversations held in it.

The debugger chooses a scenario by name at `@stop`; afterwards the main thread is back there, all
threads suspended once, nothing requested. So conversations can share a VM. What a script asks
through `Scenario` is recorded; getting there and back is not.

    @scenario_conversation(WALKS, "straight")
    def over(scenario: Scenario) -> None:
        scenario.run_to("callMiddle")
        scenario.step(OVER)
"""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

from tests.conformance.differential.fixture import Fixture
from tests.conformance.differential.registry import conversation
from tests.support.jdwp_session import (
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

    from tests.conformance.differential.recording_client import Answer, RecordingClient
    from tests.support.wire_reading import Message

T = TypeVar("T")

WALKS = Fixture("walks", "walks", "scenarios.Walks", marker="stop")
"""Code to step through."""

EVENTS = Fixture("events", "events", "scenarios.Events", marker="stop")
"""Things that happen."""

MANY_THREADS = Fixture("many_threads", "many_threads", "scenarios.ManyThreads", marker="stop")
"""Several threads, methods to invoke and stacks to change."""


class Scenario:
    """A scenario that runs under one agent."""

    def __init__(self, client: RecordingClient) -> None:
        self.client = client
        self.session = client.session
        self.vm = client.vm
        self.thread = client.session.main_thread
        self._made: list[tuple[int, int]] = []

    # --- there and back, not recorded -----------------------------------------------------------

    def choose(self, name: str) -> None:
        """Choose what runs when the main thread leaves its stop."""
        text = self.vm.ask("VirtualMachine.CreateString", text=name)["string"]
        self.set_static("next", text.to_bytes(8))

    def set_static(self, name: str, content: bytes) -> None:
        """A static field of the main class, as the wire has it without its tag."""
        content = self.session.field(name).to_bytes(8) + content
        self.vm.ask(
            "ClassType.SetValues",
            type_id=self.session.type(),
            values={"count": 1, "content": content},
        )

    def clear_interrupt(self) -> None:
        """Clears it at an event of ManyThreads. The JDK's own agent hides an interrupt from what
        runs there if the thread has waited until the event was sent, which is chance.
        """
        self.vm.ask(
            "ClassType.InvokeMethod",
            type_id=self.session.type(),
            thread=self.thread,
            method_id=self.session.methods()["interrupted"],
            arguments=[],
            options=1,
        )

    def home(self) -> None:
        """Back at the stop, with nothing requested."""
        for kind, request in self._made:
            self.session.clear(kind, request)
        self._made.clear()
        self.choose("nothing")
        self.session.suspend_once()
        self.session.run_to("stop")

    def run_to(self, marker: str) -> int:
        """Runs until a thread comes to the line; gives that thread."""
        return self.session.run_to(marker)

    def drop_sets(self) -> None:
        """Forget event sets that may or may not have come."""
        self.vm.sets.clear()

    def method(self, signature: str, name: str) -> int:
        """The one method of that name, or of that name and descriptor."""
        listed = self.vm.ask("ReferenceType.Methods", type_id=self.session.type(signature))
        (found,) = [
            one["method_id"]
            for one in listed["methods"]
            if name in (one["name"], one["name"] + one["signature"])
        ]
        return int(found)

    def prepare(self, name: str) -> None:
        """Runs until that class is prepared."""
        request = self.session.request(CLASS_PREPARE, class_match(name))
        self.session.resume()
        self.session.next_event(CLASS_PREPARE)
        self.session.clear(CLASS_PREPARE, request)

    # --- recorded ---------------------------------------------------------------------------------

    def ask(self, command: str, **fields: Any) -> Answer:
        """The reply to a command."""
        return self.client.ask(command, **fields)

    def request(self, kind: int, *modifiers: Message, policy: int = ALL) -> int:
        """Ask for events; the request id, 0 when that is refused."""
        answer = self.client.ask(
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
        self.client.ask("EventRequest.Clear", event_kind=kind, request_id=request)
        self._made.remove((kind, request))

    def break_at(self, marker: str, *modifiers: Message, policy: int = ALL) -> int:
        """A breakpoint at the line of the marker in the main class."""
        place = location_only(self.session.place(marker))
        return self.request(BREAKPOINT, place, *modifiers, policy=policy)

    def resume(self) -> None:
        """All threads."""
        self.client.ask("VirtualMachine.Resume")

    def go(self) -> list[Message]:
        """Resume all, and the events of the next set."""
        self.resume()
        return list(self.client.next_set()["events"])

    def to_the_stop(self, most: int = 60) -> None:
        """Resume, set by set, until the main thread comes to its stop."""
        stop = self.break_at("stop")
        for _ in range(most):
            events = self.go()
            if any((one["kind"], one["request_id"]) == (BREAKPOINT, stop) for one in events):
                return
        raise TimeoutError(f"{most} event sets, and no end")

    def walk(self, depth: int, steps: int, *modifiers: Message, size: int = LINE) -> None:
        """Makes so many steps of one request, or until the stop."""
        stop = self.session.marked_line("stop")
        request = self.begin_step(depth, *modifiers, size=size)
        for _ in range(steps):
            where = self.go()[0]["location"]
            if where["type_id"] == self.session.type() and self.session.line_of(where) == stop:
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
        return self.client.ask(
            "ClassType.InvokeMethod",
            type_id=self.session.type(),
            thread=thread or self.thread,
            method_id=self.session.methods()[name],
            arguments=[{"tag": ord("I"), "value": number} for number in numbers],
            options=options,
        )

    def note_sets(self) -> None:
        """The number of event sets that arrived and were not read."""
        self.client.note("event sets so far", len(self.vm.sets))

    def stack(self, thread: int = 0) -> list[Message]:
        """The frames of a suspended thread."""
        answer = self.client.ask(
            "ThreadReference.Frames",
            thread=thread or self.thread,
            start_frame=0,
            length=-1,
        )
        return list(answer["frames"])

    def counts(self, threads: Iterable[int]) -> None:
        """How often each is suspended."""
        for thread in threads:
            self.client.ask("ThreadReference.SuspendCount", thread=thread)


def scenario_conversation(
    fixture: Fixture,
    name: str,
    *,
    fresh: bool = False,
    least_version: int = 0,
    most_version: int = 999,
) -> Callable[[Callable[[Scenario], None]], Callable[[Scenario], None]]:
    """Register the function as a conversation in that scenario; it shares the VM with others
    unless it is `fresh`.
    """

    def register(script: Callable[[Scenario], None]) -> Callable[[Scenario], None]:
        @wraps(script)
        def whole(client: RecordingClient) -> None:
            _in_scenario(client, name, script, is_last=fresh)

        conversation(fixture, fresh=fresh, least_version=least_version, most_version=most_version)(
            whole
        )
        return script

    return register


def scenario_conversations(
    cases: Mapping[str, T],
    fixture: Fixture,
    name: str,
    *,
    fresh: bool = False,
    least_version: int = 0,
    most_version: int = 999,
) -> Callable[[Callable[[Scenario, T], None]], Callable[[Scenario, T], None]]:
    """Register the function once for each case, as `<module>.<function>[<case>]`.

    One with a VM of its own (`fresh`) is not brought back to the stop.
    """

    def register(script: Callable[[Scenario, T], None]) -> Callable[[Scenario, T], None]:
        for key, case in cases.items():
            register_case = conversation(
                fixture, fresh=fresh, least_version=least_version, most_version=most_version
            )
            register_case(_whole(name, key, case, script, is_last=fresh))
        return script

    return register


def _whole(
    name: str, key: str, case: T, script: Callable[[Scenario, T], None], *, is_last: bool
) -> Callable[[RecordingClient], None]:
    def whole(client: RecordingClient) -> None:
        _in_scenario(client, name, lambda scenario: script(scenario, case), is_last=is_last)

    whole.__module__ = script.__module__
    whole.__name__ = f"{script.__name__}[{key}]"
    return whole


def _in_scenario(
    client: RecordingClient, name: str, script: Callable[[Scenario], None], *, is_last: bool = False
) -> None:
    scenario = Scenario(client)
    scenario.choose(name)
    script(scenario)
    if not is_last:
        scenario.home()
