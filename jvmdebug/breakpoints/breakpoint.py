# SPDX-License-Identifier: Apache-2.0
"""A Breakpoint: what the user asked for, where it resolved, and how often it was hit.

Owns its options and its locations; arming (event requests, class prepare) is `arming`'s, and the
decision at a hit is `hit`'s. Users get it from the session and change it through its methods.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jvmdebug.breakpoints.specs import BreakpointSpec, Suspend


class BreakpointKind(StrEnum):
    """What a breakpoint waits for."""

    LINE = "line"
    METHOD = "method"
    EXCEPTION = "exception"
    FIELD = "field"


@dataclass(frozen=True, slots=True)
class BreakpointLocation:
    """One place in the VM where a breakpoint is armed."""

    type_name: str
    method_name: str | None
    """None for exceptions and fields."""
    line: int | None
    index: int | None
    """The code index; None for exceptions and fields."""
    source_path: str | None
    """`shop/Cart.java`; None if the type has no source attribute."""


class Breakpoint:
    """What was asked (`spec` and options) and what became of it (`verified`, `locations`)."""

    id: int
    spec: BreakpointSpec
    kind: BreakpointKind
    verified: bool
    """Armed at one location at least."""
    message: str | None
    """Why it is not verified, or what its condition did wrong; None if all is well."""
    locations: tuple[BreakpointLocation, ...]
    line: int | None
    """The line where it is armed, which may be after the one that was asked; None if unknown."""
    hits: int
    """How often it was reached with its condition true."""
    enabled: bool
    condition: str | None
    hit_condition: str | None
    log_message: str | None
    once: bool
    suspend: Suspend | None
    """None: as the session says."""

    async def enable(self) -> None:
        """Arm again after `disable`."""
        raise NotImplementedError

    async def disable(self) -> None:
        """Take out of the VM, keeping options and hit count."""
        raise NotImplementedError

    async def remove(self) -> None:
        """Take out of the VM for good; further calls do nothing."""
        raise NotImplementedError

    async def set_condition(self, condition: str | None) -> None:
        """Replace the condition (Java expression of type boolean); None takes it away."""
        raise NotImplementedError

    async def set_hit_condition(self, hit_condition: str | None) -> None:
        """Replace the hit condition (`5`, `>= 5`, `== 5`, `% 3`, ...) and count from zero."""
        raise NotImplementedError

    async def set_log_message(self, log_message: str | None) -> None:
        """Make it a logpoint with `{expression}` parts, or an ordinary breakpoint again."""
        raise NotImplementedError
