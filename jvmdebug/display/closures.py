# SPDX-License-Identifier: Apache-2.0
"""The objects around a closure of Groovy, whose members its code uses by their simple names.

Called by the session, for the variables of a frame.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from jvmdebug.display import layout
from jvmdebug.model.values import ObjectReference

if TYPE_CHECKING:
    from jvmdebug.model.values import Value

_CLOSURE: Final = "groovy.lang.Closure"
_NAME: Final = re.compile(r".*\$_(.+_)?(closure|lambda)\d+")
"""Of the class of a closure: `Library$_lend_closure1$_closure2`."""


async def objects_around_closure(value: Value, class_name: str) -> dict[str, Value] | None:
    """`this` as the code of a closure has it; its owner and its delegate, where they are others.

    `class_name` is that of the value's class, or of one above it. None if the value is no closure.
    """
    if not isinstance(value, ObjectReference) or not _NAME.fullmatch(class_name):
        return None
    try:
        this, owner, delegate = await layout.read(
            value, "thisObject", "owner", "delegate", of=_CLOSURE
        )
    except layout.UnknownLayoutError:
        return None
    found = {"this": this}
    if owner != this:
        found["owner"] = owner
    if delegate != owner:
        found["delegate"] = delegate
    return found
