# SPDX-License-Identifier: Apache-2.0
"""Ids that conversations need, found by name and not recorded.

Owns look-ups in the debuggee of a conversation: types by signature, methods and fields by name,
objects in static fields of the main class, and ids that are not good any more. Nothing is kept
that another conversation could find stale.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.support.jdwp_session import SINGLE_THREADED, wait_until

if TYPE_CHECKING:
    from tests.conformance.differential.recording_client import RecordingClient
    from tests.support.wire_reading import Message

UNKNOWN = 0x7FFF_FFF0
"""An id that no agent has given out."""


@dataclass(frozen=True)
class Finds:
    """What is found in the debuggee of one conversation."""

    client: RecordingClient

    @property
    def thread(self) -> int:
        """The thread that stands at the stop."""
        return self.client.session.main_thread

    def type(self, signature: str = "") -> int:
        """The one type of that signature; the main class unless said otherwise."""
        return self.client.session.type(signature)

    def types(self, signature: str) -> list[int]:
        """All types of that signature, of whatever loader."""
        found = self.client.vm.ask("VirtualMachine.ClassesBySignature", signature=signature)
        return [one["type_id"] for one in found["classes"]]

    def method(self, signature: str, name: str) -> int:
        """The one method of that name, or of that name and descriptor."""
        listed = self.client.vm.ask("ReferenceType.Methods", type_id=self.type(signature))
        (found,) = [
            one["method_id"]
            for one in listed["methods"]
            if name in (one["name"], one["name"] + one["signature"])
        ]
        return int(found)

    def field(self, signature: str, name: str) -> int:
        """The field of that name that the type itself declares."""
        return self.fields(signature)[name]

    def fields(self, signature: str) -> dict[str, int]:
        """Name → id of the fields that the type itself declares."""
        listed = self.client.vm.ask("ReferenceType.Fields", type_id=self.type(signature))
        return {one["name"]: one["field_id"] for one in listed["fields"]}

    def value(self, name: str) -> Message:
        """The value of a static field of the main class: {"tag", "value"}."""
        fields = [self.field("", name)]
        reply = self.client.vm.ask("ReferenceType.GetValues", type_id=self.type(), fields=fields)
        return dict(reply["values"][0])

    def object(self, name: str) -> int:
        """The object in a static field of the main class."""
        return int(self.value(name)["value"])

    def type_of(self, name: str) -> int:
        """The type of the object in a static field of the main class."""
        reply = self.client.vm.ask("ObjectReference.ReferenceType", object=self.object(name))
        return int(reply["type_id"])

    def class_object(self, signature: str = "") -> int:
        """The java.lang.Class of a type."""
        reply = self.client.vm.ask("ReferenceType.ClassObject", type_id=self.type(signature))
        return int(reply["class_object"])

    def named_thread(self, name: str) -> int:
        """The live thread of that name."""
        return self.client.session.threads()[name]

    def frames(self, thread: int = 0) -> list[Message]:
        """The stack of a suspended thread, of the one at the stop unless said otherwise."""
        return self.client.session.frames(thread or self.thread)

    def frame(self, method: str = "stop") -> Message:
        """The topmost frame of that method of the main class."""
        wanted = self.client.session.methods()[method]
        return next(one for one in self.frames() if one["location"]["method_id"] == wanted)

    def slots(self, frame: Message) -> dict[str, tuple[int, int]]:
        """The variables in scope in a frame: name → (slot, tag)."""
        where = frame["location"]
        table = self.client.vm.ask(
            "Method.VariableTable", type_id=where["type_id"], method_id=where["method_id"]
        )
        return {
            one["name"]: (one["slot"], ord(one["signature"][0]))
            for one in table["variables"]
            if one["start"] <= where["index"] < one["start"] + one["length"]
        }

    # --- ids that are not good any more ---------------------------------------------------------

    def disposed(self) -> int:
        """The id of an object that the client has given back."""
        string = self.new_string("disposed")
        given_back = [{"object": string, "count": 1}]
        self.client.vm.ask("VirtualMachine.DisposeObjects", requests=given_back)
        return string

    def collected(self) -> int:
        """The id of an object that the garbage collector has taken.

        All threads run meanwhile, for what is known while all are suspended is kept.
        """
        string = self.new_string("collected")
        self.invoke("Ljava/lang/System;", "gc", options=0)

        def is_gone() -> bool:
            answer = self.client.vm.refusal("ObjectReference.ReferenceType", object=string)
            return answer == "INVALID_OBJECT"

        wait_until(is_gone, "the string is collected")
        return string

    def new_string(self, text: str) -> int:
        """A string without references."""
        return int(self.client.vm.ask("VirtualMachine.CreateString", text=text)["string"])

    def invoke(
        self, signature: str, method: str, *arguments: Message, options: int = SINGLE_THREADED
    ) -> Any:
        """What a static method returns, run on the thread at the stop and on no other."""
        reply = self.client.vm.ask(
            "ClassType.InvokeMethod",
            type_id=self.type(signature),
            thread=self.thread,
            method_id=self.method(signature, method),
            arguments=list(arguments),
            options=options,
        )
        return reply["return_value"]
