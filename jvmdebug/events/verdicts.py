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
    """The reason why threads stay suspended.

    To add one: derive it in the layer that stops, and give it a reason in `session.causes`.
    """

    suspends_all: bool = False
    """Whether to hold all threads, even if the event has suspended only its own."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Resume, unless another reaction to the same event set stops."""


@dataclass(frozen=True, slots=True)
class StopFor:
    """Keep suspended what the event set has suspended."""

    cause: Cause


Verdict: TypeAlias = Resume | StopFor

RESUME: Final = Resume()

# A parameter's type cannot say that the occurrence is of the class for the request's kind.
Reaction: TypeAlias = Callable[[Any], Awaitable[Verdict]]
