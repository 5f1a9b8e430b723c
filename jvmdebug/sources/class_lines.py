# SPDX-License-Identifier: Apache-2.0
"""Tells which source lines a loaded class has code for, and which source line a location is in.

Uses the line tables and, when the class has a JSR-45 map, the default stratum of it; so a class
that was translated from something else shows the lines of that. Works for any JVM language.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from jvmdebug.model.location import Location
from jvmdebug.model.recent import Recent
from jvmdebug.sources.class_places import LinePlaces, SourceLine
from jvmdebug.sources.paths import source_path
from jvmdebug.sources.smap import SourceMap, Stratum
from jvmdebug.together import together

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from jvmdebug.classfile import LineTable
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.sources.class_places import Place

_REMEMBERED_MAPS: Final = 200
_KOTLIN_CALLS: Final = "KotlinDebug"


async def source_paths(type_: ReferenceType) -> tuple[str, ...]:
    """The sources that a class was made of: one, unless it has a source map."""
    stratum = await _stratum(type_)
    own = source_path(type_.name, await type_.source_file())
    if stratum is None:
        return (own,)
    mapped = (_path(type_.name, entry.name, entry.path) for entry in stratum.files.values())
    return tuple(dict.fromkeys(mapped))


async def source_line(location: Location) -> SourceLine | None:
    """The source line of a location; None in native methods and without line numbers."""
    line = await location.line()
    return None if line is None else await _source_line(location.type, line)


async def calling_line(location: Location) -> SourceLine | None:
    """Does what `source_line` does, but for inlined code of Kotlin gives the line of its call.

    The stratum `KotlinDebug` has it: the line in the method's own file.
    """
    extension, line = await location.type.source_debug_extension(), await location.line()
    calls = _parsed(extension, _KOTLIN_CALLS) if extension and line is not None else None
    found = None if calls is None or line is None else calls.source_line(line)
    if found is None:
        return await source_line(location)
    entry, mapped = found
    return SourceLine(_path(location.type.name, entry.name, entry.path), mapped)


async def source_class(location: Location) -> str | None:
    """The Java name of the class that a line was copied from, `kotlin.collections.CollectionsKt`.

    As its source map names it; None without one.
    """
    stratum, line = await _stratum(location.type), await location.line()
    found = None if stratum is None or line is None else stratum.source_line(line)
    path = None if found is None else found[0].path
    return None if path is None else path.replace("/", ".")


async def breakable_lines(type_: ReferenceType) -> Mapping[SourceLine, tuple[Location, ...]]:
    """Every source line of one class that has code → each location where its code begins.

    A line has several locations when the compiler copied it (`finally`, loops, constructors that
    share initialisers) or when several methods are on it (lambdas). Two requests per method, sent
    together; cached by the model afterwards.
    """
    methods = await type_.methods()
    places = await line_places(type_)
    return {
        line: tuple(Location(methods[at], index) for at, index in begins)
        for line, begins in places.table.items()
    }


async def line_places(type_: ReferenceType) -> LinePlaces:
    """The same by the positions of the methods: classes of the same lines share the result."""
    methods = await type_.methods()
    tables = tuple(await together(method.line_table() for method in methods))
    extension = await type_.source_debug_extension()
    own = source_path(type_.name, await type_.source_file())
    made = type_.vm.companion(_KnownPlaces)
    return made.recent.get(
        (own, extension, tables), lambda: _places(type_.name, own, extension, tables)
    )


class _KnownPlaces:
    """The places of the class files that were looked at last in one VM."""

    def __init__(self) -> None:
        self.recent: Recent[tuple[str, str | None, tuple[LineTable, ...]], LinePlaces] = Recent(
            _REMEMBERED_MAPS
        )

    async def close(self) -> None:
        """There is nothing to end."""


def _places(
    type_name: str, own: str, extension: str | None, tables: tuple[LineTable, ...]
) -> LinePlaces:
    stratum = _parsed(extension) if extension else None
    found: defaultdict[SourceLine, list[Place]] = defaultdict(list)
    for at, table in enumerate(tables):
        for index, line in table.lines:
            if stratum is None:
                found[SourceLine(own, line)].append((at, index))
            elif (mapped := _mapped(type_name, stratum, line)) is not None:
                found[mapped].append((at, index))
    return LinePlaces({line: tuple(begins) for line, begins in found.items()})


async def breakable_lines_of(types: Iterable[ReferenceType], path: str) -> tuple[int, ...]:
    """The lines of one source that have code in any of the loaded classes, ascending."""
    every = await asyncio.gather(*(breakable_lines(each) for each in types))
    return tuple(sorted({each.line for lines in every for each in lines if each.path == path}))


async def _source_line(type_: ReferenceType, line: int) -> SourceLine | None:
    stratum = await _stratum(type_)
    if stratum is None:
        return SourceLine(source_path(type_.name, await type_.source_file()), line)
    return _mapped(type_.name, stratum, line)


def _mapped(type_name: str, stratum: Stratum, line: int) -> SourceLine | None:
    found = stratum.source_line(line)
    if found is None:
        return None
    entry, mapped = found
    return SourceLine(_path(type_name, entry.name, entry.path), mapped)


def _path(type_name: str, name: str, path: str | None) -> str:
    """Kotlin writes the class's internal name where JSP writes a path: then the name has it."""
    if path is not None and path.replace("\\", "/").rpartition("/")[2] == name:
        return path.replace("\\", "/")
    if path is not None and "/" in path:
        return f"{path.rpartition('/')[0]}/{name}"
    return source_path(type_name, name)


async def _stratum(type_: ReferenceType) -> Stratum | None:
    """The default stratum; None means that the class file's own lines are the source's."""
    extension = await type_.source_debug_extension()
    return _parsed(extension) if extension else None


@lru_cache(maxsize=_REMEMBERED_MAPS)
def _parsed(extension: str, name: str | None = None) -> Stratum | None:
    """The stratum of that name, or the default one.

    Cached: it is needed for every line of a class, and may have thousands of lines.
    """
    try:
        return SourceMap.parse(extension).stratum(name)
    except ValueError:
        # Not JSR-45 (the attribute may hold anything): the class file's own lines are right then.
        return None
