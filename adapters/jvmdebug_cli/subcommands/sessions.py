# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug sessions`: the debug sessions of this user that can be joined."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jvmdebug
from jvmdebug_cli.exit_codes import DONE
from jvmdebug_cli.subcommands.asking import Commands, add_command, printers

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
    import dataclasses  # noqa: PLC0415 - slow to import

    from jvmdebug_cli.rows import Rows  # noqa: PLC0415 - slow to import

    out, _ = printers(parsed)
    found = jvmdebug.sessions()
    if parsed.json:
        out.write_json([dataclasses.asdict(each) for each in found])
        return DONE
    if not found:
        out.write("There is no session to join.")
        return DONE
    rows = [
        [
            each.name,
            jvmdebug.one_line(each.program),
            f"{each.owner} (process {each.pid})",
            each.state,
            ", ".join(each.guests),
        ]
        for each in found
    ]
    out.write(Rows(("name", "program", "owner", "program is", "joined"), rows))
    return DONE
