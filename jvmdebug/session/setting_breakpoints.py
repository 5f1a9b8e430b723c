# SPDX-License-Identifier: Apache-2.0
"""The part of the session's façade that sets breakpoints, one by one or a group at once.

Owns what each kind takes and refuses; where it resolves and what a hit does is `breakpoints`'.
Session inherits from it.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from jvmdebug.breakpoints import (
    BreakpointOptions,
    ExceptionSpec,
    FieldSpec,
    Wanted,
    parse_field,
)
from jvmdebug.breakpoints.placing import Place
from jvmdebug.errors import BreakpointError
from jvmdebug.session.data_target import DataTarget
from jvmdebug.session.state import Operation, SessionState, require
from jvmdebug.sources import (
    ClassListing,
    InstructionSpec,
    LineSpec,
    MethodSpec,
    parse_method,
    parse_spec,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from os import PathLike

    from jvmdebug.breakpoints import (
        Breakpoint,
        BreakpointSpec,
        DataRequest,
        ExceptionRequest,
        InstructionRequest,
        LineRequest,
        MethodRequest,
        Suspend,
    )
    from jvmdebug.session.services import Services
    from jvmdebug.session.starting import Launching


class SettingBreakpoints:
    """Sets, replaces and lists the breakpoints of a session."""

    _services: Services
    _launching: Launching | None

    @property
    def state(self) -> SessionState:
        """What the debuggee is doing."""
        return self._services.stops.state

    @property
    def breakpoints(self) -> tuple[Breakpoint, ...]:
        """All breakpoints that are not removed, in the order of their ids."""
        return self._services.table.breakpoints

    async def break_at(
        self,
        spec: str | BreakpointSpec,
        *,
        condition: str | None = None,
        hit_condition: str | None = None,
        log_message: str | None = None,
        once: bool = False,
        suspend: Suspend | None = None,
    ) -> Breakpoint:
        """Set a breakpoint at `shop/Cart.java:42`, `shop.Cart:42`, `shop.Cart#add(int)`, or at the
        instruction `shop.Cart#add#12`.

        If no class matches yet, it stays unverified and resolves when one is loaded, before any of
        its code runs. Raises BreakpointError for a text that is none, an ill-formed hit condition
        or a condition that does not parse.
        """
        require(Operation.ARM, self.state)
        asked = parse_spec(spec) if isinstance(spec, str) else spec
        options = BreakpointOptions(condition, hit_condition, log_message, once, suspend)
        async with self._arming():
            return await self._services.table.add(asked, options)

    async def break_on_exception(
        self,
        type_name: str = "java.lang.Throwable",
        *,
        caught: bool = True,
        uncaught: bool = True,
        condition: str | None = None,
        hit_condition: str | None = None,
        log_message: str | None = None,
        suspend: Suspend | None = None,
    ) -> Breakpoint:
        """Stop where an exception of the type or of a subtype is thrown.

        `type_name` may be a pattern or several: `com.acme.*, !com.acme.Expected`. A condition may
        name the exception: `$exception`. Raises UnsupportedError if the program
        runs already and was started in the fast mode.
        """
        require(Operation.ARM, self.state)
        options = BreakpointOptions(condition, hit_condition, log_message, suspend=suspend)
        async with self._arming(needs_full_mode=True):
            return await self._services.table.add(
                ExceptionSpec(type_name, caught, uncaught), options
            )

    async def watch(
        self,
        field: str | DataTarget,
        *,
        read: bool = False,
        write: bool = True,
        condition: str | None = None,
        hit_condition: str | None = None,
        log_message: str | None = None,
        suspend: Suspend | None = None,
    ) -> Breakpoint:
        """Stop when the field `shop.Cart.total` is written (or read), in any instance.

        `await frame.data_target("cart.total")` gives the field of one object. Conditions and log
        messages may name the values before and after: `$old != $new`.
        """
        require(Operation.ARM, self.state)
        if not (read or write):
            raise BreakpointError(f"watching {field}: choose read, write or both")
        options = BreakpointOptions(condition, hit_condition, log_message, suspend=suspend)
        async with self._arming():
            return await self._services.table.add(
                _field_spec(field, read=read, write=write), options
            )

    async def remove(self, breakpoint_: Breakpoint) -> None:
        """The same as `breakpoint.remove()`."""
        await breakpoint_.remove()

    async def set_source_breakpoints(
        self, source: str | PathLike[str] | ClassListing, requests: Sequence[LineRequest]
    ) -> tuple[Breakpoint, ...]:
        """Make `requests` the breakpoints of `source`; those that stay the same are untouched.
        Lines of a ClassListing are instructions.

        One Breakpoint per request, in order. A changed condition keeps the breakpoint. A request
        that cannot work (an ill-formed hit condition) gives an unverified one with a message.
        Concerns only what earlier calls with the same `source` set.
        """
        require(Operation.ARM, self.state)
        listing = source if isinstance(source, ClassListing) else None
        path = str(source) if listing is None else listing.path
        wanted = [_wanted_line(each, path, listing) for each in requests]
        async with self._arming():
            return await self._services.groups.replace(path, wanted)

    async def set_function_breakpoints(
        self, requests: Sequence[MethodRequest]
    ) -> tuple[Breakpoint, ...]:
        """Make `requests` the function breakpoints; as `set_source_breakpoints`."""
        require(Operation.ARM, self.state)
        wanted = [_wanted_method(request) for request in requests]
        async with self._arming():
            return await self._services.groups.replace("functions", wanted)

    async def set_exception_breakpoints(
        self, requests: Sequence[ExceptionRequest]
    ) -> tuple[Breakpoint, ...]:
        """Make `requests` the exception breakpoints; as `set_source_breakpoints`."""
        require(Operation.ARM, self.state)
        wanted = [
            Wanted(
                ExceptionSpec(each.type_name, each.caught, each.uncaught),
                BreakpointOptions(condition=each.condition, suspend=each.suspend),
            )
            for each in requests
        ]
        async with self._arming(needs_full_mode=bool(wanted)):
            return await self._services.groups.replace("exceptions", wanted)

    async def set_data_breakpoints(self, requests: Sequence[DataRequest]) -> tuple[Breakpoint, ...]:
        """Make `requests` the watched fields; as `set_source_breakpoints`."""
        require(Operation.ARM, self.state)
        wanted = [
            Wanted(
                FieldSpec(each.type_name, each.field_name, each.read, each.write, each.instance),
                BreakpointOptions(each.condition, each.hit_condition, suspend=each.suspend),
                each.error,
            )
            for each in requests
        ]
        async with self._arming():
            return await self._services.groups.replace("data", wanted)

    async def data_target(self, field: str) -> DataTarget:
        """The field `shop.Cart.total` of a type that is loaded, in all objects that have it."""
        require(Operation.INSPECT, self.state)
        type_name, field_name = parse_field(field)
        place = Place(
            self._services.vm, FieldSpec(type_name, field_name), self._services.source_text
        )
        await place.add_loaded_types()
        found = await place.placement()
        if not found.points:
            raise BreakpointError(found.message or f"there is no field {field}")
        return DataTarget(found.points[0].location.type_name, field_name, None)

    async def set_instruction_breakpoints(
        self, requests: Sequence[InstructionRequest]
    ) -> tuple[Breakpoint, ...]:
        """Make `requests` the breakpoints at instructions; as `set_source_breakpoints`."""
        require(Operation.ARM, self.state)
        wanted = [_wanted_instruction(request) for request in requests]
        async with self._arming():
            return await self._services.groups.replace("instructions", wanted)

    async def breakable_lines(
        self, source: str | PathLike[str], first: int = 1, last: int | None = None
    ) -> tuple[int, ...]:
        """The lines of `source` from `first` to `last` (included) that hold code, ascending.

        Told by the loaded types of that file; empty if none is loaded yet.
        """
        require(Operation.INSPECT, self.state)
        spec = LineSpec(first, path=str(source))
        place = Place(self._services.vm, spec, self._services.source_text)
        await place.add_loaded_types()
        lines = await place.lines()
        return tuple(line for line in lines if first <= line and (last is None or line <= last))

    @contextlib.asynccontextmanager
    async def _arming(self, *, needs_full_mode: bool = False) -> AsyncIterator[None]:
        """Held while breakpoints change; in the full mode from now on, if needed and possible."""
        launching = self._launching
        if launching is None or not launching.may_change_mode(self._services):
            yield
            return
        async with launching.turn:
            if needs_full_mode and launching.may_change_mode(self._services):
                self._services = await launching.open_in_full_mode(self._services)
            yield


def _wanted_line(request: LineRequest, path: str, listing: ClassListing | None) -> Wanted:
    options = BreakpointOptions(
        request.condition, request.hit_condition, request.log_message, suspend=request.suspend
    )
    spec = LineSpec(request.line, path=path)
    if listing is None:
        return Wanted(spec, options)
    instruction = listing.spec_at(request.line)
    if instruction is None:
        return Wanted(spec, options, f"no instruction at line {request.line} or behind it")
    return Wanted(instruction, options)


def _wanted_method(request: MethodRequest) -> Wanted:
    options = BreakpointOptions(
        request.condition, request.hit_condition, request.log_message, suspend=request.suspend
    )
    try:
        return Wanted(parse_method(request.method), options)
    except BreakpointError as error:
        return Wanted(MethodSpec("", request.method), options, str(error))


def _wanted_instruction(request: InstructionRequest) -> Wanted:
    options = BreakpointOptions(request.condition, request.hit_condition, suspend=request.suspend)
    error = request.error
    spec: BreakpointSpec = InstructionSpec("", request.instruction, 0)
    try:
        spec = parse_spec(request.instruction)
    except BreakpointError as failed:
        error = error or str(failed)
    if not isinstance(spec, InstructionSpec) and error is None:
        error = f"{request.instruction!r} is no instruction: write shop.Cart#add#12"
    return Wanted(spec, options, error)


def _field_spec(field: str | DataTarget, *, read: bool, write: bool) -> FieldSpec:
    if isinstance(field, DataTarget):
        return FieldSpec(field.type_name, field.field_name, read, write, field.instance)
    type_name, field_name = parse_field(field)
    return FieldSpec(type_name, field_name, read, write)
