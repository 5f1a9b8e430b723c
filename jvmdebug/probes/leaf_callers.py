# SPDX-License-Identifier: Apache-2.0
"""Remembers the probes whose checks call methods of the program without a guard, because these
methods only compute. Called by `probe`, and by `breakpoints` when such a method gets a breakpoint
or other code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from jvmdebug.model.method import Method
    from jvmdebug.probes.probe import Probe


class LeafCallers:
    """The probes of one VM with such checks; a companion of the VM. They are few, so there is no
    index by method.
    """

    def __init__(self) -> None:
        self._leaves: dict[Probe, frozenset[Method]] = {}

    def note(self, probe: Probe, leaves: frozenset[Method]) -> None:
        """Note that the check of a probe calls these methods from now on."""
        self._leaves.pop(probe, None)
        if leaves:
            self._leaves[probe] = leaves

    def calling(self, calls: Callable[[Method], bool]) -> Collection[Probe]:
        """The probes whose checks call a method for which `calls` is true."""
        return {probe for probe, leaves in self._leaves.items() if any(map(calls, leaves))}

    async def close(self) -> None:
        """Nothing to do."""
