# SPDX-License-Identifier: Apache-2.0
"""Descriptors and generic signatures (JVMS 4.3, 4.7.9.1) to static types.

Pure functions. The VM checks descriptors but not signatures, and obfuscators write malformed ones:
these raise `ValueError`, and the caller falls back to the descriptor.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.types import (
    ArrayType,
    ClassType,
    JavaType,
    ReferenceType,
    TypeArgument,
    TypeVariable,
    ValueType,
    Wildcard,
)

_PRIMITIVES = {primitive.descriptor: primitive for primitive in types.PRIMITIVES.values()}


@dataclass(frozen=True, slots=True)
class ClassSignature:
    parameters: tuple[TypeVariable, ...]
    superclass: ClassType
    interfaces: tuple[ClassType, ...]


@dataclass(frozen=True, slots=True)
class MethodSignature:
    type_parameters: tuple[TypeVariable, ...]
    parameters: tuple[ValueType, ...]
    result: JavaType


Scope = Mapping[str, TypeVariable]
"""The type variables that a signature may mention, by name."""


def value_type(signature: str, scope: Scope | None = None) -> ValueType:
    """A field's or variable's descriptor or generic signature."""
    reader = _Reader(signature, scope or {})
    found = reader.value()
    reader.end()
    return found


def class_signature(signature: str, scope: Scope | None = None) -> ClassSignature:
    """The Signature attribute of a class; `scope` has the variables of enclosing classes."""
    reader = _Reader(signature, scope or {})
    parameters = reader.type_parameters()
    superclass = reader.class_type()
    interfaces: list[ClassType] = []
    while not reader.at_end():
        interfaces.append(reader.class_type())
    return ClassSignature(parameters, superclass, tuple(interfaces))


def method_signature(signature: str, scope: Scope | None = None) -> MethodSignature:
    """A method's descriptor or generic signature; without `throws`."""
    reader = _Reader(signature, scope or {})
    type_parameters = reader.type_parameters()
    reader.take("(")
    parameters: list[ValueType] = []
    while not reader.accept(")"):
        parameters.append(reader.value())
    result: JavaType = types.VOID if reader.accept("V") else reader.value()
    while reader.accept("^"):
        reader.reference()
    reader.end()
    return MethodSignature(type_parameters, tuple(parameters), result)


class _Reader:
    def __init__(self, text: str, scope: Scope) -> None:
        self._text = text
        self._at = 0
        self._scope = dict(scope)

    def at_end(self) -> bool:
        return self._at >= len(self._text)

    def end(self) -> None:
        if not self.at_end():
            raise self._malformed()

    def accept(self, mark: str) -> bool:
        if self._text.startswith(mark, self._at):
            self._at += len(mark)
            return True
        return False

    def take(self, mark: str) -> None:
        if not self.accept(mark):
            raise self._malformed()

    def _malformed(self) -> ValueError:
        return ValueError(f"malformed signature {self._text!r} at {self._at}")

    def _until(self, marks: str) -> str:
        start = self._at
        while not self.at_end() and self._text[self._at] not in marks:
            self._at += 1
        if self.at_end() or start == self._at:
            raise self._malformed()
        return self._text[start : self._at]

    def value(self) -> ValueType:
        primitive = _PRIMITIVES.get(self._text[self._at : self._at + 1])
        if primitive is not None:
            self._at += 1
            return primitive
        return self.reference()

    def reference(self) -> ReferenceType:
        if self.accept("["):
            return ArrayType(self.value())
        if self.accept("T"):
            name = self._until(";")
            self.take(";")
            return self._scope.get(name, TypeVariable(name))
        return self.class_type()

    def class_type(self) -> ClassType:
        """`La/Outer<TT;>.Inner<..>;`: parts are joined by `$` to the binary name,
        the arguments are those of the last part.

        The descriptor of a hidden class also has a dot, `La/B.0x1;`: that one stays.
        """
        self.take("L")
        name = self._until("<;.").replace("/", ".")
        arguments = self._arguments()
        while self.accept("."):
            part = self._until("<;.")
            name += f"/{part}" if part.startswith("0x") else f"${part}"
            arguments = self._arguments()
        self.take(";")
        return ClassType(name, arguments)

    def _arguments(self) -> tuple[TypeArgument, ...]:
        if not self.accept("<"):
            return ()
        arguments: list[TypeArgument] = []
        while not self.accept(">"):
            if self.accept("*"):
                arguments.append(Wildcard())
            elif self.accept("+"):
                arguments.append(Wildcard(upper=self.reference()))
            elif self.accept("-"):
                arguments.append(Wildcard(lower=self.reference()))
            else:
                arguments.append(self.reference())
        return tuple(arguments)

    def type_parameters(self) -> tuple[TypeVariable, ...]:
        if not self.accept("<"):
            return ()
        start = self._at
        # Bounds may mention variables declared after them, so parse twice: the second time with
        # the variables of the first pass in scope.
        parameters: list[TypeVariable] = []
        for _ in range(2):
            self._at = start
            parameters = []
            while not self.accept(">"):
                parameters.append(self._type_parameter())
        return tuple(parameters)

    def _type_parameter(self) -> TypeVariable:
        name = self._until(":")
        bounds: list[ReferenceType] = []
        self._scope[name] = replace(self._scope.get(name, TypeVariable(name)), bounds=())
        while self.accept(":"):
            if not self._text.startswith((":", ">"), self._at) and self._starts_reference():
                bounds.append(self.reference())
        parameter = TypeVariable(name, tuple(bounds))
        self._scope[name] = parameter
        return parameter

    def _starts_reference(self) -> bool:
        """An empty class bound (`T::Ljava/lang/Comparable;`) has nothing before the next colon."""
        return self._text[self._at : self._at + 1] in ("L", "T", "[")
