# SPDX-License-Identifier: Apache-2.0
"""What an answer may hold: cut to its budget, and it says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import jvmdebug

if TYPE_CHECKING:
    from collections.abc import Iterable

BUDGET: Final = 8000
"""Characters of one answer."""


def limited(text: str, budget: int = BUDGET) -> str:
    """The text with at most so many characters, cut at the end of a line."""
    if len(text) <= budget:
        return text
    kept = text[:budget].rpartition("\n")[0] or text[:budget]
    return f"{kept}\n… {len(text) - len(kept)} more characters: ask for less at a time"


def listed(items: Iterable[object], limit: int, what: str) -> list[str]:
    """The first `limit`, one line each, and how many more there are."""
    lines = [jvmdebug.one_line(str(each)) for each in items]
    more = len(lines) - limit
    return [*lines[:limit], f"… {more} more {what}"] if more > 0 else lines
