# SPDX-License-Identifier: Apache-2.0
"""Static types as Java source. Types without a name are replaced by a supertype."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.hierarchy import outermost
from jvmdebug.evaluator.symbols.types import (
    ArrayType,
    ClassType,
    PrimitiveType,
    TypeVariable,
    Wildcard,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmdebug.evaluator.symbols.declarations import TypeSource
    from jvmdebug.evaluator.symbols.types import ValueType


def class_text(name: str) -> str:
    """`java.util.Map$Entry` → `java.util.Map.Entry`; a local class keeps its binary name, which is
    what the compiler sees after `class_files.opened`.
    """
    if any(part[:1].isdigit() for part in name.split("$")[1:]):
        return name
    return name.replace("$", ".")


class TypeTexts:
    """`variables` are the type variables that the source declares. Anonymous classes around the
    class `home`, and in them, have their binary names for the compiler (`class_files.opened`).
    """

    def __init__(
        self, source: TypeSource, variables: Mapping[str, TypeVariable], home: str
    ) -> None:
        self._source = source
        self._variables = variables
        self._outermost = outermost(home)

    async def text(self, type_: ValueType) -> str:
        """The type, or its nearest supertype that has a name."""
        match type_:
            case PrimitiveType():
                return str(type_)
            case ArrayType(element=element):
                return f"{await self.text(element)}[]"
            case TypeVariable(name=name):
                if name in self._variables:
                    return name
                return await self.text(types.erased_reference(type_))
            case ClassType():
                return await self._class(type_)

    async def parameters(self) -> str:
        """`<T extends A & B, U> `, or nothing."""
        declared = [
            f"{each.name} extends {' & '.join([await self.text(one) for one in each.bounds])}"
            if each.bounds
            else each.name
            for each in self._variables.values()
        ]
        return f"<{', '.join(declared)}> " if declared else ""

    async def _class(self, type_: ClassType) -> str:
        named = await self._named(type_)
        if not named.arguments:
            return class_text(named.name)
        arguments = [await self._argument(each) for each in named.arguments]
        return f"{class_text(named.name)}<{', '.join(arguments)}>"

    async def _argument(self, argument: types.TypeArgument) -> str:
        if not isinstance(argument, Wildcard):
            return await self.text(argument)
        if argument.upper is not None:
            return f"? extends {await self.text(argument.upper)}"
        return f"? super {await self.text(argument.lower)}" if argument.lower is not None else "?"

    async def _named(self, type_: ClassType) -> ClassType:
        """The nearest class with a name: not anonymous, and not generated at run time."""
        current = type_
        while self._has_no_name(current.name):
            declaration = await self._source.declaration(current.name)
            if declaration is None or declaration.superclass is None:
                return types.OBJECT
            is_plain = declaration.superclass == types.OBJECT
            current = (
                declaration.interfaces[0]
                if is_plain and declaration.interfaces
                else declaration.superclass
            )
        return current

    def _has_no_name(self, name: str) -> bool:
        is_anonymous = name.rpartition("$")[2].isdigit()
        return "/" in name or (is_anonymous and outermost(name) != self._outermost)
