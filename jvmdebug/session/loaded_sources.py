# SPDX-License-Identifier: Apache-2.0
"""The sources of the classes that are loaded, once each, and those that come later.

Without classes of the JDK and sources that are not found. Class loading is not observed before the
first request: a program loads thousands of classes. Called by `session.code`.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import InvalidClassError, InvalidObjectError
from jvmdebug.events import RESUME, ClassPrepareOccurrence, Verdict
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy
from jvmdebug.jdwp.generated.events import ClassExcludeModifier
from jvmdebug.session.events import SourceLoaded
from jvmdebug.sources import source_path
from jvmdebug.stepping import JDK_PATTERNS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmdebug.events import Occurrence, Router
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.session.events import EventFeed
    from jvmdebug.sources import SourceFile, SourceFinder

_AT_ONCE: Final = 500
MOST_SOURCES: Final = 10_000
"""The limit of what is listed and posted: no editor shows more."""


class LoadedSources:
    """The sources of one session."""

    def __init__(self, router: Router, sources: SourceFinder, feed: EventFeed) -> None:
        self._router = router
        self._sources = sources
        self._feed = feed
        self._seen: set[str] = set()
        self._found: dict[SourceFile, None] = {}
        self._turn = asyncio.Lock()
        self._is_watching = False

    async def all(self) -> tuple[SourceFile, ...]:
        """The sources of the classes that are loaded; later ones are posted as SourceLoaded."""
        if not self._is_watching:
            self._is_watching = True
            exclusions = tuple(map(ClassExcludeModifier, JDK_PATTERNS))
            await self._router.arm(
                EventKind.CLASS_PREPARE, exclusions, SuspendPolicy.NONE, self._prepared
            )
        async with self._turn:
            await self._look_up(await self._router.vm.all_classes())
        return tuple(self._found)

    async def _prepared(self, occurrence: Occurrence) -> Verdict:
        if isinstance(occurrence, ClassPrepareOccurrence):
            async with self._turn:
                for source in await self._look_up([occurrence.type]):
                    self._feed.post(SourceLoaded(source))
        return RESUME

    async def _look_up(self, types: Iterable[ReferenceType]) -> list[SourceFile]:
        """The sources of `types` that were not known."""
        outer = {name: each for each in types if (name := _outermost(each)) is not None}
        wanted = [each for name, each in outer.items() if name not in self._seen]
        self._seen.update(outer)
        new: list[SourceFile] = []
        for start in range(0, len(wanted), _AT_ONCE):
            page = wanted[start : start + _AT_ONCE]
            names = await asyncio.gather(*map(_source_name, page))
            paths = {
                source_path(each.name, name)
                for each, name in zip(page, names, strict=True)
                if name is not None
            }
            for source in await asyncio.to_thread(self._find, sorted(paths)):
                if source not in self._found and len(self._found) < MOST_SOURCES:
                    self._found[source] = None
                    new.append(source)
        return new

    def _find(self, paths: list[str]) -> list[SourceFile]:
        """Reads the disk."""
        return [found for each in paths if (found := self._sources.find_path(each)) is not None]


def _outermost(type_: ReferenceType) -> str | None:
    """The class that nested ones share their source with; None for what has no source of ours."""
    name = type_.name
    if name.endswith("[]") or "/" in name or _is_of_the_jdk(name):
        return None
    dollar = name.find("$", name.rfind(".") + 2)
    return name if dollar < 0 else name[:dollar]


def _is_of_the_jdk(name: str) -> bool:
    return any(name.startswith(pattern[:-1]) for pattern in JDK_PATTERNS)


async def _source_name(type_: ReferenceType) -> str | None:
    try:
        return await type_.source_file()
    except (InvalidClassError, InvalidObjectError):
        return None  # unloaded meanwhile
