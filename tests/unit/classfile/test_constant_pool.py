# SPDX-License-Identifier: Apache-2.0
"""Constants by their numbers; what is no constant pool is refused."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jvmdebug.classfile import ConstantPool, MemberReference
from jvmdebug.errors import ClassFileError
from jvmdebug.sources.constant_text import constant_text


def utf8(text: bytes) -> bytes:
    return b"\x01" + len(text).to_bytes(2) + text


POOL = b"".join(
    (
        utf8(b"java/util/Map"),  # 1
        b"\x07\0\x01",  # 2 class
        utf8(b"get"),  # 3
        utf8(b"(Ljava/lang/Object;I)[J"),  # 4
        b"\x0c\0\x03\0\x04",  # 5 name and type
        b"\x0b\0\x02\0\x05",  # 6 interface method
        b"\x12\0\0\0\x05",  # 7 invokedynamic
        b"\x05" + struct.pack(">q", -5),  # 8 long, and 9 is not used
        b"\x04" + struct.pack(">f", 1.5),  # 10 float
        b"\x08\0\x03",  # 11 string
        b"\x0f\x09\0\x06",  # 12 method handle
        b"\x10\0\x04",  # 13 method type
        utf8(b"a\xc0\x80\xed\xa0\xbd\xed\xb8\x80\xed\xa0\x80"),  # 14
        b"\x0f\x09\0\x0f",  # 15 a handle that names itself
        utf8(b"\xff"),  # 16
    )
)
COUNT = 17


@pytest.fixture
def pool() -> ConstantPool:
    return ConstantPool(COUNT, b"front" + POOL + b"behind", len(b"front"))


def test_constants(pool: ConstantPool) -> None:
    assert pool.raw == POOL
    assert pool.class_name(2) == "java/util/Map"
    assert pool.member(6) == MemberReference("java/util/Map", "get", "(Ljava/lang/Object;I)[J")
    assert pool.member(7) == MemberReference("", "get", "(Ljava/lang/Object;I)[J")
    assert (pool.number(8), pool.number(10), pool.string(11)) == (-5, 1.5, "get")
    assert pool.method_handle(12) == (9, 6)
    assert pool.method_type(13) == "(Ljava/lang/Object;I)[J"
    assert pool.tag(9) is None


def test_modified_utf8(pool: ConstantPool) -> None:
    assert pool.utf8(14) == "a\0\N{GRINNING FACE}\N{REPLACEMENT CHARACTER}"
    with pytest.raises(ClassFileError, match="not modified UTF-8"):
        pool.utf8(16)


def test_constants_of_another_kind(pool: ConstantPool) -> None:
    with pytest.raises(ClassFileError, match="entry 9"):
        pool.utf8(9)
    with pytest.raises(ClassFileError, match="entry 2 of the constant pool is CLASS, not UTF8"):
        pool.utf8(2)
    assert pool.find_member(2) is None
    assert pool.find_member(99) is None


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (2, "java.util.Map"),
        (6, "java.util.Map.get(Object, int) : long[]"),
        (7, "get(Object, int) : long[]"),
        (8, "-5L"),
        (10, "1.5f"),
        (11, '"get"'),
        (12, "java.util.Map.get(Object, int) : long[]"),
        (13, "(Ljava/lang/Object;I)[J"),
        (9, "#9"),
        (15, "#15"),
        (99, "#99"),
    ],
)
def test_texts(pool: ConstantPool, number: int, text: str) -> None:
    assert constant_text(pool, number) == text


@given(st.integers(0, 30), st.binary(max_size=120), st.integers(0, 40))
def test_a_constant_pool_is_read_or_refused(count: int, content: bytes, index: int) -> None:
    try:
        pool = ConstantPool(count, content)
    except ClassFileError:
        return
    assert isinstance(constant_text(pool, index), str)


@given(st.integers(0, len(POOL) - 1), st.binary(min_size=1, max_size=3), st.integers(0, COUNT))
def test_a_changed_constant_pool(at: int, new: bytes, index: int) -> None:
    try:
        pool = ConstantPool(COUNT, POOL[:at] + new + POOL[at + len(new) :])
    except ClassFileError:
        return
    assert isinstance(constant_text(pool, index), str)
