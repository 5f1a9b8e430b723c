# SPDX-License-Identifier: Apache-2.0
"""A text as the source of a class with one static method, which takes the frame's variables.

Names that have a meaning only in the frame's class are replaced: `this`, members of the class and
of its enclosing classes, and simple names of classes become qualified. Variables of the frame
become parameters; the values of those that the text assigns are returned in `$out`. The result is
passed through `$result`, whose overloads store the static type. Called by `compiled_code`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.descriptors import package_name
from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.bind import bound, calls, creation, names
from jvmdebug.evaluator.compiling import runtime
from jvmdebug.evaluator.compiling.edits import Edit, EditedText
from jvmdebug.evaluator.compiling.enclosing_calls import EnclosingCalls
from jvmdebug.evaluator.compiling.free_names import NameUse, Role, find_names
from jvmdebug.evaluator.compiling.source import Source, creation_of, parsed, returns_in
from jvmdebug.evaluator.compiling.type_texts import TypeTexts, class_text
from jvmdebug.evaluator.parse import syntax
from jvmdebug.evaluator.parse.grammar import OPEN_STATEMENTS, without_comments
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.types import ClassType

if TYPE_CHECKING:
    from collections.abc import Sequence

    import tree_sitter

    from jvmdebug.evaluator.bind.binder import Binder, Enclosing
    from jvmdebug.evaluator.bind.scope import LocalInScope
    from jvmdebug.evaluator.symbols.declarations import TypeDeclaration

_LAMBDA: Final = re.compile(r"->|::")
METHOD: Final = "$run"
_ON_DEMAND: Final = ("java.util", "java.util.function", "java.util.stream")


class Rewriter:
    """Writes the source for one text at one location. `gives_value` is False for void.

    With `own_lambdas`, the class has its own metafactory (`with_own_metafactory`).
    """

    def __init__(
        self,
        text: str,
        binder: Binder,
        *,
        gives_value: bool,
        own_lambdas: bool = False,
        variant: int = 0,
    ) -> None:
        self._binder = binder
        self._own_lambdas = own_lambdas
        self._gives_value = gives_value
        self._wrapped, self._root, wrapper = parsed(text)
        self._is_open = wrapper is OPEN_STATEMENTS
        self._is_expression = self._root.type != "block"
        self._names = find_names(self._wrapped, self._root)
        self._edits: list[Edit] = []
        self._locals: dict[str, LocalInScope] = {}
        self._extra: list[str] = []
        self._has_this = False
        self._calls = EnclosingCalls(self._wrapped, binder, self._path, variant)

    async def source(self, class_name: str) -> Source:
        """The source of a class of that binary name, in the package of the frame's class."""
        await self._calls.rewrite(self._root)
        for name_use in self._names.uses:
            if not self._calls.replaces(name_use.node):
                await self._rewrite(name_use)
        self._edits += self._calls.edits
        self._edit_results()
        body = EditedText(self._wrapped.text, self._edits)
        before, after = self._wrapping()
        head = await self._head(class_name)
        return Source(
            class_name,
            head + before + body.text + after,
            self._has_this,
            tuple(self._locals.values()),
            tuple(self._extra),
            self._assigned(),
            body,
            len(head) + len(before),
            self._calls.variants,
        )

    # --- names -----------------------------------------------------------------------------------

    async def _rewrite(self, name_use: NameUse) -> None:
        node, span = name_use.node, self._wrapped.span(name_use.node)
        text = span.text(self._wrapped.text)
        match name_use.role:
            case Role.THIS if not name_use.bodies:
                instance = await names.this(self._binder, syntax.This(span))
                self._replace(node, self._path(instance))
            case Role.QUALIFIED_THIS:
                await self._rewrite_qualified_this(name_use)
            case Role.SUPER if not name_use.bodies:
                raise EvaluationError(
                    "super cannot be used beside a lambda or an anonymous class", span.column
                )
            case Role.METHOD if not self._names.declares(name_use, text):
                await self._rewrite_call(name_use, text)
            case Role.TYPE:
                await self._rewrite_type(node, text)
            case Role.VALUE_OR_TYPE if not self._names.declares(name_use, text):
                await self._rewrite_name(name_use, text)
            case _:
                pass  # of an anonymous class, or declared by the text itself

    async def _rewrite_qualified_this(self, name_use: NameUse) -> None:
        span = self._wrapped.span(name_use.node)
        name = span.text(self._wrapped.text).rpartition(".")[0]
        qualifier = syntax.NamedTypeSyntax(span, tuple(each.strip() for each in name.split(".")))
        instance = await names.this(self._binder, syntax.This(span, qualifier))
        self._replace(name_use.node, self._path(instance))

    async def _rewrite_name(self, name_use: NameUse, name: str) -> None:
        span = self._wrapped.span(name_use.node)
        local = self._binder.scope.local(name)
        if local is not None:
            self._locals[name] = local
            return
        if await self._is_inherited(name_use, name, is_method=False):
            return
        found = await names.variable(self._binder, name, span)
        if found is not None:
            self._replace(name_use.node, self._path(found))
        else:
            await self._rewrite_type(name_use.node, name)

    async def _rewrite_call(self, name_use: NameUse, name: str) -> None:
        if await self._is_inherited(name_use, name, is_method=True):
            return
        async for enclosing in self._binder.enclosing(self._wrapped.span(name_use.node)):
            type_ = enclosing.declaration.this_type
            members = await self._binder.hierarchy.methods(type_, name)
            if members:
                is_static = all(each.method.is_static for each in members)
                self._insert(name_use.node, f"{self._owner(enclosing, is_static=is_static)}.")
                return
        imported = await calls.imported_methods(self._binder, name)
        if imported:
            self._insert(name_use.node, f"{class_text(imported[0].method.owner)}.")

    def _owner(self, enclosing: Enclosing, *, is_static: bool) -> str:
        if is_static or enclosing.instance is None:
            return class_text(enclosing.declaration.name)
        return self._path(enclosing.instance)

    async def _is_inherited(self, name_use: NameUse, name: str, *, is_method: bool) -> bool:
        """Whether an enclosing anonymous class inherits the member."""
        for body in name_use.bodies:
            type_node = body.child_by_field_name("type")
            if type_node is None:
                continue
            written = self._wrapped.span(type_node).text(self._wrapped.text).partition("<")[0]
            parts = tuple(each.strip() for each in written.split("."))
            span = self._wrapped.span(type_node)
            declared = await self._binder.type_names.declared(syntax.NamedTypeSyntax(span, parts))
            type_ = ClassType(declared.name)
            hierarchy = self._binder.hierarchy
            if await (
                hierarchy.methods(type_, name) if is_method else hierarchy.field(type_, name)
            ):
                return True
        return False

    async def _rewrite_type(self, node: tree_sitter.Node, name: str) -> None:
        is_own = name in self._names.types or name in self._binder.scope.type_variables
        if is_own or name == "var" or not name[:1].isupper():
            return
        try:
            declaration = await self._binder.type_names.simple(name, load=True)
        except EvaluationError:
            return  # ambiguous: the compiler reports it, or resolves it by its imports
        if declaration is None:
            return
        new_object = creation_of(node)
        if new_object is not None and creation.is_inner(declaration):
            await self._rewrite_creation(new_object, declaration)
        else:
            self._replace(node, class_text(declaration.name))

    async def _rewrite_creation(
        self, new_object: tree_sitter.Node, declaration: TypeDeclaration
    ) -> None:
        """`new Inner()` → `$this.new Inner()`: the source has no enclosing instance."""
        if new_object.children[0].type != "new":
            return  # the text names the outer instance
        span = self._wrapped.span(new_object)
        outer = await creation.outer_instance(self._binder, declaration, span)
        self._insert(new_object, f"{self._path(outer)}.")

    def _path(self, found: bound.Bound) -> str:
        """The source text for a variable or field, in the method."""
        match found:
            case bound.This():
                self._has_this = True
                return "$this"
            case bound.InstanceField(target=target, field=member):
                return f"{self._path(target)}.{member.name}"
            case bound.StaticField(field=member):
                return f"{class_text(member.owner)}.{member.name}"
            case bound.ReferenceCast(operand=operand):
                return self._path(operand)
            case bound.ExtraVariable(name=name):
                if name not in self._extra:
                    self._extra.append(name)
                return name
            case _:
                raise EvaluationError("this name cannot be used here", found.span.column)

    def _replace(self, node: tree_sitter.Node, replacement: str) -> None:
        span = self._wrapped.span(node)
        if span.text(self._wrapped.text) != replacement:
            self._edits.append(Edit(span.start, span.end, replacement))

    def _insert(self, node: tree_sitter.Node, text: str) -> None:
        start = self._wrapped.span(node).start
        self._edits.append(Edit(start, start, text))

    # --- results ---------------------------------------------------------------------------------

    def _edit_results(self) -> None:
        if self._is_expression:
            return
        statements = without_comments(self._root.named_children)
        for node in returns_in(self._root):
            values = without_comments(node.named_children)
            if values:
                self._wrap_result(values[0])
            else:
                word = self._wrapped.span(node.children[0])
                self._edits.append(Edit(word.end, word.end, " $result()"))
        last = statements[-1]
        if self._gives_value and last.type == "expression_statement":
            value = without_comments(last.named_children)[0]
            self._wrap_result(value, before="return ")

    def _wrap_result(self, node: tree_sitter.Node, before: str = "") -> None:
        span = self._wrapped.span(node)
        self._edits.append(Edit(span.start, span.start, f"{before}$result(", is_outer=True))
        self._edits.append(Edit(span.end, span.end, ")"))

    def _wrapping(self) -> tuple[str, str]:
        """The source before and after the text in the method body."""
        stored = "".join(
            f" $out[{position}] = {each.variable.name};"
            for position, each in enumerate(self._assigned())
        )
        before, after = ("try {", f"}} finally {{{stored} }}") if stored else ("", "")
        after += "}}\n"  # the end of the method and of the class
        if not self._is_expression:
            # `if (true)` makes the code after it reachable in any case (JLS 14.22).
            end = ";" if self._is_open else ""
            return f"{before} if (true) {{\n", f"\n{end}}} return $result(); {after}"
        if self._gives_value:
            return f"{before} return $result(\n", f"\n); {after}"
        return f"{before}\n", f"; return $result(); {after}"

    def _assigned(self) -> tuple[LocalInScope, ...]:
        return tuple(local for name, local in self._locals.items() if name in self._names.assigned)

    async def _head(self, class_name: str) -> str:
        """The source up to the method body."""
        scope = self._binder.scope
        texts = TypeTexts(self._binder.source, scope.type_variables, scope.declaring_type)
        variables: list[tuple[str, str]] = []
        if self._has_this:
            declaration = await self._binder.source.declaration(scope.declaring_type)
            if declaration is None:
                raise EvaluationError(f"the class {scope.declaring_type} is not loaded")
            variables.append((await texts.text(declaration.this_type), "$this"))
        variables += [
            (await texts.text(each.type), each.variable.name) for each in self._locals.values()
        ]
        variables += [(await texts.text(scope.extra[name]), name) for name in self._extra]
        parameters, assigned = _parameters(variables)
        parameters.append("java.lang.Object[] $out")
        package = package_name(class_name)
        makes_lambdas = self._own_lambdas and _LAMBDA.search(self._wrapped.text)
        lines = [
            f"package {package};" if package else "",
            # Names that the source file imports are qualified in the text.
            *(f"import {each}.*;" for each in _ON_DEMAND),
            f"public final class {class_name.rpartition('.')[2]} {{",
            runtime.RESULT_METHODS,
            runtime.LAMBDA_METHODS if makes_lambdas else "",
            self._calls.helper_methods,
            f"  public static {await texts.parameters()}java.lang.Object {METHOD}(",
            f"      {', '.join(parameters)}) throws java.lang.Throwable {{",
            assigned,
            "",
        ]
        return "\n".join(lines)


def _parameters(variables: Sequence[tuple[str, str]]) -> tuple[list[str], str]:
    """The parameters for variables (type, name), and the statements that declare these.

    An object is passed as Object: the loader of the frame's class need not know its type by name
    before the method runs.
    """
    parameters: list[str] = []
    declared: list[str] = []
    for number, (type_, name) in enumerate(variables):
        if type_ in types.PRIMITIVES:
            parameters.append(f"{type_} {name}")
        else:
            parameters.append(f"java.lang.Object $value{number}")
            declared.append(f"{type_} {name} = ({type_}) $value{number};")
    return parameters, " ".join(declared)
