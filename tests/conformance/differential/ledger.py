# SPDX-License-Identifier: Apache-2.0
"""Tells which conversation covers each command, error, event kind and modifier.

Owns what has to be exercised, from the declarations, and ledger.toml, which names for each a
conversation that does it (on JDK 25). `python -m tests.conformance.differential --ledger` writes it
again; the tests check that each entry has a conversation that shows it, or a reason why none does.
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
    "event VmStartEvent": "every fixture has had it when its conversations begin",
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


@cache
def never() -> Mapping[str, str]:
    """Errors that the specification allows and neither agent gives, and what both do instead.

    The declarations of the commands say so, and which conversation shows it.
    """
    return {
        f"{command.set_name}.{command.name}={error}": f"{instead} ({conversation})"
        for command in read_grammar().commands.values()
        for error, (instead, conversation) in _declared(command.module)[command.name]
        .get("never", {})
        .items()
    }


def _reason(pair: str) -> str | None:
    """Why a pair has no witness; None when it has to have one."""
    if pair in HEARD_ON_THE_SIDE:
        return HEARD_ON_THE_SIDE[pair]
    if pair.endswith("=NOT_IMPLEMENTED"):
        return "HotSpot has what the command needs"
    return never().get(pair)


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
