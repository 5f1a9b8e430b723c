# SPDX-License-Identifier: Apache-2.0
"""The imports of source files, for simple names in expressions: a companion of the VM.

A class file does not contain the imports of its source. The session knows where sources are, and
sets the lookup (`evaluator.use_imports`); `scope` asks it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from jvmdebug.model.location import Location

ImportLookup: TypeAlias = Callable[["Location"], Awaitable[tuple[str, ...]]]
"""The imports of the source file of a location; empty when the file is not available."""


class Imports:
    """One for each VM: `vm.companion(Imports)`."""

    def __init__(self) -> None:
        self.lookup: ImportLookup | None = None

    async def at(self, location: Location) -> tuple[str, ...]:
        """The imports of the location's source file."""
        return () if self.lookup is None else await self.lookup(location)

    async def close(self) -> None:
        """The connection is closed."""
        self.lookup = None
