# SPDX-License-Identifier: Apache-2.0
"""Completion: names that fit at a position of a text.

After a dot, the members of the static type of the target, which is bound and never run. Otherwise
variables, members of this class and its enclosing classes, keywords, and classes by prefix. Called
by the session.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.access import Access
from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.bind import names
from jvmdebug.evaluator.bind.bound import Bound
from jvmdebug.evaluator.bind.dispatch import binder_for
from jvmdebug.evaluator.bind.scope import frame_scope, runtime_type
from jvmdebug.evaluator.parse import parser
from jvmdebug.evaluator.parse.syntax import Span
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.declarations import TypeDeclaration
from jvmdebug.evaluator.symbols.loaded_types import LoadedTypes
from jvmdebug.evaluator.symbols.types import ArrayType, ClassType, TypeVariable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping

    from jvmdebug.evaluator.bind.binder import Binder
    from jvmdebug.evaluator.symbols.declarations import FieldDeclaration, MethodDeclaration
    from jvmdebug.evaluator.symbols.hierarchy import Ancestor
    from jvmdebug.evaluator.symbols.types import JavaType, ReferenceType
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.values import Value

_PREFIX: Final = re.compile(r"[\w$]*\Z")
_AFTER_NEW: Final = re.compile(r"\bnew\s+\Z")
_KEYWORDS: Final = (
    "this", "super", "new", "null", "true", "false", "instanceof", "switch", "return", "if",
    "for", "while", "int", "long", "double", "float", "boolean", "char", "byte", "short",
)  # fmt: skip
_MAX_CLASSES: Final = 100


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

    Empty in string literals, and where the target cannot be bound.
    """
    before = text[:cursor]
    prefix = _PREFIX.search(before)
    start = cursor if prefix is None else prefix.start()
    if _is_in_literal(before):
        return []
    extra = {name: await runtime_type(each) for name, each in (names or {}).items()}
    scope = await frame_scope(frame, extra, imports)
    binder = binder_for(scope, LoadedTypes(frame.location.type, None), is_read_only=True)
    search = _Search(binder, frame, before[start:], start)
    target = _target(before[:start])
    try:
        if target is not None:
            found = search.after_dot(target)
        elif _AFTER_NEW.search(before[:start]):
            found = search.classes()
        else:
            found = search.alone()
        return list({(each.label, each.kind): each async for each in found}.values())
    except EvaluationError:
        return []


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

    def __init__(self, binder: Binder, frame: Frame, prefix: str, start: int) -> None:
        self._binder = binder
        self._frame = frame
        self._prefix = prefix
        self._start = start

    def _fits(self, name: str) -> bool:
        return name.lower().startswith(self._prefix.lower()) and not name.startswith("<")

    def _completion(
        self, label: str, kind: CompletionKind, detail: str = "", text: str | None = None
    ) -> Completion:
        return Completion(label, label if text is None else text, kind, self._start, detail)

    async def after_dot(self, target: str) -> AsyncIterator[Completion]:
        if not target:
            return
        # A read-only binder rejects calls; completion never runs what it binds.
        self._binder.is_read_only = False
        meaning = await names.meaning(self._binder, parser.parse(target))
        match meaning:
            case Bound(type=type_):
                found = self._of_value(type_)
            case TypeDeclaration():
                found = self._of_class(meaning)
            case _:
                found = self._of_package(meaning.name)
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
        for ancestor in await self._binder.hierarchy.ancestors(type_):
            for each in self._members(ancestor, is_static=is_static):
                yield each

    def _members(self, ancestor: Ancestor, *, is_static: bool) -> Iterator[Completion]:
        declaration = ancestor.declaration
        for field in declaration.fields:
            if self._is_shown(field, is_static=is_static):
                type_ = str(types.substitute(field.type, ancestor.substitution))
                yield self._completion(field.name, CompletionKind.FIELD, type_)
        for method in declaration.methods:
            if self._is_shown(method, is_static=is_static):
                result = str(types.substitute(method.result, ancestor.substitution))
                inserted = f"{method.name}(" if method.parameters else f"{method.name}()"
                yield self._completion(str(method), CompletionKind.METHOD, result, inserted)

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
        for name in await self._loaded():
            nested = name.removeprefix(outer)
            is_member = nested != name and "$" not in nested and not nested[:1].isdigit()
            if is_member and self._fits(nested):
                yield await self._class(nested, name)

    async def _of_package(self, package: str) -> AsyncIterator[Completion]:
        packages: set[str] = set()
        for name in await self._loaded():
            rest = name.removeprefix(f"{package}.")
            if rest == name:
                continue
            first, dot, _ = rest.partition(".")
            if dot:
                packages.add(first)
            elif "$" not in first and self._fits(first):
                yield await self._class(first, name)
        for name in sorted(packages):
            if self._fits(name):
                yield self._completion(name, CompletionKind.PACKAGE, f"{package}.{name}")

    async def classes(self) -> AsyncIterator[Completion]:
        """Loaded classes that a simple name may mean, up to a limit."""
        shown = 0
        for name in await self._loaded():
            simple = name.rpartition(".")[2].rpartition("$")[2]
            if not simple[:1].isalpha() or not self._fits(simple):
                continue
            yield await self._class(simple, name)
            shown += 1
            if shown == _MAX_CLASSES:
                return

    async def _class(self, label: str, name: str) -> Completion:
        declaration = await self._binder.source.declaration(name)
        kind = CompletionKind.CLASS
        if declaration is not None and declaration.is_interface:
            kind = CompletionKind.INTERFACE
        elif declaration is not None and declaration.modifiers & Access.ENUM:
            kind = CompletionKind.ENUM
        return self._completion(label, kind, name.replace("$", "."))

    async def _loaded(self) -> list[str]:
        """Names of all loaded classes that have a canonical name, those of the program first."""
        loaded = {each.name for each in await self._frame.thread.vm.all_classes()}
        named = (each for each in loaded if "[" not in each and "/" not in each)
        return sorted(named, key=lambda each: (each.startswith(_PLATFORM), each))


_PLATFORM: Final = ("java.", "javax.", "jdk.", "sun.", "com.sun.")
