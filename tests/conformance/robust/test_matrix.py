# SPDX-License-Identifier: Apache-2.0
"""Every command, with every field in turn replaced by invalid values.

The rest of the request is right. The answer is the error that the specification has for it, the
command declares that error, and afterwards the VM is as it was. Thousands of cases in one VM.

The JDK's own agent is not asked. Of what is sent here and in the files beside it, these end the VM
with it (17): a method id that is 0, never given out or of an unloaded class; a field id never given
out; the string 0; a module that is none; -1 modifiers; arguments too few or of another kind; the
hooks of MethodHandle; a static field set to an object of another class, when it is used. On 11 also
an abstract method invoked as it is. A breakpoint inside an instruction it sets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.conformance.robust.requests import (
    NEVER_RIGHT,
    all_commands,
    name_of,
    right_requests,
)
from tests.conformance.robust.stopped_target import GRAMMAR
from tests.conformance.robust.substitutes import OK, places, put, substitutes
from tests.support.wire_grammar import RawValues, Struct

if TYPE_CHECKING:
    from tests.conformance.robust.stopped_target import StoppedTarget
    from tests.support.wire_reading import Message

COMMANDS = [pytest.param(number, id=name_of(GRAMMAR.commands[number])) for number in all_commands()]
HARMLESS = [
    pytest.param(number, id=name_of(GRAMMAR.commands[number]))
    for number in all_commands()
    if name_of(GRAMMAR.commands[number]) not in NEVER_RIGHT
]
# What one resumes with may be right although a field is another: see test_shown_stops.py.
REFUSED = [each for each in COMMANDS if each.id != "Agent.ResumeWith"]
NUMBERS = {name_of(command): number for number, command in GRAMMAR.commands.items()}
ERROR_NAMES = {code: name for name, code in GRAMMAR.errors.items()}

# What a right request is answered with, where it is not fulfilled.
_ABSENT = {"ReferenceType.SourceDebugExtension": "ABSENT_INFORMATION"}


def ask(stopped: StoppedTarget, name: str, message: Message, trailing: bytes = b"") -> str:
    """The name of the error, or NONE; what was changed is changed back."""
    number = NUMBERS[name]
    code, reply = stopped.vm.ask_raw(*number, stopped.vm.encode_request(number, message) + trailing)
    if code:
        return ERROR_NAMES.get(code, str(code))
    if name == "EventRequest.Set":
        request = int.from_bytes(reply)
        stopped.vm.ask("EventRequest.Clear", event_kind=message["event_kind"], request_id=request)
    elif name == "ThreadReference.Suspend":
        stopped.vm.ask("ThreadReference.Resume", thread=message["thread"])
    elif name == "VirtualMachine.SetDefaultStratum":
        stopped.vm.ask(name, stratum_id="")
    return OK


@pytest.mark.parametrize("number", HARMLESS)
def test_a_right_request_is_fulfilled(stopped: StoppedTarget, number: tuple[int, int]) -> None:
    command = GRAMMAR.commands[number]
    name = name_of(command)
    for message in right_requests(stopped, command):
        assert ask(stopped, name, message) == _ABSENT.get(name, OK), message
    stopped.check()


@pytest.mark.parametrize("number", REFUSED)
def test_a_wrong_field_is_refused(stopped: StoppedTarget, number: tuple[int, int]) -> None:
    command = GRAMMAR.commands[number]
    name = name_of(command)
    wrong = []
    for message in right_requests(stopped, command):
        for path, type_ in places(GRAMMAR, command.request, message):
            field = ".".join(part for part in path if isinstance(part, str))
            for one in substitutes(stopped, name, field, type_):
                if "frame" in message:
                    message["frame"] = stopped.top() if path != ("frame",) else message["frame"]
                answer = ask(stopped, name, put(message, path, one.value))
                allowed = one.errors or command.errors | {OK}
                if answer not in allowed or answer not in command.errors | {OK}:
                    wrong.append(f"{field} = {one.label}: {answer}, wanted {set(allowed)}")
    assert not wrong, "\n".join(wrong)
    stopped.check()


@pytest.mark.parametrize("number", COMMANDS)
def test_a_request_that_ends_early_is_refused(
    stopped: StoppedTarget, number: tuple[int, int]
) -> None:
    command = GRAMMAR.commands[number]
    for message in right_requests(stopped, command):
        whole = stopped.vm.encode_request(number, message)
        for size in range(min(len(whole), 60)):
            code, _ = stopped.vm.ask_raw(*number, whole[:size])
            assert code == GRAMMAR.errors["INTERNAL"], f"{size} bytes of {message}"
    stopped.check()


@pytest.mark.parametrize("number", REFUSED)
def test_a_wrong_count_is_refused(stopped: StoppedTarget, number: tuple[int, int]) -> None:
    command = GRAMMAR.commands[number]
    for message in right_requests(stopped, command):
        for offset in _counts(stopped, command.request, message):
            whole = stopped.vm.encode_request(number, message)
            there = int.from_bytes(whole[offset : offset + 4])
            for count in (-1, -(2**31), 2**31 - 1, there + 1):
                patched = whole[:offset] + count.to_bytes(4, signed=True) + whole[offset + 4 :]
                code, _ = stopped.vm.ask_raw(*number, patched)
                assert code in _refusals(count), f"count {count} of {message}"
    stopped.check()


def _refusals(count: int) -> set[int]:
    """The errors for a wrong count; of one too many, what follows may have no tag that there is."""
    names = ("ILLEGAL_ARGUMENT",) if count < 0 else ("INTERNAL", "INVALID_TAG")
    return {GRAMMAR.errors[name] for name in names}


def _counts(stopped: StoppedTarget, shape: Struct, message: Message) -> list[int]:
    """The places where the counts of the outermost lists and strings begin."""
    found = []
    for index, (_, type_) in enumerate(shape.fields):
        if (
            getattr(type_, "element", None)
            or isinstance(type_, RawValues)
            or getattr(type_, "name", "") in ("string", "bytes")
        ):
            before = Struct(shape.fields[:index])
            found.append(
                stopped.vm.size_of(before, {name: message[name] for name, _ in before.fields})
            )
    return found


@pytest.mark.parametrize("number", HARMLESS)
def test_bytes_too_many_are_ignored(stopped: StoppedTarget, number: tuple[int, int]) -> None:
    command = GRAMMAR.commands[number]
    name = name_of(command)
    for message in right_requests(stopped, command):
        answer = ask(stopped, name, message, trailing=b"\xff" * 9)
        assert answer == _ABSENT.get(name, OK), message
    stopped.check()
