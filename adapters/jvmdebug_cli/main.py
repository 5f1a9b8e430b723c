# SPDX-License-Identifier: Apache-2.0
"""The entry of the command `jvmdebug`: hands the arguments to who serves them.

Servers of other front ends are imported by name, so that no front end imports another, and without
the command line, since an editor waits for `jvmdebug dap` at each start of a program. What other
distributions register in the entry point group `jvmdebug.commands` is a command too: a function
`(arguments: list[str]) -> int`. The rest is `command_line`'s.
"""

from __future__ import annotations

import gc
import importlib
import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_OBJECTS_PER_COLLECTION: Final = 50_000
"""Imports make many objects, and no garbage: the default of 700 makes a start a tenth slower."""
_SERVERS: Final = {
    "dap": "jvmdebug_dap.command",
    "mcp": "jvmdebug_mcp.command",
    "sources": "jvmdebug_cli.sources_server",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code (see `exit_codes`)."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    gc.set_threshold(_OBJECTS_PER_COLLECTION)
    if given and given[0] in _SERVERS:
        return int(importlib.import_module(_SERVERS[given[0]]).main(given[1:]))
    if given == ["--version"]:  # editors ask at their start: without what commands import
        import jvmdebug  # noqa: PLC0415 - not before `dap`

        sys.stdout.write(f"jvmdebug {jvmdebug.__version__}\n")
        return 0
    return int(importlib.import_module("jvmdebug_cli.command_line").main(given))
