# SPDX-License-Identifier: Apache-2.0
"""Finds the code that runs for a method which a type has but does not write: inherited or bridged
ones.

`class Open extends Base { }` has the methods of Base; if Base is not public, javac adds bridges to
them, which have no line of their own. Called by `method_locations`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.sources import MethodSpec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.model.method import Method
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.sources import InstructionSpec


def own_methods(spec: MethodSpec, methods: Sequence[Method]) -> list[Method]:
    """The methods of one type that a spec selects. A bridge is replaced by the method of the type
    that it calls.
    """
    selected = [each for each in methods if spec.selects(each.name, each.signature)]
    found = [each for each in selected if not each.is_bridge]
    return found or [
        each
        for each in methods
        if not each.is_bridge and any(_may_call(bridge, each) for bridge in selected)
    ]


async def inherited_methods(spec: MethodSpec, type_: ReferenceType) -> tuple[Method, ...]:
    """The methods of the nearest supertype that a spec selects, if the type has none itself.

    Those with code come first. Empty for a pattern, which selects what each type declares.
    """
    if spec.is_pattern or spec.method.startswith("<"):
        return ()
    without_code: tuple[Method, ...] = ()
    for above in await type_.supertypes():
        methods = own_methods(spec, await above.methods())
        found = tuple(each for each in methods if not each.is_private)
        if any(not each.is_abstract for each in found):
            return found
        without_code = without_code or found
    return without_code


async def hint_of_inherited(spec: MethodSpec | InstructionSpec, type_: ReferenceType) -> str:
    """The addition to the message that a type has no such method: the type from which it inherits
    one.
    """
    named = MethodSpec(spec.type_name, spec.method, spec.parameters)
    found = await inherited_methods(named, type_)
    return f": it inherits {found[0]}" if found else ""


def _may_call(bridge: Method, method: Method) -> bool:
    same_name = bridge.name == method.name
    return same_name and len(bridge.argument_types) == len(method.argument_types)
