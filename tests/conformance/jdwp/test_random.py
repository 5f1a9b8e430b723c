# SPDX-License-Identifier: Apache-2.0
"""Random requests: ids of every kind in every field, and numbers of every size.

Asked of our agent only. Nothing is expected of the answers but that each comes, with a word that
JDWP has; and afterwards the VM must still be there, and the debuggee as it was.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from tests.conformance.jdwp.target import UNKNOWN_ID, ids
from tests.support.wire_grammar import (
    ListOf,
    Numbered,
    Plain,
    RawValues,
    Struct,
    Type,
    read_grammar,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.conformance.jdwp.target import Target

GRAMMAR = read_grammar()
_T = TypeVar("_T")

# What stops, starts or ends threads, the VM or the conversation, or runs code.
_LEFT_OUT = {
    "VirtualMachine": {"Dispose", "Suspend", "Resume", "Exit", "HoldEvents", "DisposeObjects"},
    "ThreadReference": {"Suspend", "Resume", "Stop", "Interrupt", "ForceEarlyReturn"},
    "StackFrame": {"PopFrames"},
    "Agent": {"ResumeWith", "StopThread", "Link", "Jump"},
    "ClassType": {"InvokeMethod", "NewInstance"},
    "InterfaceType": {"InvokeMethod"},
    "ObjectReference": {"InvokeMethod"},
    "EventRequest": {"Set", "Clear", "ClearAllBreakpoints"},
    "Event": {"Composite"},
}
COMMANDS = [
    pytest.param(number, id=f"{command.set_name}.{command.name}")
    for number, command in sorted(GRAMMAR.commands.items())
    if command.name not in _LEFT_OUT.get(command.set_name, set()) and command.request.fields
]
_ROUNDS = 60
_NUMBERS = [0, 1, 2, 3, -1, -2, 7, 100, 2**31 - 1, -(2**31)]
_PLAIN: dict[str, Sequence[Any]] = {
    "string": ["", "Ltarget/Target;", "I", "\0", "x" * 70_000],
    "boolean": [False, True],
    "byte": [0, 1, -1],
    "int": _NUMBERS,
    "long": _NUMBERS,
}
_TAGS = [*b"[BCLFDIJSVZstglc", 0, 63, 255]


class Maker:
    """Makes requests from the ids of a debuggee."""

    def __init__(self, target: Target, seed: int) -> None:
        self._random = random.Random(seed)
        names = ["dog", "cat", "ints", "objects", "aString", "group", "loader", "module", "dead"]
        types = [
            target.type(signature) for signature in ("Ltarget/Target;", "Ltarget/Target$Dog;", "[I")
        ]
        frame = target.frames()[0]
        self._ids = [
            0,
            UNKNOWN_ID,
            2**64 - 1,
            target.thread,
            target.named_thread("sleeper"),
            target.object("primitive"),
            *(target.object(name) for name in names),
            *types,
            frame["frame_id"],
            target.method(types[0], "stop"),
            target.method(types[1], "bark"),
            target.field(types[0], "anInt"),
            target.field(types[1], "weight"),
            target.field(types[1], "self"),
        ]

    def message(self, shape: Struct) -> dict[str, Any]:
        return {name: self._value(type_) for name, type_ in shape.fields}

    def _value(self, type_: Type) -> Any:
        made: Any
        match type_:
            case Plain(name):
                made = self._plain(name)
            case Numbered(wire, _, _):
                made = self._pick(_TAGS if wire == "byte" else [0, 1, 2])
            case ListOf(element):
                made = [self._value(element) for _ in range(self._pick([0, 1, 2, 5]))]
            case Struct():
                made = self.message(type_)
            case RawValues():
                content = ids(*(self._an_id() for _ in range(self._pick(range(4)))))
                made = {"count": self._pick([*range(5), -1, 2**31 - 1]), "content": content}
            case _:
                raise AssertionError(type_)
        return made

    def _plain(self, name: str) -> Any:
        made: Any
        match name:
            case "string" | "boolean" | "byte" | "int" | "long":
                made = self._pick(_PLAIN[name])
            case "bytes":
                made = self._random.randbytes(self._pick([0, 1, 100]))
            case "value":
                made = self._tagged_value()
            case _:
                made = self._an_id()
        return made

    def _tagged_value(self) -> dict[str, Any]:
        tag = self._pick("[BCLFDIJSVZstglc")
        value: Any = {"Z": True, "F": 0.5, "D": 0.5, "V": None}.get(tag, 100)
        if tag not in "BCFDIJSVZ":
            value = self._an_id()
        return {"tag": ord(tag), "value": value}

    def _an_id(self) -> int:
        return int(self._pick(self._ids))

    def _pick(self, choices: Sequence[_T]) -> _T:
        return self._random.choice(choices)


@pytest.mark.parametrize("number", COMMANDS)
def test_any_request_is_answered(our_target: Target, number: tuple[int, int]) -> None:
    vm, command = our_target.vm, GRAMMAR.commands[number]
    maker = Maker(our_target, seed=number[0] * 100 + number[1])
    known = {0, *GRAMMAR.errors.values()}
    for _ in range(_ROUNDS):
        message = maker.message(command.request)
        code, _ = vm.ask_raw(*number, vm.encode_request(number, message))
        assert code in known, message


@pytest.mark.parametrize("number", COMMANDS)
def test_a_cut_request_is_refused(our_target: Target, number: tuple[int, int]) -> None:
    vm, command = our_target.vm, GRAMMAR.commands[number]
    maker = Maker(our_target, seed=number[0] * 100 + number[1])
    whole = vm.encode_request(number, maker.message(command.request))
    for size in range(min(len(whole), 40)):
        code, _ = vm.ask_raw(*number, whole[:size])
        assert code != 0 or any(isinstance(type_, RawValues) for _, type_ in command.request.fields)


def test_the_target_is_still_there(our_target: Target) -> None:
    assert (
        our_target.frames()[0]["location"]["method_id"] == our_target.stop_location()["method_id"]
    )
    dog = our_target.type("Ltarget/Target$Dog;")
    assert (
        our_target.vm.ask("ReferenceType.Signature", type_id=dog)["signature"]
        == "Ltarget/Target$Dog;"
    )
