# SPDX-License-Identifier: Apache-2.0
"""What jdb and gdb call things: their ways to type a command that is more than another name.

Owns forms of several words (`stop in`, `thread apply all bt`); a mere other name of a command is an
alias of it (`command`). Pure: a typed line in, ours out. Called by the shell and the completion.
"""

from __future__ import annotations

import re
from typing import Final

_FORMS: Final = tuple(
    (re.compile(rf"{form}(?:\s+(?P<rest>.*))?", re.DOTALL), ours)
    for form, ours in (
        (r"stop\s+(?:in|at)", "break"),
        (r"step\s+up", "finish"),
        (r"(?:where|wherei|bt|backtrace)\s+all", "stacks"),
        (r"thread\s+apply\s+all\s+(?:bt|where|backtrace)", "stacks"),
        (r"set\s+var(?:iable)?", "set"),
        (r"catch\s+all", "catch"),
        (r"watch\s+all", "watch both"),
        (r"watch\s+access", "watch read"),
        (r"rwatch", "watch read"),
        (r"awatch", "watch both"),
        (r"dump", "print /r"),
        (r"output", "print"),
        (r"(?:info|i)\s+(?:b|br|break|breakpoints|watchpoints)", "breakpoints"),
        (r"(?:info|i)\s+display", "displays"),
        (r"(?:info|i)\s+args", "args"),
        (r"(?:info|i)\s+(?:line|source)", "frame"),
        (r"(?:info|i)\s+(?:types|classes)", "classes"),
        (r"(?:info|i)\s+functions", "methods"),
        (r"(?:info|i)\s+(?:locals|lo)", "locals"),
        (r"(?:info|i)\s+threads", "threads"),
        (r"(?:info|i)\s+variables", "statics"),
        (r"!!", ""),
    )
)


def translated(line: str) -> str:
    """The line as our commands have it; `p/x total` and all others as they are."""
    for form, ours in _FORMS:
        if (found := form.fullmatch(line)) is not None:
            return f"{ours} {found['rest'] or ''}".strip()
    return line
