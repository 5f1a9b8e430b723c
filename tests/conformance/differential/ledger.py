# SPDX-License-Identifier: Apache-2.0
"""Which conversation exercises what: each command, error, event kind and modifier.

Owns what has to be exercised, from the declarations, and ledger.toml, which names for each a
conversation that does it (on JDK 25). `python -m tests.conformance.differential --ledger` writes it
anew; the tests hold the witnesses to it, and refuse what has neither witness nor reason.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.support.wire_grammar import DECLARATIONS, read_grammar

if TYPE_CHECKING:
    from collections.abc import Mapping

LEDGER = Path(__file__).with_name("ledger.toml")
VERSION = 25
"""The JDK on which the witnesses are heard."""

HEARD_ON_THE_SIDE = {
    "event VmStartEvent": "every scene has had it when its conversations begin",
    "event ClassUnloadEvent": "occurrences.unloaded picks it out of what the collector brings",
}
"""Events that no conversation waits for by themselves, and why."""

_FIRST_OWN_SET = 128
_FIRST_OWN_KIND = 100


@cache
def required() -> frozenset[str]:
    """`Set.Command=ERROR`, `event NAME` and `modifier NAME` of everything that JDWP has."""
    grammar = read_grammar()
    wanted = {
        f"{variant.lower()} {name}"
        for variant in ("Event", "Modifier")
        for tag, (name, _) in grammar.variants[variant].items()
        if tag < _FIRST_OWN_KIND
    }
    for (command_set, _), command in grammar.commands.items():
        if command_set < _FIRST_OWN_SET and not command.from_agent:
            name = f"{command.set_name}.{command.name}"
            wanted |= {f"{name}={error}" for error in ("NONE", *_errors(command.module, name))}
    return frozenset(wanted)


def _errors(module: str, name: str) -> list[str]:
    return list(_declared(module)[name.partition(".")[2]].get("errors", ()))


@cache
def _declared(module: str) -> Mapping[str, Any]:
    text = (DECLARATIONS / f"{module}.toml").read_text(encoding="utf-8")
    commands: Mapping[str, Any] = tomllib.loads(text)["command"]
    return commands


@cache
def _ledger() -> Mapping[str, Any]:
    return tomllib.loads(LEDGER.read_text(encoding="utf-8"))


def witnesses() -> Mapping[str, str]:
    """What is exercised → the conversation that does it."""
    found: Mapping[str, str] = _ledger()["witness"]
    return found


def without_witness() -> Mapping[str, str]:
    """What no conversation exercises → why."""
    found: Mapping[str, str] = _ledger()["without"]
    return found


_INVOKING = tuple(
    f"{one}.{command}"
    for one, command in (
        ("ClassType", "InvokeMethod"),
        ("ClassType", "NewInstance"),
        ("InterfaceType", "InvokeMethod"),
        ("ObjectReference", "InvokeMethod"),
    )
)

NEVER = {
    **{
        f"{name}=ALREADY_INVOKING": "an invocation that waits or runs is INVALID_THREAD with both "
        "(refusals.invocation_that_waits_already); what libjdwp calls so our agent does "
        "(invocations_meanwhile.one_inside_another)"
        for name in _INVOKING
    },
    **{
        f"{name}=THREAD_NOT_SUSPENDED": "a thread that does not stand in an event, running or not, "
        "is INVALID_THREAD with both (invocations.threads_that_cannot)"
        for name in _INVOKING
    },
    "ArrayType.NewInstance=INVALID_ARRAY": "a type that is no array is TYPE_MISMATCH with both "
    "(wrong.field[ArrayType.NewInstance.type_id])",
    "ClassType.SetValues=CLASS_NOT_PREPARED": "nobody is told the fields of such a class: Fields "
    "refuses (reference_type.reflected[not_linked])",
    "EventRequest.Set=DUPLICATE": "a request is never the same as another: each has an id "
    "(event_requests.same_request_twice)",
    "EventRequest.Set=INVALID_STRING": "a pattern can be any text (refusals.patterns)",
    "Method.Bytecodes=NATIVE_METHOD": "a method without code has no bytes with both "
    "(methods.described[abstract])",
    "Method.LineTable=ABSENT_INFORMATION": "a method without lines has a table without lines with "
    "both (refusals.lines_without_tables)",
    "ObjectReference.EnableCollection=INVALID_OBJECT": "an id that is not known can be collected "
    "already, and both say so (wrong.field[ObjectReference.EnableCollection.object])",
    "ThreadReference.ForceEarlyReturn=THREAD_NOT_ALIVE": "a thread that does not live is "
    "INVALID_THREAD with both (wrong.field[ThreadReference.ForceEarlyReturn.thread])",
    "VirtualMachine.InstanceCounts=INVALID_CLASS": "what is no type has no instances with both "
    "(refusals.instance_counts_of_what_is_no_type)",
    "VirtualMachine.InstanceCounts=INVALID_OBJECT": "what is no type has no instances with both "
    "(refusals.instance_counts_of_what_is_no_type)",
}
"""Errors that the specification allows and neither agent gives, and what both do instead."""


def _reason(pair: str) -> str | None:
    """Why a pair has no witness; None when it has to have one."""
    if pair in HEARD_ON_THE_SIDE:
        return HEARD_ON_THE_SIDE[pair]
    if pair.endswith("=NOT_IMPLEMENTED"):
        return "HotSpot has what the command needs"
    return NEVER.get(pair)


def write(heard: Mapping[str, set[str]]) -> None:
    """The ledger of what these conversations exercised; ValueError when something has no reason."""
    by_pair: dict[str, str] = {}
    for name in sorted(heard):
        for pair in sorted(heard[name] & required()):
            by_pair.setdefault(pair, name)
    lines = [
        "# SPDX-License-Identifier: Apache-2.0",
        "# Written by `python -m tests.conformance.differential --ledger`.",
        "",
        "[witness]",
        *(f'"{pair}" = "{name}"' for pair, name in sorted(by_pair.items())),
        "",
        "[without]",
    ]
    missing = {pair: _reason(pair) for pair in sorted(required() - by_pair.keys())}
    if unexplained := [pair for pair, reason in missing.items() if reason is None]:
        raise ValueError(f"no conversation exercises {', '.join(unexplained)}, and no reason why")
    lines += [f'"{pair}" = "{reason}"' for pair, reason in missing.items()]
    LEDGER.write_text("\n".join(lines) + "\n", encoding="utf-8")
