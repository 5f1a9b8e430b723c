# SPDX-License-Identifier: Apache-2.0
"""Recording which code runs: the talk with the agent (command set Coverage).

The agent sets flags in the program's code and returns them. They are read now and then, when the
program ends, and when the recording does, so that a program which is killed has lost little.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, Self

from jvmdebug.coverage.analysis import ClassShape, unseen_class
from jvmdebug.coverage.each_test import EachTest
from jvmdebug.coverage.errors import CoverageError
from jvmdebug.coverage.inlining import CopiedLines
from jvmdebug.coverage.method_code import Sites
from jvmdebug.coverage.model import Coverage, CoveredClass
from jvmdebug.coverage.plan import CoveragePlan, class_files
from jvmdebug.errors import (
    ClassFileError,
    ConnectionLost,
    JvmDebugError,
    NotImplementedByVmError,
    VmError,
)
from jvmdebug.events import RESUME, Occurrence, Verdict
from jvmdebug.jdwp.generated import coverage as coverage_set
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy
from jvmdebug.model.agent import AgentCapability
from jvmdebug.to_the_end import all_of, begun, done

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Iterator
    from types import TracebackType

    from jvmdebug.events.requests import RequestHandle
    from jvmdebug.events.router import Router

LOGGER: Final = logging.getLogger("jvmdebug.coverage")
_PERIOD_S: Final = 2.0


@dataclass
class _Known:
    """A class file that the agent has described."""

    class_file: bytes
    methods: list[tuple[int, bytes]]
    flags: int = 0
    """Those that were ever set: bit 0 is the first."""

    @cached_property
    def shape(self) -> ClassShape | None:
        """What is in it; None if it cannot be read."""
        try:
            return ClassShape(self.class_file)
        except ClassFileError:
            return None

    def covered(self, flags: int, copied: CopiedLines) -> CoveredClass | None:
        """What these flags tell."""
        if self.shape is None:
            return None
        bits = _bits(flags)
        return self.shape.covered(
            {number: Sites.read(packed, bits) for number, packed in self.methods}, copied
        )


@dataclass
class _Flags:
    """What was read from the agent so far."""

    classes: list[_Known] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)
    waiting: int = 0
    removed: int = 0
    read_at: float = 0.0


class CoverageRecording:
    """Records which code of a program runs, from the beginning of its context to the end of it."""

    def __init__(
        self,
        router: Router,
        plan: Callable[[], Awaitable[CoveragePlan]],
        find_source: Callable[[str], str | None] = lambda _: None,
        name_of_test: Callable[[str], str] | None = None,
    ) -> None:
        """`name_of_test`: of a program that runs tests with our runner, which tells them by ids."""
        self._router = router
        self._make_plan = plan
        self._plan = CoveragePlan()
        self._find_source = find_source
        self._flags = _Flags()
        self._at_end: RequestHandle | None = None
        self._reading: asyncio.Task[None] | None = None
        self._lock = asyncio.Lock()
        self._is_open = False
        self._is_beginning = False
        self._has_all = False
        self._name_of_test = name_of_test
        self._each_test = None if name_of_test is None else EachTest(router, self._take_one)
        self.tests: dict[str, dict[str, tuple[int, ...]]] = {}
        """The lines of each test, as they were taken: see `take_test`."""

    async def __aenter__(self) -> Self:
        self._is_beginning = True
        try:
            await self._begin()
        finally:
            self._is_beginning = False
        return self

    async def _begin(self) -> None:
        vm = self._router.vm
        vm.require_of_agent(AgentCapability.COVERAGE, "coverage")
        self._plan = plan = await self._make_plan()
        self._at_end = await self._router.arm(
            EventKind.VM_DEATH, (), SuspendPolicy.ALL, self._on_end
        )
        start = coverage_set.Start(
            branches=plan.branches,
            clears=plan.per_test,
            included=tuple(map(coverage_set.Start.Inclusion, plan.included)),
            excluded=tuple(map(coverage_set.Start.Exclusion, plan.excluded)),
        )
        has_begun = False
        try:
            await vm.request(start)
            has_begun = True
            if plan.per_test and self._each_test is not None:
                await self._each_test.begin()
        except BaseException as error:
            has_begun = has_begun or isinstance(error, asyncio.CancelledError)
            await done(begun(self._leave(has_begun=has_begun), "not covering"))
            if isinstance(error, NotImplementedByVmError):
                raise CoverageError("the agent cannot change classes in this JVM") from None
            raise
        self._is_open = True
        self._reading = asyncio.create_task(self._read_now_and_then(), name="reading coverage")

    async def __aexit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        await self._end()

    def __repr__(self) -> str:
        return f"CoverageRecording({len(self._flags.classes)} classes)"

    async def read(self) -> Coverage:
        """What has run so far. Works after the end of the program, too."""
        if self._is_open and not self._has_all:
            with contextlib.suppress(JvmDebugError):  # then what was read before counts
                await self._read()
        return await asyncio.to_thread(self._analysed)

    async def stop(self) -> Coverage:
        """End the recording; the program goes on without its flags. May be repeated."""
        await self._end()
        return await self.read()

    async def _end(self) -> None:
        """Read the flags for the last time, and have them taken out whatever comes of that."""
        if not self._is_open:
            return
        self._is_open = False
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)
        try:
            if not self._has_all:
                await self._read()
                self._has_all = True
        except JvmDebugError as error:  # `is_complete` tells it
            LOGGER.debug("the last flags cannot be read: %s", error)
        finally:
            await self._leave(has_begun=True)

    async def _leave(self, *, has_begun: bool) -> None:
        """Have the flags taken out of the program, and wait for nothing more."""
        works: list[Awaitable[object]] = [] if self._at_end is None else [self._at_end.clear()]
        if self._each_test is not None:
            works.append(self._each_test.end())
        if has_begun:
            works.append(self._router.vm.request(coverage_set.Stop()))
        with contextlib.suppress(ConnectionLost, VmError):  # the program has ended
            await all_of(*works)

    async def take_test(self, name: str) -> None:
        """Note what has run since the last call as what the test `name` has run. Raises
        CoverageError in a recording that was not begun with `per_test`.
        """
        if not self._plan.per_test:
            raise CoverageError("take_test() needs a recording begun with per_test=True")
        await self._take_one(name)

    async def _take_one(self, name: str) -> None:
        async with self._lock:
            now = await self._take(reset=True)
        self.tests[name] = await asyncio.to_thread(self._lines_of, now)

    @property
    def is_open(self) -> bool:
        """Whether it is under way, or about to begin."""
        return self._is_open or self._is_beginning

    @property
    def removed(self) -> int:
        """How many of the places that were seen cost the program nothing any more, when the flags
        were read last.
        """
        return self._flags.removed

    # --- the flags ----------------------------------------------------------------------------

    async def _on_end(self, _: Occurrence) -> Verdict:
        """The program is about to end: its flags are read before it does."""
        with contextlib.suppress(VmError, ConnectionLost):
            await self._read()
            self._has_all = True
        return RESUME

    async def _read_now_and_then(self) -> None:
        pause = _PERIOD_S
        with contextlib.suppress(ConnectionLost, VmError):
            while True:
                await asyncio.sleep(pause)
                began = time.monotonic()
                await self._read()
                pause = max(_PERIOD_S, 50 * (time.monotonic() - began))

    async def _read(self) -> None:
        async with self._lock:
            await self._take(reset=False)

    async def _take(self, *, reset: bool) -> list[int]:
        """Reads the flags; returns those that are set now, by class."""
        flags = self._flags
        reply = await self._router.vm.request(
            coverage_set.Read(known=len(flags.classes), reset=reset)
        )
        for each in reply.classes:
            methods = [(method.number, method.sites) for method in each.methods]
            flags.classes.append(_Known(each.class_file, methods))
        now = [int.from_bytes(each.set, "little") for each in reply.flags]
        for known, bits in zip(flags.classes, now, strict=True):
            known.flags |= bits
        flags.left_out = {each.name: each.why for each in reply.left_out}
        flags.waiting = reply.waiting
        flags.removed = reply.removed
        flags.read_at = time.time()
        return now

    # --- what they mean -----------------------------------------------------------------------

    def _analysed(self) -> Coverage:
        found: dict[str, CoveredClass] = {}
        names: set[str] = set()
        copied = CopiedLines()
        for each in list(self._flags.classes):
            made = each.covered(each.flags, copied)
            if made is not None:
                known = found.get(made.name)
                found[made.name] = made if known is None else known.merged_with(made)
                names.add(made.name)
        for name, content in class_files(self._plan):
            if name not in names:
                unseen = unseen_class(content, copied)
                if unseen is not None:
                    found.setdefault(unseen.name, unseen)
        everything = copied.applied_to(found[name] for name in sorted(found))
        classes = tuple(map(self._with_path, everything))
        return Coverage(
            classes=classes,
            left_out={
                name.replace("/", "."): why for name, why in sorted(self._flags.left_out.items())
            },
            waiting=self._flags.waiting,
            is_complete=self._has_all or self._is_open,
            read_at=self._flags.read_at,
            tests=self._by_name({each.file for each in classes}),
        )

    def _by_name(self, files: Collection[str]) -> dict[str, dict[str, tuple[int, ...]]]:
        """The tests by what runs them again, with the lines of these files: a library's inline
        functions are copied into them. Several calls of a test may have one such name.
        """
        found: dict[str, dict[str, tuple[int, ...]]] = {}
        for name, lines in list(self.tests.items()):  # more come meanwhile
            of_test = found.setdefault(self._name_of_test(name) if self._name_of_test else name, {})
            for file, numbers in lines.items():
                if file in files:
                    of_test[file] = tuple(sorted({*of_test.get(file, ()), *numbers}))
        return found

    def _lines_of(self, now: list[int]) -> dict[str, tuple[int, ...]]:
        lines: dict[str, set[int]] = {}
        copied = CopiedLines()
        for known, bits in zip(self._flags.classes, now, strict=False):
            made = known.covered(bits, copied) if bits else None
            if made is not None:
                ran = {line for line, each in made.lines.items() if each.instructions.covered}
                lines.setdefault(made.file, set()).update(ran - {0})
        for (class_name, line), has_run in copied.ran.items():
            if has_run:
                lines.setdefault(copied.files[class_name], set()).add(line)
        return {file: tuple(sorted(ran)) for file, ran in sorted(lines.items()) if ran}

    def _with_path(self, of: CoveredClass) -> CoveredClass:
        return replace(of, path=self._find_source(of.file))


def _bits(flags: int) -> Iterator[bool]:
    while True:
        yield bool(flags & 1)
        flags >>= 1
