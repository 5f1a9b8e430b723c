# SPDX-License-Identifier: Apache-2.0
"""Methods of the platform that the evaluator computes itself: which they are.

Their results are fixed by their specification and can be read from fields. So a condition such as
`name.equals("x")` runs no code in the debuggee, costs fewer round trips, and is allowed in
read-only evaluations. `run.intrinsics` computes them. To add one: 1. a line here, 2. its function
there, 3. an expression with it in the debuggee `evaluate`.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from jvmdebug.evaluator.symbols.declarations import MethodDeclaration


class Intrinsic(Enum):
    """What an intrinsic method computes."""

    STRING_LENGTH = auto()
    STRING_IS_EMPTY = auto()
    STRING_CHAR_AT = auto()
    STRING_EQUALS = auto()
    STRING_STARTS_WITH = auto()
    STRING_ENDS_WITH = auto()
    STRING_CONTAINS = auto()
    ENUM_ORDINAL = auto()
    ENUM_NAME = auto()
    GET_CLASS = auto()
    UNBOX = auto()
    """The value of a box, as the primitive type that the method returns."""


_STRING: Final = "java.lang.String"
_NUMBERS: Final = ("Byte", "Short", "Integer", "Long", "Float", "Double")
_CONVERSIONS: Final = (
    ("byte", "B"),
    ("short", "S"),
    ("int", "I"),
    ("long", "J"),
    ("float", "F"),
    ("double", "D"),
)
_INTRINSICS: Final[dict[tuple[str, str, str], Intrinsic]] = {
    (_STRING, "length", "()I"): Intrinsic.STRING_LENGTH,
    (_STRING, "isEmpty", "()Z"): Intrinsic.STRING_IS_EMPTY,
    (_STRING, "charAt", "(I)C"): Intrinsic.STRING_CHAR_AT,
    (_STRING, "equals", "(Ljava/lang/Object;)Z"): Intrinsic.STRING_EQUALS,
    (_STRING, "startsWith", "(Ljava/lang/String;)Z"): Intrinsic.STRING_STARTS_WITH,
    (_STRING, "endsWith", "(Ljava/lang/String;)Z"): Intrinsic.STRING_ENDS_WITH,
    (_STRING, "contains", "(Ljava/lang/CharSequence;)Z"): Intrinsic.STRING_CONTAINS,
    ("java.lang.Enum", "ordinal", "()I"): Intrinsic.ENUM_ORDINAL,
    ("java.lang.Enum", "name", "()Ljava/lang/String;"): Intrinsic.ENUM_NAME,
    ("java.lang.Object", "getClass", "()Ljava/lang/Class;"): Intrinsic.GET_CLASS,
    ("java.lang.Boolean", "booleanValue", "()Z"): Intrinsic.UNBOX,
    ("java.lang.Character", "charValue", "()C"): Intrinsic.UNBOX,
    **{
        (f"java.lang.{box}", f"{name}Value", f"(){descriptor}"): Intrinsic.UNBOX
        for box in _NUMBERS
        for name, descriptor in _CONVERSIONS
    },
}


def intrinsic_of(method: MethodDeclaration) -> Intrinsic | None:
    """What the method computes; None when it has to be invoked."""
    return _INTRINSICS.get((method.owner, method.name, method.descriptor))
