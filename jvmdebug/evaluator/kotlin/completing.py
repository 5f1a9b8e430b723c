# SPDX-License-Identifier: Apache-2.0
"""Completion in Kotlin code: what a text before a dot means to the binder of Java.

`user?.account.` becomes `user.getAccount()`, by static types: nothing is run. Called by
`completion`; which methods are shown as properties is in `properties`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.bind import names
from jvmdebug.evaluator.kotlin.properties import getter_names
from jvmdebug.evaluator.parse import syntax

if TYPE_CHECKING:
    from jvmdebug.evaluator.bind.binder import Binder

_MARKED_DOT: Final = re.compile(r"(\?|!!)(?=\s*\.)")


def without_marks(text: str) -> str:
    """The text with the dots of Java in place of `?.` and `!!.`."""
    return _MARKED_DOT.sub("", text)


async def with_getters(binder: Binder, node: syntax.Expression) -> syntax.Expression:
    """The expression with calls of getters in place of properties that are no fields."""
    if isinstance(node, syntax.MethodCall) and node.target is not None:
        return replace(node, target=await with_getters(binder, node.target))
    if not isinstance(node, syntax.FieldAccess):
        return node
    target = await with_getters(binder, node.target)
    found = replace(node, target=target)
    if await _means_something(binder, found):
        return found
    for getter in getter_names(node.name):
        call = syntax.MethodCall(node.span, target, getter, node.span, ())
        if await _means_something(binder, call):
            return call
    return found


async def _means_something(binder: Binder, node: syntax.Expression) -> bool:
    try:
        await names.meaning(binder, node)
    except EvaluationError:
        return False
    return True
