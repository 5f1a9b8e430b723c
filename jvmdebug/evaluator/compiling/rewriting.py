# SPDX-License-Identifier: Apache-2.0
"""A text as the source of a class with one static method, which takes the frame's variables.

Names that have a meaning only in the frame's class are replaced: `this`, members of the class and
of its enclosing classes, and simple names of classes become qualified. Variables of the frame
become parameters; the values of those that the text assigns are returned in `$out`. The result is
passed through `$result`, whose overloads store the static type. Called by `compiled_code`.
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
from jvmdebug.evaluator.compiling.free_names import NameUse, Role, find_names
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
    `extra` variables and an Object[] for the new values of the `assigned` variables.
    """

    class_name: str
    text: str
    has_this: bool
    locals: tuple[LocalInScope, ...]
    extra: tuple[str, ...]
    assigned: tuple[LocalInScope, ...]
    body: EditedText
    body_offset: int

    def original_column(self, line: int, column: int) -> int | None:
        """The column in the user's text; None for positions outside of it."""
        lines = self.text.split("\n")
        offset = sum(len(each) + 1 for each in lines[: line - 1]) + column - self.body_offset
        if not 0 <= offset <= len(self.body.text):
            return None
        return self.body.original_offset(offset)


class Rewriter:
    """Writes the source for one text at one location. `gives_value` is False for void.

    With `own_lambdas`, the class has its own metafactory (`with_own_metafactory`).
    """

    def __init__(
        self, text: str, binder: Binder, *, gives_value: bool, own_lambdas: bool = False
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
        self._private_fields: dict[str, tuple[str, ValueType]] = {}

    async def source(self, class_name: str) -> Source:
        """The source of a class of that binary name, in the package of the frame's class."""
        for name_use in self._names.uses:
            await self._rewrite(name_use)
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
        if found is not None and name_use.bodies and _is_private(found):
            self._replace(name_use.node, self._read_by_lambda(found, span))
        elif found is not None:
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
        new_object = _creation_of(node)
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

    def _read_by_lambda(self, field: bound.Bound, span: syntax.Span) -> str:
        """A private field, used in a class that the text declares: read by a lambda outside of it,
        since the class is not a nest mate.
        """
        name = span.text(self._wrapped.text)
        if name in self._names.assigned:
            raise EvaluationError(
                f"a class in the text cannot assign to {name}, which is private", span.column
            )
        if isinstance(field.type, VoidType | NullType):
            raise TypeError(f"a field of type {field.type}")
        path = self._path(field)
        self._private_fields.setdefault(path, (f"$private{len(self._private_fields)}", field.type))
        return f"{self._private_fields[path][0]}.get()"

    async def _suppliers(self, texts: TypeTexts) -> str:
        """The lambdas that read private fields."""
        made: list[str] = []
        for path, (name, type_) in self._private_fields.items():
            text = await texts.text(_reference(type_))
            made.append(f"java.util.function.Supplier<{text}> {name} = () -> {path};")
        return " ".join(made)

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
        parameters += [f"{await texts.text(scope.extra[name])} {name}" for name in self._extra]
        parameters.append("java.lang.Object[] $out")
        package = package_name(class_name)
        suppliers = await self._suppliers(texts)
        makes_lambdas = self._own_lambdas and (suppliers or _LAMBDA.search(self._wrapped.text))
        lines = [
            f"package {package};" if package else "",
            # Names that the source file imports are qualified in the text.
            *(f"import {each}.*;" for each in _ON_DEMAND),
            f"public final class {class_name.rpartition('.')[2]} {{",
            runtime.RESULT_METHODS,
            runtime.LAMBDA_METHODS if makes_lambdas else "",
            f"  public static {await texts.parameters()}java.lang.Object {METHOD}(",
            f"      {', '.join(parameters)}) throws java.lang.Throwable {{ {suppliers}",
            "",
        ]
        return "\n".join(lines)


def parsed(text: str) -> tuple[WrappedText, tree_sitter.Node, tuple[str, str]]:
    """The text as an expression if it is one, else as statements."""
    for wrapper in (EXPRESSION, STATEMENTS, OPEN_STATEMENTS):
        wrapped = WrappedText(text, wrapper)
        block = wrapped.body
        statements = [] if block is None else without_comments(block.named_children)
        if block is None or not statements:
            continue
        if wrapper is not EXPRESSION:
            return wrapped, block, wrapper
        inner = without_comments(statements[0].named_children)
        if len(statements) == 1 and len(inner) == 1:
            return wrapped, inner[0], wrapper
    raise EvaluationError("this is not Java", column=0)


def _is_private(found: bound.Bound) -> bool:
    if not isinstance(found, bound.InstanceField | bound.StaticField):
        return False
    return bool(found.field.modifiers & Access.PRIVATE)


def _reference(type_: ValueType) -> ValueType:
    return types.boxed(type_) if isinstance(type_, PrimitiveType) else type_


def _creation_of(node: tree_sitter.Node) -> tree_sitter.Node | None:
    """The `new T()` or `new T<U>()` of a type name; None if it is none."""
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
