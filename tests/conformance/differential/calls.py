# SPDX-License-Identifier: Apache-2.0
"""Invocations of methods of the debuggee `scenarios.ManyThreads`, as conversations ask for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.support.jdwp_session import SINGLE_THREADED

if TYPE_CHECKING:
    from tests.conformance.differential.recording_client import Answer
    from tests.conformance.differential.scenarios import Scenario
    from tests.support.wire_reading import Message

BASE, DERIVED = "Lscenarios/ManyThreads$Base;", "Lscenarios/ManyThreads$Derived;"
GREETER, LAZY, BROKEN = (
    "Lscenarios/ManyThreads$Greeter;",
    "Lscenarios/ManyThreads$Lazy;",
    "Lscenarios/ManyThreads$Broken;",
)
UNKNOWN_ID = 0x7FFF_FFF0


def integer(number: int) -> Message:
    return {"tag": ord("I"), "value": number}


def reference(number: int, tag: str = "L") -> Message:
    return {"tag": ord(tag), "value": number}


def on_class(scenario: Scenario, name: str, *arguments: Message, **other: Any) -> Answer:
    """A static method of the main class, or of `owner`."""
    owner = other.pop("owner", "")
    fields = {
        "type_id": scenario.session.type(owner),
        "thread": scenario.thread,
        "method_id": scenario.method(owner, name),
        "arguments": list(arguments),
        "options": SINGLE_THREADED,
        **other,
    }
    return scenario.ask("ClassType.InvokeMethod", **fields)


def on_object(
    scenario: Scenario, target: int, name: str, owner: str, *arguments: Message, options: int = 1
) -> Answer:
    return scenario.ask(
        "ObjectReference.InvokeMethod",
        object=target,
        thread=scenario.thread,
        type_id=scenario.session.type(owner),
        method_id=scenario.method(owner, name),
        arguments=list(arguments),
        options=options,
    )


def construct(
    scenario: Scenario, owner: str, name: str, *arguments: Message, options: int = 1
) -> Answer:
    return scenario.ask(
        "ClassType.NewInstance",
        type_id=scenario.session.type(owner),
        thread=scenario.thread,
        method_id=scenario.method(owner, name),
        arguments=list(arguments),
        options=options,
    )
