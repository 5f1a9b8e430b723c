# SPDX-License-Identifier: Apache-2.0
"""The locations where methods begin, and those of the implementations of abstract methods.

A breakpoint is at a method's first instruction, so nothing else runs slower; only a native
method needs method entry events. An abstract method, or any of an interface, stands for its
implementations: in classes, and in the objects that the VM makes of lambdas, where the body is
meant. Called by the resolver with the types that are loaded.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from jvmdebug.breakpoints.location import (
    BreakpointLocation,
    Resolution,
    code_location,
    entry_location,
    names,
    type_location,
)
from jvmdebug.classfile import instructions
from jvmdebug.jdwp.generated.constants import EventKind
from jvmdebug.jdwp.generated.events import ClassOnlyModifier
from jvmdebug.model.reference_type import InterfaceType
from jvmdebug.sources import source_line
from jvmdebug.sources.lambdas import is_lambda, lambda_method, lambda_target

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from jvmdebug.model.method import Method
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.sources import InstructionSpec, MethodSpec

_LAMBDA_MARKS = ("lambda$", "$anonfun$", "$lambda$")
_MAX_NEIGHBOURS = 2


async def open_methods(spec: MethodSpec, type_: ReferenceType) -> list[Method]:
    """The selected methods of a type that others implement or override."""
    is_interface = isinstance(type_, InterfaceType)
    return [
        method
        for method in await type_.methods()
        if spec.selects(method.name, method.signature)
        and (method.is_abstract or (is_interface and not method.is_static))
        and not (method.is_private or method.is_constructor or method.is_static_initializer)
    ]


async def method_locations(
    spec: MethodSpec,
    named: Collection[ReferenceType],
    opened: Sequence[Method],
    subtypes: Collection[ReferenceType],
) -> Resolution:
    """The first instruction of each method of `named` types, and of what implements `opened`."""
    if not named:
        return Resolution(message=f"class {spec.type_name} is not loaded", is_pending=True)
    selected = [
        method
        for type_ in named
        for method in await type_.methods()
        if spec.selects(method.name, method.signature) and not method.is_bridge
    ]
    receivers: defaultdict[Method, set[str | None]] = defaultdict(set)
    for several in await asyncio.gather(*(_implementing(each, opened) for each in subtypes)):
        for method, wanted in several:
            receivers[method].add(wanted)
    found: dict[object, BreakpointLocation] = {}
    methods, named_ones = list(dict.fromkeys([*selected, *receivers])), set(selected)
    for method, begins in zip(methods, await asyncio.gather(*map(_begins, methods)), strict=True):
        wanted_types = {None} if method in named_ones else receivers[method]
        only = frozenset(each for each in wanted_types if each and None not in wanted_types)
        for location in begins:
            found.setdefault(location.key, replace(location, receivers=only))
    native = next((e for e in found.values() if e.event_kind is EventKind.METHOD_ENTRY), None)
    message = None
    if native is not None:
        message = f"{native.only_method} is native: the program runs slowly while this is armed"
    elif not found and not selected:
        verb = "has" if len(named) == 1 else "have"
        message = f"{names(named)} {verb} no method {_asked(spec)}"
    elif not found:
        message = f"nothing that is loaded implements {selected[0]}"
    return Resolution(tuple(found.values()), message, is_pending=bool(opened) and not found)


async def instruction_locations(
    spec: InstructionSpec, types: Collection[ReferenceType]
) -> Resolution:
    """The one instruction; in each class of that name, if several loaders have it."""
    if not types:
        return Resolution(message=f"class {spec.type_name} is not loaded", is_pending=True)
    found: list[BreakpointLocation] = []
    message: str | None = None
    for type_ in types:
        chosen = [m for m in await type_.methods() if spec.selects(m.name, m.signature)]
        chosen = [m for m in chosen if not m.is_bridge] or chosen
        if len(chosen) != 1 or not chosen[0].has_code:
            message = _why_not_one(spec, type_, chosen)
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
        return None  # the VM refuses what it cannot do
    begins = [each.index for each in instructions(await method.bytecodes())]
    if index in begins:
        return None
    near = sorted(sorted(begins, key=lambda each: abs(each - index))[:_MAX_NEIGHBOURS])
    shown = " and ".join(map(str, near))
    return f"no instruction of {method} begins at {index}; the nearest are at {shown}"


async def _implementing(
    type_: ReferenceType, opened: Sequence[Method]
) -> list[tuple[Method, str | None]]:
    """What an object of this class runs when one of `opened` is called on it.

    With the type whose objects are meant, where the code is inherited from a class that is not of
    that type: others may run it too. None: all objects are meant.
    """
    if isinstance(type_, InterfaceType):
        candidates: tuple[ReferenceType, ...] = (type_,)
    else:
        above = await type_.superclasses()
        candidates = (type_, *(each for each in above if each.name != "java.lang.Object"))
    found: list[tuple[Method, str | None]] = []
    for method in opened:
        name = method.declaring_type.name
        if not await type_.is_subtype_of(name):
            continue
        for candidate in candidates:
            own = _overriding(await candidate.methods(), method)
            if own:
                is_of_it = await candidate.is_subtype_of(name)
                found += [(each, None if is_of_it else name) for each in own]
                break
    return found


def _overriding(methods: Sequence[Method], overridden: Method) -> list[Method]:
    """Of the methods of one type those that override; a bridge counts as its target."""
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
    """The body of a lambda for the method of the object that the VM made of it; else the same."""
    type_ = method.declaring_type
    target = await lambda_target(type_) if is_lambda(type_) else None
    if target is None or not any(mark in target.name for mark in _LAMBDA_MARKS):
        return method  # of a method reference: the method itself may be called by others
    return await lambda_method(type_) or method


def _asked(spec: MethodSpec) -> str:
    arguments = "" if spec.parameters is None else f"({','.join(spec.parameters)})"
    return f"{spec.method}{arguments}"
