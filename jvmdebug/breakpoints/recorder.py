# SPDX-License-Identifier: Apache-2.0
"""Calls that the program records itself, in place of hits: what a breakpoint needs for that.

`observing`, a package above this one, implements the recorder. Called by `location_checker`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.jdwp.ids import RequestId
    from jvmdebug.model.location import Location


class CallRecorder(Protocol):
    """Puts the checks into methods that record their calls."""

    async def record_calls(self, entries: Sequence[tuple[Location, RequestId]]) -> list[str | None]:
        """Have the calls of methods recorded. `entries`: their first instructions, and the requests
        there. Returns for each why its calls cannot be recorded, or None if they are from now on.
        """
