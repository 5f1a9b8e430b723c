# SPDX-License-Identifier: Apache-2.0
"""What a program allocates, sampled by our agent: how much at which site, and how much of it lives.

Owns the beginning and the end of the sampling, and the figures by site. Bytes are estimates: the VM
takes a sample each time that about so many bytes were allocated. Made by `session.allocations`.
"""

from __future__ import annotations

import asyncio
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol, Self

from jvmdebug.classfile.descriptors import java_name
from jvmdebug.errors import NotImplementedByVmError, StateError, VmError, WireError
from jvmdebug.heap import live
from jvmdebug.heap.code_places import CodePlace, places
from jvmdebug.heap.errors import HeapError
from jvmdebug.jdwp.generated import heap as heap_set
from jvmdebug.model.agent import AgentCapability
from jvmdebug.to_the_end import begun, done

if TYPE_CHECKING:
    from collections.abc import Generator
    from types import TracebackType

    from jvmdebug.model.virtual_machine import VirtualMachine

_PAUSE_S: Final = 0.1
_SETTLED_S: Final = 1.0
"""How long is waited at most for what the VM tells of a collection."""
_DEEPEST: Final = 128
_MOST_SITES: Final = 20_000


@dataclass(frozen=True, slots=True)
class AllocationSite:
    """The place where objects of one class are allocated. All bytes are estimates."""

    type_name: str
    stack: tuple[CodePlace, ...]
    """Topmost first; as deep as was asked for."""
    samples: int
    bytes: int
    live_samples: int
    """So many of the sampled objects were not collected yet."""
    live_bytes: int

    @property
    def at(self) -> CodePlace | None:
        """The code that allocates; None when stacks are not sampled."""
        return self.stack[0] if self.stack else None

    def as_dict(self) -> dict[str, Any]:
        """Returns a dict for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        at = "" if self.at is None else f" at {self.at}"
        return f"{self.bytes:,} bytes, {self.live_bytes:,} alive: {self.type_name}{at}"


@dataclass(frozen=True, slots=True)
class AllocationProfile:
    """What was sampled so far."""

    samples: int
    bytes: int
    """All that was allocated, estimated."""
    sites: tuple[AllocationSite, ...]
    """The most bytes first."""
    left_out: int
    """Bytes at sites that were too many to tell apart."""

    def by_class(self) -> dict[str, int]:
        """Bytes by class, the most first."""
        found: dict[str, int] = {}
        for site in self.sites:
            found[site.type_name] = found.get(site.type_name, 0) + site.bytes
        return dict(sorted(found.items(), key=lambda each: -each[1]))

    def as_dict(self) -> dict[str, Any]:
        """Returns a dict for JSON."""
        return asdict(self)


def _dead(profile: AllocationProfile) -> int:
    return sum(each.samples - each.live_samples for each in profile.sites)


class SampledProgram(Protocol):
    """What the sampling needs of the session."""

    @property
    def vm(self) -> VirtualMachine:
        """The VM that is sampled."""


async def _stop_after(vm: VirtualMachine, starting: asyncio.Task[object]) -> None:
    """Stops after whoever asked for it was cancelled."""
    await asyncio.wait({starting})
    if starting.exception() is None:
        await vm.request(heap_set.StopAllocations())


class Allocations:
    """The sampling of allocations: `async with` or `await` begins it; it ends with the block.

    One at a time in a VM.
    """

    def __init__(self, program: SampledProgram, interval: int, stack: int) -> None:
        if interval < 0 or interval >= 1 << 31:
            raise HeapError(f"every {interval} bytes: it must be from 0, every allocation, to 2 GB")
        if not 0 <= stack <= _DEEPEST:
            raise HeapError(f"stack {stack}: it must be from 0 to {_DEEPEST} frames")
        self._program = program
        self._interval = interval
        self._stack = stack
        self._vm: VirtualMachine | None = None
        self._is_on = False

    async def open(self) -> Self:
        """Begin, unless that is done. HeapError when another agent takes the samples."""
        if self._vm is None:
            vm = self._program.vm
            vm.require_of_agent(AgentCapability.HEAP, "sampling allocations")
            command = heap_set.StartAllocations(self._interval, self._stack, _MOST_SITES)
            starting = begun(vm.request(command), "starting to sample allocations")
            try:
                await done(starting)
            except asyncio.CancelledError:
                begun(_stop_after(vm, starting), "sampling allocations no more")
                raise
            except NotImplementedByVmError:
                raise HeapError(
                    "this VM gives no samples of allocations: another agent, such as a profiler, "
                    "takes them, and one alone can"
                ) from None
            self._vm, self._is_on = vm, True
        return self

    async def close(self) -> None:
        """End it; the profile can still be asked for, and what of it is alive then."""
        if self._vm is not None and self._is_on:
            self._is_on = False
            if self._vm.connection.is_open:
                stop = self._vm.request(heap_set.StopAllocations())
                await done(begun(stop, "sampling allocations no more"))

    async def profile(self, *, collect: bool = False) -> AllocationProfile:
        """What was sampled since it began. With `collect` garbage is collected first, so that it
        is known what is really alive.
        """
        if self._vm is None:
            raise StateError("the sampling has not begun: use `async with`, or await `open()`")
        if not collect:
            return await self._read(self._vm)
        before = _dead(await self._read(self._vm))
        await live.collect(self._vm)
        return await self._settled(self._vm, before)

    async def _settled(self, vm: VirtualMachine, before: int) -> AllocationProfile:
        """Waits: from JDK 17 on the VM tells of dead objects some time after their collection, one
        after the other.
        """
        until = asyncio.get_running_loop().time() + _SETTLED_S
        found = await self._read(vm)
        known = before
        while asyncio.get_running_loop().time() < until:
            if _dead(found) == known > before:
                break
            known = _dead(found)
            await asyncio.sleep(_PAUSE_S)
            found = await self._read(vm)
        return found

    async def _read(self, vm: VirtualMachine) -> AllocationProfile:
        reply = await vm.request(heap_set.Allocations())
        frames = places(reply.frames)
        sites = [
            AllocationSite(
                java_name(each.signature),
                tuple(frames[index] for index in each.stack),
                each.samples,
                each.bytes,
                each.live_samples,
                each.live_bytes,
            )
            for each in reply.sites
        ]
        sites.sort(key=lambda each: (-each.bytes, each.type_name))
        return AllocationProfile(reply.samples, reply.bytes, tuple(sites), reply.left_out)

    async def __aenter__(self) -> Self:
        return await self.open()

    async def __aexit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        try:
            await self.close()
        except (VmError, WireError):  # with the VM the sampling has ended too
            if _error is None and self._vm is not None and self._vm.connection.is_open:
                raise

    def __await__(self) -> Generator[object, None, Self]:
        return self.open().__await__()

    def __repr__(self) -> str:
        state = "on" if self._is_on else "not begun" if self._vm is None else "over"
        return f"Allocations(every {self._interval} bytes, {state})"
