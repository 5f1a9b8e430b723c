# SPDX-License-Identifier: Apache-2.0
"""Primitive values as Java's string conversion writes them (JLS 5.1.11), and operations on UTF-16.

`Float.toString` and `Double.toString` give the shortest decimal that reads back as the same value
since JDK 19; before (JDK-4511638) some values had a digit more. We write the shortest where nothing
else is asked for.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from jvmdebug.model.older_floating_text import older_digits
from jvmdebug.model.primitives import PrimitiveKind, float_bits_rounded

if TYPE_CHECKING:
    from jvmdebug.model.primitives import PrimitiveValue


def java_text(value: PrimitiveValue, *, is_older: bool = False) -> str:
    """`true`, `42`, `c` (the char itself), `1.0E10`. `is_older`: as before JDK 19."""
    number = value.value
    match value.kind:
        case PrimitiveKind.BOOLEAN:
            return "true" if number else "false"
        case PrimitiveKind.CHAR:
            return chr(int(number))
        case PrimitiveKind.FLOAT:
            return floating_text(float(number), is_float=True, is_older=is_older)
        case PrimitiveKind.DOUBLE:
            return floating_text(float(number), is_float=False, is_older=is_older)
        case _:
            return str(number)


def floating_text(number: float, *, is_float: bool, is_older: bool = False) -> str:
    """The text of `Double.toString` or `Float.toString`: `1.0`, `1.0E-5`, `NaN`, `-Infinity`,
    `-0.0`. `is_older`: as before JDK 19.
    """
    if math.isnan(number):
        return "NaN"
    sign = "-" if math.copysign(1.0, number) < 0 else ""
    magnitude = abs(number)
    if math.isinf(magnitude):
        return f"{sign}Infinity"
    if magnitude == 0.0:
        return f"{sign}0.0"
    develop = older_digits if is_older else _shortest
    digits, exponent = develop(magnitude, is_float=is_float)
    # digits d1 d2 d3… with the point behind d1 and the power of ten `exponent`
    if -3 <= exponent < 7:
        if exponent < 0:
            return f"{sign}0.{'0' * (-exponent - 1)}{digits}"
        whole = digits[: exponent + 1].ljust(exponent + 1, "0")
        return f"{sign}{whole}.{digits[exponent + 1 :] or '0'}"
    return f"{sign}{digits[0]}.{digits[1:] or '0'}E{exponent}"


def _shortest(magnitude: float, *, is_float: bool) -> tuple[str, int]:
    """The significant digits of the shortest decimal that reads back, and its power of ten.

    Java wants at least two digits: among the two-digit decimals that read back, the closest.
    """
    text = _shortest_float(magnitude) if is_float else f"{magnitude!r}"
    mantissa, _, exponent_text = text.lower().partition("e")
    whole, _, fraction = mantissa.partition(".")
    exponent = int(exponent_text or "0") + len(whole) - 1
    digits = whole + fraction
    leading = len(digits) - len(digits.lstrip("0"))
    digits = digits[leading:].rstrip("0")
    exponent -= leading
    if len(digits) == 1:
        two, closest = f"{magnitude:.1e}".split("e")
        reads_back = float(f"{two}e{closest}")
        if (float_bits_rounded(reads_back) if is_float else reads_back) == magnitude:
            return two.replace(".", "").rstrip("0"), int(closest)
    return digits, exponent


def _shortest_float(magnitude: float) -> str:
    """The fewest digits (at most 9 are needed) that round to the same float."""
    for digits in range(1, 10):
        text = f"{magnitude:.{digits - 1}e}"
        if float_bits_rounded(float(text)) == magnitude:
            return text
    return f"{magnitude!r}"


def utf16_length(text: str) -> int:
    """The length that Java's String.length() gives."""
    return len(text) + sum(1 for character in text if character > "\uffff")


def beginning_of(text: str, length: int) -> str:
    """Cut after so many UTF-16 units; a surrogate pair may be split."""
    if len(text) <= length and utf16_length(text) <= length:
        return text
    units = text[:length].encode("utf-16-le", "surrogatepass")[: 2 * length]
    return units.decode("utf-16-le", "surrogatepass")


def joined(parts: list[str]) -> str:
    """Concatenate; two unpaired surrogates that meet become one supplementary character."""
    text = "".join(parts)
    if any("\ud800" <= character <= "\udfff" for character in text):
        return text.encode("utf-16-be", "surrogatepass").decode("utf-16-be", "surrogatepass")
    return text


def decoded(content: bytes, *, is_latin: bool) -> str:
    """The text of a string's or a builder's bytes: one for each unit, or two, low byte first."""
    return content.decode("latin-1") if is_latin else content.decode("utf-16-le", "surrogatepass")
