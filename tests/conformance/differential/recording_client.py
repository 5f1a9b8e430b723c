# SPDX-License-Identifier: Apache-2.0
"""The JDWP client of a conversation: records all that comes back, in normal form.

Owns the record of one conversation with one agent. A command that is refused gives an empty
answer with `.refused` set, so that a script goes on past it; to use a field that is not there ends
the conversation. `session` and `vm` are there for look-ups that are not recorded.

    threads = client.ask("VirtualMachine.AllThreads")["threads"]
    assert client.ask("ThreadReference.Name", thread=0).refused == "INVALID_THREAD"
    client.ask("VirtualMachine.Resume")
    hit = client.next_set()["events"][0]
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.conformance.differential.names import Names, shown_request
from tests.support.jdwp_client import RefusedError
from tests.support.wire_reading import ReadingError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conformance.differential.names import Normal
    from tests.support.jdwp_session import JdwpSession
    from tests.support.wire_reading import Message

SET = "an event set"
"""What a step is called that waited for an event set."""


@dataclass(frozen=True)
class Step:
    """One thing that was asked or waited for, and what came of it."""

    name: str
    """The command, SET, or the words of note()."""
    asked: str
    error: str
    """NONE when there is an answer."""
    answer: Normal


class Answer(dict[str, Any]):
    """The fields of a reply; none of them when the command was refused."""

    def __init__(self, command: str, error: str, fields: Message | None = None) -> None:
        super().__init__(fields or {})
        self._command = command
        self.refused = error
        """The name of the error; NONE for a reply."""

    def __missing__(self, name: str) -> Any:
        raise RefusedError(self._command, f"{self.refused}, so there is no {name}")


@dataclass
class RecordingClient:
    """Asks one agent, and records what it is asked and answers."""

    session: JdwpSession
    names: Names
    version: int
    """Of the JDK."""
    steps: list[Step] = field(default_factory=list)
    exercised: set[str] = field(default_factory=set)
    """`Set.Command=ERROR`, `event NAME`, `modifier NAME`."""

    def __post_init__(self) -> None:
        self.names.fresh()
        self.vm = self.session.vm

    def ask(
        self, command: str, *, only: Callable[[Message], Message] | None = None, **fields: Any
    ) -> Answer:
        """The reply, recorded. `only` reduces it before: what two runs cannot have in common."""
        self._note_request(command, fields)
        answer, content = self._answer(command, fields)
        self.exercised.add(f"{command}={answer.refused}")
        normal: Normal = None if content is None else content.hex(" ")
        if answer:
            kept = dict(answer) if only is None else only(dict(answer))
            normal = self.names.reply(command, fields, kept)
        self.steps.append(Step(command, shown_request(fields), answer.refused, normal))
        return answer

    def ask_each(self, command: str, name: str, values: list[Any], **fields: Any) -> list[Answer]:
        """The same command once for each value of one field."""
        return [self.ask(command, **{name: value}, **fields) for value in values]

    def ask_raw(self, command_set: int, number: int, payload: bytes) -> int:
        """The error code of the reply to these bytes, recorded with the reply's bytes."""
        code, content = self.vm.ask_raw(command_set, number, payload)
        name = self.vm.name(command_set, number)
        error = self.vm.error_name(code)
        self.exercised.add(f"{name}={error}")
        asked = f"{command_set}/{number} {payload.hex(' ')}"
        self.steps.append(Step(name, asked, error, content.hex(" ")))
        return code

    def next_set(self, *, only: Callable[[Message], Message] | None = None) -> Message:
        """The next event set, recorded whole."""
        return self.next_sets(1, only=only)[0]

    def next_sets(
        self,
        count: int,
        *,
        ordered: bool = True,
        only: Callable[[Message], Message] | None = None,
    ) -> list[Message]:
        """The next sets, recorded; `ordered=False` when several threads make them at once."""
        came = [self.vm.next_set() for _ in range(count)]
        for events in (one["events"] for one in came):
            self.exercised |= {f"event {self.vm.event_name(event['kind'])}" for event in events}
        kept = came if only is None else [only(one) for one in came]
        normals = [self.names.event_set(one) for one in kept]
        if not ordered:
            normals.sort(key=str)
        self.steps.extend(Step(SET, "", "NONE", normal) for normal in normals)
        return came

    def note(self, what: str, value: Normal) -> None:
        """Something else that both must have in common."""
        self.steps.append(Step(what, "", "NONE", value))

    def end(self) -> None:
        """The end of the script: sets that the script did not wait for are recorded too."""
        left = len(self.vm.sets)
        self.note("event sets that were left", left)
        self.next_sets(left)

    def _answer(self, command: str, fields: Message) -> tuple[Answer, bytes | None]:
        """The answer; and its bytes when they are not what the declarations say."""
        number = self.vm.number(command)
        code, content = self.vm.ask_raw(*number, self.vm.encode_request(number, fields))
        if code:
            return Answer(command, self.vm.error_name(code)), None
        try:
            return Answer(command, "NONE", self.vm.decode_reply(number, content)), None
        except ReadingError:
            return Answer(command, "NONE"), content

    def _note_request(self, command: str, fields: Message) -> None:
        if command == "EventRequest.Set":
            cases = self.vm.grammar.variants["Modifier"]
            self.exercised |= {f"modifier {cases[one['kind']][0]}" for one in fields["modifiers"]}
