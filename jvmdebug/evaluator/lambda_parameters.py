# SPDX-License-Identifier: Apache-2.0
"""The parameters of lambdas that a text is still in, for completion: `list.map(q -> q.`.

The type is that of the functional interface which the called method takes there. By the text before
the cursor alone, which is no Java yet. Called by `completion`.
"""

from __future__ import annotations

import contextlib
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.bind.dispatch import binder_for
from jvmdebug.evaluator.compiling.result_shape import type_of
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.types import ArrayType, ClassType, TypeVariable, Wildcard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.evaluator.bind.binder import Binder
    from jvmdebug.evaluator.symbols.hierarchy import MethodMember
    from jvmdebug.evaluator.symbols.types import JavaType, ValueType

_LAMBDA: Final = re.compile(r"(?:\(([\w$\s,]*)\)|([^\W\d][\w$]*))\s*->")
_CALL: Final = re.compile(r"\A\s*(?:(?P<target>.*)\.\s*)?(?P<name>[^\W\d][\w$]*)\s*\Z", re.DOTALL)
_PRIMARY: Final = re.compile(r"[\w$.\s]")


async def with_parameters(binder: Binder, before: str) -> Binder:
    """The binder, with the parameters of the lambdas that are open at the end of the text."""
    for found in _LAMBDA.finditer(before):
        if not _is_open(before[found.end() :]):
            continue
        names = [each.strip() for each in (found[1] or found[2] or "").split(",") if each.strip()]
        parameters = await _types(binder, before[: found.start()], len(names))
        known: dict[str, ValueType] = dict(binder.scope.extra)
        for number, name in enumerate(names):
            known[name] = parameters[number] if number < len(parameters) else types.OBJECT
        scope = replace(binder.scope, extra=known)
        binder = binder_for(scope, binder.source, is_read_only=binder.is_read_only)
    return binder


def _is_open(body: str) -> bool:
    """Whether the end of a lambda's body is still to come."""
    depth = 0
    for character in body:
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(character, 0)
        if depth < 0 or (not depth and character in ",;"):
            return False
    return True


async def _types(binder: Binder, before: str, count: int) -> list[ValueType]:
    """The types of the `count` parameters of the lambda that begins behind the text; empty if they
    are not known.
    """
    opening, position = _open_call(before)
    if opening is None:
        return []
    call = _CALL.search(before[_begin(before, opening) : opening])
    if call is None:
        return []
    with contextlib.suppress(EvaluationError):
        for member in await _methods(binder, call["target"], call["name"]):
            if position < len(member.parameters):
                found = await _of_interface(binder, member.parameters[position])
                if len(found) == count:
                    return found
    return []


def _open_call(before: str) -> tuple[int | None, int]:
    """The parenthesis of the call whose argument begins at the end, and the argument's number."""
    depth = commas = 0
    for position in range(len(before) - 1, -1, -1):
        character = before[position]
        if character in ")]}":
            depth += 1
        elif character in "([{":
            if not depth:
                return (position if character == "(" else None), commas
            depth -= 1
        elif character == "," and not depth:
            commas += 1
    return None, 0


def _begin(text: str, end: int) -> int:
    """The place where the expression begins whose call has its parenthesis at `end`."""
    depth = 0
    for position in range(end - 1, -1, -1):
        character = text[position]
        if character in ")]}":
            depth += 1
        elif character in "([{":
            if not depth:
                return position + 1
            depth -= 1
        elif not depth and not _PRIMARY.match(character):
            return position + 1
    return 0


async def _methods(binder: Binder, target: str | None, name: str) -> Sequence[MethodMember]:
    """The methods that the call may mean."""
    type_: JavaType | None
    if target is None:
        declaration = await binder.source.declaration(binder.scope.declaring_type)
        type_ = None if declaration is None else declaration.this_type
    else:
        type_ = await type_of(target.strip(), binder)
    if not isinstance(type_, ClassType | ArrayType | TypeVariable):
        return ()
    return await binder.hierarchy.methods(type_, name)


async def _of_interface(binder: Binder, parameter: ValueType) -> list[ValueType]:
    """The parameter types of the only abstract method of a functional interface."""
    if not isinstance(parameter, ClassType):
        return []
    declaration = await binder.source.load(parameter.name)
    if declaration is None or not declaration.is_interface:
        return []
    readable = [_read(each) for each in parameter.arguments]
    for ancestor in await binder.hierarchy.ancestors(ClassType(parameter.name, tuple(readable))):
        for method in ancestor.declaration.methods:
            if method.is_abstract and not method.is_static and ancestor.declaration.is_interface:
                substitution = ancestor.substitution
                found = [types.substitute(each, substitution) for each in method.parameters]
                return [
                    each for each in found if not isinstance(each, types.NullType | types.VoidType)
                ]
    return []


def _read(argument: types.TypeArgument) -> types.ReferenceType:
    """What a lambda gets: `? super T` and `? extends T` are T."""
    if isinstance(argument, Wildcard) and argument.lower is not None:
        return argument.lower
    return types.readable(argument)
