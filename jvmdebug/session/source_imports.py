# SPDX-License-Identifier: Apache-2.0
"""The imports of the Java source that a location is in, for the evaluator's simple names.

Called through `evaluator.use_imports`, wherever an expression is bound: in frames, conditions and
log messages. Finds files with the session's SourceFinder; reads each once per version.
"""

from __future__ import annotations

import asyncio
import functools
from typing import TYPE_CHECKING

from jvmdebug import sources
from jvmdebug.errors import SourceError

if TYPE_CHECKING:
    from jvmdebug.model.location import Location
    from jvmdebug.sources import SourceFile, SourceFinder


class SourceImports:
    """An ImportLookup of the evaluator."""

    def __init__(self, sources: SourceFinder) -> None:
        self._sources = sources

    async def __call__(self, location: Location) -> tuple[str, ...]:
        """Empty when the source is not found, or is not Java."""
        source_location = await sources.source_line(location)
        if source_location is not None:
            path = source_location.path
        else:
            name = await location.type.source_file()
            path = "" if name is None else sources.source_path(location.type.name, name)
        if not path.endswith(".java"):
            return ()
        return await asyncio.to_thread(self._declared, path)

    def _declared(self, path: str) -> tuple[str, ...]:
        source = self._sources.find_path(path)
        if source is None:
            return ()
        try:
            return _imports_of(source, source.path.stat().st_mtime_ns)
        except (OSError, SourceError):
            return ()  # deleted meanwhile: as if it had not been found


@functools.lru_cache(maxsize=256)
def _imports_of(source: SourceFile, _modified_ns: int) -> tuple[str, ...]:
    """The imports of a source file as it was last written."""
    return sources.imports_declared(source.as_text())
