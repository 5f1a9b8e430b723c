# SPDX-License-Identifier: Apache-2.0
"""Primitive values of Java, and Java's assignment conversion between them.

Nothing here asks the VM. Called by everyone who makes or reads values.
"""

from __future__ import annotations

import enum
import math
import struct
from dataclasses import dataclass
from typing import Final

from jvmdebug.errors import TypeMismatchError


class PrimitiveKind(enum.Enum):
    """The eight primitive types; the value is the JVM's descriptor letter."""

    BOOLEAN = "Z"
    BYTE = "B"
    CHAR = "C"
    SHORT = "S"
    INT = "I"
    LONG = "J"
    FLOAT = "F"
    DOUBLE = "D"

    @property
    def java_name(self) -> str:
        """`int`, `boolean`, …"""
        return self.name.lower()

    @property
    def is_integral(self) -> bool:
        """byte, char, short, int or long."""
        return self in _RANGES

    @property
    def is_numeric(self) -> bool:
        """All but boolean."""
        return self is not PrimitiveKind.BOOLEAN


BOXES: Final = {
    PrimitiveKind.BOOLEAN: "java.lang.Boolean",
    PrimitiveKind.BYTE: "java.lang.Byte",
    PrimitiveKind.CHAR: "java.lang.Character",
    PrimitiveKind.SHORT: "java.lang.Short",
    PrimitiveKind.INT: "java.lang.Integer",
    PrimitiveKind.LONG: "java.lang.Long",
    PrimitiveKind.FLOAT: "java.lang.Float",
    PrimitiveKind.DOUBLE: "java.lang.Double",
}
"""The name of the class that boxes each."""

_RANGES: Final = {
    PrimitiveKind.BYTE: (-(2**7), 2**7 - 1),
    PrimitiveKind.CHAR: (0, 2**16 - 1),
    PrimitiveKind.SHORT: (-(2**15), 2**15 - 1),
    PrimitiveKind.INT: (-(2**31), 2**31 - 1),
    PrimitiveKind.LONG: (-(2**63), 2**63 - 1),
}

_K = PrimitiveKind
# JLS 5.1.2, widening primitive conversion.
_WIDENS_TO: Final = {
    _K.BYTE: {_K.SHORT, _K.INT, _K.LONG, _K.FLOAT, _K.DOUBLE},
    _K.SHORT: {_K.INT, _K.LONG, _K.FLOAT, _K.DOUBLE},
    _K.CHAR: {_K.INT, _K.LONG, _K.FLOAT, _K.DOUBLE},
    _K.INT: {_K.LONG, _K.FLOAT, _K.DOUBLE},
    _K.LONG: {_K.FLOAT, _K.DOUBLE},
    _K.FLOAT: {_K.DOUBLE},
}


def float_bits_rounded(number: float) -> float:
    """The nearest value that a Java float can hold; infinity when it is too large for one."""
    try:
        return float(struct.unpack(">f", struct.pack(">f", number))[0])
    except OverflowError:
        return math.copysign(math.inf, number)


@dataclass(frozen=True, slots=True)
class PrimitiveValue:
    """A primitive value, immutable.

    `value` is a bool for boolean, an int for the integral kinds (a char is its UTF-16 code unit),
    a float for float and double; a float holds exactly what Java's float holds. Raises ValueError
    when the value is out of the kind's range and TypeError when it is of the wrong Python type.
    """

    kind: PrimitiveKind
    value: bool | int | float

    def __post_init__(self) -> None:
        value = self.value
        if self.kind is PrimitiveKind.BOOLEAN:
            if not isinstance(value, bool):
                raise TypeError(f"a boolean needs a bool, not {value!r}")
        elif self.kind in _RANGES:
            if isinstance(value, bool) or not isinstance(value, int):
                raise TypeError(f"{self.kind.java_name} needs an int, not {value!r}")
            low, high = _RANGES[self.kind]
            if not low <= value <= high:
                raise ValueError(f"{value} does not fit in {self.kind.java_name}")
        else:
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                raise TypeError(f"{self.kind.java_name} needs a float, not {value!r}")
            number = float(value)
            if self.kind is PrimitiveKind.FLOAT:
                number = float_bits_rounded(number)
            object.__setattr__(self, "value", number)

    @property
    def descriptor(self) -> str:
        """The JVM's descriptor letter of the type."""
        return self.kind.value

    @property
    def char(self) -> str:
        """The character of a char value; a lone surrogate stays one."""
        if self.kind is not PrimitiveKind.CHAR:
            raise TypeError(f"not a char but {self.kind.java_name}")
        return chr(int(self.value))

    def widened(self, descriptor: str) -> PrimitiveValue | None:
        """This value as the primitive type `descriptor` by identity or widening; None if neither.

        Widening a long or an int to float or double rounds, as in Java.
        """
        if descriptor == self.kind.value:
            return self
        try:
            kind = PrimitiveKind(descriptor)
        except ValueError:
            return None
        if kind not in _WIDENS_TO.get(self.kind, ()):
            return None
        number = self.value
        return PrimitiveValue(kind, number if kind.is_integral else as_float(number, kind))

    def __str__(self) -> str:
        if self.kind is PrimitiveKind.BOOLEAN:
            return "true" if self.value else "false"
        return repr(self.char) if self.kind is PrimitiveKind.CHAR else str(self.value)


def as_float(number: float, kind: PrimitiveKind) -> float:
    """A number as double, which rounds to the same float or double as the number itself."""
    if kind is PrimitiveKind.FLOAT and isinstance(number, int) and number.bit_length() > 53:
        # Through double first, a long would be rounded twice (JLS 5.1.2 rounds once):
        # keep 30 significant bits and one sticky bit, which rounds to the same float.
        sign, magnitude = (-1, -number) if number < 0 else (1, number)
        shift = magnitude.bit_length() - 30
        sticky = 1 if magnitude & ((1 << shift) - 1) else 0
        return sign * float(((magnitude >> shift) << 1 | sticky) << (shift - 1))
    return float(number)


def converted(value: PrimitiveValue, descriptor: str, target: str) -> PrimitiveValue:
    """`value` as the type `descriptor`; `target` names the variable in the message.

    Raises TypeMismatchError when Java would not assign it without a cast.
    """
    result = value.widened(descriptor)
    if result is None:
        raise TypeMismatchError(f"putting {value.kind.java_name} {value} into {target}")
    return result
