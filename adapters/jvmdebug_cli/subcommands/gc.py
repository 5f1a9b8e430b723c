# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug gc`: collect garbage now, and say what it freed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug_cli.exit_codes import DONE
from jvmdebug_cli.subcommands.asking import Commands, add_command, add_target, ask, printers

if TYPE_CHECKING:
    import argparse

    import jvmdebug

_DESCRIPTION = """\
Collect garbage in a JVM that runs with jvmdebug's agent, all of it, and show what was freed.

  jvmdebug gc localhost:5005
"""


def add(commands: Commands) -> None:
    """The arguments."""
    parser = add_command(commands, "gc", "collect garbage in a running JVM", _DESCRIPTION)
    add_target(parser)
    parser.set_defaults(run=_run)


def _run(parsed: argparse.Namespace) -> int:
    async def question(session: jvmdebug.Session) -> int:
        from jvmdebug_cli.heap_views import size_text  # noqa: PLC0415 - slow to import

        out, _ = printers(parsed)
        before = sum(each.shallow_size for each in await session.heap.histogram())
        await session.heap.collect()
        after = sum(each.shallow_size for each in await session.heap.histogram())
        if parsed.json:
            out.write_json({"before": before, "after": after, "freed": before - after})
        else:
            freed = size_text(max(0, before - after))
            out.write(f"{freed} freed: {size_text(before)} before, {size_text(after)} after")
        return DONE

    return ask(parsed, question)
