# SPDX-License-Identifier: Apache-2.0
"""Calls that the program records itself, in place of hits: what a breakpoint needs to have that.

The recorder is implemented by `observing`, which is above. Called by
`location_checker`.
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
        """The first instructions of methods, and the requests there: why the calls of each cannot
        be recorded, None where they are from now on.
        """
