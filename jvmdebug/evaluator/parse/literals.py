# SPDX-License-Identifier: Apache-2.0
"""Java literals: text to value (JLS 3.10).

Pure functions: a `ValueError` says what is wrong, the caller adds the column.
Characters are UTF-16 units in Java; strings here are Python strings in which a supplementary
character is one character, and an unpaired surrogate stays one.
"""

from __future__ import annotations

import math
from fractions import Fraction

from jvmdebug.model.primitives import PrimitiveKind, float_bits_rounded

_SIMPLE_ESCAPES = {
    "b": "\b",
    "t": "\t",
    "n": "\n",
    "f": "\f",
    "r": "\r",
    "s": " ",
    '"': '"',
    "'": "'",
    "\\": "\\",
}
_OCTAL = "01234567"


def integer(text: str, *, negated: bool = False) -> tuple[PrimitiveKind, int]:
    """`0xFFL` → (LONG, 255). Hex, octal and binary give two's complement: `0xFFFFFFFF` is -1.

    `negated` means that a unary minus precedes it: the value is returned negated, and only
    then may a decimal literal be 2147483648 (9223372036854775808L).
    """
    digits = _without_underscores(text)
    is_long = digits[-1] in "lL"
    digits = digits[:-1] if is_long else digits
    kind, bits = (PrimitiveKind.LONG, 64) if is_long else (PrimitiveKind.INT, 32)
    radix = _radix(digits)
    if radix == 8 and not set(digits) <= set(_OCTAL):
        raise ValueError(f"{text} is not an octal number (a leading 0 means octal)")
    try:
        value = int(digits.removeprefix("0") or "0", 8) if radix == 8 else int(digits, radix)
    except ValueError:
        raise ValueError(f"{text} is not a number") from None
    if radix == 10:
        limit = 1 << (bits - 1)
        if value > limit or (value == limit and not negated):
            advice = "" if is_long else "; write L behind it for a long"
            raise ValueError(f"{text} does not fit into {kind.java_name}{advice}")
    else:
        if value >= 1 << bits:
            raise ValueError(f"{text} does not fit into {kind.java_name}")
        if value >= 1 << (bits - 1):
            value -= 1 << bits
    if negated:
        value = -value if value != -(1 << (bits - 1)) else value
    return kind, value


def _without_underscores(text: str) -> str:
    """Underscores are allowed between digits only (JLS 3.10.1)."""
    if text.endswith("_") or "_" in (
        text[:1],
        text[2:3] if text[:2].lower() in ("0x", "0b") else "",
    ):
        raise ValueError(f"{text} is not a number: an underscore must be between two digits")
    return text.replace("_", "")


def _radix(digits: str) -> int:
    match digits[:2].lower():
        case "0x":
            return 16
        case "0b":
            return 2
        case _:
            return 8 if len(digits) > 1 and digits[0] == "0" else 10


def floating(text: str) -> tuple[PrimitiveKind, float]:
    """`1.5f`, `1e10`, `0x1.8p1`. Too large or too small for its type is an error, as in Java."""
    digits = _without_underscores(text)
    is_hex = digits[:2].lower() == "0x"
    kind = PrimitiveKind.DOUBLE
    if digits[-1] in "dD" or (digits[-1] in "fF"):
        kind = PrimitiveKind.FLOAT if digits[-1] in "fF" else PrimitiveKind.DOUBLE
        digits = digits[:-1]
    mantissa = (
        digits.lower().split("p")[0].removeprefix("0x") if is_hex else digits.lower().split("e")[0]
    )
    try:
        value = float.fromhex(digits) if is_hex else float(digits)
    except OverflowError:
        value = math.inf
    except ValueError:
        raise ValueError(f"{text} is not a number") from None
    if kind is PrimitiveKind.FLOAT and value and math.isfinite(value):
        value = _nearest_float(value, _exact(digits, is_hex=is_hex))
    if math.isinf(value):
        raise ValueError(f"{text} is too large for {kind.java_name}")
    if value == 0.0 and any(digit not in "0." for digit in mantissa):
        raise ValueError(f"{text} is too small for {kind.java_name}")
    return kind, value


def _exact(digits: str, *, is_hex: bool) -> Fraction:
    """The number that is written, without rounding. It is in the range of double."""
    if not is_hex:
        return Fraction(digits.lower().rstrip("."))
    mantissa, _, exponent = digits.lower().removeprefix("0x").partition("p")
    whole, _, fraction = mantissa.partition(".")
    number = Fraction(int(whole + fraction, 16), 16 ** len(fraction))
    return number * Fraction(2) ** int(exponent)


def _nearest_float(rounded: float, exact: Fraction) -> float:
    """The float nearest to a number, whose nearest double is `rounded`: rounding that once more
    goes wrong when it is half way between two floats and the number is not.
    """
    nearest = float_bits_rounded(rounded)
    if Fraction(rounded) == exact or nearest == rounded or math.isinf(nearest):
        return nearest
    towards = math.nextafter(rounded, math.inf if exact > rounded else -math.inf)
    other = float_bits_rounded(towards)
    return nearest if math.isinf(other) else other


def character(text: str) -> int:
    """`'a'` with its quotes → the UTF-16 unit 97."""
    content = unescape(text[1:-1])
    units = content.encode("utf-16-be", "surrogatepass")
    if len(units) != 2:
        found = "nothing" if not content else f"{len(units) // 2} UTF-16 units"
        raise ValueError(f"a char holds one UTF-16 unit; {text} has {found}")
    return int.from_bytes(units, "big")


def string(text: str) -> str:
    r"""`"a\n"` with its quotes, or a text block with its triple ones."""
    if text.startswith('"""'):
        return _text_block(text)
    return unescape(text[1:-1])


def unescape(text: str) -> str:
    """Resolve the escapes of JLS 3.10.7, and Unicode escapes, which may have several `u`."""
    result: list[str] = []
    at = 0
    while at < len(text):
        if text[at] != "\\":
            result.append(text[at])
            at += 1
            continue
        at += 1
        if at == len(text):
            raise ValueError("a backslash needs a character behind it")
        resolved, at = _escape(text, at)
        result.append(resolved)
    # Two escapes may make up one supplementary character.
    joined = "".join(result)
    return joined.encode("utf-16-be", "surrogatepass").decode("utf-16-be", "surrogatepass")


def _escape(text: str, at: int) -> tuple[str, int]:
    """The escape whose backslash stands before `at` → (what it means, where it ends)."""
    mark = text[at]
    if mark in _SIMPLE_ESCAPES:
        return _SIMPLE_ESCAPES[mark], at + 1
    if mark == "u":
        while text[at : at + 1] == "u":
            at += 1
        digits = text[at : at + 4]
        if len(digits) != 4 or not all(digit in "0123456789abcdefABCDEF" for digit in digits):
            raise ValueError(f"\\u needs four hexadecimal digits, not {digits!r}")
        return chr(int(digits, 16)), at + 4
    if mark in _OCTAL:
        longest = 3 if mark in "0123" else 2
        end = at
        while end < len(text) and end - at < longest and text[end] in _OCTAL:
            end += 1
        return chr(int(text[at:end], 8)), end
    if mark == "\n":  # a line continuation, in text blocks only
        return "", at + 1
    raise ValueError(
        f"unknown escape \\{mark}; Java has \\b \\t \\n \\f \\r \\s \\\" \\' \\\\ \\uXXXX"
    )


def _text_block(text: str) -> str:
    r"""JLS 3.10.6: line ends become \n, common indentation and trailing blanks go, then escapes."""
    opening, newline, body = text[3:-3].replace("\r\n", "\n").replace("\r", "\n").partition("\n")
    if not newline or opening.strip():
        raise ValueError('a text block starts on the line behind its """')
    lines = body.split("\n")
    significant = [line for line in lines[:-1] if line.strip()] + [lines[-1]]
    indent = min(len(line) - len(line.lstrip()) for line in significant)
    stripped = [line[indent:].rstrip(" \t\f") for line in lines]
    return unescape("\n".join(stripped))
