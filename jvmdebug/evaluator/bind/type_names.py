# SPDX-License-Identifier: Apache-2.0
"""What a type name means at a location (JLS 6.5.5): nested, imported, of the package, of java.lang.

Without its source file, the imports of a class are not known. So a simple name that Java's rules do
not resolve may also mean the only loaded class with that simple name, or the one in a package that
most sources import from. In code of the JDK, it may mean what it means to the program's code that
has called the JDK. Used by the binder and `compiling`.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.descriptors import package_name
from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.errors import NotLoadedError, did_you_mean
from jvmdebug.evaluator.parse import syntax
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.hierarchy import enclosing_names, outermost
from jvmdebug.evaluator.symbols.types import ArrayType, ClassType, JavaType, ReferenceType, Wildcard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.evaluator.bind.scope import FrameScope
    from jvmdebug.evaluator.symbols.declarations import TypeDeclaration, TypeSource
    from jvmdebug.evaluator.symbols.hierarchy import Hierarchy

WELL_KNOWN_PACKAGES: Final = (
    "java.util",
    "java.util.function",
    "java.util.stream",
    "java.util.concurrent",
    "java.util.concurrent.atomic",
    "java.io",
    "java.math",
    "java.time",
    "java.nio.file",
)


MOST_DIMENSIONS: Final = 255
"""JVMS 4.3.2."""


class TypeNames:
    """Resolves type names at one location."""

    def __init__(self, scope: FrameScope, source: TypeSource, hierarchy: Hierarchy) -> None:
        self._scope = scope
        self._source = source
        self._hierarchy = hierarchy

    async def simple(self, name: str, *, load: bool) -> TypeDeclaration | None:
        """The class that a simple name means, be it loaded or not; with `load`, a class of a
        package may be looked for that no class file names.
        """
        found = await self.by_the_rules(name, load=load)
        if found is None and self._scope.caller is not None:
            scope = await self._scope.caller.scope()
            if scope is not None:
                found = await TypeNames(scope, self._source, self._hierarchy).by_the_rules(
                    name, load=load
                )
        return await self._seen(found if found is not None else await self._anywhere(name))

    async def by_the_rules(self, name: str, *, load: bool) -> TypeDeclaration | None:
        """Resolves by the rules of Java alone."""
        for enclosing in enclosing_names(self._scope.declaring_type):
            simple = enclosing.rpartition(".")[2].rpartition("$")[2].lstrip("0123456789")
            if simple == name:
                return await self._source.load(enclosing)
            owner = await self._source.load(enclosing)
            found = None if owner is None else await self._member(owner, name)
            if found is not None:
                return found
        return await self._of_package(name, load=load)

    async def qualified(self, name: str, *, load: bool) -> TypeDeclaration | None:
        """The top-level class of that qualified name."""
        found = await self._source.declaration(name)
        if found is None and load:
            found = await self._source.load(name)
        return await self._seen(found)

    async def _seen(self, found: TypeDeclaration | None) -> TypeDeclaration | None:
        """The class of that name which the code here sees, where other loaders have another."""
        if found is None:
            return None
        found = await self._source.load(found.name)
        if found is not None and self._source.is_ambiguous(found.name):
            shown = found.name.replace("$", ".")
            raise EvaluationError(
                f"several class loaders have a class {shown}, and none of them is that of the "
                "code here: evaluate in a frame of code that uses it"
            )
        return found

    async def member(
        self, owner: TypeDeclaration, name: str, *, load: bool
    ) -> TypeDeclaration | None:
        """The class nested in `owner` or in one of its supertypes. With `load`, also one that the
        class file of `owner` does not name, as those of other compilers.
        """
        found = await self._member(owner, name)
        if found is None and load:
            found = await self._source.load(f"{owner.name}${name}", owner)
        return found

    async def _member(self, owner: TypeDeclaration, name: str) -> TypeDeclaration | None:
        """The nearest, be it loaded or not: `owner` first, then its supertypes (JLS 8.5)."""
        ancestors = await self._hierarchy.ancestors(ClassType(owner.name))
        names = [f"{each.declaration.name}${name}" for each in ancestors]
        loaded = await asyncio.gather(*(self._source.declaration(each) for each in names))
        # Only what stands before the nearest loaded one can hide it.
        nearest = next((at for at, each in enumerate(loaded) if each is not None), len(loaded))
        named = await asyncio.gather(
            *(
                self._source.names(each.declaration, binary)
                for each, binary in zip(ancestors[:nearest], names, strict=False)
            )
        )
        for is_named, binary, each in zip(named, names, ancestors, strict=False):
            if is_named:
                return await self._existing(binary, each.declaration)
        return loaded[nearest] if nearest < len(loaded) else None

    async def _existing(self, name: str, named_by: TypeDeclaration) -> TypeDeclaration:
        """A class that a class file names."""
        found = await self._source.load(name, named_by)
        if found is None:
            shown = name.replace("$", ".")
            if self._source.can_load:
                raise EvaluationError(f"the class {shown} cannot be loaded")
            raise NotLoadedError(
                f"the class {shown} is not loaded yet, and nothing may be loaded here"
            )
        return found

    async def _of_package(self, name: str, *, load: bool) -> TypeDeclaration | None:
        """The class of an import, of this package, or of java.lang (JLS 6.4.1, 7.5)."""
        candidates = self._candidates(name)
        loaded = await asyncio.gather(*(self._source.declaration(each) for each in candidates))
        nearest = next((at for at, each in enumerate(loaded) if each is not None), None)
        home = await self._source.declaration(self._scope.declaring_type)
        for candidate in candidates[:nearest]:
            if home is not None and await self._source.names(home, candidate):
                return await self._existing(candidate, home)
            found = await self._source.load(candidate) if load else None
            if found is not None:
                return found
        return None if nearest is None else loaded[nearest]

    async def static_owners(self, member: str) -> list[TypeDeclaration]:
        """The classes from which a static import may take a member of that name."""
        found: list[TypeDeclaration] = []
        for owner in self._scope.static_owners(member):
            names = binary_names(owner)
            declaration = await self._first(names) or await self._source.load(names[0])
            if declaration is not None:
                found.append(declaration)
        return found

    async def _first(self, names: Sequence[str]) -> TypeDeclaration | None:
        found = await asyncio.gather(*(self._source.declaration(name) for name in names))
        return next((each for each in found if each is not None), None)

    def _candidates(self, name: str) -> list[str]:
        """Binary names of classes that are not members of the enclosing ones, nearest first."""
        candidates: list[str] = []
        imports = self._scope.type_imports
        imported = [each for each in imports if each.rpartition(".")[2] == name]
        imported += [f"{owner}.{name}" for owner in self._scope.static_owners(name)]
        package = package_name(self._scope.declaring_type)
        on_demand = [each[:-1] + name for each in imports if each.endswith(".*")]
        candidates += [binary for each in imported for binary in binary_names(each)]
        candidates.append(f"{package}.{name}" if package else name)
        candidates += [binary for each in on_demand for binary in binary_names(each)]
        candidates.append(f"java.lang.{name}")
        return list(dict.fromkeys(candidates))

    async def is_package(self, name: str) -> bool:
        """Whether a loaded class is in a package of that name, or in one below it."""
        return any(each == name or each.startswith(f"{name}.") for each in await self._packages())

    async def why_no_class(self, name: str) -> str:
        """The message for a qualified name that is no class, though its first part is a package."""
        packages = await self._packages()
        parts = name.split(".")
        size = next(
            at for at, each in enumerate(parts) if each[:1].isupper() or at == len(parts) - 1
        )
        package = ".".join(parts[:size])
        if not package or await self.is_package(package):
            return f"there is no class {name}"
        return f"there is no package {package}{did_you_mean(package, packages)}"

    async def _packages(self) -> set[str]:
        return {package_name(each) for each in await self._source.all_names()}

    async def _anywhere(self, name: str) -> TypeDeclaration | None:
        if not name[:1].isupper():
            return None  # a package or a mistyped variable: not worth reading all classes
        names = await self._source.by_simple_name(name)
        home = outermost(self._scope.declaring_type)
        local = [each for each in names if outermost(each) == home]
        # The simple name of a nested class is rarely used alone: ArrayList is not Arrays.ArrayList.
        top_level = [each for each in names if "$" not in each]
        known = [each for each in top_level if package_name(each) in WELL_KNOWN_PACKAGES]
        for choice in (local, known, top_level, names):
            if len(choice) == 1:
                return await self._source.declaration(choice[0])
        if names:
            listed = ", ".join(sorted(names)[:5])
            raise EvaluationError(f"{name} may be {listed}: write the full name")
        return None

    # --- types as written ------------------------------------------------------------------------

    async def resolve(self, written: syntax.TypeSyntax) -> JavaType:
        """The type that the syntax denotes; EvaluationError with its column when there is none."""
        match written:
            case syntax.PrimitiveTypeSyntax(kind=kind):
                return types.PRIMITIVES[kind.java_name]
            case syntax.VoidTypeSyntax():
                return types.VOID
            case syntax.ArrayTypeSyntax(element=element, dimensions=dimensions):
                found = await self.resolve(element)
                if dimensions > MOST_DIMENSIONS:
                    raise EvaluationError(
                        f"an array has {MOST_DIMENSIONS} dimensions at most, not {dimensions}",
                        written.span.column,
                    )
                for _ in range(dimensions):
                    found = ArrayType(_no_void(found, written))
                return found
            case syntax.NamedTypeSyntax():
                return await self._named(written)
            case _:
                raise EvaluationError("a wildcard is not a type", written.span.column)

    async def resolve_reference(self, written: syntax.TypeSyntax) -> ReferenceType:
        """Resolves as `resolve` does; a primitive type is an error."""
        found = await self.resolve(written)
        if isinstance(found, ClassType | ArrayType | types.TypeVariable):
            return found
        raise EvaluationError(f"expected a class, found {found}", written.span.column)

    async def declared(self, written: syntax.NamedTypeSyntax) -> TypeDeclaration:
        """The class that the name denotes; EvaluationError when there is none."""
        parts = written.parts
        try:
            found = await self.simple(parts[0], load=len(parts) == 1 or parts[0][:1].isupper())
        except EvaluationError as error:
            raise EvaluationError(str(error), written.span.column) from error
        if found is not None:
            for part in parts[1:]:
                inner = await self.member(found, part, load=True)
                if inner is None:
                    shown = found.name.replace("$", ".")
                    raise EvaluationError(f"{shown} has no class {part}", written.span.column)
                found = inner
            return found
        nested = await self._by_package(parts)
        if nested is None:
            name = ".".join(parts)
            if await self.is_package(parts[0]):
                raise EvaluationError(await self.why_no_class(name), written.span.column)
            hint = "" if len(parts) > 1 else "; write the full name of a class of another package"
            raise EvaluationError(
                f"there is no class {name} visible here{hint}", written.span.column
            )
        return nested

    async def _by_package(self, parts: Sequence[str]) -> TypeDeclaration | None:
        for load in (False, True):
            for split in range(2, len(parts) + 1):
                name = "$".join([".".join(parts[:split]), *parts[split:]])
                found = await self.qualified(name, load=load)
                if found is not None:
                    return found
        return None

    async def _named(self, written: syntax.NamedTypeSyntax) -> JavaType:
        if len(written.parts) == 1 and written.parts[0] in self._scope.type_variables:
            return self._scope.type_variables[written.parts[0]]
        declaration = await self.declared(written)
        return ClassType(declaration.name, await self.arguments(written))

    async def arguments(self, written: syntax.NamedTypeSyntax) -> tuple[types.TypeArgument, ...]:
        """The type arguments; none for a raw type and for the diamond."""
        return tuple([await self._argument(each) for each in written.arguments or ()])

    async def _argument(self, written: syntax.TypeSyntax) -> types.TypeArgument:
        if isinstance(written, syntax.PrimitiveTypeSyntax):
            primitive = types.PRIMITIVES[written.kind.java_name]
            box = types.boxed(primitive).name.rpartition(".")[2]
            raise EvaluationError(
                f"a type argument is a class: {box}, not {primitive}", written.span.column
            )
        if isinstance(written, syntax.WildcardSyntax):
            upper, lower = written.upper, written.lower
            return Wildcard(
                None if upper is None else await self.resolve_reference(upper),
                None if lower is None else await self.resolve_reference(lower),
            )
        return await self.resolve_reference(written)


def binary_names(canonical: str) -> list[str]:
    """Binary names `a.Outer.Inner` may have: `a.Outer$Inner` by naming convention, else itself."""
    parts = canonical.split(".")
    for position, part in enumerate(parts):
        if part[:1].isupper():
            nested = "$".join([".".join(parts[: position + 1]), *parts[position + 1 :]])
            return list(dict.fromkeys([nested, canonical]))
    return [canonical]


def _no_void(type_: JavaType, written: syntax.TypeSyntax) -> types.ValueType:
    if isinstance(type_, types.NullType | types.VoidType):
        raise EvaluationError(f"there are no arrays of {type_}", written.span.column)
    return type_
