# SPDX-License-Identifier: Apache-2.0
"""Tells where a command that was typed on several lines ends.

A command goes on while a bracket or a comment is open, behind a backslash, and on a line that
begins with a dot. An empty line ends it all the same, so that nobody is caught by a bracket too
many. Used by the line editor, and for what was pasted.
"""

from __future__ import annotations

import re
from typing import Final

_TOKENS: Final = re.compile(
    r'"""(?:\\.|(?!""").)*(?P<block>"""|\Z)'
    r'|"(?:\\.|[^"\\\n])*"?'
    r"|'(?:\\.|[^'\\\n])*'?"
    r"|/\*.*?(?P<comment>\*/|\Z)"
    r"|//[^\n]*"
    r"|(?P<open>[(\[{])|(?P<close>[)\]}])",
    re.DOTALL,
)
_CONTINUED: Final = "\\"


def is_complete(text: str) -> bool:
    """Whether Enter ends the command; else it begins another line."""
    if not text.strip() or text.rpartition("\n")[2].strip() == "" != text:
        return True
    return not text.endswith(_CONTINUED) and _open_brackets(text) <= 0


def logical_lines(text: str) -> list[str]:
    """The commands of a text of several lines."""
    commands: list[str] = []
    pending = ""
    for line in text.split("\n"):
        if pending and is_complete(pending) and not line.lstrip().startswith("."):
            commands.append(pending)
            pending = ""
        pending = f"{pending}\n{line}" if pending else line
    if pending.strip():
        commands.append(pending)
    return [_without_marks(each).strip() for each in commands if each.strip()]


def _without_marks(text: str) -> str:
    return re.sub(r"\\\n", "\n", text)


def _open_brackets(text: str) -> int:
    """How many brackets are open; one for a text block or comment that does not end."""
    depth = 0
    for token in _TOKENS.finditer(text):
        if token["open"]:
            depth += 1
        elif token["close"]:
            depth -= 1
        elif token["block"] == "" or token["comment"] == "":
            depth += 1
    return depth
