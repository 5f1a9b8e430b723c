# SPDX-License-Identifier: Apache-2.0
"""The locations where methods begin, and where the implementations of abstract methods begin.

A breakpoint is at a method's first instruction, so that nothing else runs slower; only a native
method needs method entry events. An abstract method, or any method of an interface, stands for its
implementations: in classes, and in the objects that the VM makes of lambdas, where the body is
meant. A method that a type inherits stops only for objects of that type. Called by the resolver
with the types that are loaded.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from jvmdebug.breakpoints.inherited_methods import hint_of_inherited, inherited_methods, own_methods
from jvmdebug.breakpoints.location import (
    BreakpointLocation,
    LocationKey,
    Resolution,
    code_location,
    entry_location,
    names,
    type_location,
)
from jvmdebug.breakpoints.subtypes import if_loaded
from jvmdebug.classfile import instructions
from jvmdebug.jdwp.generated.constants import EventKind
from jvmdebug.jdwp.generated.events import ClassOnlyModifier
from jvmdebug.model.method import is_body_name
from jvmdebug.model.reference_type import InterfaceType
from jvmdebug.sources import source_line
from jvmdebug.sources.lambdas import is_lambda, lambda_method, lambda_target

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from jvmdebug.model.method import Method
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.sources import InstructionSpec, MethodSpec

_MAX_NEIGHBOURS = 2


class MethodSearch:
    """Finds the locations of a spec of methods, type by type. Each type costs the same.

    Types that the spec names bring their own methods. Methods that others implement or override are
    open, and each subtype brings what its objects run in their place.
    """

    def __init__(self, spec: MethodSpec) -> None:
        self._spec = spec
        self._named: dict[ReferenceType, None] = {}
        self._open: dict[ReferenceType, None] = {}
        self._open_methods: defaultdict[str, list[Method]] = defaultdict(list)
        """The open methods by the names of their types."""
        self._subtypes: dict[ReferenceType, None] = {}
        self._below: defaultdict[str, list[ReferenceType]] = defaultdict(list)
        """The subtypes by the names of the types that they extend and implement."""
        self._found: dict[LocationKey, BreakpointLocation] = {}
        self._changed: dict[LocationKey, None] = {}
        self._selected: Method | None = None
        self._native: Method | None = None
        self._inherited: dict[Method, ReferenceType] = {}
        """The methods that named types inherit, each with one type that does."""

    @property
    def open_types(self) -> tuple[ReferenceType, ...]:
        """The named types with methods that others implement."""
        return tuple(self._open)

    def concerns(self, types: Collection[ReferenceType]) -> bool:
        """Whether any of these types was added."""
        declaring = {each.declaring_type for each in self._inherited}
        return any(
            each in self._named or each in self._subtypes or each in declaring for each in types
        )

    async def again(self) -> MethodSearch:
        """A search in the same types, some of which have new code."""
        made = MethodSearch(self._spec)
        await made.add_named(tuple(self._named))
        await made.add_subtypes(tuple(self._subtypes))
        return made

    async def add_named(self, types: Sequence[ReferenceType]) -> None:
        """Add types that the spec names. Their requests are sent together."""
        read = await asyncio.gather(*(if_loaded(_selected, self._spec, each) for each in types))
        below: list[tuple[ReferenceType, list[Method]]] = []
        for type_, found in zip(types, read, strict=True):
            if found is None:
                continue
            selected, begins = found
            self._named[type_] = None
            for method, locations in zip(selected, begins, strict=True):
                self._selected = self._selected or method
                self._put(locations, None)
            if not selected:
                await self._add_inherited(type_)
            is_interface = isinstance(type_, InterfaceType)
            opened = [each for each in selected if _is_open(each, is_interface=is_interface)]
            if opened:
                self._open[type_] = None
                self._open_methods[type_.name] += opened
                below += [(each, opened) for each in self._below[type_.name]]
        await self._add_implementing(below)

    async def add_subtypes(self, types: Iterable[ReferenceType]) -> bool:
        """Add subtypes of types with open methods. Returns whether any was new."""
        new = [each for each in types if each not in self._subtypes]
        self._subtypes.update(dict.fromkeys(new))
        below: list[tuple[ReferenceType, list[Method]]] = []
        supertypes = await asyncio.gather(*(if_loaded(each.supertypes) for each in new))
        for type_, above in zip(new, supertypes, strict=True):
            every = {type_.name, *(each.name for each in above or ())}
            for name in every:
                self._below[name].append(type_)
            opened = [each for name in every for each in self._open_methods.get(name, ())]
            below.append((type_, opened))
        await self._add_implementing(below)
        return bool(new)

    def resolution(self, *, changed_only: bool = False) -> Resolution:
        """The locations found; with `changed_only`, those that are new or changed since the last
        call.
        """
        changed, self._changed = self._changed, {}
        keys = changed if changed_only else self._found
        waits = bool(self._open) or not self._named or self._spec.is_pattern
        is_pending = not self._found and waits
        locations = tuple(self._found[key] for key in keys)
        return Resolution(locations, self._message(), is_pending=is_pending)

    def _message(self) -> str | None:
        if self._native is not None:
            return f"{self._native} is native: the program runs slowly while this is armed"
        if self._inherited and not self._selected:
            return self._why_elsewhere()
        return None if self._found else self._why_none()

    def _why_none(self) -> str:
        name, method = self._spec.type_name, _asked(self._spec)
        if not name:
            return f"no class that is loaded has a method {method}"
        if not self._named:
            return f"class {name} is not loaded"
        if self._selected is not None:
            return f"nothing that is loaded implements {self._selected}"
        if len(self._named) > 1:
            return f"no class that is loaded and matches {name} has a method {method}"
        return f"{names(self._named)} has no method {method}"

    def _why_elsewhere(self) -> str:
        method, type_ = next(iter(self._inherited.items()))
        said = f"{type_.name} inherits {method}"
        if method.is_static:
            return f"{said}: stops at each call of it"
        return (
            f"{said}: stops for objects of {type_.name}" if self._found else f"{said}: set it there"
        )

    async def _add_inherited(self, type_: ReferenceType) -> None:
        """Add the methods that a named type inherits, except native ones, which would stop for all
        objects.
        """
        found = await if_loaded(inherited_methods, self._spec, type_) or ()
        for method in found:
            self._inherited[method] = type_
            if method.has_code:
                receiver = None if method.is_static else type_
                self._put(await if_loaded(_begins, method) or (), receiver)

    async def _add_implementing(self, below: Iterable[tuple[ReferenceType, list[Method]]]) -> None:
        read = await asyncio.gather(*(if_loaded(_implementing, *each) for each in below))
        found = [each for several in read for each in several or ()]
        begins = await asyncio.gather(*(if_loaded(_begins, method) for method, _ in found))
        for (_, receiver), locations in zip(found, begins, strict=True):
            self._put(locations or (), receiver)

    def _put(self, locations: Iterable[BreakpointLocation], receiver: ReferenceType | None) -> None:
        """Add locations. `receiver`: the only type whose objects are meant; None for all
        objects.
        """
        for location in locations:
            known = self._found.get(location.key)
            only: frozenset[ReferenceType] = frozenset()
            if receiver is not None and (known is None or known.receivers):
                only = frozenset((receiver,)) | (frozenset() if known is None else known.receivers)
            if known is not None and known.receivers == only:
                continue
            self._found[location.key] = replace(location, receivers=only)
            self._changed[location.key] = None
            if location.event_kind is EventKind.METHOD_ENTRY:
                self._native = self._native or location.only_method


async def _selected(
    spec: MethodSpec, type_: ReferenceType
) -> tuple[list[Method], list[list[BreakpointLocation]]]:
    """The methods that the spec selects in a type, and the locations where each begins."""
    selected = own_methods(spec, await type_.methods())
    return selected, await asyncio.gather(*map(_begins, selected))


def _is_open(method: Method, *, is_interface: bool) -> bool:
    """Whether other methods implement or override it."""
    return (method.is_abstract or (is_interface and not method.is_static)) and not (
        method.is_private or method.is_constructor or method.is_static_initializer
    )


async def instruction_locations(
    spec: InstructionSpec, types: Collection[ReferenceType]
) -> Resolution:
    """The location of the one instruction, in each class of that name if several loaders
    have it.
    """
    if not types:
        return Resolution(message=f"class {spec.type_name} is not loaded", is_pending=True)
    found: list[BreakpointLocation] = []
    message: str | None = None
    for type_ in types:
        chosen = [m for m in await type_.methods() if spec.selects(m.name, m.signature)]
        chosen = [m for m in chosen if not m.is_bridge] or chosen
        if len(chosen) != 1 or not chosen[0].has_code:
            message = _why_not_one(spec, type_, chosen)
            if not chosen:
                message += await hint_of_inherited(spec, type_)
            continue
        (method,) = chosen
        message = await _why_no_instruction(method, spec.index)
        if message is None:
            location = method.location(spec.index)
            found.append(code_location(location, await source_line(location)))
    return Resolution(tuple(found), None if found else message)


def _why_not_one(spec: InstructionSpec, type_: ReferenceType, chosen: Sequence[Method]) -> str:
    if not chosen:
        return f"{type_.name} has no method {spec.method}"
    if len(chosen) == 1:
        return f"{chosen[0]} has no code (abstract or native)"
    overloads = ", ".join(str(each) for each in chosen)
    return f"{spec.type_name}#{spec.method} is one of {overloads}: write the parameter types"


async def _why_no_instruction(method: Method, index: int) -> str | None:
    if not method.declaring_type.vm.capabilities.can_get_bytecodes:
        return None  # then the VM refuses the breakpoint itself
    begins = [each.index for each in instructions(await method.bytecodes())]
    if index in begins:
        return None
    near = sorted(sorted(begins, key=lambda each: abs(each - index))[:_MAX_NEIGHBOURS])
    shown = " and ".join(map(str, near))
    return f"no instruction of {method} begins at {index}; the nearest are at {shown}"


async def _implementing(
    type_: ReferenceType, opened: Sequence[Method]
) -> list[tuple[Method, ReferenceType | None]]:
    """The methods that run when one of `opened` is called on an object of this class.

    Each comes with the type whose objects are meant, if the code is inherited from a class that is
    not of that type, so that other objects may run it too. None: all objects are meant.
    """
    if isinstance(type_, InterfaceType):
        candidates: tuple[ReferenceType, ...] = (type_,)
    else:
        above = await type_.superclasses()
        candidates = (type_, *(each for each in above if each.name != "java.lang.Object"))
    found: list[tuple[Method, ReferenceType | None]] = []
    for method in opened:
        name = method.declaring_type.name
        if not await type_.is_subtype_of(name):
            continue
        for candidate in candidates:
            own = _overriding(await candidate.methods(), method)
            if own:
                is_of_it = await candidate.is_subtype_of(name)
                only = None if is_of_it else method.declaring_type
                found += [(each, only) for each in own]
                break
    return found


def _overriding(methods: Sequence[Method], overridden: Method) -> list[Method]:
    """The methods of one type that override `overridden`; a bridge counts as its target."""
    same = [
        each
        for each in methods
        if each.name == overridden.name
        and len(each.argument_types) == len(overridden.argument_types)
        and not (each.is_static or each.is_private)
    ]
    exact = [each for each in same if each.argument_types == overridden.argument_types]
    if any(each.is_bridge for each in exact):
        return [each for each in same if not each.is_bridge]
    return [each for each in exact if not each.is_abstract]


async def _begins(method: Method) -> list[BreakpointLocation]:
    if method.is_native:
        type_ = method.declaring_type
        only = ClassOnlyModifier(type_.id)
        return [type_location(type_, EventKind.METHOD_ENTRY, only, only_method=method)]
    if not method.has_code:
        return []
    return [await entry_location(await _body(method))]


async def _body(method: Method) -> Method:
    """The body of a lambda, for the method of the object that the VM made of it; else the method
    itself.
    """
    type_ = method.declaring_type
    target = await lambda_target(type_) if is_lambda(type_) else None
    if target is None or not is_body_name(target.name.replace("$adapted", "")):
        return method  # of a method reference: others may call the method itself
    return await lambda_method(type_) or method


def _asked(spec: MethodSpec) -> str:
    arguments = "" if spec.parameters is None else f"({','.join(spec.parameters)})"
    return f"{spec.method}{arguments}"
