# SPDX-License-Identifier: Apache-2.0
"""Breakpoints where no instruction begins, frames that are left early with a wrong result, methods
that must not be called: what the VM does not check, and then fails on.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest

from tests.conformance.robust.requests import SINGLE_THREADED, reference
from tests.conformance.robust.stopped_target import (
    ANIMAL,
    BREAKPOINT,
    DOG,
    MAIN,
    SPEAKER,
    stopped_target,
)
from tests.conformance.robust.test_values import all_objects, wanted

if TYPE_CHECKING:
    from tests.conformance.robust.stopped_target import StoppedTarget
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
    """The places where instructions begin; for code without switches and wide instructions."""
    found, at = set(), 0
    while at < len(code):
        assert code[at] not in (170, 171, 196)
        found.add(at)
        at += _SIZES.get(code[at], 1)
    return found


def _break(stopped: StoppedTarget, location: Message) -> str:
    return stopped.vm.refusal(
        "EventRequest.Set",
        event_kind=BREAKPOINT,
        suspend_policy=0,
        modifiers=[{"kind": 7, "location": location}],
    )


def test_breakpoints_only_where_instructions_begin(jdk: Jdk) -> None:
    with stopped_target(jdk) as stopped:
        stopped_type = stopped.types[MAIN]
        for name in ("stop", "half", "same", "count", "main", "collect"):
            method = stopped.method(stopped_type, name)
            reply = stopped.vm.ask("Method.Bytecodes", type_id=stopped_type, method_id=method)
            starts = _starts(reply["bytecodes"])
            for index in range(-2, len(reply["bytecodes"]) + 3):
                location = {"tag": 1, "type_id": stopped_type, "method_id": method, "index": index}
                expected = "NONE" if index in starts else "INVALID_LOCATION"
                assert _break(stopped, location) == expected, f"{name}:{index}"
        # The program runs over all of them, and rightly.
        stopped.vm.ask("VirtualMachine.Resume")
        met = {stopped.vm.wait_event(BREAKPOINT)["location"]["index"] for _ in range(60)}
        assert len(met) > 20
        assert stopped.run_out().startswith("counted 0 ")


def test_breakpoints_in_methods_without_code(stopped: StoppedTarget) -> None:
    nowhere = [(MAIN, "help"), (ANIMAL, "legs"), (SPEAKER, "speak")]
    for type_name, method in nowhere:
        type_id = stopped.types[type_name]
        for index in (-1, 0, 1, 2**63 - 1, -(2**63)):
            location = {
                "tag": 1,
                "type_id": type_id,
                "method_id": stopped.method(type_id, method),
                "index": index,
            }
            assert _break(stopped, location) == "INVALID_LOCATION", (method, index)
    stopped.check()


def test_results_that_are_not_of_the_type(jdk: Jdk) -> None:
    with stopped_target(jdk) as stopped:
        for tag, value in {"I": 1, "Z": True, "D": 1.0, "V": None, "L": 0, "[": 0}.items():
            forced = {"tag": ord(tag), "value": value}
            answer = stopped.vm.refusal(
                "ThreadReference.ForceEarlyReturn", thread=stopped.thread, value=forced
            )
            assert answer == "TYPE_MISMATCH", tag
        request = stopped.set_event(BREAKPOINT, {"kind": 7, "location": stopped.place("same")})
        stopped.vm.ask("VirtualMachine.Resume")
        stopped.vm.wait_event(BREAKPOINT)
        stopped.vm.ask("EventRequest.Clear", event_kind=BREAKPOINT, request_id=request)
        for name, obj in all_objects(stopped).items():
            if wanted(DOG, name) == "TYPE_MISMATCH":
                answer = stopped.vm.refusal(
                    "ThreadReference.ForceEarlyReturn", thread=stopped.thread, value=reference(obj)
                )
                assert answer == "TYPE_MISMATCH", name
        another = reference(stopped.objects["object"]["animal"])
        stopped.vm.ask("ThreadReference.ForceEarlyReturn", thread=stopped.thread, value=another)
        assert stopped.run_out().startswith("counted 0 ")


def test_methods_that_must_not_be_invoked(stopped: StoppedTarget) -> None:
    """The VM's own hooks of method handles, which take what is on the stack for what they need."""
    found = stopped.vm.ask(
        "VirtualMachine.ClassesBySignature", signature="Ljava/lang/invoke/MethodHandle;"
    )
    (handles,) = found["classes"]
    methods = stopped.vm.ask("ReferenceType.Methods", type_id=handles["type_id"])["methods"]
    links = [one for one in methods if one["name"].startswith("linkTo") and one["modifiers"] & 8]
    assert len(links) >= 4
    objects = [0, stopped.objects["array"]["objects"], stopped.objects["array"]["strings"]]
    for link in links:
        for argument in objects:
            answer = stopped.vm.refusal(
                "ClassType.InvokeMethod",
                type_id=handles["type_id"],
                thread=stopped.thread,
                method_id=link["method_id"],
                arguments=[reference(argument, "[")],
                options=1,
            )
            assert answer == "INVALID_METHODID", link["name"]
    stopped.check()


def test_abstract_methods_are_not_run_as_such(stopped: StoppedTarget) -> None:
    for type_name, method in ((ANIMAL, "legs"), (SPEAKER, "speak")):
        answers = [
            stopped.vm.refusal(
                "ObjectReference.InvokeMethod",
                object=stopped.objects["object"]["dog"],
                thread=stopped.thread,
                type_id=stopped.types[type_name],
                method_id=stopped.method(stopped.types[type_name], method),
                arguments=[],
                options=SINGLE_THREADED | how,
            )
            for how in (0, NONVIRTUAL)
        ]
        assert answers == ["NONE", "INVALID_METHODID"], method
    stopped.check()


@pytest.mark.parametrize("owner", ["cat", "otherDog", "plain"])
def test_methods_of_another_class(stopped: StoppedTarget, owner: str) -> None:
    answer = stopped.vm.refusal(
        "ObjectReference.InvokeMethod",
        object=stopped.objects["object"][owner],
        thread=stopped.thread,
        type_id=stopped.types[DOG],
        method_id=stopped.method(stopped.types[DOG], "bark"),
        arguments=[{"tag": ord("I"), "value": 1}],
        options=1,
    )
    assert answer == "INVALID_OBJECT"
    stopped.check()


def test_text_that_is_no_text(stopped: StoppedTarget) -> None:
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
            code, _ = stopped.vm.ask_raw(*command, struct.pack(">i", len(content)) + content)
            assert code == 0, (command, content)
    stopped.vm.ask("VirtualMachine.SetDefaultStratum", stratum_id="")
    stopped.check()
