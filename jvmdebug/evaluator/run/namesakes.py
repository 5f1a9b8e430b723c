# SPDX-License-Identifier: Apache-2.0
"""Objects of a class that another class has the name of: two class loaders have loaded one each.

Static types have names only, so an object may be of another class than the member that is used on
it, and what libjdwp does then is undefined. Checked before each use, where a name is not unique.
Called by `calls` and `values`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.symbols.types import ClassType
from jvmdebug.model.values import ObjectReference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.evaluator.parse.syntax import Span
    from jvmdebug.evaluator.run.interpreter import Run
    from jvmdebug.evaluator.symbols.declarations import MethodDeclaration
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.values import Value


async def check_target(run: Run, owner: ReferenceType, target: ObjectReference, span: Span) -> None:
    """EvaluationError when a member of `owner` is no member of the object."""
    if not run.source.has_namesakes(owner.name):
        return
    actual = await target.type()
    if owner != actual and owner not in await actual.supertypes():
        raise EvaluationError(
            f"this {actual.name} is of another class loader than the {owner.name} of the code "
            "here: cast it to Object",
            span.column,
        )


async def check_arguments(run: Run, method: MethodDeclaration, arguments: Sequence[Value]) -> None:
    """EvaluationError when an argument is of another class than the method means by its name."""
    for type_, value in zip(method.parameters, arguments, strict=True):
        if not isinstance(type_, ClassType) or not isinstance(value, ObjectReference):
            continue
        if not run.source.has_namesakes(type_.name) or method.origin is None:
            continue
        actual = await value.type()
        given = next(
            (each for each in (actual, *await actual.supertypes()) if each.name == type_.name),
            None,
        )
        meant = await run.source.seen_by(method.origin.declaring_type).declaration(type_.name)
        if given is not None and meant is not None and meant.origin not in (None, given):
            raise EvaluationError(
                f"{method.name}() takes the class {type_} of another class loader than that of "
                f"this {actual.name}"
            )
