# SPDX-License-Identifier: Apache-2.0
"""Computing intrinsic methods (`bind.intrinsics`) instead of invoking them.

A function returns None when it has no result (the index is out of bounds: the method itself has to
throw); then the method is invoked. Called by `calls`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from jvmdebug.evaluator.bind import arithmetic
from jvmdebug.evaluator.bind.intrinsics import Intrinsic, intrinsic_of
from jvmdebug.evaluator.run.interpreter import NewString, Run, RunValue
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.types import ClassType
from jvmdebug.model.java_text import utf16_length
from jvmdebug.model.primitives import PrimitiveKind, PrimitiveValue
from jvmdebug.model.values import NullValue, ObjectReference

if TYPE_CHECKING:
    from jvmdebug.evaluator.symbols.declarations import MethodDeclaration

Compute: TypeAlias = Callable[[Run, RunValue, Sequence[RunValue]], Awaitable[RunValue | None]]


async def computed(
    run: Run, method: MethodDeclaration, target: RunValue, arguments: Sequence[RunValue]
) -> RunValue | None:
    """The result of the call; None when the method has to be invoked."""
    intrinsic = intrinsic_of(method)
    if intrinsic is None or isinstance(target, NullValue):
        return None
    if intrinsic is Intrinsic.UNBOX:
        return await _unbox(run, target, PrimitiveKind(method.descriptor[-1]))
    return await _FUNCTIONS[intrinsic](run, target, arguments)


def _boolean(*, value: bool) -> PrimitiveValue:
    return PrimitiveValue(PrimitiveKind.BOOLEAN, value)


def _int(value: int) -> PrimitiveValue:
    return PrimitiveValue(PrimitiveKind.INT, value)


# --- java.lang.String -----------------------------------------------------------------------------


async def _length(run: Run, target: RunValue, _arguments: Sequence[RunValue]) -> RunValue | None:
    text = await run.text(target)
    return None if text is None else _int(utf16_length(text))


async def _is_empty(run: Run, target: RunValue, _arguments: Sequence[RunValue]) -> RunValue | None:
    text = await run.text(target)
    return None if text is None else _boolean(value=not text)


async def _char_at(run: Run, target: RunValue, arguments: Sequence[RunValue]) -> RunValue | None:
    text, index = await run.text(target), arguments[0]
    if text is None or not isinstance(index, PrimitiveValue):
        return None
    units = text.encode("utf-16-be", "surrogatepass")
    at = int(index.value) * 2
    if not 0 <= at < len(units):
        return None
    return PrimitiveValue(PrimitiveKind.CHAR, int.from_bytes(units[at : at + 2], "big"))


def _of_two_texts(test: Callable[[str, str], bool]) -> Compute:
    async def apply(run: Run, target: RunValue, arguments: Sequence[RunValue]) -> RunValue | None:
        own, other = await run.text(target), await run.text(arguments[0])
        # A surrogate may match half of a supplementary character in UTF-16, not in Python.
        if own is None or other is None or any("\ud800" <= each <= "\udfff" for each in other):
            return None
        return _boolean(value=test(own, other))

    return apply


async def _equals(run: Run, target: RunValue, arguments: Sequence[RunValue]) -> RunValue | None:
    own, other = await run.text(target), await run.text(arguments[0])
    return None if own is None else _boolean(value=own == other)


# --- boxes, enums, Object -------------------------------------------------------------------------


async def _unbox(run: Run, target: RunValue, kind: PrimitiveKind) -> RunValue | None:
    if not isinstance(target, ObjectReference):
        return None
    primitive = types.unboxed(ClassType((await target.type()).name))
    declaration = None if primitive is None else await run.source.load(types.boxed(primitive).name)
    field = None if declaration is None else declaration.field("value")
    if field is None or field.origin is None:
        return None
    (value,) = await target.get_values([field.origin])
    return arithmetic.convert(value, kind) if isinstance(value, PrimitiveValue) else None


def _enum_field(name: str) -> Compute:
    async def apply(run: Run, target: RunValue, _arguments: Sequence[RunValue]) -> RunValue | None:
        declaration = await run.source.declaration("java.lang.Enum")
        field = None if declaration is None else declaration.field(name)
        if field is None or field.origin is None or not isinstance(target, ObjectReference):
            return None
        return (await target.get_values([field.origin]))[0]

    return apply


async def _get_class(run: Run, target: RunValue, _arguments: Sequence[RunValue]) -> RunValue | None:
    if isinstance(target, NewString):
        declaration = await run.source.declaration("java.lang.String")
        origin = None if declaration is None else declaration.origin
        return None if origin is None else await origin.class_object()
    return (
        await (await target.type()).class_object() if isinstance(target, ObjectReference) else None
    )


_FUNCTIONS: Final[dict[Intrinsic, Compute]] = {
    Intrinsic.STRING_LENGTH: _length,
    Intrinsic.STRING_IS_EMPTY: _is_empty,
    Intrinsic.STRING_CHAR_AT: _char_at,
    Intrinsic.STRING_EQUALS: _equals,
    Intrinsic.STRING_STARTS_WITH: _of_two_texts(str.startswith),
    Intrinsic.STRING_ENDS_WITH: _of_two_texts(str.endswith),
    Intrinsic.STRING_CONTAINS: _of_two_texts(str.__contains__),
    Intrinsic.ENUM_ORDINAL: _enum_field("ordinal"),
    Intrinsic.ENUM_NAME: _enum_field("name"),
    Intrinsic.GET_CLASS: _get_class,
}
