# SPDX-License-Identifier: Apache-2.0
"""Lambdas and method references: which method they run, and what they have captured.

The class of a lambda is made at run time and has one method, which passes what was captured (its
fields) and the arguments on. Its bytecode names the target, whose variable table has the names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.classfile.descriptors import simple_name
from jvmdebug.model.field import captured_name
from jvmdebug.model.method import is_body_name
from jvmdebug.sources.constant_text import class_text
from jvmdebug.sources.lambdas import lambda_method, lambda_target

if TYPE_CHECKING:
    from jvmdebug.classfile import MemberReference
    from jvmdebug.display.line import Line
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.values import ObjectReference


async def lambda_text(reference: ObjectReference, line: Line) -> str:
    """`Main$$Lambda@1f → Main.lambda$main$0 {n=3}`"""
    type_ = await reference.type()
    head = line.head(type_.name, reference)
    target = await lambda_target(type_)
    if target is None or line.is_brief:
        return head
    head = f"{head} → {_target_text(target)}"
    fields = await type_.instance_fields()
    if not fields:
        return head
    names, values = await captured_names(type_), await reference.get_values(fields)
    parts = [
        f"{names.get(field.name, field.name)}={await line.part(value)}"
        for field, value in zip(fields, values, strict=True)
    ]
    return f"{head} {{{', '.join(parts)}}}"


def _target_text(target: MemberReference) -> str:
    """`Main.lambda$main$0`, `Cart.new`"""
    name = "new" if target.name == "<init>" else target.name
    return f"{simple_name(class_text(target.owner))}.{name}"


async def captured_names(type_: ReferenceType) -> dict[str, str]:
    """The lambda class's fields (`arg$1`) → the names of the variables that they hold."""
    return await type_.derived("captured names", lambda: _find_names(type_))


async def _find_names(type_: ReferenceType) -> dict[str, str]:
    target = await lambda_target(type_)
    fields = [each.name for each in await type_.instance_fields()]
    is_body = target is not None and is_body_name(target.name)
    method = await lambda_method(type_) if is_body else None
    if method is None:
        # A method reference captures nothing but the object that the method is called on.
        return dict.fromkeys(fields, "this") if target is not None and len(fields) == 1 else {}
    names = [] if method.is_static else ["this"]
    table = await method.variable_table()
    arguments = sorted((each for each in table or () if each.is_argument), key=lambda a: a.slot)
    names += [captured_name(each.name) for each in arguments]
    return dict(zip(fields, names, strict=False))
