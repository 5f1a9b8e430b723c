# SPDX-License-Identifier: Apache-2.0
"""What a reaction answers to an occurrence: resume, or stop for a cause.

Each layer derives its own causes from `Cause` and puts in them what a stop shows: the breakpoint
that was hit, what a step returned. The router collects the causes of an event set in its StopSet
and reads of them only which threads they want to be held.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """Why threads stay suspended.

    To add one: derive it in the layer that stops, and give it a reason in `session.causes`.
    """

    suspends_all: bool = False
    """Whether all threads are to be held, although the event may have suspended only its own."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Resume, unless another reaction to the same event set stops."""


@dataclass(frozen=True, slots=True)
class StopFor:
    """Keep suspended what the event set has suspended."""

    cause: Cause


Verdict: TypeAlias = Resume | StopFor

RESUME: Final = Resume()

# The occurrence is of the class that belongs to the request's kind; a parameter's type cannot say
# so.
Reaction: TypeAlias = Callable[[Any], Awaitable[Verdict]]
