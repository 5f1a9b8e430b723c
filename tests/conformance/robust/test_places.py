# SPDX-License-Identifier: Apache-2.0
"""Breakpoints where no instruction begins, frames that are left early with a wrong result, methods
that must not be called: what the VM does not check and goes astray after.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest

from tests.conformance.robust.pit import ANIMAL, BREAKPOINT, DOG, PIT, SPEAKER, pit_of
from tests.conformance.robust.requests import SINGLE_THREADED, reference
from tests.conformance.robust.test_values import all_objects, wanted

if TYPE_CHECKING:
    from tests.conformance.robust.pit import Pit
    from tests.support.jdks import Jdk
    from tests.support.wire_reading import Message

pytestmark = pytest.mark.agent

NONVIRTUAL = 2

# Instructions of more than one byte, by opcode.
_SIZES = {
    **dict.fromkeys([16, 18, *range(21, 26), *range(54, 59), 169, 188], 2),
    **dict.fromkeys([17, 19, 20, 132, *range(153, 169), *range(178, 185), 187, 189], 3),
    **dict.fromkeys([192, 193, 198, 199], 3),
    **dict.fromkeys([197], 4),
    **dict.fromkeys([185, 186, 200, 201], 5),
}


def _starts(code: bytes) -> set[int]:
    """Where instructions begin; for code without switches and wide instructions."""
    found, at = set(), 0
    while at < len(code):
        assert code[at] not in (170, 171, 196)
        found.add(at)
        at += _SIZES.get(code[at], 1)
    return found


def _break(pit: Pit, location: Message) -> str:
    return pit.vm.refusal(
        "EventRequest.Set",
        event_kind=BREAKPOINT,
        suspend_policy=0,
        modifiers=[{"kind": 7, "location": location}],
    )


def test_breakpoints_only_where_instructions_begin(jdk: Jdk) -> None:
    with pit_of(jdk) as pit:
        pit_type = pit.types[PIT]
        for name in ("stop", "half", "same", "play", "main", "collect"):
            method = pit.method(pit_type, name)
            reply = pit.vm.ask("Method.Bytecodes", type_id=pit_type, method_id=method)
            starts = _starts(reply["bytecodes"])
            for index in range(-2, len(reply["bytecodes"]) + 3):
                location = {"tag": 1, "type_id": pit_type, "method_id": method, "index": index}
                expected = "NONE" if index in starts else "INVALID_LOCATION"
                assert _break(pit, location) == expected, f"{name}:{index}"
        # The program runs over all of them, and rightly.
        pit.vm.ask("VirtualMachine.Resume")
        met = {pit.vm.wait_event(BREAKPOINT)["location"]["index"] for _ in range(60)}
        assert len(met) > 20
        assert pit.run_out().startswith("played 0 ")


def test_breakpoints_in_methods_without_code(pit: Pit) -> None:
    nowhere = [(PIT, "help"), (ANIMAL, "legs"), (SPEAKER, "speak")]
    for type_name, method in nowhere:
        type_id = pit.types[type_name]
        for index in (-1, 0, 1, 2**63 - 1, -(2**63)):
            location = {
                "tag": 1,
                "type_id": type_id,
                "method_id": pit.method(type_id, method),
                "index": index,
            }
            assert _break(pit, location) == "INVALID_LOCATION", (method, index)
    pit.check()


def test_results_that_are_not_of_the_type(jdk: Jdk) -> None:
    with pit_of(jdk) as pit:
        for tag, value in {"I": 1, "Z": True, "D": 1.0, "V": None, "L": 0, "[": 0}.items():
            forced = {"tag": ord(tag), "value": value}
            answer = pit.vm.refusal(
                "ThreadReference.ForceEarlyReturn", thread=pit.thread, value=forced
            )
            assert answer == "TYPE_MISMATCH", tag
        request = pit.set_event(BREAKPOINT, {"kind": 7, "location": pit.place("same")})
        pit.vm.ask("VirtualMachine.Resume")
        pit.vm.wait_event(BREAKPOINT)
        pit.vm.ask("EventRequest.Clear", event_kind=BREAKPOINT, request_id=request)
        for name, obj in all_objects(pit).items():
            if wanted(DOG, name) == "TYPE_MISMATCH":
                answer = pit.vm.refusal(
                    "ThreadReference.ForceEarlyReturn", thread=pit.thread, value=reference(obj)
                )
                assert answer == "TYPE_MISMATCH", name
        another = reference(pit.objects["object"]["animal"])
        pit.vm.ask("ThreadReference.ForceEarlyReturn", thread=pit.thread, value=another)
        assert pit.run_out().startswith("played 0 ")


def test_what_must_not_be_invoked(pit: Pit) -> None:
    """The VM's own hooks of method handles, which take what is on the stack for what they need."""
    found = pit.vm.ask(
        "VirtualMachine.ClassesBySignature", signature="Ljava/lang/invoke/MethodHandle;"
    )
    (handles,) = found["classes"]
    methods = pit.vm.ask("ReferenceType.Methods", type_id=handles["type_id"])["methods"]
    links = [one for one in methods if one["name"].startswith("linkTo") and one["modifiers"] & 8]
    assert len(links) >= 4
    objects = [0, pit.objects["array"]["objects"], pit.objects["array"]["strings"]]
    for link in links:
        for argument in objects:
            answer = pit.vm.refusal(
                "ClassType.InvokeMethod",
                type_id=handles["type_id"],
                thread=pit.thread,
                method_id=link["method_id"],
                arguments=[reference(argument, "[")],
                options=1,
            )
            assert answer == "INVALID_METHODID", link["name"]
    pit.check()


def test_abstract_methods_are_not_run_as_such(pit: Pit) -> None:
    for type_name, method in ((ANIMAL, "legs"), (SPEAKER, "speak")):
        answers = [
            pit.vm.refusal(
                "ObjectReference.InvokeMethod",
                object=pit.objects["object"]["dog"],
                thread=pit.thread,
                type_id=pit.types[type_name],
                method_id=pit.method(pit.types[type_name], method),
                arguments=[],
                options=SINGLE_THREADED | how,
            )
            for how in (0, NONVIRTUAL)
        ]
        assert answers == ["NONE", "INVALID_METHODID"], method
    pit.check()


@pytest.mark.parametrize("owner", ["cat", "otherDog", "plain"])
def test_methods_of_another_class(pit: Pit, owner: str) -> None:
    answer = pit.vm.refusal(
        "ObjectReference.InvokeMethod",
        object=pit.objects["object"][owner],
        thread=pit.thread,
        type_id=pit.types[DOG],
        method_id=pit.method(pit.types[DOG], "bark"),
        arguments=[{"tag": ord("I"), "value": 1}],
        options=1,
    )
    assert answer == "INVALID_OBJECT"
    pit.check()


def test_text_that_is_no_text(pit: Pit) -> None:
    """Strings that are not UTF-8: cut, overlong, out of range."""
    for content in (
        b"\xff",
        b"\xc3",
        b"a\xe2\x82",
        b"\xc0\x80",
        b"\xf8\x88\x80\x80\x80",
        b"\xed\xa0",
    ):
        for command in ((1, 11), (1, 2), (1, 19)):  # CreateString, ClassesBySignature, stratum
            code, _ = pit.vm.ask_raw(*command, struct.pack(">i", len(content)) + content)
            assert code == 0, (command, content)
    pit.vm.ask("VirtualMachine.SetDefaultStratum", stratum_id="")
    pit.check()
