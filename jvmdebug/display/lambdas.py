# SPDX-License-Identifier: Apache-2.0
"""Lambdas and method references: which method they run, and what they have captured.

The class of a lambda is made at run time and has one method, which passes what was captured (its
fields) and the arguments on. Its bytecode names the target, whose variable table has the names.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile import instructions
from jvmdebug.classfile.descriptors import descriptor_of, simple_name
from jvmdebug.sources.constant_text import class_text
from jvmdebug.sources.disassembly import constant_pool

if TYPE_CHECKING:
    from jvmdebug.classfile import MemberReference
    from jvmdebug.display.line import Line
    from jvmdebug.model.method import Method
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.values import ObjectReference

_BOXES: Final = frozenset(
    f"java/lang/{name}"
    for name in (
        *("Boolean", "Byte", "Character", "Short", "Integer", "Long", "Float", "Double", "Number"),
    )
)


@dataclass(frozen=True, slots=True)
class Target:
    """The method that a lambda's class calls: `shop.Cart`, `lambda$add$0`."""

    type_name: str
    method_name: str

    def __str__(self) -> str:
        name = simple_name(self.type_name)
        return f"{name}.{'new' if self.method_name == '<init>' else self.method_name}"


def is_lambda(type_: ReferenceType) -> bool:
    """Whether this is a class that the JDK made for a lambda or a method reference."""
    return "$$Lambda" in type_.name


async def lambda_text(reference: ObjectReference, line: Line) -> str:
    """`Main$$Lambda@1f → Main.lambda$main$0 {n=3}`"""
    type_ = await reference.type()
    head = line.head(type_.name, reference)
    target = await target_of(type_)
    if target is None or line.is_brief:
        return head
    head = f"{head} → {target}"
    fields = await type_.instance_fields()
    if not fields:
        return head
    names, values = await captured_names(type_), await reference.get_values(fields)
    parts = [
        f"{names.get(field.name, field.name)}={await line.part(value)}"
        for field, value in zip(fields, values, strict=True)
    ]
    return f"{head} {{{', '.join(parts)}}}"


async def target_of(type_: ReferenceType) -> Target | None:
    """The method that the lambda's only method calls; None when the bytecode does not show it."""
    return await type_.derived("lambda target", lambda: _find_target(type_))


async def _find_target(type_: ReferenceType) -> Target | None:
    own = [each for each in await type_.methods() if each.has_code and not each.is_static]
    body = next((each for each in own if not each.is_constructor), None)
    constants = await constant_pool(type_)
    if body is None or constants is None:
        return None
    for each in instructions(await body.bytecodes()):
        if not each.mnemonic.startswith("invoke") or each.constant is None:
            continue
        called = constants.find_member(each.constant)
        if called is None or not called.owner or _is_conversion(called):
            continue  # arguments are cast, boxed and unboxed before the call
        if called.owner.startswith("java/lang/invoke/"):
            return None  # a method handle that is not in the code
        return Target(class_text(called.owner), called.name)
    return None


def _is_conversion(called: MemberReference) -> bool:
    """Whether this boxes or unboxes a primitive value."""
    return called.owner in _BOXES and called.name.endswith(("valueOf", "Value"))


async def captured_names(type_: ReferenceType) -> dict[str, str]:
    """The lambda class's fields (`arg$1`) → the names of the variables that they hold."""
    return await type_.derived("captured names", lambda: _find_names(type_))


async def _find_names(type_: ReferenceType) -> dict[str, str]:
    target = await target_of(type_)
    fields = [each.name for each in await type_.instance_fields()]
    method = None if target is None else await _body(type_, target)
    if method is None:
        # A method reference captures nothing but the object that the method is called on.
        return dict.fromkeys(fields, "this") if target is not None and len(fields) == 1 else {}
    names = [] if method.is_static else ["this"]
    table = await method.variable_table()
    arguments = sorted((each for each in table or () if each.is_argument), key=lambda a: a.slot)
    names += [each.name for each in arguments]
    return dict(zip(fields, names, strict=False))


async def _body(type_: ReferenceType, target: Target) -> Method | None:
    """The compiler's method with the lambda's code; None for a method reference."""
    if not target.method_name.startswith("lambda$"):
        return None
    for declaring in await type_.vm.classes_by_signature(descriptor_of(target.type_name)):
        for method in await declaring.methods():
            if method.name == target.method_name:
                return method
    return None
