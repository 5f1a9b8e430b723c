# SPDX-License-Identifier: Apache-2.0
"""Methods of the platform that are computed here instead of being invoked.

What they give is fixed by their specification and can be read from fields, so a condition such as
`name.equals("x")` runs no code in the debuggee, costs fewer round trips, and is allowed where only
reading is. A function gives None when it cannot tell (the index is wrong, so the real method has to
throw); then the method is invoked. To add one: its line in the table, and an expression in the
debuggee `evaluate`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from jvmdebug.evaluator.bind import arithmetic
from jvmdebug.evaluator.run.interpreter import NewString, Run, RunValue
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.types import ClassType
from jvmdebug.model.java_text import utf16_length
from jvmdebug.model.primitives import PrimitiveKind, PrimitiveValue
from jvmdebug.model.values import NullValue, ObjectReference

if TYPE_CHECKING:
    from jvmdebug.evaluator.symbols.declarations import MethodDeclaration

Intrinsic: TypeAlias = Callable[[Run, RunValue, Sequence[RunValue]], Awaitable[RunValue | None]]


def is_intrinsic(method: MethodDeclaration) -> bool:
    """Whether calls of the method need, as a rule, no code of the debuggee."""
    return (method.owner, method.name, method.descriptor) in _INTRINSICS


async def computed(
    run: Run, method: MethodDeclaration, target: RunValue, arguments: Sequence[RunValue]
) -> RunValue | None:
    """The result of the call; None when the method has to be invoked."""
    function = _INTRINSICS.get((method.owner, method.name, method.descriptor))
    if function is None or isinstance(target, NullValue):
        return None
    return await function(run, target, arguments)


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


def _of_two_texts(test: Callable[[str, str], bool]) -> Intrinsic:
    async def apply(run: Run, target: RunValue, arguments: Sequence[RunValue]) -> RunValue | None:
        own, other = await run.text(target), await run.text(arguments[0])
        # Half of a supplementary character may match in UTF-16, but not in a Python string.
        if own is None or other is None or any("\ud800" <= each <= "\udfff" for each in other):
            return None
        return _boolean(value=test(own, other))

    return apply


async def _equals(run: Run, target: RunValue, arguments: Sequence[RunValue]) -> RunValue | None:
    own, other = await run.text(target), await run.text(arguments[0])
    return None if own is None else _boolean(value=own == other)


# --- boxes, enums, Object -------------------------------------------------------------------------


def _value_as(kind: PrimitiveKind) -> Intrinsic:
    async def apply(run: Run, target: RunValue, _arguments: Sequence[RunValue]) -> RunValue | None:
        if not isinstance(target, ObjectReference):
            return None
        primitive = types.unboxed(ClassType((await target.type()).name))
        declaration = (
            None if primitive is None else await run.source.load(types.boxed(primitive).name)
        )
        field = None if declaration is None else declaration.field("value")
        if field is None or field.origin is None:
            return None
        (value,) = await target.get_values([field.origin])
        return arithmetic.convert(value, kind) if isinstance(value, PrimitiveValue) else None

    return apply


def _enum_field(name: str) -> Intrinsic:
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


_STRING: Final = "java.lang.String"
_CONVERSIONS: Final = (
    PrimitiveKind.BYTE,
    PrimitiveKind.SHORT,
    PrimitiveKind.INT,
    PrimitiveKind.LONG,
    PrimitiveKind.FLOAT,
    PrimitiveKind.DOUBLE,
)
_NUMBERS: Final = ("Byte", "Short", "Integer", "Long", "Float", "Double")
_INTRINSICS: Final[dict[tuple[str, str, str], Intrinsic]] = {
    (_STRING, "length", "()I"): _length,
    (_STRING, "isEmpty", "()Z"): _is_empty,
    (_STRING, "charAt", "(I)C"): _char_at,
    (_STRING, "equals", "(Ljava/lang/Object;)Z"): _equals,
    (_STRING, "startsWith", "(Ljava/lang/String;)Z"): _of_two_texts(str.startswith),
    (_STRING, "endsWith", "(Ljava/lang/String;)Z"): _of_two_texts(str.endswith),
    (_STRING, "contains", "(Ljava/lang/CharSequence;)Z"): _of_two_texts(str.__contains__),
    ("java.lang.Enum", "ordinal", "()I"): _enum_field("ordinal"),
    ("java.lang.Enum", "name", "()Ljava/lang/String;"): _enum_field("name"),
    ("java.lang.Object", "getClass", "()Ljava/lang/Class;"): _get_class,
    ("java.lang.Boolean", "booleanValue", "()Z"): _value_as(PrimitiveKind.BOOLEAN),
    ("java.lang.Character", "charValue", "()C"): _value_as(PrimitiveKind.CHAR),
    **{
        (f"java.lang.{box}", f"{kind.java_name}Value", f"(){kind.value}"): _value_as(kind)
        for box in _NUMBERS
        for kind in _CONVERSIONS
    },
}
