# SPDX-License-Identifier: Apache-2.0
"""Variables that a lambda of Kotlin changes, or a closure of Groovy captures: they live in an
object of `kotlin.jvm.internal.Ref` or `groovy.lang.Reference`.

The function and the lambda share that object. What is shown is what it holds. Called by the
session, for locals and captured variables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.display import layout
from jvmdebug.model.values import ObjectReference

if TYPE_CHECKING:
    from jvmdebug.model.values import Value

_HOLDER: Final = "kotlin.jvm.internal.Ref$"
_SUFFIX: Final = "Ref"
_OBJECT: Final = "Object"
_GROOVY: Final = "groovy.lang.Reference"


async def opened(declared_type: str, value: Value) -> tuple[str, Value]:
    """The type and value of a variable that is declared with this type: what a holder holds."""
    is_held = declared_type == _GROOVY or declared_type.startswith(_HOLDER)
    if not is_held or not isinstance(value, ObjectReference):
        return declared_type, value
    kind = declared_type.removeprefix(_HOLDER).removesuffix(_SUFFIX)
    try:
        (held,) = await layout.read(value, "value" if declared_type == _GROOVY else "element")
    except layout.UnknownLayoutError:
        return declared_type, value
    return ("java.lang.Object" if kind in (_OBJECT, _GROOVY) else kind.lower()), held
