# SPDX-License-Identifier: Apache-2.0
"""Resolves a spec to the locations in loaded types that can be armed.

Owns which types each kind of spec concerns, and which class prepare events can bring more of them;
`line_locations`, `method_locations` and `field_locations` find the locations in them. Sets no event
request itself. Called by the checkers of locations, and by the session for questions about a
source.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from jvmdebug.breakpoints import element_stores
from jvmdebug.breakpoints.allocation_locations import allocation_locations
from jvmdebug.breakpoints.element_stores import ElementSearch
from jvmdebug.breakpoints.field_locations import exception_locations, field_locations
from jvmdebug.breakpoints.field_stores import FieldSearch
from jvmdebug.breakpoints.jdk_classes import NOT_OF_JDK, without_others_of_jdk
from jvmdebug.breakpoints.line_index import LineIndex, all_lines
from jvmdebug.breakpoints.line_locations import LineSearch, line_locations, line_parts
from jvmdebug.breakpoints.line_parts import at_line, shown_parts
from jvmdebug.breakpoints.local_writes import local_locations
from jvmdebug.breakpoints.method_locations import (
    MethodSearch,
    instruction_locations,
)
from jvmdebug.breakpoints.source_filters import filters_of_source, is_guessed
from jvmdebug.breakpoints.source_shape import SourceShape, shape_of
from jvmdebug.breakpoints.specs import (
    AllocationSpec,
    BreakpointSpec,
    ElementSpec,
    ExceptionSpec,
    FieldSpec,
    FieldStoreSpec,
    LocalSpec,
)
from jvmdebug.breakpoints.subtypes import (
    UNLOADED,
    if_loaded,
    is_loaded,
    is_of_jdk,
    is_prepared,
    loaded_subtypes,
)
from jvmdebug.breakpoints.type_names import (
    is_named,
    is_nested_in,
    is_pattern,
    prepare_patterns,
)
from jvmdebug.classfile.descriptors import binary_names, package_name
from jvmdebug.jdwp.generated.events import (
    ClassMatchModifier,
    ClassOnlyModifier,
    FieldUserModifier,
)
from jvmdebug.model.agent import AgentCapability
from jvmdebug.model.reference_type import ArrayType
from jvmdebug.platform.paths import is_absolute
from jvmdebug.source_text import is_in_a_package
from jvmdebug.sources import (
    InstructionSpec,
    LineSpec,
    MethodSpec,
    is_same_source,
    line_places,
    source_paths,
)
from jvmdebug.together import together

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Iterable

    from jvmdebug.breakpoints.class_watch import PrepareFilter
    from jvmdebug.breakpoints.line_parts import BreakablePart
    from jvmdebug.breakpoints.location import Resolution
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.virtual_machine import VirtualMachine


SourceReader: TypeAlias = "Callable[[LineSpec], Awaitable[str | None]]"
"""Returns the text of the source that a line is in; None if it is not available."""


@dataclass(slots=True)
class Resolver:
    """Finds the locations of a spec in one VM, within the types that were added."""

    vm: VirtualMachine
    spec: BreakpointSpec | FieldStoreSpec
    read_source: SourceReader
    why_watched: str | None = None
    """Why the program does not check the writes of a watched field, if there is something
    to check.
    """
    _types: dict[ReferenceType, None] = field(default_factory=dict)
    _search: MethodSearch | ElementSearch | FieldSearch | None = None
    """The search for a spec of methods, of an array, or of writes of a field."""
    _tables: dict[ReferenceType, LineIndex] = field(default_factory=dict)
    """The lines of each type, for a spec of a line."""
    _line_search: LineSearch | None = None
    """The last search in all types, for a spec of a line."""
    _fresh: dict[ReferenceType, None] = field(default_factory=dict)
    """The types that were added since, for a spec of a line."""
    _guessed: list[str] = field(default_factory=list)
    """The classes for which `is_guessed`, for a spec of a line in a file."""
    _shape: SourceShape | None = None
    _shape_is_read: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.spec, MethodSpec):
            self._search = MethodSearch(self.spec)
        elif isinstance(self.spec, ElementSpec):
            self._search = ElementSearch(self.vm, self.spec)
        elif isinstance(self.spec, FieldStoreSpec):
            self._search = FieldSearch(self.vm, self.spec)

    def require_possible(self) -> None:
        """Raise UnsupportedError if the VM lacks a capability for this kind."""
        if isinstance(self.spec, ExceptionSpec):
            purpose = "stopping where an exception is thrown"
            self.vm.require_of_agent(AgentCapability.EXCEPTION_EVENTS, purpose)
        if isinstance(self.spec, ElementSpec):
            element_stores.require_possible(self.vm)

    def prepare_filters(self) -> tuple[PrepareFilter, ...]:
        """The filters of the class prepare requests that can bring types of this spec, one request
        each.
        """
        match self.spec:
            case LineSpec(path=str() as path):
                return filters_of_source(self.vm, path)
            case LineSpec(type_name=str() as name):
                nested = () if is_pattern(name) else tuple(f"{n}$*" for n in binary_names(name))
                named = (*prepare_patterns(name), *nested)
                return tuple((ClassMatchModifier(each),) for each in named)
            case ElementSpec() | MethodSpec(type_name=""):
                return ((*NOT_OF_JDK, ClassMatchModifier("*")),)
            case FieldStoreSpec(field=spec):
                others = () if is_of_jdk(spec.type_name) else NOT_OF_JDK
                return ((*others, FieldUserModifier(spec.field_name)),)
            case _:
                every = [pattern for name in self._names for pattern in prepare_patterns(name)]
                return tuple((ClassMatchModifier(each),) for each in dict.fromkeys(every))

    @property
    def further_filters(self) -> tuple[PrepareFilter, ...]:
        """The filters that depend on the types known by now: for types that implement a method of
        one, or that are nested in one which was named without its package. See `prepare_filters`.
        """
        if isinstance(self.spec, LineSpec):
            if self.spec.path is not None:
                return tuple((ClassMatchModifier(f"{each}$*"),) for each in self._guessed)
            if self.spec.type_name is None or not is_pattern(self.spec.type_name):
                return ()
            named = [each.name for each in self._types if is_named(each.name, self.spec.type_name)]
            return tuple((ClassMatchModifier(f"{name}$*"),) for name in named)
        opened = () if self._search is None else self._search.open_types
        return tuple((ClassOnlyModifier(type_.id),) for type_ in opened)

    @property
    def scope(self) -> tuple[object, ...]:
        """A key that is equal for specs which concern the same types."""
        if isinstance(self.spec, LineSpec):
            return (LineSpec, self.spec.path, self.spec.type_name)
        if isinstance(
            self.spec, MethodSpec | AllocationSpec | LocalSpec | ElementSpec | FieldStoreSpec
        ):
            return (type(self.spec), self.spec)
        return (type(self.spec), self.spec.type_name)

    async def adopt(self, other: Resolver) -> None:
        """Add the types of a resolver of the same scope."""
        self._types.update(other._types)
        self._guessed += other._guessed
        self._shape, self._shape_is_read = other._shape, other._shape_is_read
        if other._search is not None:
            self._search = await other._search.again()

    async def add_loaded_types(self) -> None:
        """Add the types that are loaded now."""
        by_name = isinstance(
            self.spec, ExceptionSpec | FieldSpec | LocalSpec | InstructionSpec | AllocationSpec
        )
        if by_name and not any(map(is_pattern, self._names)):
            names = [binary for name in self._names for binary in binary_names(name)]
            signatures = [f"L{name.replace('.', '/')};" for name in names]
            found = await asyncio.gather(*map(self.vm.classes_by_signature, signatures))
            await self.add_types([type_ for types in found for type_ in types])
            return
        loaded = await self.vm.all_classes()
        path = self.spec.path if isinstance(self.spec, LineSpec) else None
        await self.add_types(loaded if path is None else without_others_of_jdk(path, loaded))
        if self._search is not None and self._search.open_types:
            roots = {type_.name for type_ in self._search.open_types}
            await self._search.add_subtypes(await loaded_subtypes(roots, loaded))

    async def add_types(self, types: Iterable[ReferenceType]) -> bool:
        """Add those of `types` that the spec concerns. Returns whether any was new."""
        await self._read_shape()
        likely = [t for t in types if t not in self._types and self._may_concern(t)]
        concerned = await together(map(self._concerns, likely))
        found = zip(likely, concerned, strict=True)
        new = [type_ for type_, is_meant in found if is_meant and type_ not in self._types]
        self._types.update(dict.fromkeys(new))
        if isinstance(self.spec, LineSpec) and self.spec.path is not None:
            self._guessed += [each.name for each in new if await is_guessed(each)]
        if self._search is not None and new:
            await self._search.add_named(new)
        elif self._line_search is not None:
            self._fresh.update(dict.fromkeys(new))
            await self._read_tables(new)
        return bool(new)

    async def add_type(self, type_: ReferenceType) -> bool:
        """Add a type that was prepared. Returns whether the spec concerns it and it is new."""
        if type_ in self._types:
            return False
        if isinstance(self.spec, LineSpec) and self._may_concern(type_):
            await if_loaded(type_.read_outline)
        return await self.add_types([type_])

    async def add_further(self, type_: ReferenceType) -> bool:
        """Add a type that was prepared and passes one of `further_filters`."""
        if isinstance(self.spec, LineSpec):
            return await self.add_type(type_)
        return self._search is not None and await self._search.add_subtypes([type_])

    @property
    def is_incremental(self) -> bool:
        """Whether a further type changes no locations in others."""
        if self._line_search is not None:
            read = [self._tables.get(each) for each in self._fresh]
            return all(each is not None and self._line_search.holds_with(each) for each in read)
        return self._search is not None and not self._needs_watch

    @property
    def _needs_watch(self) -> bool:
        return isinstance(self._search, FieldSearch) and self._search.needs_watch

    def leave_to_vm(self) -> bool:
        """Have the VM watch a field. Returns whether that is a change."""
        return isinstance(self._search, FieldSearch) and self._search.leave_to_vm()

    async def resolve(self, *, changed_only: bool = False) -> Resolution:
        """The locations of the spec in the types known so far.

        With `changed_only`, for a spec that is incremental: those since the last call. Types that
        the VM unloads meanwhile are left out.
        """
        while True:
            before = set(self._types)
            try:
                return await self._resolve(changed_only=changed_only)
            except UNLOADED:
                # It may also have been forgotten meanwhile, as the VM has told that it is gone.
                if not await self.forget_unloaded() and before <= self._types.keys():
                    raise

    def knows_any(self, signatures: Collection[str]) -> bool:
        """Whether a type whose lines it has read has one of these signatures."""
        return any(each.signature in signatures for each in self._tables)

    async def forget_unloaded(
        self, signatures: Collection[str] | None = None
    ) -> frozenset[ReferenceType]:
        """Forget types that the VM has unloaded, and return them. `signatures`: the only ones that
        they may have.
        """
        if self._search is not None:
            self._search = await self._search.again()
        types = [each for each in self._types if signatures is None or each.signature in signatures]
        loaded = await asyncio.gather(*map(is_loaded, types))
        lost = [type_ for type_, is_there in zip(types, loaded, strict=True) if not is_there]
        for type_ in lost:
            self._types.pop(type_, None)
            self._tables.pop(type_, None)
            self._fresh.pop(type_, None)
        return frozenset(lost)

    @property
    def holds_without_lost(self) -> bool:
        """Whether the types that were forgotten have changed no locations in others."""
        return self._line_search is not None and self._line_search.stands_in(self._tables.values())

    async def _resolve(self, *, changed_only: bool) -> Resolution:
        if isinstance(self._search, FieldSearch) and self._search.needs_watch:
            types = tuple(self._search.named)
            watched = await field_locations(self.vm, self._search.spec, types)
            return _because(watched, self._search.why_watched)
        if self._search is not None:
            return self._search.resolution(changed_only=changed_only)
        if isinstance(self.spec, LineSpec):
            return await self._resolve_line(self.spec, changed_only=changed_only)
        types = tuple(self._types)
        match self.spec:
            case InstructionSpec() as spec:
                found = instruction_locations(spec, types)
            case AllocationSpec() as spec:
                found = allocation_locations(spec, types)
            case ExceptionSpec() as spec:
                found = exception_locations(spec, types)
            case FieldSpec() as spec:
                return _because(await field_locations(self.vm, spec, types), self.why_watched)
            case LocalSpec() as spec:
                found = local_locations(spec, types)
            case _:
                raise TypeError("a spec of methods or of an array has a search")
        return await found

    async def _resolve_line(self, spec: LineSpec, *, changed_only: bool) -> Resolution:
        fresh = list(self._fresh)
        if changed_only and self._line_search is not None:
            read = [self._tables[each] for each in fresh if each in self._tables]
            found = await self._line_search.added(read)
        else:
            tables = await self._lines()
            types = tuple(self._types)
            found, self._line_search = await line_locations(spec, types, tables, self._shape)
        for each in fresh:
            self._fresh.pop(each, None)
        return found

    async def renew(self, types: Collection[ReferenceType]) -> bool:
        """Note that types have new code, so that their source may have a new text. Returns whether
        any of them concerns the spec.
        """
        if self._search is not None and self._search.concerns(types):
            self._search = await self._search.again()
            return True
        known = [type_ for type_ in types if type_ in self._types]
        if not known:
            return False
        for type_ in known:
            self._tables.pop(type_, None)
        self._shape_is_read = False
        self._line_search = None
        await self._read_shape()
        return True

    async def lines(self) -> tuple[int, ...]:
        """All lines with code in the known types, for a spec by source path."""
        return tuple(sorted(all_lines(await self._lines())))

    async def parts(self, line: int) -> list[BreakablePart]:
        """The parts of a line with code, for a spec by source path: first its own code. While no
        class of the source is loaded, the source alone tells them.
        """
        shape = self._shape
        lambdas = None if shape is None else shape.lambdas
        indents = () if shape is None else shape.indents
        indent = indents[line - 1] if line <= len(indents) else None
        tables = await self._lines()
        if tables:
            numbers = set((await line_parts(tables, line, shape)).lambdas)
        else:
            numbers = set(range(1, len(at_line(lambdas or (), line)) + 1))
        return shown_parts(line, numbers, lambdas, indent)

    @property
    def lambda_lines(self) -> tuple[int, ...]:
        """The lines of the source on which lambdas begin."""
        lambdas = None if self._shape is None else self._shape.lambdas
        return tuple(sorted({each.line for each in lambdas or ()}))

    @property
    def _names(self) -> tuple[str, ...]:
        """The names of the types, for a spec that names any."""
        if isinstance(self.spec, ExceptionSpec):
            return self.spec.included
        if isinstance(self.spec, AllocationSpec):
            return (self.spec.at.type_name,)
        if isinstance(self.spec, LocalSpec):
            return (self.spec.method.type_name,)
        if isinstance(self.spec, ElementSpec | FieldStoreSpec):
            return ()
        return (str(self.spec.type_name),)

    async def _read_shape(self) -> None:
        if self._shape_is_read or not isinstance(self.spec, LineSpec):
            return
        self._shape_is_read = True
        text = await self.read_source(self.spec)
        if text is None:
            return
        self._shape = await asyncio.to_thread(shape_of, text, self.spec.path or ".java")

    def _declared_packages(self) -> Collection[str] | None:
        """The packages of the file that was named. None if its text does not tell them, and for a
        relative path, which may mean one of several files.
        """
        is_one_file = isinstance(self.spec, LineSpec) and is_absolute(self.spec.path or "")
        return self._shape.packages if self._shape is not None and is_one_file else None

    def _may_concern(self, type_: ReferenceType) -> bool:
        """Whether the spec may concern a type, by the name alone; cheap, because it is asked for
        every loaded type.
        """
        if isinstance(type_, ArrayType) or "/" in type_.name:  # a hidden class has no source
            return False
        match self.spec:
            case LineSpec(path=str() as path):
                return self._package_may_match(path, type_.name)
            case LineSpec(type_name=str() as name):
                return is_named(type_.name, name) or is_nested_in(type_.name, name)
            case ElementSpec() | MethodSpec(type_name=""):
                return not is_of_jdk(type_.name)
            case FieldStoreSpec(field=spec):
                return is_of_jdk(spec.type_name) or not is_of_jdk(type_.name)
            case _:
                return any(is_named(type_.name, name) for name in self._names)

    def _package_may_match(self, path: str, type_name: str) -> bool:
        if not is_in_a_package(path):
            return not is_of_jdk(type_name)
        package = package_name(type_name)
        declared = self._declared_packages()
        if declared is not None:
            return package in declared
        directory = path.removeprefix("./").rpartition("/")[0].strip("/")
        if not directory:
            return True
        directory = f"/{directory}"
        wanted = "/" + package.replace(".", "/")
        return directory.endswith(wanted) or wanted.endswith(directory) or wanted == "/"

    async def _concerns(self, type_: ReferenceType) -> bool:
        return await if_loaded(self._concerns_loaded, type_) is True

    async def _concerns_loaded(self, type_: ReferenceType) -> bool:
        if isinstance(self.spec, ElementSpec | FieldStoreSpec):
            return await element_stores.is_ready(type_)
        in_code = LineSpec | MethodSpec | InstructionSpec | AllocationSpec | LocalSpec
        if isinstance(self.spec, in_code) and not await is_prepared(type_):
            return False
        if not (isinstance(self.spec, LineSpec) and self.spec.path is not None):
            return True
        paths = await source_paths(type_)
        return any(self._is_requested_source(path) for path in paths)

    def _is_requested_source(self, path: str) -> bool:
        asked = self.spec.path if isinstance(self.spec, LineSpec) else None
        if asked is None:
            return True
        return is_same_source(asked, path, packages=self._declared_packages())

    async def _lines(self) -> list[LineIndex]:
        await self._read_tables([each for each in self._types if each not in self._tables])
        return list(self._tables.values())

    async def _read_tables(self, new: Collection[ReferenceType]) -> None:
        found = await together(if_loaded(_lines_of, each) for each in new)
        for type_, table in zip(new, found, strict=True):
            if table is not None:
                paths = list(filter(self._is_requested_source, table.paths))
                self._tables[type_] = table.of(paths)


async def _lines_of(type_: ReferenceType) -> LineIndex:
    """Find the lines of a type once for all breakpoints in it, until it has other methods."""
    methods = await type_.methods()

    async def find() -> tuple[object, LineIndex]:
        return methods, LineIndex(await line_places(type_), methods)

    _, found = await type_.derived(f"breakable lines of {id(methods)}", find)
    return found


def _because(found: Resolution, reason: str | None) -> Resolution:
    if not reason:
        return found
    return replace(
        found, locations=tuple(replace(each, why_event=reason) for each in found.locations)
    )
