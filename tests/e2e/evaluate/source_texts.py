# SPDX-License-Identifier: Apache-2.0
"""The texts of a debuggee's expectations, out of its own source: `is(a + b)` → `a + b`.

Called by the differential test for each call of `expect.Expect` that does not give its text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

_PART: Final = re.compile(
    r'"""(?:\\.|.)*?"""|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|//[^\n]*|.', re.DOTALL
)
_CALL: Final = re.compile(r"\b(?:is|makes|fails|runs)\(")
_KIND: Final = re.compile(r'"\w+",\s*')
_NO_PARAMETERS: Final = re.compile(r"\(\) ->\s*")


def text_at(folder: Path, place: str) -> str:
    """The argument of the call at `@Calls.java:17`; of a lambda its body, of a block the inside."""
    name, _, line = place.removeprefix("@").partition(":")
    (file,) = folder.rglob(name)
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    rest = "".join(lines[int(line) - 1 :])
    start = _CALL.search(rest)
    assert start is not None, place
    text = _argument(rest[start.end() :]).strip()
    if start.group() == "runs(":
        text = _KIND.sub("", text, count=1)
    body = _NO_PARAMETERS.sub("", text, count=1) if text.startswith("() ->") else text
    return body[1:-1].strip() if body.startswith("{") and body != text else _in_call(body)


def _argument(text: str) -> str:
    """Up to the parenthesis that closes the call."""
    depth = 1
    for part in _PART.finditer(text):
        depth += {"(": 1, ")": -1}.get(part.group(), 0)
        if not depth:
            return text[: part.start()]
    raise ValueError(f"the call is not closed: {text[:80]}")


def _in_call(text: str) -> str:
    """`ignore(x)`, which makes a statement of an expression, is x."""
    return text[len("ignore(") : -1] if text.startswith("ignore(") else text
