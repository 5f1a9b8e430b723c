# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug ps`: the JVMs of this machine, and where to attach to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jvmdebug
from jvmdebug_cli.subcommands.asking import Commands, add_command, write_found

if TYPE_CHECKING:
    import argparse

_DESCRIPTION = """\
List the JVMs that run on this machine, in containers too: process id, main class or jar, JDK, user,
and whether and where a debug agent listens. Any of them can be attached to by its process id; one
that was started with an agent can do more. What other users run shows less of itself.

  jvmdebug ps
  jvmdebug ps --json | jq -r '.[] | select(.agent.is_listening) | .pid'
"""


def add(commands: Commands) -> None:
    """The arguments."""
    parser = add_command(commands, "ps", "list the JVMs of this machine", _DESCRIPTION)
    parser.set_defaults(run=_run)


def _run(parsed: argparse.Namespace) -> int:
    found = jvmdebug.local_jvms()
    has_containers = any(each.container for each in found)

    def row(jvm: jvmdebug.LocalJvm) -> list[str]:
        return [
            str(jvm.pid),
            jvm.jdk or "?",
            jvm.user or "?",
            *[jvm.container or ""] * has_containers,
            jvm.program or "?",
            _state(jvm),
        ]

    headings = ["pid", "jdk", "user", *["container"] * has_containers, "program", "debug agent"]
    return write_found(parsed, found, "No Java program runs on this machine.", headings, row)


def _state(jvm: jvmdebug.LocalJvm) -> str:
    agent = jvm.agent
    if agent is None:
        return "none"
    if agent.is_late and not agent.is_listening:
        return "none now (was loaded before)"
    at = "" if agent.address is None else f" {jvmdebug.one_line(agent.address)}"
    if agent.is_listening:
        where = "in its container at" if jvm.container else "listens at"
        state = f"{where}{at}"
        state = f"loaded, {state}" if agent.is_late else state
    elif agent.connects:
        state = f"connects to{at}"
    else:
        state = "does not listen: a debugger is attached?"
    return state if agent.kind == "jvmdebug" else f"{state} (the JDK's)"
