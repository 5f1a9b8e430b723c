# SPDX-License-Identifier: Apache-2.0
"""The method behind a lambda or a method reference.

The VM makes a class for each, at run time, with one method that calls the target: the body that the
compiler made for a lambda, or the method that the reference names. The bytecode of that method says
which. Called by display, breakpoints and the session.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.classfile import instructions
from jvmdebug.sources.disassembly import constant_pool

if TYPE_CHECKING:
    from jvmdebug.classfile import MemberReference
    from jvmdebug.model.method import Method
    from jvmdebug.model.reference_type import ReferenceType

_BOXES: Final = frozenset(
    f"java/lang/{name}"
    for name in (
        *("Boolean", "Byte", "Character", "Short", "Integer", "Long", "Float", "Double", "Number"),
    )
)


def is_lambda(type_: ReferenceType) -> bool:
    """Whether this is a class that the VM made for a lambda or a method reference."""
    return "$$Lambda" in type_.name


async def lambda_target(type_: ReferenceType) -> MemberReference | None:
    """The method that such a class calls; None when its bytecode does not show it."""
    return await type_.derived("lambda target", lambda: _find_target(type_))


async def lambda_method(type_: ReferenceType) -> Method | None:
    """The same as a method of a loaded class."""
    target = await lambda_target(type_)
    if target is None:
        return None
    for declaring in await type_.vm.classes_by_signature(f"L{target.owner};"):
        for method in await declaring.methods():
            if (method.name, method.signature) == (target.name, target.descriptor):
                return method
    return None


async def _find_target(type_: ReferenceType) -> MemberReference | None:
    own = [each for each in await type_.methods() if each.has_code and not each.is_static]
    body = next((each for each in own if not each.is_constructor), None)
    constants = await constant_pool(type_)
    if body is None or constants is None or not type_.vm.capabilities.can_get_bytecodes:
        return None
    called = [
        member
        for each in instructions(await body.bytecodes())
        if each.mnemonic.startswith("invoke") and each.constant is not None
        if (member := constants.find_member(each.constant)) is not None and member.owner
    ]
    # Arguments are unboxed before the call and its result is boxed after it.
    target = next((each for each in called if not _is_conversion(each)), None)
    if target is None and len(called) == 1:
        target = called[0]
    # A method handle is not in the code.
    is_hidden = target is not None and target.owner.startswith("java/lang/invoke/")
    return None if is_hidden else target


def _is_conversion(called: MemberReference) -> bool:
    """Whether this boxes or unboxes a primitive value."""
    return called.owner in _BOXES and called.name.endswith(("valueOf", "Value"))
