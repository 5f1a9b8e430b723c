# SPDX-License-Identifier: Apache-2.0
"""Limits how many log messages of a breakpoint are written in a second, and reports how many others
there were.

A message takes the program some milliseconds, and nobody reads thousands in a second. Messages over
the budget are left out, counted, and reported; each second begins again. Where the program checks
the breakpoint, it does not stop for those either, and has counted them. Called by `hit`.
"""

from __future__ import annotations

from typing import Final

_WINDOW_S: Final = 1.0


class LogBudget:
    """The budget of one breakpoint."""

    def __init__(self) -> None:
        self._began = 0.0
        self._written = 0
        self._left_out = 0
        self._is_noticed = False

    def leave_out(self, number: int) -> None:
        """Note that the program has left out so many messages. A negative number takes back what
        was reported too much.
        """
        self._left_out += number

    def take(self, now: float, per_second: int) -> bool:
        """Whether a message may be written now; counts it as written or left out."""
        if now - self._began >= _WINDOW_S:
            self._began, self._written = now, 0
        if self._written < per_second:
            self._written += 1
            return True
        self._left_out += 1
        return False

    def notice(self, per_second: int) -> str | None:
        """The text to write in place of the message just left out; None if there was a notice in
        this second.
        """
        if self._is_noticed:
            return None
        self._is_noticed = True
        return (
            f"[more than {per_second:,} log messages in a second: the next ones are counted and"
            " left out until the second is over]"
        )

    def take_summary(self, *, is_end: bool = False) -> str:
        """The text to write before the next message, or at the end: how many messages were left
        out. Empty if none was.
        """
        # Without a notice, messages that seem to be left out are only overtaken by this one.
        if self._left_out <= 0 or not (self._is_noticed or is_end):
            return ""
        left_out, self._left_out = self._left_out, 0
        self._is_noticed = False
        return f"[{left_out:,} log messages left out]\n"
