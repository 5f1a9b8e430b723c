# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug sessions`: the debug sessions of this user that can be joined."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jvmdebug
from jvmdebug_cli.subcommands.asking import Commands, add_command, write_found

if TYPE_CHECKING:
    import argparse

_DESCRIPTION = """\
List the debug sessions of this user on this machine: of prompts, editors, assistants and scripts.
Each can be joined by its name: one sees the same stops, breakpoints and output, and acts on them.

  jvmdebug sessions
  jvmdebug join NAME
  jvmdebug sessions --json | jq -r '.[] | select(.state == "stopped") | .name'
"""


def add(commands: Commands) -> None:
    """The arguments."""
    parser = add_command(commands, "sessions", "list the sessions to join", _DESCRIPTION)
    parser.set_defaults(run=_run)


def _run(parsed: argparse.Namespace) -> int:
    headings = ("name", "program", "owner", "program is", "joined")
    return write_found(parsed, jvmdebug.sessions(), "There is no session to join.", headings, _row)


def _row(session: jvmdebug.SharedSession) -> list[str]:
    return [
        session.name,
        jvmdebug.one_line(session.program),
        f"{session.owner} (process {session.pid})",
        session.state,
        ", ".join(session.guests),
    ]
