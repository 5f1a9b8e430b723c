# SPDX-License-Identifier: Apache-2.0
"""From what was asked and the types that are loaded to the points that can be armed.

Owns the meaning of each kind of spec: which types it concerns, which class prepare events can bring
more of them, and at which locations it is armed in them. Sets no event request itself.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from jvmdebug.breakpoints.breakpoint import BreakpointLocation
from jvmdebug.breakpoints.source_shape import SourceShape, shape_of
from jvmdebug.breakpoints.specs import BreakpointSpec, ExceptionSpec, FieldSpec
from jvmdebug.errors import ClassNotPreparedError, InvalidClassError, InvalidObjectError
from jvmdebug.jdwp.generated.constants import EventKind
from jvmdebug.jdwp.generated.events import (
    ClassMatchModifier,
    ExceptionOnlyModifier,
    FieldOnlyModifier,
    LocationOnlyModifier,
    Modifier,
    SourceNameMatchModifier,
)
from jvmdebug.model.agent import AgentCapability
from jvmdebug.model.reference_type import ArrayType
from jvmdebug.model.signature import package_name
from jvmdebug.sources import (
    LineSpec,
    MethodSpec,
    SourceLine,
    breakable_lines,
    is_same_source,
    source_line,
    source_path,
    source_paths,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

    from jvmdebug.model.location import Location
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.virtual_machine import VirtualMachine

PointKey: TypeAlias = tuple[object, ...]
SourceReader: TypeAlias = "Callable[[LineSpec], Awaitable[str | None]]"
"""The text of the source that a line is in; None if it is not at hand."""


@dataclass(frozen=True, slots=True)
class Point:
    """One event request to be made, and the location that it stands for."""

    key: PointKey
    """Equal for the same place, whoever computes it."""
    kind: EventKind
    modifiers: tuple[Modifier, ...]
    location: BreakpointLocation


@dataclass(frozen=True, slots=True)
class Placement:
    """All points of a breakpoint, and why there are none if so."""

    points: tuple[Point, ...] = ()
    message: str | None = None


@dataclass(slots=True)
class Place:
    """What a spec means in one VM; knows the types it has been told of."""

    vm: VirtualMachine
    spec: BreakpointSpec
    read_source: SourceReader
    _types: dict[ReferenceType, None] = field(default_factory=dict)
    _shape: SourceShape | None = None
    _shape_is_read: bool = False

    def require_possible(self) -> None:
        """Raise UnsupportedError if the VM was started without what this kind needs."""
        if isinstance(self.spec, ExceptionSpec):
            purpose = "stopping where an exception is thrown"
            self.vm.require_of_agent(AgentCapability.EXCEPTION_EVENTS, purpose)

    def prepare_modifiers(self) -> tuple[Modifier, ...]:
        """For each class prepare request that can bring a type of this spec, its filter."""
        match self.spec:
            case LineSpec(path=str() as path):
                name = path.rpartition("/")[2]
                if self.vm.capabilities.can_use_source_name_filters:
                    return (SourceNameMatchModifier(name),)
                return (ClassMatchModifier("*"),)
            case LineSpec(type_name=str() as type_name):
                names = binary_names(type_name)
                return tuple(ClassMatchModifier(n) for name in names for n in (name, f"{name}$*"))
            case MethodSpec(type_name=type_name) | ExceptionSpec(type_name=type_name):
                return tuple(ClassMatchModifier(name) for name in binary_names(type_name))
            case FieldSpec(type_name=type_name):
                return tuple(ClassMatchModifier(name) for name in binary_names(type_name))
        return ()

    @property
    def scope(self) -> tuple[object, ...]:
        """Equal for specs that concern the same types."""
        if isinstance(self.spec, LineSpec):
            return (LineSpec, self.spec.path, self.spec.type_name)
        return (type(self.spec), self.spec.type_name)

    def adopt(self, other: Place) -> None:
        """Know the types that a place of the same scope knows."""
        self._types.update(other._types)
        self._shape, self._shape_is_read = other._shape, other._shape_is_read

    async def add_loaded_types(self) -> None:
        """Take note of the types that are loaded now."""
        named = self._type_name()
        if named is not None and isinstance(self.spec, ExceptionSpec | FieldSpec):
            signatures = [f"L{name.replace('.', '/')};" for name in binary_names(named)]
            found = await asyncio.gather(*map(self.vm.classes_by_signature, signatures))
            await self.add_types([type_ for types in found for type_ in types])
            return
        await self.add_types(await self.vm.all_classes())

    async def add_types(self, types: Iterable[ReferenceType]) -> bool:
        """Take note of those of `types` that the spec concerns; whether any was new."""
        await self._read_shape()
        likely = [t for t in types if t not in self._types and self._may_concern(t)]
        concerned = await asyncio.gather(*map(self._concerns, likely))
        new = [type_ for type_, is_concerned in zip(likely, concerned, strict=True) if is_concerned]
        self._types.update(dict.fromkeys(new))
        return bool(new)

    async def placement(self) -> Placement:
        """Where the spec is armed in the types known so far."""
        match self.spec:
            case LineSpec() as spec:
                return await self._line(spec)
            case MethodSpec() as spec:
                return await self._methods(spec)
            case ExceptionSpec() as spec:
                return self._exceptions(spec)
            case FieldSpec() as spec:
                return await self._fields(spec)

    async def lines(self) -> tuple[int, ...]:
        """All lines with code in the known types, for a spec by source path."""
        return tuple(sorted({place.line for table in await self._tables() for place in table}))

    def _type_name(self) -> str | None:
        return self.spec.type_name

    async def _read_shape(self) -> None:
        if self._shape_is_read or not isinstance(self.spec, LineSpec):
            return
        self._shape_is_read = True
        text = await self.read_source(self.spec)
        if text is None:
            return
        is_java = (self.spec.path or ".java").endswith(".java")
        self._shape = await asyncio.to_thread(shape_of, text, is_java=is_java)

    def _declared_package(self) -> str | None:
        """The package of the file that was named; a relative path may mean one of several files."""
        is_one_file = isinstance(self.spec, LineSpec) and (self.spec.path or "").startswith("/")
        return self._shape.package if self._shape is not None and is_one_file else None

    def _may_concern(self, type_: ReferenceType) -> bool:
        """What the name alone tells; cheap, since it is asked of every loaded type."""
        if isinstance(type_, ArrayType) or "/" in type_.name:  # a hidden class has no source
            return False
        match self.spec:
            case LineSpec(path=str() as path):
                return self._package_may_match(path, type_.name)
            case LineSpec(type_name=str() as name):
                return _is_named(type_.name, name) or _is_nested_in(type_.name, name)
            case _:
                return _is_named(type_.name, str(self._type_name()))

    def _package_may_match(self, path: str, type_name: str) -> bool:
        if path.endswith(".jsp"):
            return True
        package = package_name(type_name)
        declared = self._declared_package()
        if declared is not None:
            return package == declared
        directory = path.removeprefix("./").rpartition("/")[0].strip("/")
        if not directory:
            return True
        directory = f"/{directory}"
        wanted = "/" + package.replace(".", "/")
        return directory.endswith(wanted) or wanted.endswith(directory) or wanted == "/"

    async def _concerns(self, type_: ReferenceType) -> bool:
        if isinstance(self.spec, LineSpec | MethodSpec) and not await _is_prepared(type_):
            return False
        if not (isinstance(self.spec, LineSpec) and self.spec.path is not None):
            return True
        paths = await source_paths(type_)
        return any(self._is_wanted_source(path) for path in paths)

    def _is_wanted_source(self, path: str) -> bool:
        asked = self.spec.path if isinstance(self.spec, LineSpec) else None
        if asked is None:
            return True
        return is_same_source(asked, path, package=self._declared_package())

    async def _tables(self) -> list[Mapping[SourceLine, tuple[Location, ...]]]:
        tables = await asyncio.gather(*map(breakable_lines, self._types))
        return [
            {place: where for place, where in table.items() if self._is_wanted_source(place.path)}
            for table in tables
        ]

    async def _line(self, spec: LineSpec) -> Placement:
        if not self._types:
            return Placement(message=f"no class of {spec.path or spec.type_name} is loaded")
        tables = await self._tables()
        lines = {place.line for table in tables for place in table}
        if not lines:
            return Placement(
                message=f"{_names(self._types)} has no line numbers; compile it with -g:lines"
            )
        last = self._last_line_to_slide_to(spec.line, max(lines))
        line = min((line for line in lines if spec.line <= line <= last), default=None)
        if line is None:
            return Placement(message=f"no code at line {spec.line} in a class that is loaded")
        found = [
            _location_point(location, place)
            for table in tables
            for place, locations in table.items()
            if place.line == line
            for location in locations
        ]
        return Placement(tuple(found))

    def _last_line_to_slide_to(self, line: int, last_with_code: int) -> int:
        """How far a line without code may slide: not out of the type body that it is in.

        What follows is code of the enclosing type, while the line's own may not be loaded yet;
        without the text nobody can tell.
        """
        if self._shape is None:
            return line
        body = self._shape.innermost_body(line)
        return last_with_code if body is None else body[1]

    async def _methods(self, spec: MethodSpec) -> Placement:
        if not self._types:
            return Placement(message=f"class {spec.type_name} is not loaded")
        points: list[Point] = []
        without_code: list[str] = []
        for type_ in self._types:
            for method in await type_.methods():
                if method.is_bridge or not spec.selects(method.name, method.signature):
                    continue
                if not method.has_code:
                    without_code.append(str(method))
                    continue
                location = method.location(0)
                points.append(_location_point(location, await source_line(location)))
        if points:
            return Placement(tuple(points))
        if without_code:
            return Placement(message=f"{without_code[0]} has no code (abstract or native)")
        return Placement(message=f"{_names(self._types)} has no method {spec}")

    def _exceptions(self, spec: ExceptionSpec) -> Placement:
        points = [
            Point(
                key=(EventKind.EXCEPTION, type_.id),
                kind=EventKind.EXCEPTION,
                modifiers=(ExceptionOnlyModifier(type_.id, spec.caught, spec.uncaught),),
                location=BreakpointLocation(type_.name, None, None, None, None),
            )
            for type_ in self._types
        ]
        if not points:
            return Placement(message=f"exception class {spec.type_name} is not loaded")
        return Placement(tuple(points))

    async def _fields(self, spec: FieldSpec) -> Placement:
        if not self._types:
            return Placement(message=f"class {spec.type_name} is not loaded")
        kinds: list[EventKind] = []
        if spec.read:
            self.vm.require("can_watch_field_access", "stopping when a field is read")
            kinds.append(EventKind.FIELD_ACCESS)
        if spec.write:
            self.vm.require("can_watch_field_modification", "stopping when a field is written")
            kinds.append(EventKind.FIELD_MODIFICATION)
        points: list[Point] = []
        for type_ in self._types:
            found = next((f for f in await type_.all_fields() if f.name == spec.field_name), None)
            if found is None:
                continue
            declaring = found.declaring_type
            location = BreakpointLocation(declaring.name, None, None, None, None)
            points += [
                Point((kind, declaring.id, found.id), kind,
                      (FieldOnlyModifier(declaring.id, found.id),), location)
                for kind in kinds
            ]  # fmt: skip
        if not points:
            return Placement(message=f"{_names(self._types)} has no field {spec.field_name}")
        return Placement(tuple(points))


async def _is_prepared(type_: ReferenceType) -> bool:
    """Whether the type can tell its methods; if not yet, its class prepare event is to come."""
    try:
        await type_.methods()
    except (ClassNotPreparedError, InvalidClassError, InvalidObjectError):
        return False
    return True


def binary_names(name: str) -> tuple[str, ...]:
    """`shop.Cart.Item` may be the nested `shop.Cart$Item`, by the way it is capitalised."""
    parts = name.split(".")
    outer = next((i for i, part in enumerate(parts[:-1]) if part[:1].isupper()), None)
    if outer is None:
        return (name,)
    return (name, ".".join([*parts[:outer], "$".join(parts[outer:])]))


def _is_named(type_name: str, asked: str) -> bool:
    if asked.startswith("*"):
        return type_name.endswith(asked[1:])
    if asked.endswith("*"):
        return type_name.startswith(asked[:-1])
    return type_name in binary_names(asked)


def _is_nested_in(type_name: str, asked: str) -> bool:
    return any(type_name.startswith(f"{name}$") for name in binary_names(asked))


def _names(types: Sequence[ReferenceType] | Mapping[ReferenceType, None]) -> str:
    return ", ".join(sorted({type_.name for type_ in types}))


def _location_point(location: Location, place: SourceLine | None) -> Point:
    wire = location.wire
    return Point(
        key=(EventKind.BREAKPOINT, wire.type_id, wire.method_id, wire.index),
        kind=EventKind.BREAKPOINT,
        modifiers=(LocationOnlyModifier(wire),),
        location=BreakpointLocation(
            type_name=location.type.name,
            method_name=location.method.name,
            line=None if place is None else place.line,
            index=location.index,
            source_path=source_path(location.type.name, None) if place is None else place.path,
        ),
    )
