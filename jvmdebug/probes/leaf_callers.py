# SPDX-License-Identifier: Apache-2.0
"""Which probes have checks that call methods of the program without a guard, as those only compute.
Called by `probe`, and by `breakpoints` when such a method gets a breakpoint, or other code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from jvmdebug.model.method import Method
    from jvmdebug.probes.probe import Probe


class LeafCallers:
    """Those of one VM; a companion of it. Few do: they are found without a look at all."""

    def __init__(self) -> None:
        self._leaves: dict[Probe, frozenset[Method]] = {}

    def note(self, probe: Probe, leaves: frozenset[Method]) -> None:
        """Its check calls these from now on."""
        self._leaves.pop(probe, None)
        if leaves:
            self._leaves[probe] = leaves

    def calling(self, calls: Callable[[Method], bool]) -> Collection[Probe]:
        """Those whose checks call such a method."""
        return {probe for probe, leaves in self._leaves.items() if any(map(calls, leaves))}

    async def close(self) -> None:
        """Nothing to do."""
