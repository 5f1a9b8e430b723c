# SPDX-License-Identifier: Apache-2.0
"""New code for a class: what HotSpot can change, and each thing that it cannot, by its error."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from tests.conformance.differential.scenarios import (
    EVENTS,
    Scenario,
    scenario_conversation,
    scenario_conversations,
)
from tests.support.jdwp_session import (
    ALL,
    CLASS_PREPARE,
    EVENT_THREAD,
    NONE,
    class_match,
    thread_only,
)

if TYPE_CHECKING:
    from collections.abc import Callable

CHANGED = "Lscenarios/Changed;"

_MAGIC_AND_MINOR_BYTES = 6
_LONG, _DOUBLE, _UTF8 = 5, 6, 1
_CONSTANT_BYTES = {7: 2, 8: 2, 16: 2, 19: 2, 20: 2, 15: 3}
"""Of a constant behind its tag (JVM specification 4.4); 4 for most."""


def class_file(scenario: Scenario, name: str = "Changed", own: str = "Changed") -> bytes:
    """The class file of one of what `scenarios.Changed` becomes, with that name."""
    path = scenario.session.program.class_path[0] / "scenarios" / f"{name}.class"
    return path.read_bytes().replace(name.encode(), own.encode())


def redefine(scenario: Scenario, *contents: bytes, signature: str = CHANGED) -> None:
    """New code for one class; each more is for the main class."""
    types = [scenario.session.type(signature), *[scenario.session.type()] * (len(contents) - 1)]
    classes = [
        {"type_id": type_id, "class_file": content}
        for type_id, content in zip(types, contents, strict=True)
    ]
    scenario.ask("VirtualMachine.RedefineClasses", classes=classes)


def _call_and_list(scenario: Scenario) -> None:
    """What its code does now, and what its methods are."""
    scenario.ask(
        "ClassType.InvokeMethod",
        type_id=scenario.session.type(CHANGED),
        thread=scenario.thread,
        method_id=scenario.method(CHANGED, "value"),
        arguments=[],
        options=1,
    )
    scenario.ask("ReferenceType.Methods", type_id=scenario.session.type(CHANGED))


# --- class files that are none --------------------------------------------------------------------


def _after_constants(content: bytes) -> int:
    """The index of the modifiers of the class, then its own index and its superclass's."""
    (constants,) = struct.unpack_from(">H", content, _MAGIC_AND_MINOR_BYTES + 2)
    at, index = _MAGIC_AND_MINOR_BYTES + 4, 1
    while index < constants:
        tag = content[at]
        size = _CONSTANT_BYTES.get(tag, 4)
        if tag == _UTF8:
            size = 2 + struct.unpack_from(">H", content, at + 1)[0]
        elif tag in (_LONG, _DOUBLE):
            size, index = 8, index + 1
        at, index = at + 1 + size, index + 1
    return at


def _of_version(content: bytes, major: int) -> bytes:
    at = _MAGIC_AND_MINOR_BYTES
    return content[:at] + struct.pack(">H", major) + content[at + 2 :]


def _its_own_superclass(content: bytes) -> bytes:
    at = _after_constants(content)
    return content[: at + 4] + content[at + 2 : at + 4] + content[at + 6 :]


def _returning_an_int_as_an_object(content: bytes) -> bytes:
    iconst_1, ireturn, areturn = 0x04, 0xAC, 0xB0
    code = b"\0\0\0\2" + bytes((iconst_1,))
    assert code + bytes((ireturn,)) in content
    return content.replace(code + bytes((ireturn,)), code + bytes((areturn,)))


WRONG_FILES: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda _: b"",
    "magic": lambda content: b"\xca\xfe\xd0\x0d" + content[4:],
    "cut": lambda content: content[:-20],
    "longer": lambda content: content + b"\0",
    "constant": lambda content: content[:10] + b"\x63" + content[11:],
    "version_of_the_future": lambda content: _of_version(content, 999),
    "version_of_the_past": lambda content: _of_version(content, 40),
    "its_own_superclass": _its_own_superclass,
    "unverifiable": _returning_an_int_as_an_object,
}


@scenario_conversations(WRONG_FILES, EVENTS, "nothing")
def wrong_file(scenario: Scenario, spoil: Callable[[bytes], bytes]) -> None:
    """The class is as it was."""
    redefine(scenario, spoil(class_file(scenario)))
    _call_and_list(scenario)


@scenario_conversations(
    {"other": "Lscenarios/Events$Stranger;", "super": "Ljava/lang/Object;"}, EVENTS, "nothing"
)
def file_of_another_class(scenario: Scenario, signature: str) -> None:
    redefine(scenario, class_file(scenario), signature=signature)


@scenario_conversations({"array": "[I", "interface": "Ljava/lang/Runnable;"}, EVENTS, "nothing")
def of_a_type_that_cannot(scenario: Scenario, signature: str) -> None:
    redefine(scenario, class_file(scenario), signature=signature)


# --- changes --------------------------------------------------------------------------------------

CHANGES = {
    "method_added": "ChangeA",
    "method_deleted": "ChangeD",
    "method_modifier": "ChangeM",
    "field_added": "ChangeF",
    "field_of_another_type": "ChangeT",
    "superclass": "ChangeS",
    "interface": "ChangeI",
    "class_modifier": "ChangeC",
    "nested_class": "ChangeN",
}


@scenario_conversations(CHANGES, EVENTS, "nothing")
def change_that_cannot_be(scenario: Scenario, name: str) -> None:
    """Each has an error of its own; the class is as it was."""
    redefine(scenario, class_file(scenario, name))
    _call_and_list(scenario)


@scenario_conversation(EVENTS, "nothing")
def superclass_of_itself(scenario: Scenario) -> None:
    """The new superclass, when it is loaded, turns out to be its own superclass."""
    content = class_file(scenario, "ChangeO", "Circled")
    redefine(scenario, content, signature="Lscenarios/Circled;")


@scenario_conversation(EVENTS, "nothing")
def other_bodies(scenario: Scenario) -> None:
    """Other method bodies, and the first ones again."""
    for name in ("ChangeB", "Changed"):
        redefine(scenario, class_file(scenario, name))
        _call_and_list(scenario)


@scenario_conversation(EVENTS, "nothing")
def one_of_two_is_wrong(scenario: Scenario) -> None:
    """Redefines two, of which one is wrong: neither is changed."""
    redefine(scenario, class_file(scenario, "ChangeB"), class_file(scenario))
    _call_and_list(scenario)


@scenario_conversation(EVENTS, "nothing")
def same_class_twice(scenario: Scenario) -> None:
    """The later one counts."""
    type_id = scenario.session.type(CHANGED)
    classes = [
        {"type_id": type_id, "class_file": class_file(scenario, name)}
        for name in ("Changed", "ChangeB")
    ]
    scenario.ask("VirtualMachine.RedefineClasses", classes=classes)
    _call_and_list(scenario)
    scenario.ask("VirtualMachine.RedefineClasses", classes=[])
    redefine(scenario, class_file(scenario))


PREPARED_BY = {"none": NONE, "thread": EVENT_THREAD, "all": ALL}


@scenario_conversations(PREPARED_BY, EVENTS, "nothing", fresh=True)
def prepared_by_the_debugger(scenario: Scenario, policy: int) -> None:
    """A class linked by its redefinition, on a thread of the agent: the event's thread is null."""
    unlinked = {"class_object": scenario.session.static("unlinked")}
    type_id = scenario.vm.ask("ClassObjectReference.ReflectedType", **unlinked)["type_id"]
    scenario.request(CLASS_PREPARE, class_match("scenarios.*"), policy=policy)
    scenario.request(CLASS_PREPARE, thread_only(scenario.thread), policy=policy)
    path = scenario.session.program.class_path[0] / "scenarios" / "ChangeU.class"
    classes = [{"type_id": type_id, "class_file": path.read_bytes()}]
    scenario.ask("VirtualMachine.RedefineClasses", classes=classes)
    # Reported after the resume: until then the event set before it is not resumed.
    (event,) = scenario.go()
    assert (event["signature"], event["thread"]) == ("Lscenarios/ChangeU;", 0)
    suspended = 1 if policy != NONE else 0
    assert scenario.session.suspend_count(scenario.thread) == suspended
