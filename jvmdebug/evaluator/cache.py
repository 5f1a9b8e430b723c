# SPDX-License-Identifier: Apache-2.0
"""What all evaluations in one VM share, as long as it is debugged: a companion of the VM.

Owns the expressions that were evaluated last, so that a watch is bound (and a lambda compiled) once
per location, and the way to the imports of a source file. `evaluation` asks it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from jvmdebug.evaluator.evaluation import CompiledExpression
    from jvmdebug.model.location import Location

ImportLookup: TypeAlias = Callable[["Location"], Awaitable[tuple[str, ...]]]
"""The imports of the source file of a location; empty when it is not at hand."""

_MOST_EXPRESSIONS: Final = 128


class Evaluations:
    """One for each VM: `vm.companion(Evaluations)`."""

    def __init__(self) -> None:
        self.import_lookup: ImportLookup | None = None
        """Set by whoever knows where sources are."""
        self._recent: OrderedDict[tuple[str, bool], CompiledExpression] = OrderedDict()

    async def imports(self, location: Location) -> tuple[str, ...]:
        """As the source file of the location has them."""
        return () if self.import_lookup is None else await self.import_lookup(location)

    async def expression(
        self, text: str, *, read_only: bool, make: Callable[[], CompiledExpression]
    ) -> CompiledExpression:
        """The expression that was made for this text before, or a new one."""
        key = (text, read_only)
        known = self._recent.get(key)
        if known is None:
            known = self._recent[key] = make()
        self._recent.move_to_end(key)
        if len(self._recent) > _MOST_EXPRESSIONS:
            _, oldest = self._recent.popitem(last=False)
            await oldest.release()
        return known

    async def close(self) -> None:
        """The connection is closed: there is nothing left to release in the debuggee."""
        self._recent.clear()
