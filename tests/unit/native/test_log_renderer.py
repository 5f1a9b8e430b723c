# SPDX-License-Identifier: Apache-2.0
"""Lines of log points by the native renderer: the texts that the display package writes."""

from __future__ import annotations

import random
import struct
from functools import partial

import pytest

from jvmdebug._native import LogRenderer, WireError, recorded_calls
from jvmdebug.model.java_text import floating_text
from jvmdebug.printable import one_line

NULL, END = b"\0", b"\3"


def number(bits: int) -> bytes:
    return b"\1" + struct.pack(">q", bits)


def text(value: str) -> bytes:
    encoded = value.encode("utf-8", "surrogatepass")
    return b"\2" + struct.pack(">I", len(encoded)) + encoded


def record(format_: int, thread: int, *values: bytes) -> bytes:
    return struct.pack(">ii", format_, thread) + b"".join(values) + END


def renderer(**formats: list[bytes | str]) -> LogRenderer:
    made = LogRenderer(partial(one_line, most=None))
    for name, parts in formats.items():
        made.add(int(name[1:]), parts)
    return made


def values(letter: str, bits: list[int]) -> list[str]:
    made = renderer(f1=[letter])
    records = b"".join(record(1, 0, number(each)) for each in bits)
    return [line for *_, line in made.render(records, 1000, by_line=True)]


def test_lines_of_one_format_that_follow_each_other_are_one_text() -> None:
    made = renderer(f1=[b"i ", "I"], f2=["s", b"!"])
    records = b"".join(
        (
            record(1, 0, number(1)),
            record(1, 1, number(-2)),
            record(9, 0, number(3), text("of a session before"), NULL),
            record(2, 1, text("a\nb")),
            record(2, 1, NULL),
            record(1, 0, number(4)),
        )
    )
    assert made.render(records, 100, by_line=False) == [
        (1, 0, 2, "i 1\ni -2"),
        (2, 1, 2, "a\\nb!\nnull!"),
        (1, 0, 1, "i 4"),
    ]
    assert made.render(records, 100, by_line=True) == [
        (1, 0, 1, "i 1"),
        (1, 1, 1, "i -2"),
        (2, 1, 1, "a\\nb!"),
        (2, 1, 1, "null!"),
        (1, 0, 1, "i 4"),
    ]
    made.forget(1)
    assert [each[0] for each in made.render(records, 100, by_line=False)] == [2]


def test_doubles_are_as_the_display_writes_them() -> None:
    chosen = random.Random(13)
    bits = [chosen.getrandbits(64) - (1 << 63) for _ in range(20_000)]
    plain = [struct.unpack(">q", struct.pack(">d", each / 1000))[0] for each in range(-3000, 3000)]
    powers = [exponent << 52 for exponent in range(2048)]
    for bit in (*bits, *plain, *powers, 1, 2, 3, -1, -(1 << 63)):
        (real,) = struct.unpack(">d", struct.pack(">q", bit))
        assert values("D", [bit]) == [floating_text(real, is_float=False)]


def test_floats_are_as_the_display_writes_them() -> None:
    chosen = random.Random(31)
    bits = [chosen.getrandbits(32) - (1 << 31) for _ in range(5_000)]
    powers = [exponent << 23 for exponent in range(256)]
    for bit in (*bits, *powers, 1, 2, 3, -1, -(1 << 31)):
        (real,) = struct.unpack(">f", struct.pack(">i", bit))
        assert values("F", [bit]) == [floating_text(real, is_float=True)]


def test_other_values() -> None:
    assert values("Z", [0, 1]) == ["false", "true"]
    assert values("J", [-(1 << 63), (1 << 63) - 1]) == [str(-(1 << 63)), str((1 << 63) - 1)]
    shown = [one_line(chr(each), None) for each in range(0x10000)]
    assert values("C", list(range(0x10000))) == shown


def test_long_numbers_are_cut_and_texts_are_not() -> None:
    made = renderer(f1=["I", b" ", "s", b" ", "Z"])
    records = record(1, 0, number(12345), text("longer"), NULL)
    for most, expected in ((4, "123… longer null"), (1, "… longer …"), (0, "… longer …")):
        assert made.render(records, most, by_line=True) == [(1, 0, 1, expected)]


def test_a_record_that_is_not_what_was_added_is_one_line() -> None:
    """The lines around it are there."""
    made = renderer(f1=["I"], f2=["s"])
    other = "a record of a log point has other values than its message"
    for number_, wrong in (
        (1, record(1, 0, text("no number"))),
        (2, record(2, 0, number(1))),
        (1, record(1, 0, number(1), number(2))),
        (1, record(1, 0)),
    ):
        records = record(1, 0, number(5)) + wrong + record(1, 0, number(6))
        shown = made.render(records, 100, by_line=True)
        assert [(each[0], each[3]) for each in shown] == [
            (1, "5"),
            (number_, f"<this line cannot be written: {other}>"),
            (1, "6"),
        ]


def test_a_text_that_cannot_be_escaped_is_one_line() -> None:
    def refuse(_: str) -> str:
        raise ValueError("never")

    made = LogRenderer(refuse)
    made.add(1, ["s", b"!"])
    records = record(1, 0, text("plain")) + record(1, 0, text("\u00e9"))
    assert made.render(records, 100, by_line=False) == [
        (1, 0, 2, "plain!\n<this line cannot be written: ValueError: never>")
    ]


def test_records_that_are_cut_are_refused() -> None:
    made = renderer(f1=["I"])
    for wrong in (record(1, 0, number(1))[:-1], b"\0\0\0"):
        with pytest.raises(WireError):
            made.render(wrong, 100, by_line=False)


def test_the_numbers_of_recorded_calls() -> None:
    time = number(77)
    records = [
        record(1, 0, time, number(5), text("a")),
        record(2, 1, time, number(9)),
        record(1, 0, time, number(6), NULL),
        record(3, 0, time, number(99)),
        record(2, 0, time, number(8), number(1)),
        record(1, 2),
    ]
    content = b"".join(records)
    assert recorded_calls(content, {1, 2}) == {0: (5, 8), 1: (9, 9)}
    assert recorded_calls(content, {4}) == {}
    with pytest.raises(WireError):
        recorded_calls(content[:-3], {1})
