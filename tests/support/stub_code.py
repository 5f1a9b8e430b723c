# SPDX-License-Identifier: Apache-2.0
"""The code of the program of `stub_core`: a source in an archive, two modules, no class."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jvmdebug
from jvmdebug import errors

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(eq=False)
class StubSource:
    """A source in an archive."""

    path: Path = Path("/lib/shop-sources.jar")
    entry: str | None = "shop/Cart.java"
    name: str = "Cart.java"
    is_on_disk: bool = False

    def __str__(self) -> str:
        return f"{self.path}!/{self.entry}"

    def as_text(self) -> str:
        return "package shop;\nclass Cart {}\n"


class StubNames:
    """No class is loaded."""

    async def loaded_classes(self) -> tuple[str, ...]:
        return ()


class StubCode:
    """No class is loaded."""

    def __init__(self) -> None:
        self.names = StubNames()

    async def lines(self, address: int, offset: int = 0, count: int = 1) -> list[None]:
        if address != 0x100000:
            raise errors.SourceError(f"there is no code at the address {address:#x}")
        del offset
        return [None] * count

    async def modules(self) -> tuple[jvmdebug.LoadedModule, ...]:
        known: Any = jvmdebug.LoadedModule
        return (
            known("java.base", "java.base", None, "25", ("jrt:/java.base",), is_platform=True),
            known("shop", None, "app", None, ("/lib/shop.jar", "/classes"), is_platform=False),
        )

    async def sources(self) -> tuple[StubSource, ...]:
        return (StubSource(),)


class StubHeap:
    """No object."""

    async def histogram(self) -> list[jvmdebug.heap.ClassUsage]:
        return []

    async def collect(self) -> None:
        return

    async def dump(
        self, path: Path, *, redact: bool, progress: Callable[[int, int], None]
    ) -> jvmdebug.heap.WrittenDump:
        del redact
        progress(0, 0)
        return jvmdebug.heap.WrittenDump(path, 0, 0, 0.0)


class StubProfiling:
    """A program that does nothing, for no time."""

    heap = StubHeap()

    async def profile_allocations(
        self, seconds: float, *, live: bool = False, progress: jvmdebug.profiling.ProfileProgress
    ) -> jvmdebug.profiling.Profile:
        del live
        progress(seconds, 0)
        return jvmdebug.profiling.Profile("alloc", "bytes", "none", "shop.Main")

    async def profile_locks(
        self, seconds: float, *, progress: jvmdebug.profiling.ProfileProgress
    ) -> jvmdebug.profiling.Profile:
        return await self.profile(seconds, "cpu", progress=progress)

    async def profile(
        self,
        seconds: float,
        clock: jvmdebug.profiling.SampledClock,
        *,
        progress: jvmdebug.profiling.ProfileProgress,
    ) -> jvmdebug.profiling.Profile:
        progress(seconds, 0)
        return jvmdebug.profiling.Profile(clock, "nanoseconds", "none", "shop.Main")


class StubTracking:
    """Remembers no origins."""

    def __init__(self, budget: float) -> None:
        self.budget = budget

    async def start(self) -> None:
        """Do nothing."""

    async def stop(self) -> None:
        """Do nothing."""

    async def status(self) -> jvmdebug.OriginsStatus:
        return jvmdebug.OriginsStatus(is_running=False, taken=0, thinned=0, left_out={})


class StubRedefining:
    """A VM that takes no new code."""

    async def redefine(
        self, *paths: str, changed_only: bool = True
    ) -> tuple[jvmdebug.RedefinedClass, ...]:
        del changed_only
        if not paths:
            return ()
        refused = jvmdebug.RedefinedClass(
            Path(paths[0]), jvmdebug.Outcome.REFUSED, "shop.Cart", "this VM cannot add methods"
        )
        return (refused,)

    async def replace_sources(
        self, *paths: str, class_files: Sequence[str] = ()
    ) -> jvmdebug.ReplacedSources:
        del class_files
        return jvmdebug.ReplacedSources(tuple(await self.redefine(*paths)), (), ())

    async def instance_counts(self, *type_names: str) -> dict[str, int]:
        return dict.fromkeys(type_names, 0)

    async def probes(self) -> list[jvmdebug.ProbeUse]:
        return []

    def origins(self, *, budget: float = 0.05) -> StubTracking:
        return StubTracking(budget)

    async def thread_dump(self, **_limits: int | str) -> jvmdebug.Snapshot:
        return jvmdebug.Snapshot(0.0, (), ())
