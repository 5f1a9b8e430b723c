# SPDX-License-Identifier: Apache-2.0
"""The commands of a page of the documentation, as a reader would type them.

Pure but for the page. Called by the tests that run them.
"""

from __future__ import annotations

import re
from pathlib import Path

_REPOSITORY = Path(__file__).resolve().parents[2]
_BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"\s+#.*")


def commands(page: str, heading: str) -> list[str]:
    """The lines of the blocks of `sh` below a heading, without comments."""
    text = (_REPOSITORY / page).read_text(encoding="utf-8")
    section = re.search(
        rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL
    )
    assert section is not None, f"{page} has no section {heading}"
    lines = [line for block in _BLOCK.findall(section[1]) for line in block.splitlines()]
    return [_COMMENT.sub("", line) for line in lines]


def replaced(command: str, *changes: tuple[str, str]) -> str:
    """The command with other names and ports; each must be in it."""
    for text, new in changes:
        assert text in command, f"{text!r} is not in {command!r}"
        command = command.replace(text, new)
    return command
