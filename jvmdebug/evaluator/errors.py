# SPDX-License-Identifier: Apache-2.0
"""Errors that the evaluator handles itself, and parts of messages. Used by all of the evaluator."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import EvaluationError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MAX_CANDIDATES = 6


COMPILED_LATER: Final = "javac compiles it when it is asked first"
"""Why code for a text that has a lambda cannot be called yet."""


class MissingMemberError(EvaluationError):
    """A static type lacks the member; the run-time type may have it (see `run.late_binding`)."""

    def __init__(self, message: str, column: int, receiver: str, member: str) -> None:
        """`receiver` is the descriptor of what is before the dot, as far as its type is known."""
        super().__init__(message, column)
        self.receiver = receiver
        self.member = member


class NeedsCompilerError(EvaluationError):
    """The text has a construct that is not interpreted: it needs the compiler."""


class RefusedByCompilerError(EvaluationError):
    """javac does not accept the text; the message has what it says."""


class ReadOnlyError(EvaluationError):
    """The text would run code of the program or change it, where only reading is allowed."""


class NotLoadedError(EvaluationError):
    """A class that the text needs is not loaded yet, and nothing may be loaded."""


class NoClassError(NotLoadedError):
    """The text names no class that is loaded, and there is no frame to say what it means."""


class NoValueError(EvaluationError):
    """The call of a void method where a value is needed."""


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """`; did you mean total?`, or nothing when no name is similar."""
    near = difflib.get_close_matches(name, sorted(set(names)), n=3, cutoff=0.6)
    return f"; did you mean {' or '.join(near)}?" if near else ""


def listed(candidates: Sequence[object]) -> str:
    """`a, b, c and 4 more`."""
    shown = ", ".join(str(each) for each in candidates[:_MAX_CANDIDATES])
    more = len(candidates) - _MAX_CANDIDATES
    return f"{shown} and {more} more" if more > 0 else shown
