# SPDX-License-Identifier: Apache-2.0
"""The links of a chain of calls and fields: `a.b(1).c` is `a`, `a.b(1)`, `a.b(1).c`."""

from __future__ import annotations

from typing import Final

_OPENS: Final = "([{"
_CLOSES: Final = ")]}"


def links(expression: str) -> list[str]:
    """Every prefix that ends before a `.` or a `[` outside of parentheses, and the whole. Prefixes
    that are names of packages or classes are left to the evaluator's errors: the first link that
    has a value begins the chain.
    """
    found: list[str] = []
    depth = 0
    quote = ""
    for at, char in enumerate(expression):
        if quote:
            quote = "" if char == quote and expression[at - 1] != "\\" else quote
        elif char in "\"'":
            quote = char
        elif char in ".[" and depth == 0 and at:
            found.append(expression[:at])
            depth += char == "["
        elif char in _OPENS:
            depth += 1
        elif char in _CLOSES:
            depth -= 1
    return [each.strip() for each in (*found, expression) if each.strip()]
