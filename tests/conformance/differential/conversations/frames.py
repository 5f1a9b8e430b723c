# SPDX-License-Identifier: Apache-2.0
"""What the agents say about the frames of a stopped thread, and what they let one change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.conformance.differential.finds import Finds
from tests.conformance.differential.fixture import TYPES, Fixture
from tests.conformance.differential.registry import conversation, conversations_over

if TYPE_CHECKING:
    from tests.conformance.differential.recording_client import RecordingClient

_TAGS = "ZBCSIJFDL[stglcV"
_VARIABLES = (
    "depth",
    "argument",
    "wide",
    "longer",
    "flag",
    "small",
    "letter",
    "shorter",
    "ratio",
    "exact",
    "words",
    "row",
    "none",
    "thread",
    "type",
)
BARE_TYPES = Fixture("bare_types", "types", "types.Types", tables="none")


def _values(client: RecordingClient, slots: list[tuple[int, int]], frame: int) -> None:
    wanted = [{"slot": slot, "tag": tag} for slot, tag in slots]
    client.ask("StackFrame.GetValues", thread=Finds(client).thread, frame=frame, slots=wanted)


@conversation(TYPES)
def variables(client: RecordingClient) -> None:
    """The variables in scope, of every frame: one by one, at once, and none."""
    find = Finds(client)
    for frame in find.frames():
        method = frame["location"]
        variables = client.vm.refusal(
            "Method.VariableTable", type_id=method["type_id"], method_id=method["method_id"]
        )
        if variables == "NONE":
            slots = list(find.slots(frame).values())
            _values(client, slots, frame["frame_id"])
            for one in slots:
                _values(client, [one], frame["frame_id"])
    _values(client, [], find.frame()["frame_id"])


@conversations_over({name: name for name in _VARIABLES}, TYPES)
def read_as_another_type(client: RecordingClient, name: str) -> None:
    """One variable with each tag that there is."""
    find = Finds(client)
    frame = find.frame()
    slot, _ = find.slots(frame)[name]
    for tag in _TAGS:
        _values(client, [(slot, ord(tag))], frame["frame_id"])


@conversation(TYPES)
def slots_without_variable(client: RecordingClient) -> None:
    """Slots out of scope, second half of a long, after the last, negative."""
    find = Finds(client)
    frame = find.frame()
    slots = find.slots(frame)
    last = max(slot for slot, _ in slots.values())
    for slot in (slots["longer"][0] + 1, last + 1, last + 2, 255, 65_536, 2**31 - 2, -1, -(2**31)):
        for tag in "ILJ":
            _values(client, [(slot, ord(tag))], frame["frame_id"])
    good, wrong = slots["small"], (last + 5, ord("I"))
    _values(client, [good, wrong], frame["frame_id"])


@conversation(TYPES)
def this_of_each_frame(client: RecordingClient) -> None:
    """Instance, static and native methods, lambdas."""
    find = Finds(client)
    for frame in find.frames():
        client.ask("StackFrame.ThisObject", thread=find.thread, frame=frame["frame_id"])
    for name in ("sleeper", "listener", "parker"):
        thread = find.named_thread(name)
        for frame in find.frames(thread):
            client.ask("StackFrame.ThisObject", thread=thread, frame=frame["frame_id"])


@conversation(TYPES)
def variables_of_a_waiting_thread(client: RecordingClient) -> None:
    """Frames of native and library methods."""
    find = Finds(client)
    thread = find.named_thread("listener")
    for frame in find.frames(thread):
        for slot, tag in ((0, "L"), (0, "I"), (1, "J"), (1, "L")):
            wanted = [{"slot": slot, "tag": ord(tag)}]
            client.ask("StackFrame.GetValues", thread=thread, frame=frame["frame_id"], slots=wanted)


@conversations_over({"long": "J", "double": "D"}, TYPES)
def two_slots_beyond_an_int(client: RecordingClient, tag: str) -> None:
    """The second slot of the last number that there is."""
    frame = Finds(client).frame()["frame_id"]
    _values(client, [(2**31 - 1, ord(tag))], frame)


@conversations_over({"long": "J", "double": "D"}, TYPES)
def set_two_slots_beyond_an_int(client: RecordingClient, tag: str) -> None:
    find = Finds(client)
    one = {"slot": 2**31 - 1, "value": {"tag": ord(tag), "value": _PLAIN[tag]}}
    frame = find.frame()["frame_id"]
    client.ask("StackFrame.SetValues", thread=find.thread, frame=frame, slots=[one])


# --- changing -------------------------------------------------------------------------------------

_NEW: dict[str, tuple[str, Any]] = {
    "depth": ("I", 9),
    "wide": ("D", -1.5),
    "longer": ("J", -(2**40)),
    "flag": ("Z", False),
    "small": ("B", 7),
    "letter": ("C", 0x20AC),
    "shorter": ("S", -300),
    "ratio": ("F", 2.5),
    "words": ("L", "unusual"),
    "row": ("L", "empty"),
    "none": ("L", "lock"),
    "thread": ("t", "unstarted"),
}


@conversations_over(_NEW, TYPES)
def set_and_put_back(client: RecordingClient, new: tuple[str, Any]) -> None:
    """A variable of each type, there and back."""
    find = Finds(client)
    name = next(key for key, value in _NEW.items() if value is new)
    frame = find.frame()["frame_id"]
    slot, tag = find.slots(find.frame())[name]
    before = client.vm.ask(
        "StackFrame.GetValues",
        thread=find.thread,
        frame=frame,
        slots=[{"slot": slot, "tag": tag}],
    )["values"][0]
    letter, value = new
    after = find.object(value) if isinstance(value, str) else value
    for one in ({"tag": ord(letter), "value": after}, before):
        client.ask(
            "StackFrame.SetValues",
            thread=find.thread,
            frame=frame,
            slots=[{"slot": slot, "value": one}],
        )
        _values(client, [(slot, tag)], frame)


@conversation(TYPES)
def set_to_null(client: RecordingClient) -> None:
    find = Finds(client)
    frame = find.frame()["frame_id"]
    slot, tag = find.slots(find.frame())["words"]
    for number in (0, find.object("text")):
        one = {"slot": slot, "value": {"tag": ord("L"), "value": number}}
        client.ask("StackFrame.SetValues", thread=find.thread, frame=frame, slots=[one])
        _values(client, [(slot, tag)], frame)
    client.ask("StackFrame.SetValues", thread=find.thread, frame=frame, slots=[])


_PLAIN = {"Z": True, "B": 1, "C": 1, "S": 1, "I": 1, "J": 1, "F": 1.0, "D": 1.0}


@conversations_over(
    {
        f"{name}_as_{tag}": (name, tag)
        for name in ("small", "longer", "ratio", "wide", "words")
        for tag in "IJFD"
    },
    TYPES,
)
def set_as_another_primitive(client: RecordingClient, case: tuple[str, str]) -> None:
    """What the VM checks by itself: the basic type of the slot."""
    name, letter = case
    find = Finds(client)
    frame = find.frame()["frame_id"]
    slot, tag = find.slots(find.frame())[name]
    before = client.vm.ask(
        "StackFrame.GetValues",
        thread=find.thread,
        frame=frame,
        slots=[{"slot": slot, "tag": tag}],
    )["values"][0]
    for one in ({"tag": ord(letter), "value": _PLAIN[letter]}, before):
        client.ask(
            "StackFrame.SetValues",
            thread=find.thread,
            frame=frame,
            slots=[{"slot": slot, "value": one}],
        )
        _values(client, [(slot, tag)], frame)


@conversation(TYPES)
def set_in_wrong_slots(client: RecordingClient) -> None:
    find = Finds(client)
    frame = find.frame()["frame_id"]
    last = max(slot for slot, _ in find.slots(find.frame()).values())
    for slot in (last + 1, 255, 2**31 - 1, -1, -(2**31)):
        one = {"slot": slot, "value": {"tag": ord("I"), "value": 1}}
        client.ask("StackFrame.SetValues", thread=find.thread, frame=frame, slots=[one])


@conversation(TYPES)
def frames_of_another_moment(client: RecordingClient) -> None:
    """An invocation makes the ids of all frames of its thread stale."""
    find = Finds(client)
    frame = find.frame()["frame_id"]
    find.invoke("Ltypes/Types$Root;", "empty")
    client.ask("StackFrame.ThisObject", thread=find.thread, frame=frame)
    _values(client, [(0, ord("I"))], frame)
    client.ask("StackFrame.PopFrames", thread=find.thread, frame=frame)


@conversation(TYPES, fresh=True)
def frames_of_another_thread(client: RecordingClient) -> None:
    """A frame's id with a thread that has no such frame."""
    find = Finds(client)
    deepest = find.frames()[-1]["frame_id"]
    for name in ("Reference Handler", "Signal Dispatcher"):
        client.ask("StackFrame.ThisObject", thread=find.named_thread(name), frame=deepest)
    for dead in ("dead", "unstarted"):
        client.ask("StackFrame.ThisObject", thread=find.object(dead), frame=deepest)
