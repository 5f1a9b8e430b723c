# SPDX-License-Identifier: Apache-2.0
"""Secrets that a file must not have, wherever a part of the recording ends."""

from __future__ import annotations

import struct

import pytest

from jvmdebug.recording.format import (
    SITE,
    ObjectDefinition,
    ObjectKind,
    RecordedClass,
    RecordKind,
)
from jvmdebug.recording.redaction import Redaction, Redactor

FIRST = 16


def _text(serial: int, text: str) -> ObjectDefinition:
    return ObjectDefinition(serial, "java.lang.String", ObjectKind.STRING, text, len(text), ())


def _columns(*records: tuple[int, int]) -> dict[int, tuple[bytes, bytes]]:
    """The records of one thread: the place of the site among those of the class, and the value."""
    sites = struct.pack(f"<{len(records)}I", *(FIRST + site for site, _ in records))
    return {1: (sites, struct.pack(f"<{len(records)}Q", *(value for _, value in records)))}


def _redactor(*kinds: tuple[RecordKind, str]) -> Redactor:
    made = Redactor(Redaction())
    sites = b"".join(SITE.pack(int(kind), ord(type_), 0, 0, 0) for kind, type_ in kinds)
    made.class_(RecordedClass("x.X", FIRST, b"", sites))
    return made


def _values(columns: dict[int, tuple[bytes, bytes]]) -> tuple[int, ...]:
    values = columns[1][1]
    return struct.unpack(f"<{len(values) // 8}Q", values)


@pytest.mark.parametrize("text", ["MySecret.99", "Password123", "token", "hunter2hunter2"])
def test_a_secret_may_look_like_the_name_of_one(text: str) -> None:
    redactor = _redactor((RecordKind.LOCAL, "L"))
    redactor._sites.numbers.add(FIRST)
    redactor._sites.references.add(FIRST)
    (defined,), columns = redactor.part([_text(2, text)], _columns((0, 2)))
    assert defined.kind is ObjectKind.REDACTED
    assert _values(columns) == (0,)


@pytest.mark.parametrize(
    ("text", "is_written"),
    [("7319", False), ("128", False), ("-129", False), ("1.5", False), ("127", True), ("-1", True)],
)
def test_a_secret_may_be_a_boxed_number(text: str, is_written: bool) -> None:  # noqa: FBT001
    """A small one is the same object for the whole program."""
    redactor = _redactor((RecordKind.LOCAL, "L"))
    redactor._sites.numbers.add(FIRST)
    redactor._sites.references.add(FIRST)
    number = ObjectDefinition(2, "java.lang.Integer", ObjectKind.BOXED, text, 0, ())
    (defined,), columns = redactor.part([number], _columns((0, 2)))
    assert (defined.kind is not ObjectKind.REDACTED) == is_written
    assert _values(columns) == (0,)


@pytest.mark.parametrize("is_split", [False, True])
def test_the_value_behind_a_key_may_be_in_the_next_part(is_split: bool) -> None:  # noqa: FBT001
    redactor = _redactor((RecordKind.ARGUMENT, "L"), (RecordKind.ARGUMENT, "L"))
    key, value = _text(1, "Authorization"), _text(2, "Bearer abcdef123")
    if is_split:
        redactor.part([key], _columns((0, 1)))
        (defined,), _ = redactor.part([value], _columns((1, 2)))
    else:
        (_, defined), _ = redactor.part([key, value], _columns((0, 1), (1, 2)))
    assert defined.kind is ObjectKind.REDACTED


def test_an_element_of_a_secret_may_be_in_the_next_part() -> None:
    redactor = _redactor(
        (RecordKind.LOCAL, "["),
        (RecordKind.OBJECT, "["),
        (RecordKind.INDEX, "I"),
        (RecordKind.ELEMENT, "C"),
    )
    redactor._sites.numbers.add(FIRST)
    redactor._sites.references.add(FIRST)
    array = ObjectDefinition(3, "[C", ObjectKind.ARRAY, length=2, elements=(ord("a"), ord("b")))
    _, columns = redactor.part([array], _columns((0, 3), (1, 3)))
    assert _values(columns) == (0, 3)
    _, columns = redactor.part([], _columns((2, 0), (3, ord("x"))))
    assert _values(columns) == (0, 0)
    assert redactor.part([], _columns())[1] == {1: (b"", b"")}
