# SPDX-License-Identifier: Apache-2.0
"""Bytes to instructions; what is not code does not break it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jvmdebug.sources.bytecode import instructions
from jvmdebug.sources.constant_pool import ConstantPool

SWITCH = bytes.fromhex("00000014 00000001 00000002 00000018 0000001c")
LOOKUP = bytes.fromhex("00000014 00000002 fffffff6 00000018 00000064 0000001c")


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("10 ff 3c", ["bipush -1", "istore_1"]),
        ("11 01 00 c4 15 01 02", ["sipush 256", "wide iload 258"]),
        ("84 01 fe c4 84 00 05 80 00", ["iinc 1 by -2", "wide iinc 5 by -32768"]),
        ("00 a7 ff ff c8 00 00 00 05", ["nop", "goto 0", "goto_w 9"]),
        ("99 00 04 00 c6 ff fb", ["ifeq 4", "nop", "ifnull -1"]),
        ("bc 0a bd 00 03 c5 00 02 02", ["newarray int", "anewarray #3", "multianewarray #2 2"]),
        ("b9 00 07 01 00 ba 00 08 00 00", ["invokeinterface #7", "invokedynamic #8"]),
        ("aa 00 00 00" + SWITCH.hex(), ["tableswitch {1: 24, 2: 28, default: 20}"]),
        ("ab 00 00 00" + LOOKUP.hex(), ["lookupswitch {-10: 24, 100: 28, default: 20}"]),
        ("b1 fe 00", ["return", "(not an instruction) fe 00"]),
        ("03 10", ["iconst_0", "(not an instruction) 10"]),
        ("aa 00 00 00 7f", ["(not an instruction) aa 00 00 00 7f"]),
    ],
)
def test_instructions(code: str, shown: list[str]) -> None:
    assert [str(each) for each in instructions(bytes.fromhex(code))] == shown


@given(st.binary(max_size=80))
def test_any_bytes_are_covered_without_gap(code: bytes) -> None:
    position = 0
    for instruction in instructions(code):
        assert instruction.index == position
        assert instruction.size > 0
        position += instruction.size
    assert position == len(code)


@given(st.integers(0, 30), st.binary(max_size=120), st.integers(0, 40))
def test_a_constant_pool_is_read_or_refused(count: int, content: bytes, index: int) -> None:
    try:
        pool = ConstantPool(count, content)
    except ValueError:
        return
    assert isinstance(pool.text(index), str)
