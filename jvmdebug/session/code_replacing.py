# SPDX-License-Identifier: Apache-2.0
"""Hot swap in a session: after it, breakpoints, stops and listings are those of the new code.

Owns the order: the program is suspended while its breakpoints are cleared. What the VM accepts is
`jvmdebug.hotswap`'s. Called by the session.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from pathlib import Path
from typing import TYPE_CHECKING

from jvmdebug import hotswap
from jvmdebug.errors import SourceError
from jvmdebug.model.class_names import classes_named
from jvmdebug.os_errors import reason
from jvmdebug.regular_file import read_bytes
from jvmdebug.session.events import CodeReplaced

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from contextlib import AbstractAsyncContextManager
    from os import PathLike

    from jvmdebug.hotswap import CodeComparison, RedefinedClass, Redefinition
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.session.services import Services


class CodeReplacing:
    """The hot swaps of one session, one at a time."""

    def __init__(self, services: Services, launched: float | None) -> None:
        """`launched`: when the program was, in seconds since the epoch; None for a VM that was
        attached to.
        """
        self._services = services
        self._turn = asyncio.Lock()
        self._last = launched
        """Older class files are loaded already."""
        self._refused: frozenset[Path] = frozenset()
        """But not these, which are older all the same."""

    async def redefine(
        self,
        paths: Iterable[str | PathLike[str]],
        *,
        changed_only: bool,
        contents: Sequence[tuple[ReferenceType, bytes]] = (),
    ) -> tuple[RedefinedClass, ...]:
        """Called by `Session.redefine`. `contents`: class files in memory."""
        async with self._turn:
            begun = time.time()
            last = self._last if changed_only else None
            files = await asyncio.to_thread(_contents, list(paths), last, self._refused)
            found = await self._replace(files, contents)
            self._last = begun
            offered = frozenset(path for path, _ in files)
            self._refused = (self._refused - offered) | frozenset(
                each.path for each in found.classes if each.outcome is hotswap.Outcome.REFUSED
            )
        return found.classes

    async def compare(
        self, type_name: str, paths: Sequence[str | PathLike[str]]
    ) -> tuple[CodeComparison, ...]:
        """Called by `Session.compare_code`."""
        services = self._services
        loaded = await classes_named(services.vm, type_name)
        if not loaded:
            raise SourceError(f"no class {type_name} is loaded: there is no code to compare")
        class_path = [Path(each) for each in paths] or list(services.sources.class_path)
        found = await asyncio.to_thread(hotswap.find_class_file, class_path, loaded[0].name)
        if found is None:
            searched = ", ".join(map(str, class_path)) or "no class path that is on this machine"
            raise SourceError(f"no class file of {type_name} was found: searched {searched}")
        path, file = found
        return tuple([await hotswap.compare(each, file, path) for each in loaded])

    async def _replace(
        self, files: list[tuple[Path, bytes]], contents: Sequence[tuple[ReferenceType, bytes]]
    ) -> Redefinition:
        services = self._services
        async with services.router.all_suspended():
            await self._remember_frames()
            async with self._unreported_classes():
                found = await hotswap.redefine(services.vm, files, contents)
            if found.types:
                services.code.forget(found.types)
                await services.table.redefined(found.types)
                for stop in services.stops.current:
                    await stop.refresh()
        if found.types:
            services.feed.post(CodeReplaced(found.classes))
        return found

    def _unreported_classes(self) -> AbstractAsyncContextManager[None]:
        is_ours = self._services.vm.agent is not None
        return contextlib.nullcontext() if is_ours else self._services.table.class_watch.paused()

    async def _remember_frames(self) -> None:
        """The VM does not name the method of a frame that runs old code."""
        for stop in self._services.stops.current:
            thread = stop.thread.thread
            frames = await thread.frames()
            heights = range(len(frames), 0, -1)
            self._services.code.remember(
                {
                    (thread, height): each.location
                    for height, each in zip(heights, frames, strict=True)
                }
            )


def _contents(
    paths: list[str | PathLike[str]], newer_than: float | None, besides: Collection[Path]
) -> list[tuple[Path, bytes]]:
    """Reads the disk. `besides`: files that are wanted though they are not newer."""
    try:
        found = hotswap.class_files(paths, newer_than, besides)
        return [(each, read_bytes(each)) for each in found]
    except OSError as error:
        raise SourceError(f"a class file cannot be read: {reason(error)}") from error
