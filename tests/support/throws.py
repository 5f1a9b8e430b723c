# SPDX-License-Identifier: Apache-2.0
"""What a request for exceptions reports of each way to throw one: `throwing.Main` under a client.

`ways` gives the table, by the name that each way announces. Used by the tests that compare the
modes of the agent and the JDK's own, and the table in docs/how-to/modes.md.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from tests.support.debuggees import debuggee
from tests.support.jdwp_session import (
    BREAKPOINT,
    EXCEPTION,
    VM_DEATH,
    JdwpSession,
    session_of,
)

if TYPE_CHECKING:
    from tests.support.jdks import Jdk
    from tests.support.process import AgentInVm
    from tests.support.wire_reading import Message

OWN = "Lthrowing/"


def exception_only(type_id: int = 0, *, caught: bool = True, uncaught: bool = True) -> Message:
    """The modifier; 0: every exception."""
    return {"kind": 8, "exception_type": type_id, "caught": caught, "uncaught": uncaught}


@cache
def ways(
    jdk: Jdk, agent: AgentInVm, *, caught: bool = True, uncaught: bool = True
) -> dict[str, list[str]]:
    """Name of the way → the exceptions reported while it ran for the second time, in order: what,
    where it was thrown and where caught, `Main:12` for a line of the program, the name of the class
    elsewhere.
    """
    with session_of(jdk, agent, "", program=debuggee("throwing", "throwing.Main")) as session:
        session.run_to("between")  # everything has been loaded and linked
        announcing = session.break_at("announced")
        session.request(EXCEPTION, exception_only(caught=caught, uncaught=uncaught))
        end = session.break_at("between")
        return _Table(session, announcing, end).read()


class _Table:
    def __init__(self, session: JdwpSession, announcing: int, end: int) -> None:
        self._session = session
        self._announcing = announcing
        self._end = end
        self._names: dict[int, str] = {}

    def read(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        current: list[str] = []
        self._session.resume()
        while True:
            for event in self._session.vm.next_set()["events"]:
                if event["kind"] == VM_DEATH or event.get("request_id") == self._end:
                    return found
                if event["kind"] == BREAKPOINT:
                    current = found.setdefault(self._announced(event["thread"]), [])
                else:
                    current.append(self._described(event))
            self._session.resume()

    def _announced(self, thread: int) -> str:
        frame = self._session.frames(thread)[0]["frame_id"]
        slots = [{"slot": 0, "tag": ord("s")}]
        reply = self._session.vm.ask(
            "StackFrame.GetValues", thread=thread, frame=frame, slots=slots
        )
        text = reply["values"][0]["value"]
        return str(self._session.vm.ask("StringReference.Value", string=text)["text"])

    def _described(self, event: Message) -> str:
        thrown = self._session.vm.ask(
            "ObjectReference.ReferenceType", object=event["exception"]["id"]
        )
        caught = event["catch_location"]
        where = self._place(caught) if caught["type_id"] else "nobody"
        text = f"{self._name(thrown['type_id'])} at {self._place(event['location'])}, by {where}"
        top = self._session.frames(event["thread"])[0]["location"]
        return text if top == event["location"] else f"{text}, on top {self._place(top)}"

    def _name(self, type_id: int) -> str:
        if type_id not in self._names:
            reply = self._session.vm.ask("ReferenceType.Signature", type_id=type_id)
            self._names[type_id] = str(reply["signature"])
        return self._names[type_id].removesuffix(";").rpartition("/")[2].rpartition("$")[2]

    def _place(self, location: Message) -> str:
        name = self._name(location["type_id"])
        if self._names[location["type_id"]].startswith(OWN):
            return f"{name}:{self._session.line_of(location)}"
        return name
