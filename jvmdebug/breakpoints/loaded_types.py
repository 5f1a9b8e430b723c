# SPDX-License-Identifier: Apache-2.0
"""Has breakpoints of the same source search the loaded types only once. Called by
`breakpoint_table`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jvmdebug.breakpoints.armed_breakpoint import ArmedBreakpoint


class LoadedTypes:
    """The oldest breakpoint of each source, whose types later ones take over."""

    def __init__(self) -> None:
        self._oldest: dict[tuple[object, ...], ArmedBreakpoint] = {}

    async def add_to(self, armed: ArmedBreakpoint) -> None:
        """Take the types of an older breakpoint of the same source, else request all types of the
        VM.
        """
        scope = armed.resolver.scope
        older = self._oldest.setdefault(scope, armed)
        if older is not armed:
            await older.has_searched.wait()
            if older.knows_loaded_types:
                await armed.resolver.adopt(older.resolver)
                return
            self._oldest[scope] = armed  # the older one has failed
        await armed.resolver.add_loaded_types()

    def forget(self, armed: ArmedBreakpoint) -> None:
        """Have no other breakpoint take over its types: it is removed, and learns of no further
        types.
        """
        if self._oldest.get(armed.resolver.scope) is armed:
            del self._oldest[armed.resolver.scope]
