# SPDX-License-Identifier: Apache-2.0
"""`super.m()`, `super::m` and `Inner::new`, which only the frame's class itself can write.

A call of `super` becomes that of a static method of the compiled class, which finds the method by a
Lookup of the frame's class. A method reference becomes a lambda; since its type decides how many
parameters it has, there is a variant for each number that some overload takes. Called by
`rewriting`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.bind import creation, names
from jvmdebug.evaluator.compiling.edits import Edit
from jvmdebug.evaluator.compiling.type_texts import class_text
from jvmdebug.evaluator.parse import syntax
from jvmdebug.evaluator.parse.grammar import without_comments
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.types import ArrayType, ClassType, VoidType

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import tree_sitter

    from jvmdebug.evaluator.bind.binder import Binder
    from jvmdebug.evaluator.bind.bound import Bound
    from jvmdebug.evaluator.parse.grammar import WrappedText
    from jvmdebug.evaluator.symbols.declarations import MethodDeclaration, TypeDeclaration

_REFERENCE: Final = "method_reference"
_MOST_VARIANTS: Final = 12
_RETHROW: Final = """\
  static <E extends java.lang.Throwable> java.lang.RuntimeException $rethrow(
      java.lang.Throwable thrown) throws E { throw (E) thrown; }
"""


@dataclass(frozen=True, slots=True)
class _Called:
    """The methods that `super.name` may be, on an instance, and what calls them."""

    instance: Bound
    helper: str
    arities: tuple[int, ...]


class EnclosingCalls:
    """The enclosing calls of one text. `variant` selects the numbers of parameters; `path` writes
    an instance.
    """

    def __init__(
        self, wrapped: WrappedText, binder: Binder, path: Callable[[Bound], str], variant: int
    ) -> None:
        self._wrapped = wrapped
        self._binder = binder
        self._path = path
        self._rest = variant
        self._helpers: dict[tuple[str, str, str], _Called] = {}
        self._methods: list[str] = []
        self._replaced: list[tree_sitter.Node] = []
        self._variants = 1
        self.edits: list[Edit] = []

    @property
    def variants(self) -> int:
        """How many there are."""
        return min(self._variants, _MOST_VARIANTS)

    @property
    def helper_methods(self) -> str:
        """Java source of the methods that the compiled class needs."""
        return "\n".join([_RETHROW, *self._methods]) if self._methods else ""

    def replaces(self, node: tree_sitter.Node) -> bool:
        """Whether a part of the text is rewritten here, names in it included."""
        return any(
            each.start_byte <= node.start_byte and node.end_byte <= each.end_byte
            for each in self._replaced
        )

    async def rewrite(self, node: tree_sitter.Node) -> None:
        """Rewrite what is in a node, except in classes that the text declares: those have their
        own `super`.
        """
        if node.type == "class_body":
            return
        if node.type == _REFERENCE:
            await self._reference(node)
        elif node.type == "method_invocation":
            await self._call(node)
        elif node.type == "field_access":
            await self._field(node)
        for child in node.children:
            await self.rewrite(child)

    # --- method references -----------------------------------------------------------------------

    async def _reference(self, node: tree_sitter.Node) -> None:
        target, *_, last = without_comments(node.children)
        text, name = self._text(target), self._text(last)
        if target.type == "super" or text.endswith(".super"):
            called = await self._super_methods(text.removesuffix("super").rstrip(". "), name, node)
            before, arities = f"{called.helper}({self._path(called.instance)}", called.arities
            self._replace(node, self._lambda(arities, before, is_call_open=True))
        elif name == "new":
            declaration = await self._named_class(target)
            if declaration is not None and creation.is_inner(declaration):
                outer = await creation.outer_instance(
                    self._binder, declaration, self._wrapped.span(node)
                )
                simple = declaration.name.rpartition("$")[2]
                arities = tuple(
                    len(each.parameters) - 1
                    for each in declaration.methods
                    if each.name == "<init>" and not each.is_synthetic
                )
                arguments = text[text.find("<") :] if "<" in text else ""
                diamond = "<>" if declaration.parameters and not arguments else arguments
                before = f"{self._path(outer)}.new {simple}{diamond}("
                self._replace(node, self._lambda(arities, before, is_call_open=False))

    def _lambda(self, arities: Sequence[int], before: str, *, is_call_open: bool) -> str:
        """`($0, $1) -> before$0, $1)`; `is_call_open`: an argument stands there already."""
        choices = sorted(set(arities))
        self._variants *= len(choices)
        self._rest, chosen = divmod(self._rest, len(choices))
        parameters = [f"$argument{number}" for number in range(choices[chosen])]
        passed = ", ".join(parameters)
        comma = ", " if is_call_open and parameters else ""
        return f"(({passed}) -> {before}{comma}{passed}))"

    async def _named_class(self, node: tree_sitter.Node) -> TypeDeclaration | None:
        span = self._wrapped.span(node)
        parts = tuple(each.strip() for each in self._text(node).partition("<")[0].split("."))
        if not all(each.isidentifier() for each in parts):
            return None
        try:
            return await self._binder.type_names.declared(syntax.NamedTypeSyntax(span, parts))
        except EvaluationError:
            return None  # a class that the text declares: the compiler knows it

    # --- super -----------------------------------------------------------------------------------

    async def _call(self, node: tree_sitter.Node) -> None:
        children = without_comments(node.children)
        at = next((at for at, each in enumerate(children) if each.type == "super"), None)
        if at is None:
            return
        name, arguments = node.child_by_field_name("name"), node.child_by_field_name("arguments")
        if name is None or arguments is None:
            return
        qualifier = self._text(children[0]) if at else ""
        called = await self._super_methods(qualifier, self._text(name), node)
        start, end = self._wrapped.span(node).start, self._wrapped.span(arguments).start + 1
        has_arguments = bool(without_comments(arguments.named_children))
        instance = self._path(called.instance) + (", " if has_arguments else "")
        self.edits.append(Edit(start, end, f"{called.helper}({instance}"))
        self._replaced += [*children[: at + 1], name]

    async def _field(self, node: tree_sitter.Node) -> None:
        target = node.child_by_field_name("object")
        if target is not None and target.type == "super":
            span = self._wrapped.span(target)
            instance, type_ = await names.super_target(self._binder, syntax.Super(span))
            self._replace(target, f"(({class_text(type_.name)}) {self._path(instance)})")

    async def _super_methods(self, qualifier: str, name: str, node: tree_sitter.Node) -> _Called:
        span = self._wrapped.span(node)
        written = (
            syntax.NamedTypeSyntax(span, tuple(each.strip() for each in qualifier.split(".")))
            if qualifier
            else None
        )
        instance, type_ = await names.super_target(self._binder, syntax.Super(span, written))
        home = instance.type.name if isinstance(instance.type, ClassType) else ""
        key = (home, type_.name, name)
        if key not in self._helpers:
            members = await self._binder.hierarchy.methods(type_, name)
            methods = [
                each.method
                for each in members
                if not each.method.is_static and not each.method.is_abstract
            ]
            if not methods:
                raise EvaluationError(f"{type_} has no method {name} to call", span.column)
            helper = f"$super{len(self._helpers)}"
            self._methods += [_helper(helper, home, type_.name, each) for each in methods]
            arities = tuple(len(each.parameters) for each in methods)
            self._helpers[key] = _Called(instance, helper, arities)
        return self._helpers[key]

    def _text(self, node: tree_sitter.Node) -> str:
        return self._wrapped.span(node).text(self._wrapped.text)

    def _replace(self, node: tree_sitter.Node, replacement: str) -> None:
        span = self._wrapped.span(node)
        self.edits.append(Edit(span.start, span.end, replacement))
        self._replaced.append(node)


def _helper(helper: str, home: str, owner: str, method: MethodDeclaration) -> str:
    """The source of a method that calls `method` of `owner` as `super` of `home` does."""
    parameters = [_erased(each) for each in method.parameters]
    result = "void"
    if not isinstance(method.result, VoidType | types.NullType):
        result = _erased(method.result)
    given = "" if result == "void" else f"return ({result}) "
    declared = "".join(f", {each} a{number}" for number, each in enumerate(parameters))
    passed = "".join(f", a{number}" for number in range(len(parameters)))
    classes = ", ".join(f"{each}.class" for each in [result, *parameters])
    lookup = "java.lang.invoke.MethodHandles"
    home_class = f"{class_text(home)}.class"
    return f"""\
  static {result} {helper}(java.lang.Object self{declared}) {{
    try {{
      {given}{lookup}.privateLookupIn({home_class}, {lookup}.lookup())
          .findSpecial({class_text(owner)}.class, "{method.name}",
              java.lang.invoke.MethodType.methodType({classes}), {home_class})
          .invokeWithArguments(self{passed});
    }} catch (java.lang.Throwable thrown) {{
      throw $rethrow(thrown);
    }}
  }}
"""


def _erased(type_: types.ValueType) -> str:
    match types.erasure(type_):
        case ClassType(name=name):
            return class_text(name)
        case ArrayType(element=element):
            return f"{_erased(element)}[]"
        case primitive:
            return str(primitive)
