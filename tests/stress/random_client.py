# SPDX-License-Identifier: Apache-2.0
"""A debugger that acts at random: commands, event requests, steps, invocations, frame pops.

Owns the order of what is done, drawn from a seed. Everything it sends is valid: ids come from
replies, and what changes data is done to `busy.Scratch` only, so that the workers' sums stay
right. Now and then it comes to rest: all requests taken back, all threads resumed; then the program
must go on.
"""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

from tests.stress.known import FINAL, SCRATCH, STATIC, learn
from tests.stress.values import Values
from tests.support.jdwp_client import RefusedError

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from tests.stress.client import Client
    from tests.support.wire_reading import Message

SINGLE_STEP, BREAKPOINT, EXCEPTION, CLASS_PREPARE = 1, 2, 4, 8
WATCHES = (20, 21)
METHODS = (40, 41, 42)
OTHERS = (6, 7, 8, 9, 43, 44, 45, 46)
_MOST_REQUESTS = 10
_MOST_EVENTS = 200
"""Of one request, then it is taken back: reading is not to be all."""
_REST_EVERY = 120
GOES_ON_S = 20.0

# Sent by hand: they change something, hold something up, or end it.
_NOT_DRAWN = {
    "VirtualMachine": "Dispose Exit Suspend Resume HoldEvents RedefineClasses",
    "ThreadReference": "Stop Suspend Resume Interrupt ForceEarlyReturn",
    "StackFrame": "SetValues PopFrames",
    "Agent": "ResumeWith StopThread Link Jump",
    "ClassType": "SetValues InvokeMethod NewInstance",
    "InterfaceType": "InvokeMethod",
    "ObjectReference": "SetValues InvokeMethod",
    "ArrayReference": "SetValues",
    "EventRequest": "Set",
}
_NOT_INVOKED = ("run", "use", "<clinit>")


class RandomClient:
    """The random work of one connection."""

    def __init__(self, vm: Client, chance: random.Random, classes: dict[str, bytes]) -> None:
        self.vm = vm
        self.chance = chance
        self.classes = classes
        """Class files by signature, for redefinitions that change nothing."""
        self.known = learn(vm, chance)
        self.values = Values(self.known, chance)
        self.scratch = self.known.type(SCRATCH)
        self.events = 0
        self._heard: Counter[int] = Counter()
        self._drawn = [
            f"{command.set_name}.{command.name}"
            for command in vm.grammar.commands.values()
            if command.name not in _NOT_DRAWN.get(command.set_name, "").split()
            and not command.from_agent
        ]
        self._deeds: list[tuple[int, Callable[[], None]]] = [
            (30, self._any_command),
            (14, self._request),
            (14, self._look_at_stack),
            (10, self._resume),
            (5, self._suspend),
            (6, self._step),
            (6, self._invoke),
            (6, self._set_values),
            (4, self._set_locals),
            (3, self._pop_or_return),
            (2, self._disturb),
            (1, self._redefine),
            (1, self._hold),
        ]

    def run(self, until: float) -> None:
        """Go on until that moment (time.monotonic), then come to rest."""
        deeds = [deed for _, deed in self._deeds]
        weights = [weight for weight, _ in self._deeds]
        count = 0
        while time.monotonic() < until:
            deed = self.chance.choices(deeds, weights)[0]
            # Valid when it was drawn, too late when it came: counted by the client.
            with contextlib.suppress(RefusedError):
                deed()
            self._take_events()
            count += 1
            if count % _REST_EVERY == 0:
                self.rest()
        self.rest()

    def _ask(self, name: str, /, **fields: Any) -> Message:
        reply = self.vm.ask(name, **fields)
        self.known.take(reply)
        return reply

    def _take_events(self, wait_s: float = 0.0) -> None:
        self.vm.drain(wait_s)
        for event_set in self.vm.sets:
            self.events += len(event_set["events"])
            self._heard.update(event["request_id"] for event in event_set["events"])
            self.known.take(event_set["events"])
        self.vm.sets.clear()
        for kind, request in list(self.known.requests):
            if self._heard[request] > _MOST_EVENTS:
                self.known.requests.remove((kind, request))
                self.vm.ask("EventRequest.Clear", event_kind=kind, request_id=request)

    # --- the program goes on ----------------------------------------------------------------------

    def rest(self) -> None:
        """Take everything back; the workers must make progress then."""
        for kind, request in self.known.requests:
            self.vm.ask("EventRequest.Clear", event_kind=kind, request_id=request)
        self.known.requests.clear()
        self.vm.ask("EventRequest.ClearAllBreakpoints")
        self.vm.ask("VirtualMachine.ReleaseEvents")
        progress = next(
            one["field_id"]
            for one in self.known.type("Lbusy/Busy;").fields
            if one["name"] == "progress"
        )
        busy = self.known.type("Lbusy/Busy;").id
        first = None
        deadline = time.monotonic() + GOES_ON_S
        while time.monotonic() < deadline:
            self._take_events(0.05)
            self._let_go()
            read = self.vm.ask("ReferenceType.GetValues", type_id=busy, fields=[progress])
            value = read["values"][0]["value"]
            first = value if first is None else first
            if value > first and not self.vm.pending:
                return
        raise AssertionError(f"after a rest of {GOES_ON_S} s: {self._standing()}")

    def _let_go(self) -> None:
        self.vm.ask("VirtualMachine.Resume")
        alive = set(self.vm.ask("VirtualMachine.AllThreads")["threads"])
        for thread in {*self.known.threads, *alive}:
            try:
                count = self.vm.ask("ThreadReference.SuspendCount", thread=thread)["suspend_count"]
                for _ in range(count):
                    self.vm.ask("ThreadReference.Resume", thread=thread)
            except RefusedError:
                if thread in self.known.threads:
                    self.known.threads.remove(thread)

    def _standing(self) -> str:
        states = []
        for thread in self.vm.ask("VirtualMachine.AllThreads")["threads"]:
            name = self.vm.ask("ThreadReference.Name", thread=thread)["name"]
            count = self.vm.ask("ThreadReference.SuspendCount", thread=thread)["suspend_count"]
            status = self.vm.ask("ThreadReference.Status", thread=thread)
            states.append(f"{name}: count {count}, {status}")
        return f"pending {sorted(self.vm.pending.values())}; " + "; ".join(states)

    # --- deeds ------------------------------------------------------------------------------------

    def _any_command(self) -> None:
        name = self.chance.choice(self._drawn)
        request, _ = self.vm.shapes(name)
        reply = self._ask(name, **self.values.request(request))
        if name == "VirtualMachine.CreateString":
            self.known.objects.append((ord("s"), reply["string"]))

    def _request(self) -> None:
        if len(self.known.requests) >= _MOST_REQUESTS:
            index = self.chance.randrange(len(self.known.requests))
            kind, request = self.known.requests.pop(index)
            self.vm.ask("EventRequest.Clear", event_kind=kind, request_id=request)
            return
        kind = self.chance.choice((BREAKPOINT,) * 6 + WATCHES * 2 + METHODS * 2 + OTHERS + (4, 4))
        modifiers = self._needed(kind)
        more = [self.values.modifier(kind) for _ in range(self.chance.randrange(3))]
        self._set(kind, modifiers + more)

    def _needed(self, kind: int) -> list[Message]:
        type_ = self.values.pick(self.known.types[:10])
        if kind == BREAKPOINT:
            return [{"kind": 7, "location": self._place_in(type_)}]
        if kind in WATCHES:
            one = self.values.pick(type_.fields, None) or self.values.pick(self.scratch.fields)
            owner = type_ if one in type_.fields else self.scratch
            return [{"kind": 9, "type_id": owner.id, "field_id": one["field_id"]}]
        if kind == EXCEPTION:
            return [{"kind": 8, "exception_type": 0, "caught": True, "uncaught": True}]
        if kind in METHODS:
            return [{"kind": 5, "pattern": "busy.*"}]
        return []

    def _place_in(self, type_: Any) -> Message:
        place = self.values.place(type_)
        if not place["method_id"]:
            place = self.values.place(self.scratch)
        lines = self.vm.ask(
            "Method.LineTable", type_id=place["type_id"], method_id=place["method_id"]
        )["lines"]
        if lines:
            place["index"] = self.chance.choice(lines)["index"]
        return place

    def _set(self, kind: int, modifiers: list[Message]) -> None:
        policy = self.chance.choice((0, 0, 1, 1, 2))
        if policy == 0 and kind != SINGLE_STEP and all(one["kind"] != 1 for one in modifiers):
            # Nothing slows it down: without an end it would be all there is to read.
            modifiers = [*modifiers, {"kind": 1, "count": self.chance.randrange(1, 100)}]
        reply = self._ask(
            "EventRequest.Set", event_kind=kind, suspend_policy=policy, modifiers=modifiers
        )
        self.known.requests.append((kind, reply["request_id"]))

    def _step(self) -> None:
        step = {
            "kind": 10,
            "thread": self.values.pick(self.known.threads),
            "size": self.chance.randrange(2),
            "depth": self.chance.randrange(3),
        }
        more = [{"kind": 6, "pattern": "java.*"}] if self.chance.random() < 0.5 else []
        self._set(SINGLE_STEP, [step, *more])

    def _look_at_stack(self) -> None:
        self._take_events(0.01)
        thread = self.values.pick(self.known.threads)
        frames = self._ask("ThreadReference.Frames", thread=thread, start_frame=0, length=-1)
        for frame in frames["frames"][:4]:
            self.known.frames.append((thread, frame["frame_id"], frame["location"]))
            place = frame["location"]
            self._ask("StackFrame.ThisObject", thread=thread, frame=frame["frame_id"])
            table = self._ask(
                "Method.VariableTable", type_id=place["type_id"], method_id=place["method_id"]
            )
            slots = [
                {"slot": slot["slot"], "tag": ord(slot["signature"][0])}
                for slot in table["variables"]
                if slot["start"] <= place["index"] < slot["start"] + slot["length"]
            ]
            self._ask("StackFrame.GetValues", thread=thread, frame=frame["frame_id"], slots=slots)

    def _resume(self) -> None:
        if self.chance.random() < 0.5:
            self.vm.ask("VirtualMachine.Resume")
        else:
            self.vm.ask("ThreadReference.Resume", thread=self.values.pick(self.known.threads))

    def _suspend(self) -> None:
        if self.chance.random() < 0.3:
            self.vm.ask("VirtualMachine.Suspend")
        else:
            self.vm.ask("ThreadReference.Suspend", thread=self.values.pick(self.known.threads))

    def _invoke(self) -> None:
        method = self.values.pick(
            [one for one in self.scratch.methods if one["name"] not in _NOT_INVOKED]
        )
        parameters = method["signature"][1 : method["signature"].index(")")]
        call = {
            "thread": self.values.pick(self.known.threads),
            "method_id": method["method_id"],
            "arguments": [self.values.value(letter) for letter in _letters(parameters)],
            "options": self.chance.randrange(2),
        }
        if method["name"] == "<init>":
            self.vm.begin("ClassType.NewInstance", type_id=self.scratch.id, **call)
        elif method["modifiers"] & STATIC:
            self.vm.begin("ClassType.InvokeMethod", type_id=self.scratch.id, **call)
        else:
            owner = self.values.pick(self.known.scratches)
            call["options"] = self.chance.randrange(4)
            self.vm.begin(
                "ObjectReference.InvokeMethod", object=owner, type_id=self.scratch.id, **call
            )

    # --- what changes data: of scratch objects only ----------------------------------------------

    def _set_values(self) -> None:
        if self.known.scratch_arrays and self.chance.random() < 0.3:
            array, tag = self.values.pick(self.known.scratch_arrays)
            content = self.values.untagged(chr(tag)) * 2
            values = {"count": 2, "content": content}
            self.vm.ask("ArrayReference.SetValues", array=array, first_index=0, values=values)
            return
        fields = [one for one in self.scratch.fields if not one["modifiers"] & FINAL]
        one = self.values.pick(fields)
        content = one["field_id"].to_bytes(8, "big") + self.values.untagged(one["signature"][0])
        values = {"count": 1, "content": content}
        if one["modifiers"] & STATIC:
            self.vm.ask("ClassType.SetValues", type_id=self.scratch.id, values=values)
        else:
            owner = self.values.pick(self.known.scratches)
            self.vm.ask("ObjectReference.SetValues", object=owner, values=values)

    def _scratch_frames(self) -> tuple[int, list[Message]]:
        thread = self.values.pick(sorted(self.known.scratch_threads))
        frames = self._ask("ThreadReference.Frames", thread=thread, start_frame=0, length=-1)
        return thread, frames["frames"]

    def _is_scratches(self, frame: Message) -> bool:
        place = frame["location"]
        names = {one["method_id"]: one["name"] for one in self.scratch.methods}
        name = names.get(place["method_id"], "run")
        return bool(place["type_id"] == self.scratch.id and name != "run")

    def _set_locals(self) -> None:
        thread, frames = self._scratch_frames()
        for frame in frames:
            if not self._is_scratches(frame):
                continue
            letter = self.values.pick("ZBCSIJFDLs[")
            slot = {"slot": self.chance.randrange(1, 12), "value": self.values.value(letter)}
            self.vm.ask(
                "StackFrame.SetValues", thread=thread, frame=frame["frame_id"], slots=[slot]
            )
            return

    def _pop_or_return(self) -> None:
        thread, frames = self._scratch_frames()
        own = 0
        while own < len(frames) and self._is_scratches(frames[own]):
            own += 1
        if own == 0:
            return
        if self.chance.random() < 0.5:
            frame = frames[self.chance.randrange(own)]["frame_id"]
            self.vm.ask("StackFrame.PopFrames", thread=thread, frame=frame)
            return
        method = next(
            one
            for one in self.scratch.methods
            if one["method_id"] == frames[0]["location"]["method_id"]
        )
        result = method["signature"][method["signature"].index(")") + 1]
        value = self.values.value(result)
        self.vm.ask("ThreadReference.ForceEarlyReturn", thread=thread, value=value)

    def _disturb(self) -> None:
        thread = self.values.pick(sorted(self.known.scratch_threads))
        if self.chance.random() < 0.6:
            self.vm.ask("ThreadReference.Interrupt", thread=thread)
            return
        exception = self.known.type("Ljava/lang/RuntimeException;").id
        found = self._ask("ReferenceType.Instances", type_id=exception, max_instances=1)
        if found["instances"]:
            throwable = found["instances"][0]["id"]
            self.vm.ask("ThreadReference.Stop", thread=thread, throwable=throwable)

    def _redefine(self) -> None:
        type_ = self.values.pick([one for one in self.known.types if one.signature in self.classes])
        content = self.classes[type_.signature]
        redefined = [{"type_id": type_.id, "class_file": content}]
        self.vm.ask("VirtualMachine.RedefineClasses", classes=redefined)

    def _hold(self) -> None:
        self.vm.ask("VirtualMachine.HoldEvents")


def _letters(parameters: str) -> list[str]:
    letters: list[str] = []
    rest = parameters
    while rest:
        letters.append(rest[0])
        rest = rest.lstrip("[")
        rest = rest[rest.index(";") + 1 :] if rest[0] == "L" else rest[1:]
    return letters
