# SPDX-License-Identifier: Apache-2.0
"""The modules that the client knows, and their ids.

Empty until the client requests the modules; from then on it gets `module` events, and frames name
their modules.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from jvmdebug import LoadedModule


@dataclass(slots=True)
class ModuleMemory:
    """The modules of one session."""

    is_asked: bool = False
    known: dict[Hashable, LoadedModule] = field(default_factory=dict)
    """By the identity of a module in the core."""
    _ids: dict[Hashable, int] = field(default_factory=dict)
    _numbers: count[int] = field(default_factory=lambda: count(1))

    def id_of(self, module: Hashable) -> int:
        """The client's id of a module; assigns one the first time."""
        if module not in self._ids:
            self._ids[module] = next(self._numbers)
        return self._ids[module]

    def replace(
        self, found: Iterable[LoadedModule]
    ) -> tuple[list[LoadedModule], list[LoadedModule]]:
        """Replace the known modules by `found`; returns the new ones and those that are gone."""
        now: dict[Hashable, LoadedModule] = {each.module: each for each in found}
        new = [each for key, each in now.items() if key not in self.known]
        gone = [each for key, each in self.known.items() if key not in now]
        self.known = now
        return new, gone
