# SPDX-License-Identifier: Apache-2.0
"""The classes that hold what Kotlin code declares outside of classes: `ShopKt`, `CollectionsKt`.

Functions and properties of the frame's own file come first, then those of its package, then the
standard library's that every file imports.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.descriptors import package_name
from jvmdebug.evaluator.parse import syntax
from jvmdebug.evaluator.symbols.types import ClassType

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from jvmdebug.evaluator.kotlin.workspace import Workspace
    from jvmdebug.evaluator.symbols.declarations import TypeDeclaration
    from jvmdebug.evaluator.symbols.hierarchy import MethodMember

_SUFFIX: Final = "Kt"
_PART: Final = "__"
"""Between the name of a file's class and that of its part."""
_STANDARD: Final = (
    *("kotlin.collections.CollectionsKt", "kotlin.text.StringsKt", "kotlin.collections.MapsKt"),
    *("kotlin.collections.ArraysKt", "kotlin.collections.SetsKt", "kotlin.ranges.RangesKt"),
    *("kotlin.sequences.SequencesKt", "kotlin.comparisons.ComparisonsKt", "kotlin.TuplesKt"),
    *("kotlin.io.ConsoleKt", "kotlin.math.MathKt", "kotlin.jvm.JvmClassMappingKt"),
)


async def facades(workspace: Workspace) -> AsyncIterator[TypeDeclaration]:
    """The classes in which a name is looked up; those of the library are loaded if need be."""
    home = workspace.scope.declaring_type
    source = workspace.run.source
    own = await workspace.run.frame.location.type.source_file() or ""
    stem = own.rpartition(".")[0].replace("-", "_")
    package = package_name(home)
    prefix = f"{package}." if package else ""
    outer = home.partition("$")[0]
    near = [f"{prefix}{stem[:1].upper()}{stem[1:]}{_SUFFIX}", outer]
    if _PART in outer.removeprefix(prefix):  # the class of all its parts
        near.append(outer.rpartition(_PART)[0])
    near += sorted(
        each
        for each in await source.all_names()
        if each.endswith(_SUFFIX) and package_name(each) == package and "$" not in each
    )
    for name in dict.fromkeys((*near, *_STANDARD)):
        found = await source.load(name)
        if found is not None:
            yield found


async def functions(
    workspace: Workspace, name: str
) -> AsyncIterator[tuple[TypeDeclaration, list[MethodMember]]]:
    """The functions of that name, by class; extensions have their receiver as first parameter.

    Private ones of a part are called `secret$Loads__TonsKt` in its class.
    """
    async for facade in facades(workspace):
        simple = facade.name.rpartition(".")[2]
        private = (f"{name}${simple}",) if _PART in simple else ()
        for called in (name, *private):
            members = await workspace.run.hierarchy.methods(ClassType(facade.name), called)
            found = [each for each in members if each.method.is_static]
            if found:
                yield facade, found


async def field_of_files(
    workspace: Workspace, name: str, span: syntax.Span
) -> syntax.Expression | None:
    """The field of a property of the program that stands outside of classes."""
    async for facade in facades(workspace):
        if facade.name in _STANDARD:
            return None
        found = facade.field(name)
        if found is not None and found.is_static:
            return syntax.FieldAccess(span, syntax.class_code(facade.name, span), name, span)
    return None
