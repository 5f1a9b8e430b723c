# SPDX-License-Identifier: Apache-2.0
"""Completion: names that fit at a position of a text.

After a dot, the members of the static type of the target, which is bound and never run. Otherwise
variables, members of this class and its enclosing classes, keywords, and classes by prefix. Called
by the session.
"""

from __future__ import annotations

import asyncio
import heapq
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.access import Access
from jvmdebug.classfile.descriptors import package_name
from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.bind import names
from jvmdebug.evaluator.bind.bound import Bound
from jvmdebug.evaluator.bind.dispatch import binder_for
from jvmdebug.evaluator.bind.scope import frame_scope, runtime_type
from jvmdebug.evaluator.bind.type_names import WELL_KNOWN_PACKAGES
from jvmdebug.evaluator.compiling.result_shape import type_of
from jvmdebug.evaluator.errors import NeedsCompilerError
from jvmdebug.evaluator.kotlin import completing as kotlin
from jvmdebug.evaluator.kotlin.properties import property_of
from jvmdebug.evaluator.lambda_parameters import with_parameters
from jvmdebug.evaluator.parse import parser
from jvmdebug.evaluator.parse.syntax import Span
from jvmdebug.evaluator.run.class_loading import ClassForName
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.declarations import TypeDeclaration
from jvmdebug.evaluator.symbols.hierarchy import outermost
from jvmdebug.evaluator.symbols.loaded_types import LoadedTypes
from jvmdebug.evaluator.symbols.types import ArrayType, ClassType, TypeVariable
from jvmdebug.sources import is_kotlin

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping, Sequence

    from jvmdebug.evaluator.bind.binder import Binder
    from jvmdebug.evaluator.symbols.declarations import FieldDeclaration, MethodDeclaration
    from jvmdebug.evaluator.symbols.hierarchy import Ancestor
    from jvmdebug.evaluator.symbols.types import JavaType, ReferenceType
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.reference_type import ReferenceType as LoadedType
    from jvmdebug.model.values import Value
    from jvmdebug.model.virtual_machine import VirtualMachine

_PREFIX: Final = re.compile(r"[\w$]*\Z")
_AFTER_NEW: Final = re.compile(r"\bnew\s+\Z")
_KEYWORDS: Final = (
    "this", "super", "new", "null", "true", "false", "instanceof", "switch", "return", "if",
    "for", "while", "int", "long", "double", "float", "boolean", "char", "byte", "short",
)  # fmt: skip
_MAX_CLASSES: Final = 100
_KEPT_S: Final = 5.0


class CompletionKind(StrEnum):
    """The kind of a name."""

    VARIABLE = "variable"
    FIELD = "field"
    METHOD = "method"
    CLASS = "class"
    INTERFACE = "interface"
    ENUM = "enum"
    PACKAGE = "package"
    KEYWORD = "keyword"


@dataclass(frozen=True, slots=True)
class Completion:
    """A name that fits. `label` is shown (a method with its parameters); `text` is inserted in
    place of the characters [`start`, cursor) of the text; `detail` is a type, or a class's full
    name.
    """

    label: str
    text: str
    kind: CompletionKind
    start: int
    detail: str = ""


async def completions(
    frame: Frame,
    text: str,
    cursor: int,
    *,
    names: Mapping[str, Value] | None = None,
    imports: tuple[str, ...] | None = None,
) -> list[Completion]:
    """The names that fit at `cursor` (0-based) of `text`, innermost scope first, each once.

    Empty in string literals, and where the target cannot be bound. Types may be loaded for it, on a
    thread that an event has stopped; nothing is initialized or evaluated.
    """
    before = text[:cursor]
    prefix = _PREFIX.search(before)
    start = cursor if prefix is None else prefix.start()
    if _is_in_literal(before):
        return []
    extra = {name: await runtime_type(each) for name, each in (names or {}).items()}
    scope = await frame_scope(frame, extra, imports)
    is_in_kotlin = await is_kotlin(frame.location.type)
    begun, prefix_text = before[:start], before[start:]
    if is_in_kotlin:
        begun = kotlin.without_marks(begun)
    for loading in (ClassForName(frame.thread), None):
        # What is bound is never run, so it need not be free of effects.
        binder = binder_for(scope, LoadedTypes(frame.location.type, loading, scope.caller))
        try:
            binder = await with_parameters(binder, begun)
            search = _Search(binder, frame, prefix_text, start, is_in_kotlin=is_in_kotlin)
            found = _found(search, begun)
            return list({(each.label, each.kind): each async for each in found}.values())
        except EvaluationError:
            continue  # an error of the text, or of a thread that cannot load
    return []


def _found(search: _Search, before: str) -> AsyncIterator[Completion]:
    target = _target(before)
    if target is not None:
        return search.after_dot(target)
    return search.classes() if _AFTER_NEW.search(before) else search.alone()


def _is_in_literal(before: str) -> bool:
    """Whether the cursor is in a string or character literal."""
    quotes = re.findall(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|[\"']", before)
    return bool(quotes) and quotes[-1] in ('"', "'")


def _target(before: str) -> str | None:
    """The target before a trailing dot; None without a dot, empty when it is not found."""
    trimmed = before.rstrip()
    if not trimmed.endswith(".") or re.search(r"(?<![\w)\]])\d+\.\Z", trimmed):
        return None
    position = trimmed[:-1].rstrip()
    begin = _begin_of_primary(position)
    return position[begin:]


def _begin_of_primary(text: str) -> int:
    """The start of the trailing primary expression: `f(a).b[1]` in `x + f(a).b[1]`."""
    position = len(text)
    while position > 0:
        character = text[position - 1]
        if character in ")]":
            position = _opening(text, position - 1)
        elif character.isalnum() or character in "_$.":
            position -= 1
        elif character == '"':
            found = re.search(r"\"(?:\\.|[^\"\\])*\"\Z", text[:position])
            if found is None:
                break
            position = found.start()
        elif character.isspace() and re.search(r"\bnew\s+\Z", text[:position]):
            position = text[:position].rstrip().rindex("new")
        else:
            break
    return position


def _opening(text: str, closing: int) -> int:
    """The position of the bracket that `closing` matches; 0 when there is none."""
    depth = 0
    for position in range(closing, -1, -1):
        if text[position] in ")]":
            depth += 1
        elif text[position] in "([":
            depth -= 1
            if depth == 0:
                return position
    return 0


class _Search:
    """The names with a prefix that are in scope at one location."""

    def __init__(
        self, binder: Binder, frame: Frame, prefix: str, start: int, *, is_in_kotlin: bool
    ) -> None:
        self._binder = binder
        self._frame = frame
        self._prefix = prefix
        self._start = start
        self._is_in_kotlin = is_in_kotlin

    def _fits(self, name: str) -> bool:
        return name.lower().startswith(self._prefix.lower()) and not name.startswith("<")

    def _completion(
        self, label: str, kind: CompletionKind, detail: str = "", text: str | None = None
    ) -> Completion:
        return Completion(label, label if text is None else text, kind, self._start, detail)

    async def after_dot(self, target: str) -> AsyncIterator[Completion]:
        if not target:
            return
        meaning: names.Meaning | JavaType | None
        try:
            node = parser.parse(target)
            if self._is_in_kotlin:
                node = await kotlin.with_getters(self._binder, node)
            meaning = await names.meaning(self._binder, node)
        except NeedsCompilerError:
            meaning = await type_of(target, self._binder)
        match meaning:
            case ClassType() | ArrayType() | TypeVariable():
                found = self._of_value(meaning)
            case Bound(type=type_):
                found = self._of_value(type_)
            case TypeDeclaration():
                found = self._of_class(meaning)
            case names.Package(name=package):
                found = self._of_package(package)
            case _:
                return
        async for each in found:
            yield each

    async def alone(self) -> AsyncIterator[Completion]:
        scope = self._binder.scope
        variables = {each.variable.name: each.type for each in scope.locals}
        for name, type_ in (variables | dict(scope.extra)).items():
            if self._fits(name):
                yield self._completion(name, CompletionKind.VARIABLE, str(type_))
        async for enclosing in self._binder.enclosing(Span(0, 0)):
            type_ = enclosing.declaration.this_type
            async for each in self._inherited(type_, is_static=enclosing.instance is None):
                yield each
        if self._prefix:
            for word in _KEYWORDS:
                if word.startswith(self._prefix):
                    yield self._completion(word, CompletionKind.KEYWORD)
            async for each in self.classes():
                yield each

    async def _of_value(self, type_: JavaType) -> AsyncIterator[Completion]:
        if isinstance(type_, ArrayType) and self._fits("length"):
            yield self._completion("length", CompletionKind.FIELD, "int")
        if isinstance(type_, ClassType | ArrayType | TypeVariable):
            async for each in self._inherited(type_, is_static=False):
                yield each

    async def _inherited(
        self, type_: ReferenceType, *, is_static: bool
    ) -> AsyncIterator[Completion]:
        """Own members first, then inherited ones, those of Object, and at last what Java code may
        not use here.
        """
        site = self._binder.scope.declaring_type
        ranked: list[tuple[bool, bool, Completion]] = []
        objects = await self._binder.source.declaration(types.OBJECT.name)
        of_object = {str(each) for each in (() if objects is None else objects.methods)}
        for ancestor in await self._binder.hierarchy.ancestors(type_):
            for member, each in self._members(ancestor, is_static=is_static):
                is_object = each.label in of_object  # overridden ones too
                may_use = await self._binder.hierarchy.is_accessible(member, site)
                ranked.append((not may_use, is_object, each))
        for _, _, each in sorted(ranked, key=lambda one: one[:2]):
            yield each

    def _members(
        self, ancestor: Ancestor, *, is_static: bool
    ) -> Iterator[tuple[FieldDeclaration | MethodDeclaration, Completion]]:
        declaration = ancestor.declaration
        for field in declaration.fields:
            if self._is_shown(field, is_static=is_static):
                type_ = str(types.substitute(field.type, ancestor.substitution))
                yield field, self._completion(field.name, CompletionKind.FIELD, type_)
        for method in declaration.methods:
            gives = property_of(method) if self._is_in_kotlin and not is_static else None
            if gives is not None and self._fits(gives) and not method.is_synthetic:
                type_ = str(types.substitute(method.result, ancestor.substitution))
                yield method, self._completion(gives, CompletionKind.FIELD, type_)
            elif self._is_shown(method, is_static=is_static):
                result = str(types.substitute(method.result, ancestor.substitution))
                inserted = f"{method.name}(" if method.parameters else f"{method.name}()"
                kind = CompletionKind.METHOD
                yield method, self._completion(str(method), kind, result, inserted)

    def _is_shown(self, member: FieldDeclaration | MethodDeclaration, *, is_static: bool) -> bool:
        if not self._fits(member.name) or member.is_synthetic:
            return False
        return member.is_static or not is_static

    async def _of_class(self, declaration: TypeDeclaration) -> AsyncIterator[Completion]:
        async for each in self._inherited(ClassType(declaration.name), is_static=True):
            yield each
        for word in ("class", "this"):
            if self._fits(word):
                yield self._completion(word, CompletionKind.KEYWORD)
        outer = f"{declaration.name}$"
        found: list[tuple[str, LoadedType]] = []
        for name, type_ in (await self._loaded()).items():
            nested = name.removeprefix(outer)
            is_member = nested != name and "$" not in nested and not nested[:1].isdigit()
            if is_member and self._fits(nested):
                found.append((nested, type_))
        for each in await self._classes(found):
            yield each

    async def _of_package(self, package: str) -> AsyncIterator[Completion]:
        packages: set[str] = set()
        found: list[tuple[str, LoadedType]] = []
        for name, type_ in (await self._loaded()).items():
            rest = name.removeprefix(f"{package}.")
            if rest == name:
                continue
            first, dot, _ = rest.partition(".")
            if dot:
                packages.add(first)
            elif "$" not in first and self._fits(first):
                found.append((first, type_))
        for each in await self._classes(found):
            yield each
        for name in sorted(packages):
            if self._fits(name):
                yield self._completion(name, CompletionKind.PACKAGE, f"{package}.{name}")

    async def classes(self) -> AsyncIterator[Completion]:
        """Loaded classes that a simple name may mean, up to a limit, the likely ones first."""
        home = self._binder.scope.declaring_type
        imports = frozenset(self._binder.scope.type_imports)
        found: list[tuple[tuple[object, ...], str, LoadedType]] = []
        for name, type_ in (await self._loaded()).items():
            simple = name.rpartition(".")[2].rpartition("$")[2]
            if simple[:1].isalpha() and self._fits(simple):
                differs = not simple.startswith(self._prefix)
                rank = _rank(name, home, imports)
                found.append(((differs, rank, "$" in name, len(simple), name), simple, type_))
        nearest = heapq.nsmallest(_MAX_CLASSES, found, key=lambda each: each[0])
        for each in await self._classes([(simple, type_) for _, simple, type_ in nearest]):
            yield each

    async def _classes(self, found: Sequence[tuple[str, LoadedType]]) -> list[Completion]:
        """The completions of classes with these labels; their modifiers are read at once."""
        modifiers = await asyncio.gather(*(each.modifiers() for _, each in found))
        made: list[Completion] = []
        for (label, type_), bits in zip(found, modifiers, strict=True):
            kind = CompletionKind.CLASS
            if bits & Access.INTERFACE:
                kind = CompletionKind.INTERFACE
            elif bits & Access.ENUM:
                kind = CompletionKind.ENUM
            made.append(self._completion(label, kind, type_.name.replace("$", ".")))
        return made

    async def _loaded(self) -> dict[str, LoadedType]:
        """All loaded classes that have a canonical name, by their names."""
        return await self._frame.thread.vm.companion(_LoadedClasses).of(self._frame.thread.vm)


class _LoadedClasses:
    """The loaded classes of a VM, as of some seconds ago: a keystroke must not read all again."""

    def __init__(self) -> None:
        self._known: dict[str, LoadedType] = {}
        self._until = 0.0

    async def of(self, vm: VirtualMachine) -> dict[str, LoadedType]:
        now = asyncio.get_running_loop().time()
        if now >= self._until:
            loaded = await vm.all_classes()
            named = [each for each in loaded if "[" not in each.name and "/" not in each.name]
            self._known = {each.name: each for each in named}
            self._until = now + _KEPT_S
        return self._known

    async def close(self) -> None:
        """The connection is closed."""
        self._known.clear()


def _rank(name: str, home: str, imports: frozenset[str]) -> int:
    """The lower, the likelier a simple name means the class."""
    package = package_name(name)
    if outermost(name) == outermost(home):
        return 0
    if package == package_name(home) or name.replace("$", ".") in imports:
        return 1
    if package == "java.lang" or f"{package}.*" in imports:
        return 2
    if package in WELL_KNOWN_PACKAGES:
        return 3
    if not name.startswith(_PLATFORM):
        return 4
    return 5 if name.startswith(("java.", "javax.")) else 6


_PLATFORM: Final = ("java.", "javax.", "jdk.", "sun.", "com.sun.")
