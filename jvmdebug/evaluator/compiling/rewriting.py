# SPDX-License-Identifier: Apache-2.0
"""A text as the source of a class with one static method, which takes the frame's variables.

The text stays as it is, but for names that mean something only inside of the frame's class: `this`,
its fields and methods and those of the classes around, and simple names of classes. Those are
written out. Variables of the frame become parameters; those that are assigned come back in `$out`.
The result goes through `$result`, whose overloads remember the static type.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.access import Access
from jvmdebug.classfile.descriptors import package_name
from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.bind import bound, calls, creation, names
from jvmdebug.evaluator.compiling import runtime
from jvmdebug.evaluator.compiling.edits import Edit, EditedText
from jvmdebug.evaluator.compiling.names import Mention, Role, names_of
from jvmdebug.evaluator.compiling.type_texts import TypeTexts, class_text
from jvmdebug.evaluator.parse import syntax
from jvmdebug.evaluator.parse.grammar import (
    EXPRESSION,
    OPEN_STATEMENTS,
    STATEMENTS,
    WrappedText,
    without_comments,
)
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.types import ClassType, NullType, PrimitiveType, VoidType

if TYPE_CHECKING:
    import tree_sitter

    from jvmdebug.evaluator.bind.binder import Binder, Enclosing
    from jvmdebug.evaluator.bind.scope import LocalInScope
    from jvmdebug.evaluator.symbols.declarations import TypeDeclaration
    from jvmdebug.evaluator.symbols.types import ValueType

_LAMBDA: Final = re.compile(r"->|::")
METHOD: Final = "$run"
_ON_DEMAND: Final = ("java.util", "java.util.function", "java.util.stream")


@dataclass(frozen=True, slots=True)
class Source:
    """The class to compile. Its method takes `this` (unless `has_this` is False), the `locals`, the
    `given` names and an Object[] that takes the new values of the `assigned` variables.
    """

    class_name: str
    text: str
    has_this: bool
    locals: tuple[LocalInScope, ...]
    given: tuple[str, ...]
    assigned: tuple[LocalInScope, ...]
    body: EditedText
    body_offset: int

    def original_column(self, line: int, column: int) -> int | None:
        """Where in the user's text a place of the source is; None outside of it."""
        lines = self.text.split("\n")
        offset = sum(len(each) + 1 for each in lines[: line - 1]) + column - self.body_offset
        if not 0 <= offset <= len(self.body.text):
            return None
        return self.body.original_offset(offset)


class Rewriter:
    """Writes the source for one text at one place. `gives_value` False: for a void expression.

    `own_lambdas`: the class makes the objects of its lambdas itself (`with_own_metafactory`).
    """

    def __init__(
        self, text: str, binder: Binder, *, gives_value: bool, own_lambdas: bool = False
    ) -> None:
        self._binder = binder
        self._own_lambdas = own_lambdas
        self._gives_value = gives_value
        self._wrapped, self._root, around = parsed(text)
        self._is_open = around is OPEN_STATEMENTS
        self._is_expression = self._root.type != "block"
        self._names = names_of(self._wrapped, self._root)
        self._edits: list[Edit] = []
        self._locals: dict[str, LocalInScope] = {}
        self._given: list[str] = []
        self._has_this = False
        self._lent_fields: dict[str, tuple[str, ValueType]] = {}

    async def source(self, class_name: str) -> Source:
        """The source of a class of that binary name, in the package of the frame's class."""
        for mention in self._names.mentions:
            await self._rewrite(mention)
        self._edit_results()
        body = EditedText(self._wrapped.text, self._edits)
        before, after = self._around()
        head = await self._head(class_name)
        return Source(
            class_name,
            head + before + body.text + after,
            self._has_this,
            tuple(self._locals.values()),
            tuple(self._given),
            self._assigned(),
            body,
            len(head) + len(before),
        )

    # --- names -----------------------------------------------------------------------------------

    async def _rewrite(self, mention: Mention) -> None:
        node, span = mention.node, self._wrapped.span(mention.node)
        text = span.text(self._wrapped.text)
        match mention.role:
            case Role.THIS if not mention.bodies:
                instance = await names.this(self._binder, syntax.This(span))
                self._replace(node, self._path(instance))
            case Role.QUALIFIED_THIS:
                await self._rewrite_qualified_this(mention)
            case Role.SUPER if not mention.bodies:
                raise EvaluationError(
                    "super cannot be used beside a lambda or an anonymous class", span.column
                )
            case Role.METHOD if not self._names.declares(mention, text):
                await self._rewrite_call(mention, text)
            case Role.TYPE:
                await self._rewrite_type(node, text)
            case Role.VALUE_OR_TYPE if not self._names.declares(mention, text):
                await self._rewrite_name(mention, text)
            case _:
                pass  # of an anonymous class, or declared by the text itself

    async def _rewrite_qualified_this(self, mention: Mention) -> None:
        span = self._wrapped.span(mention.node)
        name = span.text(self._wrapped.text).rpartition(".")[0]
        qualifier = syntax.NamedTypeSyntax(span, tuple(each.strip() for each in name.split(".")))
        instance = await names.this(self._binder, syntax.This(span, qualifier))
        self._replace(mention.node, self._path(instance))

    async def _rewrite_name(self, mention: Mention, name: str) -> None:
        span = self._wrapped.span(mention.node)
        local = self._binder.scope.local(name)
        if local is not None:
            self._locals[name] = local
            return
        if await self._is_inherited(mention, name, is_method=False):
            return
        found = await names.variable(self._binder, name, span)
        if found is not None and mention.bodies and _is_private(found):
            self._replace(mention.node, self._lent(found, span))
        elif found is not None:
            self._replace(mention.node, self._path(found))
        else:
            await self._rewrite_type(mention.node, name)

    async def _rewrite_call(self, mention: Mention, name: str) -> None:
        if await self._is_inherited(mention, name, is_method=True):
            return
        async for enclosing in self._binder.enclosing(self._wrapped.span(mention.node)):
            type_ = enclosing.declaration.this_type
            members = await self._binder.hierarchy.methods(type_, name)
            if members:
                is_static = all(each.method.is_static for each in members)
                self._insert(mention.node, f"{self._owner(enclosing, is_static=is_static)}.")
                return
        imported = await calls.imported_methods(self._binder, name)
        if imported:
            self._insert(mention.node, f"{class_text(imported[0].method.owner)}.")

    def _owner(self, enclosing: Enclosing, *, is_static: bool) -> str:
        if is_static or enclosing.instance is None:
            return class_text(enclosing.declaration.name)
        return self._path(enclosing.instance)

    async def _is_inherited(self, mention: Mention, name: str, *, is_method: bool) -> bool:
        """Whether an anonymous class around has the member from its superclass or interface."""
        for body in mention.bodies:
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
            return  # ambiguous: the compiler says so, or its imports decide
        if declaration is None:
            return
        new_object = _creation_of(node)
        if new_object is not None and creation.is_inner(declaration):
            await self._rewrite_creation(new_object, declaration)
        else:
            self._replace(node, class_text(declaration.name))

    async def _rewrite_creation(
        self, new_object: tree_sitter.Node, declaration: TypeDeclaration
    ) -> None:
        """`new Inner()` → `$this.new Inner()`: the compiler sees no instance around the text."""
        if new_object.children[0].type != "new":
            return  # which one is written
        span = self._wrapped.span(new_object)
        outer = await creation.outer_instance(self._binder, declaration, span)
        self._insert(new_object, f"{self._path(outer)}.")

    def _lent(self, field: bound.Bound, span: syntax.Span) -> str:
        """A private field inside of a class that the text declares, which is no nest mate: through
        a lambda, which is.
        """
        name = span.text(self._wrapped.text)
        if name in self._names.assigned:
            raise EvaluationError(
                f"a class in the text cannot assign to {name}, which is private", span.column
            )
        if isinstance(field.type, VoidType | NullType):
            raise TypeError(f"a field of type {field.type}")
        path = self._path(field)
        self._lent_fields.setdefault(path, (f"$lent{len(self._lent_fields)}", field.type))
        return f"{self._lent_fields[path][0]}.get()"

    async def _lenders(self, texts: TypeTexts) -> str:
        """The lambdas that read them."""
        made: list[str] = []
        for path, (name, type_) in self._lent_fields.items():
            text = await texts.text(_reference(type_))
            made.append(f"java.util.function.Supplier<{text}> {name} = () -> {path};")
        return " ".join(made)

    def _path(self, found: bound.Bound) -> str:
        """A variable or a field from inside of the method."""
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
            case bound.Given(name=name):
                if name not in self._given:
                    self._given.append(name)
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
        for node in _returns(self._root):
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

    def _around(self) -> tuple[str, str]:
        """What stands before and behind the text inside of the method."""
        stored = "".join(
            f" $out[{position}] = {each.variable.name};"
            for position, each in enumerate(self._assigned())
        )
        before, after = ("try {", f"}} finally {{{stored} }}") if stored else ("", "")
        after += "}}\n"  # the end of the method and of the class
        if not self._is_expression:
            # `if (true)`: what follows can be reached, whatever the statements do (JLS 14.22).
            end = ";" if self._is_open else ""
            return f"{before} if (true) {{\n", f"\n{end}}} return $result(); {after}"
        if self._gives_value:
            return f"{before} return $result(\n", f"\n); {after}"
        return f"{before}\n", f"; return $result(); {after}"

    def _assigned(self) -> tuple[LocalInScope, ...]:
        return tuple(local for name, local in self._locals.items() if name in self._names.assigned)

    async def _head(self, class_name: str) -> str:
        """Everything up to the method's body."""
        scope = self._binder.scope
        texts = TypeTexts(self._binder.source, scope.type_variables)
        parameters: list[str] = []
        if self._has_this:
            declaration = await self._binder.source.declaration(scope.declaring_type)
            if declaration is None:
                raise EvaluationError(f"the class {scope.declaring_type} is not loaded")
            parameters.append(f"{await texts.text(declaration.this_type)} $this")
        parameters += [
            f"{await texts.text(each.type)} {each.variable.name}" for each in self._locals.values()
        ]
        parameters += [f"{await texts.text(scope.given[name])} {name}" for name in self._given]
        parameters.append("java.lang.Object[] $out")
        package = package_name(class_name)
        lenders = await self._lenders(texts)
        makes_lambdas = self._own_lambdas and (lenders or _LAMBDA.search(self._wrapped.text))
        lines = [
            f"package {package};" if package else "",
            # Names that the source file imports are written out in full.
            *(f"import {each}.*;" for each in _ON_DEMAND),
            f"public final class {class_name.rpartition('.')[2]} {{",
            runtime.RESULT_METHODS,
            runtime.LAMBDA_METHODS if makes_lambdas else "",
            f"  public static {await texts.parameters()}java.lang.Object {METHOD}(",
            f"      {', '.join(parameters)}) throws java.lang.Throwable {{ {lenders}",
            "",
        ]
        return "\n".join(lines)


def parsed(text: str) -> tuple[WrappedText, tree_sitter.Node, tuple[str, str]]:
    """The text as an expression if it is one, else as statements."""
    for around in (EXPRESSION, STATEMENTS, OPEN_STATEMENTS):
        wrapped = WrappedText(text, around)
        block = wrapped.body
        statements = [] if block is None else without_comments(block.named_children)
        if block is None or not statements:
            continue
        if around is not EXPRESSION:
            return wrapped, block, around
        inner = without_comments(statements[0].named_children)
        if len(statements) == 1 and len(inner) == 1:
            return wrapped, inner[0], around
    raise EvaluationError("this is not Java", column=0)


def _is_private(found: bound.Bound) -> bool:
    if not isinstance(found, bound.InstanceField | bound.StaticField):
        return False
    return bool(found.field.modifiers & Access.PRIVATE)


def _reference(type_: ValueType) -> ValueType:
    return types.boxed(type_) if isinstance(type_, PrimitiveType) else type_


def _creation_of(node: tree_sitter.Node) -> tree_sitter.Node | None:
    """The `new T()` or `new T<U>()` whose class a name is."""
    parent = node.parent
    if (
        parent is not None
        and parent.type == "generic_type"
        and without_comments(parent.children)[0] == node
    ):
        parent = parent.parent
    if parent is None or parent.type != "object_creation_expression":
        return None
    type_node = parent.child_by_field_name("type")
    return parent if type_node in (node, node.parent) else None


def _returns(node: tree_sitter.Node) -> list[tree_sitter.Node]:
    """The return statements of the text itself, not those of lambdas and classes in it."""
    if node.type == "return_statement":
        return [node]
    if node.type in ("lambda_expression", "class_body"):
        return []
    return [each for child in node.children for each in _returns(child)]
