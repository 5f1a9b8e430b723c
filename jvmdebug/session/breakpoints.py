# SPDX-License-Identifier: Apache-2.0
"""`session.breakpoints`: the user's breakpoints as a sequence, and what sets one or many of them.

Owns what the state of the session allows, and the arguments of `break_at` and the others, which are
the session's methods too. Where a breakpoint resolves and what a hit does is
`jvmdebug.breakpoints`'. Called by the session, front ends and scripts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

from jvmdebug import acting, sources
from jvmdebug import breakpoints as core
from jvmdebug.errors import BreakpointError
from jvmdebug.session.hit_filters import only_hits_of
from jvmdebug.session.notebook import breakpoints_html
from jvmdebug.session.state import Operation

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable
    from os import PathLike

    from jvmdebug.breakpoints import (
        Breakpoint,
        BreakpointOptions,
        BreakpointRequest,
        BreakpointSpec,
        ProbeUse,
        Suspend,
    )
    from jvmdebug.breakpoints.line_parts import BreakablePart
    from jvmdebug.breakpoints.resolver import Resolver
    from jvmdebug.session.data_target import DataTarget
    from jvmdebug.session.program import DebuggedProgram
    from jvmdebug.session.threads import ThreadHandle
    from jvmdebug.session.variable import Variable


class SessionBreakpoints(Sequence["Breakpoint"]):
    """All breakpoints that are not removed, in the order of their ids; as they are now."""

    def __init__(self, program: DebuggedProgram) -> None:
        self._program = program

    async def add(self, spec: BreakpointSpec, options: BreakpointOptions) -> Breakpoint:
        """One more. BreakpointError for options that do not parse, UnsupportedError if the VM
        cannot.
        """
        return await self._program.breakpoints_to_change().add(spec, options)

    async def copy(self, breakpoint_: Breakpoint) -> Breakpoint:
        """Set a breakpoint of another session here too, with its number and zero hits.

        BreakpointError for one of an object or a thread, which only its program has; else as `add`.
        """
        return await self._program.breakpoints_to_change().copy(breakpoint_)

    async def break_at(  # noqa: PLR0913 - the options of a breakpoint
        self,
        spec: str | BreakpointSpec,
        *,
        condition: str | None = None,
        hit_condition: str | None = None,
        log_message: str | None = None,
        once: bool = False,
        suspend: Suspend | None = None,
        after: Breakpoint | None = None,
        thread: ThreadHandle | None = None,
        instance: Variable | None = None,
    ) -> Breakpoint:
        """Set a breakpoint at `shop/Cart.java:42`, `shop.Cart:42`, `shop.Cart#add(int)`, `add` (of
        every class that is not of the JDK), or at the instruction `shop.Cart#add#12`. A line means
        its own code: `shop.Cart:42:lambda1` is the first lambda that begins on it, and
        `shop.Cart:42:all` all of it.

        If no class matches yet, it stays unverified and resolves when one is loaded, before any of
        its code runs. With `after` it counts only once that breakpoint has stopped or logged; one
        that is removed is waited for no longer. `thread`, `instance`: only hits of that thread, and
        those whose `this` is that object, count. Raises BreakpointError for a text that is none, an
        ill-formed hit condition or a condition that does not parse.
        """
        self._program.services.stops.require(Operation.ARM)
        asked = sources.parse_spec(spec) if isinstance(spec, str) else spec
        options = core.BreakpointOptions(
            condition, hit_condition, log_message, once, suspend, after
        )
        return await self.add(asked, only_hits_of(thread, instance, options))

    async def break_on_exception(  # noqa: PLR0913 - the options of a breakpoint
        self,
        type_name: str = "java.lang.Throwable",
        *,
        caught: bool = True,
        uncaught: bool = True,
        condition: str | None = None,
        hit_condition: str | None = None,
        log_message: str | None = None,
        suspend: Suspend | None = None,
        after: Breakpoint | None = None,
        thread: ThreadHandle | None = None,
        instance: Variable | None = None,
    ) -> Breakpoint:
        """Stop where an exception of the type or of a subtype is thrown.

        `type_name` may be a pattern or several: `com.acme.*, !com.acme.Expected`. A condition may
        name the exception: `$exception`. `thread`, `instance`: as for `break_at`.
        """
        self._program.services.stops.require(Operation.ARM)
        options = core.BreakpointOptions(
            condition, hit_condition, log_message, suspend=suspend, after=after
        )
        spec = core.ExceptionSpec(type_name, caught, uncaught)
        return await self.add(spec, only_hits_of(thread, instance, options))

    async def break_on_allocation(
        self, type_name: str, at: str, *, condition: str | None = None
    ) -> Breakpoint:
        """Stop where the code of methods, `at="shop.Main#load"` or `"shop.Main#*"`, allocates an
        object of exactly that class: `shop.Cart`, `byte[]`. `break_at("shop.Cart#<init>")` is for
        all places; more options, by `break_at` of an AllocationSpec.
        """
        return await self.break_at(
            core.AllocationSpec(type_name, sources.parse_method(at)), condition=condition
        )

    async def watch(  # noqa: PLR0913 - the same
        self,
        field: str | DataTarget,
        *,
        read: bool = False,
        write: bool = True,
        condition: str | None = None,
        hit_condition: str | None = None,
        log_message: str | None = None,
        suspend: Suspend | None = None,
        after: Breakpoint | None = None,
        thread: ThreadHandle | None = None,
        instance: Variable | None = None,
    ) -> Breakpoint:
        """Stop when the field `shop.Cart.total` is written (or read), in any instance, or when the
        method `shop.Cart#add` has written its local variable `shop.Cart#add.sum`.

        `await frame.data_target("cart.total")` gives the field of one object. Conditions and log
        messages may name the values, `$old != $new`. `thread`, `instance`: as for `break_at`.
        """
        self._program.services.stops.require(Operation.ARM)
        options = core.BreakpointOptions(
            condition, hit_condition, log_message, suspend=suspend, after=after
        )
        from jvmdebug.session.data_target import watch_spec  # noqa: PLC0415 - slow to import

        spec = watch_spec(field, read=read, write=write)
        return await self.add(spec, only_hits_of(thread, instance, options))

    async def replace(
        self, group: Hashable, requests: Iterable[BreakpointRequest]
    ) -> tuple[Breakpoint, ...]:
        """Make `requests` the breakpoints of `group`; those that stay the same are untouched.

        One Breakpoint per request, in order. A changed condition keeps the breakpoint. A request
        that cannot work (an ill-formed hit condition) gives an unverified one with a message.
        Concerns only what earlier calls with the same `group` set: the path of a source file, say.
        """
        asked = tuple(requests)
        if not asked and not self._program.services.has_breakpoints:
            return ()
        who = acting.name()  # the groups of each front end are its own
        own = group if who is None else (who, group)
        return await self._program.breakpoints_to_change().replace(own, asked)

    async def remove(self, breakpoints: Iterable[Breakpoint] | None = None) -> None:
        """Remove these, or all, together: a class with several is changed once."""
        wanted = tuple(self if breakpoints is None else breakpoints)
        if wanted:
            await self._program.services.breakpoints.remove(wanted)

    async def set_again(self, old: SessionBreakpoints) -> None:
        """Set the breakpoints of a session that has ended in this one, not hit so far.

        They stay the same objects, in the same groups. What was watched in one object fails.
        """
        breakpoints = self._program.breakpoints_to_change()
        await breakpoints.set_again(old._program.services.breakpoints)

    async def suspend_by_default(self, suspend: Suspend) -> None:
        """Set which threads hits and steps suspend, if a breakpoint does not set its own."""
        breakpoints = self._program.breakpoints_to_change()
        self._program.services.settings.suspend = suspend
        for each in breakpoints.breakpoints:
            await self._program.services.table.rearm(each)

    async def probes(self) -> list[ProbeUse]:
        """Report who checks each location of a breakpoint with a condition, hit condition or log
        message: the program, or the debugger and why; how often the check has held, and what it
        costs.

        Breakpoints that have nothing to check are included if they have a probe. One request.
        """
        self._program.services.stops.require(Operation.INSPECT)
        return await self._program.services.breakpoints.probes()

    @property
    def stops_at_uncaught(self) -> bool:
        """Whether `stop_at_uncaught` has been asked for."""
        return self._program.services.breakpoints.stops_at_uncaught

    async def stop_at_uncaught(self, *, enabled: bool = True) -> None:
        """Stop at each exception that nothing catches, without a breakpoint in this sequence.

        The stop has the reason EXCEPTION and no `breakpoints`. It lasts over a restart.
        """
        await self._program.breakpoints_to_change().stop_at_uncaught(enabled=enabled)

    async def breakable_lines(
        self, source: str | PathLike[str], first: int = 1, last: int | None = None
    ) -> tuple[int, ...]:
        """The lines of `source` from `first` to `last` (included) that hold code, ascending.

        Read from the loaded types of that file; empty if none is loaded yet.
        """
        self._program.services.stops.require(Operation.INSPECT)
        resolver = self._resolver(core.LineSpec(first, path=str(source)))
        await resolver.add_loaded_types()
        lines = await resolver.lines()
        return tuple(line for line in lines if first <= line and (last is None or line <= last))

    async def breakable_parts(
        self, source: str | PathLike[str], first: int = 1, last: int | None = None
    ) -> tuple[BreakablePart, ...]:
        """What of the lines of `source` from `first` to `last` (included) a breakpoint may mean:
        for each line its own code, then the lambdas on it, in the order of the text.

        Read from the loaded types of that file and from its text; while none is loaded, the lines
        with lambdas alone.
        """
        self._program.services.stops.require(Operation.INSPECT)
        resolver = self._resolver(core.LineSpec(first, path=str(source)))
        await resolver.add_loaded_types()
        lines = await resolver.lines() or resolver.lambda_lines
        asked = [line for line in lines if first <= line and (last is None or line <= last)]
        return tuple([part for line in asked for part in await resolver.parts(line)])

    async def data_target(self, field: str) -> DataTarget:
        """The field `shop.Cart.total` of a type that is loaded, in all objects that have it."""
        self._program.services.stops.require(Operation.INSPECT)
        type_name, field_name = core.parse_field(field)
        resolver = self._resolver(core.FieldSpec(type_name, field_name))
        await resolver.add_loaded_types()
        found = await resolver.resolve()
        if not found.locations:
            raise BreakpointError(found.message or f"there is no field {field}")
        from jvmdebug.session.data_target import DataTarget  # noqa: PLC0415 - slow to import

        return DataTarget(found.locations[0].type_name, field_name, None)

    def _resolver(self, spec: BreakpointSpec) -> Resolver:
        from jvmdebug.breakpoints.resolver import Resolver  # noqa: PLC0415 - slow to import

        services = self._program.services
        return Resolver(services.vm, spec, services.hooks.source_text)

    @property
    def _all(self) -> tuple[Breakpoint, ...]:
        return self._program.services.breakpoints.breakpoints

    @overload
    def __getitem__(self, index: int) -> Breakpoint: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Breakpoint, ...]: ...
    def __getitem__(self, index: int | slice) -> Breakpoint | tuple[Breakpoint, ...]:
        return self._all[index]

    def __len__(self) -> int:
        return len(self._all)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._all == tuple(other)

    __hash__ = None  # type: ignore[assignment]  # as a list: it changes

    def __repr__(self) -> str:
        return repr(self._all)

    _repr_html_ = breakpoints_html
