# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug doctor`: what of a machine jvmdebug can use, what is missing, and how to get it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug_cli.exit_codes import DONE
from jvmdebug_cli.subcommands.asking import Commands, add_command, printers

if TYPE_CHECKING:
    import argparse

_DESCRIPTION = """\
Check this machine: Java runtimes, whether each of them loads the agent, attaching by process id,
build tools, containers, editors. Says what is missing and how to get it. Changes nothing; the exit
code is 0 whatever is found.

  jvmdebug doctor
  jvmdebug doctor --json | jq -r '.[] | select(.state == "missing") | .text'
"""


def add(commands: Commands) -> None:
    """The arguments."""
    parser = add_command(commands, "doctor", "check what this machine has", _DESCRIPTION)
    parser.set_defaults(run=_run)


def _run(parsed: argparse.Namespace) -> int:
    import dataclasses  # noqa: PLC0415 - slow to import

    from jvmdebug_cli.machine_checks import findings  # noqa: PLC0415 - slow to import
    from jvmdebug_cli.rows import Rows  # noqa: PLC0415 - slow to import

    out, _ = printers(parsed)
    found = list(findings())
    if parsed.json:
        out.write_json([dataclasses.asdict(each) for each in found])
        return DONE
    rows = []
    for each in found:
        rows.append([each.subject, each.state, each.text])
        if each.hint is not None:
            rows.append(["", "", f"→ {each.hint}"])
    out.write(Rows(["", "", ""], rows))
    missing = sum(each.state == "missing" for each in found)
    out.write(f"{missing} missing." if missing else "Nothing is missing.")
    return DONE
