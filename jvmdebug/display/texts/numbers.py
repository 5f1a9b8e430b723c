# SPDX-License-Identifier: Apache-2.0
"""One line for the JDK's numbers beyond the primitives: BigInteger, BigDecimal, atomics, adders."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final

from jvmdebug.display import layout
from jvmdebug.display.layout import UnknownLayoutError
from jvmdebug.display.literals import ELLIPSIS, hex_text, primitive_text
from jvmdebug.model.java_text import floating_text
from jvmdebug.model.values import ArrayReference, ObjectReference, PrimitiveValue

if TYPE_CHECKING:
    from jvmdebug.display.line import Line, TextOf

_INFLATED: Final = -(2**63)
"""BigDecimal.intCompact when the digits are in `intVal` instead."""
_MAX_WORDS_IN_DECIMAL: Final = 375
"""Of 32 bits. Python refuses to write longer numbers in decimal: that takes quadratic time."""
_WORD_DIGITS: Final = 8


async def _big_integer(reference: ObjectReference, line: Line) -> str:
    """The number in decimal; a very long number in hexadecimal, and no more of it than there is
    room for.
    """
    magnitude = await layout.read_array(reference, "mag")
    length = 0 if magnitude is None else await magnitude.length()
    if length <= _MAX_WORDS_IN_DECIMAL:
        number = await _big_integer_value(reference)
        return f"{'-' if number < 0 else ''}0x{abs(number):x}" if line.style.hex else str(number)
    needed = line.room // _WORD_DIGITS + 2
    words = await _words(magnitude, min(length, needed))
    sign = "-" if await layout.read_int(reference, "signum") < 0 else ""
    return f"{sign}0x{int.from_bytes(words, 'big'):x}{ELLIPSIS if needed < length else ''}"


async def _big_integer_value(reference: ObjectReference) -> int:
    """Sign and magnitude, the most significant 32 bits first."""
    signum = await layout.read_int(reference, "signum")
    magnitude = await layout.read_array(reference, "mag")
    length = 0 if magnitude is None else await magnitude.length()
    return int.from_bytes(await _words(magnitude, length), "big") * signum


async def _words(magnitude: ArrayReference | None, count: int) -> bytes:
    if magnitude is None:
        return b""
    words = await layout.read_range(magnitude, 0, count)
    return struct.pack(f">{len(words)}i", *map(layout.integer, words))


async def _big_decimal(reference: ObjectReference, _line: Line) -> str:
    compact, scale, large = await layout.read(reference, "intCompact", "scale", "intVal")
    unscaled = layout.integer(compact)
    if unscaled == _INFLATED and isinstance(large, ObjectReference):
        magnitude = await layout.read_array(large, "mag")
        if magnitude is not None and await magnitude.length() > _MAX_WORDS_IN_DECIMAL:
            raise UnknownLayoutError("too many digits to be written at once")
        unscaled = await _big_integer_value(large)
    return decimal_text(unscaled, layout.integer(scale))


def decimal_text(unscaled: int, scale: int) -> str:
    """The canonical text of `BigDecimal.toString`: `1.50`, `1E+3`, `1.2E-9`."""
    sign, digits = "-" if unscaled < 0 else "", str(abs(unscaled))
    if scale == 0:
        return sign + digits
    adjusted = len(digits) - 1 - scale
    if scale > 0 and adjusted >= -6:
        padded = digits.rjust(scale + 1, "0")
        return f"{sign}{padded[:-scale]}.{padded[-scale:]}"
    mantissa = digits if len(digits) == 1 else f"{digits[0]}.{digits[1:]}"
    return f"{sign}{mantissa}" + (f"E{adjusted:+}" if adjusted else "")


async def _atomic(reference: ObjectReference, line: Line) -> str:
    (value,) = await layout.read(reference, "value")
    if not isinstance(value, PrimitiveValue):
        raise UnknownLayoutError("an atomic number without one")
    return primitive_text(value, in_hex=line.style.hex)


async def _atomic_boolean(reference: ObjectReference, _line: Line) -> str:
    return "true" if await layout.read_int(reference, "value") else "false"


async def _long_adder(reference: ObjectReference, line: Line) -> str:
    total = await total_of(reference)
    return hex_text(total, 64) if line.style.hex else str(total)


async def total_of(adder: ObjectReference) -> int:
    """What `LongAdder.sum` gives."""
    return (sum(await _cells(adder)) + 2**63) % 2**64 - 2**63


async def _double_adder(reference: ObjectReference, _line: Line) -> str:
    cells = await _cells(reference)
    numbers = struct.unpack(f">{len(cells)}d", struct.pack(f">{len(cells)}q", *cells))
    return floating_text(sum(numbers), is_float=False)


async def _cells(reference: ObjectReference) -> list[int]:
    """What the adder's threads have added so far, each in a cell of its own."""
    base, cells = await layout.read(reference, "base", "cells")
    array = None if layout.as_object(cells) is None else await layout.read_array(reference, "cells")
    found = () if array is None else await array.get()
    counters = [each for each in map(layout.as_object, found) if each is not None]
    values = await layout.read_all(counters, "value")
    return [layout.integer(base), *(layout.integer(value) for (value,) in values)]


NUMBER_TEXTS: Final[dict[str, TextOf]] = {
    "java.math.BigInteger": _big_integer,
    "java.math.BigDecimal": _big_decimal,
    "java.util.concurrent.atomic.AtomicInteger": _atomic,
    "java.util.concurrent.atomic.AtomicLong": _atomic,
    "java.util.concurrent.atomic.AtomicBoolean": _atomic_boolean,
    "java.util.concurrent.atomic.LongAdder": _long_adder,
    "java.util.concurrent.atomic.DoubleAdder": _double_adder,
}
