# SPDX-License-Identifier: Apache-2.0
"""The digits that `Float.toString` and `Double.toString` give before JDK 19 (JDK-4511638): mostly
the shortest that read back, and for some values more. Pure: called by `java_text`.

This is the algorithm of jdk.internal.math.FloatingDecimal with Python's integers.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from typing import Final

_FRACTION_BITS: Final = 52
_MOST_BINARY_EXPONENT: Final = 62
_BITS_OF_POWERS_OF_5: Final = (0, *((5**n).bit_length() for n in range(1, 27)))
_WORDS: Final = (32, 64)
_DIGITS_OF_DOUBLE, _DIGITS_OF_FLOAT = 53, 24


@dataclass(slots=True)
class _Scaled:
    """The number is `value / unit` of a power of ten, and half of its last bit `half / unit`."""

    value: int
    unit: int
    half: int
    exponent: int
    bits: int | None
    """In how many bits Java computes, 32 or 64, and overflows; None: in as many as it takes."""


def older_digits(magnitude: float, *, is_float: bool) -> tuple[str, int]:
    """The digits of a finite number above 0, and the power of ten of the first one."""
    fraction, exponent, significant = _unpacked(magnitude, is_float=is_float)
    trailing = (fraction & -fraction).bit_length() - 1
    bits = _FRACTION_BITS + 1 - trailing
    tiny_bits = max(0, bits - exponent - 1)
    if tiny_bits == 0 and 0 <= exponent <= _MOST_BINARY_EXPONENT:
        return _of_whole_number(int(magnitude), exponent - significant)
    scaled = _scaled(fraction >> trailing, exponent, bits, tiny_bits, significant)
    return _developed(scaled)


def _unpacked(magnitude: float, *, is_float: bool) -> tuple[int, int, int]:
    """The fraction in 53 bits, the highest one set; the binary exponent; how many bits count."""
    (raw,) = struct.unpack(">Q", struct.pack(">d", magnitude))
    exponent, fraction = raw >> _FRACTION_BITS, raw & ((1 << _FRACTION_BITS) - 1)
    significant = _DIGITS_OF_DOUBLE
    if exponent == 0:
        significant = fraction.bit_length()
        shift = _FRACTION_BITS + 1 - significant
        fraction <<= shift
        exponent = 1 - shift
    else:
        fraction |= 1 << _FRACTION_BITS
    exponent -= 1023
    if is_float:  # a subnormal float is a normal double, with fewer bits that count
        significant = _DIGITS_OF_FLOAT - max(0, -126 - exponent)
    return fraction, exponent, significant


def _of_whole_number(number: int, beyond: int) -> tuple[str, int]:
    """A number without a fraction, rounded to the decimal digits that its bits tell."""
    insignificant = int((beyond - 1) * math.log10(2)) if beyond > 2 else 0
    kept = number
    if insignificant:
        power = 10**insignificant
        kept, rest = divmod(number, power)
        kept += rest >= power >> 1
    text = str(kept)
    return text.rstrip("0"), len(text) - 1 + insignificant


def _scaled(fraction: int, exponent: int, bits: int, tiny_bits: int, significant: int) -> _Scaled:
    estimate = _estimated_exponent(fraction << (_FRACTION_BITS + 1 - bits), exponent)
    of_5, unit_of_5 = max(0, -estimate), max(0, estimate)
    of_2, unit_of_2 = of_5 + tiny_bits + exponent, unit_of_5 + tiny_bits
    half_of_2 = of_2 - significant
    of_2 -= bits - 1
    common = min(of_2, unit_of_2)
    of_2, unit_of_2, half_of_2 = of_2 - common, unit_of_2 - common, half_of_2 - common
    if bits == 1:
        half_of_2 -= 1
    if half_of_2 < 0:
        of_2, unit_of_2, half_of_2 = of_2 - half_of_2, unit_of_2 - half_of_2, 0
    value_bits = bits + of_2 + _bits_of_5(of_5)
    unit_bits = unit_of_2 + 1 + _bits_of_5(unit_of_5 + 1)
    return _Scaled(
        fraction * 5**of_5 << of_2,
        5**unit_of_5 << unit_of_2,
        5**of_5 << half_of_2,
        estimate,
        next((each for each in _WORDS if value_bits < each and unit_bits < each), None),
    )


def _bits_of_5(power: int) -> int:
    known = power < len(_BITS_OF_POWERS_OF_5)
    return _BITS_OF_POWERS_OF_5[power] if known else power * 3


def _estimated_exponent(fraction: int, exponent: int) -> int:
    part = fraction / (1 << _FRACTION_BITS)
    return math.floor((part - 1.5) * 0.289529654 + 0.176091259 + exponent * 0.301029995663981)


def _developed(it: _Scaled) -> tuple[str, int]:
    tens, digits, exponent = it.unit * 10, [], it.exponent
    value, half, is_first, is_low, is_high = it.value, it.half, True, False, False
    while is_first or not (is_low or is_high):
        digit, rest = divmod(value, it.unit)
        value, half = 10 * rest, _wrapped(10 * half, it.bits)
        is_low, is_high = _is_last(value, half, tens, it.bits)
        if half <= 0 and not is_first:
            is_low = is_high = True
        if is_first and digit == 0 and not is_high:
            exponent -= 1
        else:
            digits.append(digit)
        if is_first and not -3 <= exponent < 8:
            is_low = is_high = False  # there are two digits at least
        is_first = False
    difference = 2 * value - tens
    if is_high and (not is_low or difference > 0 or (difference == 0 and digits[-1] % 2)):
        return _rounded_up(digits, exponent)
    return "".join(map(str, digits)), exponent


def _is_last(value: int, half: int, tens: int, bits: int | None) -> tuple[bool, bool]:
    """Whether the rest tells the number from the next lower one, and from the next higher one."""
    up = _wrapped(value + half, bits)
    return value < half, up >= tens if bits is None else up > tens


def _wrapped(number: int, bits: int | None) -> int:
    """The number in so many bits, signed."""
    if bits is None:
        return number
    sign = 1 << (bits - 1)
    return ((number + sign) & ((1 << bits) - 1)) - sign


def _rounded_up(digits: list[int], exponent: int) -> tuple[str, int]:
    at = len(digits) - 1
    while digits[at] == 9 and at > 0:
        digits[at] = 0
        at -= 1
    if digits[at] == 9:
        digits[0] = 1
        return "".join(map(str, digits)), exponent + 1
    digits[at] += 1
    return "".join(map(str, digits)), exponent
