# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug swap`: new code for the classes of a program that runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import jvmdebug
from jvmdebug_cli.exit_codes import DONE, FAILED, WrongUsageError
from jvmdebug_cli.subcommands.asking import Commands, add_command, add_target, ask, printers

if TYPE_CHECKING:
    import argparse

_DESCRIPTION = """\
Give the loaded classes of a running program the code of class files, or of those in directories. A
class that the VM refuses keeps its code, and the reason is printed; then the exit code is 1.

  jvmdebug swap localhost:5005 build/classes
  jvmdebug swap 4711 build/classes/shop/Cart.class
"""


def add(commands: Commands) -> None:
    """The arguments."""
    parser = add_command(commands, "swap", "replace the code of loaded classes", _DESCRIPTION)
    add_target(parser)
    parser.add_argument(
        "paths", nargs="+", metavar="PATH", help="a class file, or a directory with class files"
    )
    parser.set_defaults(run=_run)


def _run(parsed: argparse.Namespace) -> int:
    for path in parsed.paths:
        if not Path(path).exists():
            raise WrongUsageError(f"{path}: there is no such class file or directory")

    async def question(session: jvmdebug.Session) -> int:
        out, _ = printers(parsed)
        found = await session.redefine(*parsed.paths, changed_only=False)
        if parsed.json:
            out.write_json([_plain(each) for each in found])
        else:
            for line in _lines(found):
                out.write(line)
        bad = (jvmdebug.Outcome.REFUSED, jvmdebug.Outcome.UNREADABLE)
        return FAILED if any(each.outcome in bad for each in found) else DONE

    return ask(parsed, question)


def _plain(it: jvmdebug.RedefinedClass) -> dict[str, str | None]:
    return {
        "path": str(it.path),
        "type": it.type_name,
        "outcome": str(it.outcome),
        "reason": it.reason,
    }


def _lines(found: tuple[jvmdebug.RedefinedClass, ...]) -> list[str]:
    lines = []
    for each in found:
        reason = "" if each.reason is None else f": {each.reason}"
        if each.outcome is not jvmdebug.Outcome.NOT_LOADED:
            name = each.type_name or each.path
            lines.append(jvmdebug.one_line(f"{each.outcome}: {name}{reason}"))
    not_loaded = len(found) - len(lines)
    if not_loaded:
        classes = "class is" if not_loaded == 1 else "classes are"
        lines.append(f"{not_loaded} {classes} not loaded: nothing to do for them")
    return lines or ["There is no class file."]
