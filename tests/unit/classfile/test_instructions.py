# SPDX-License-Identifier: Apache-2.0
"""Bytes to instructions; what is not code does not break it."""

from __future__ import annotations

import re
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jvmdebug.classfile import (
    NOT_AN_INSTRUCTION,
    ClassFile,
    Code,
    exception_entries,
    instructions,
)
from jvmdebug.classfile.opcodes import MNEMONICS
from tests.support.jdks import newest_compiler
from tests.unit.classfile.corpus import compiled

SWITCH = bytes.fromhex("00000014 00000001 00000002 00000018 0000001c")
LOOKUP = bytes.fromhex("00000014 00000002 fffffff6 00000018 00000064 0000001c")
LINE_OF_JAVAP = re.compile(r"^ +(\d+): ([a-z]\w*)", re.MULTILINE)


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
        ("12 07 13 01 00 1b a9 02", ["ldc #7", "ldc_w #256", "iload_1", "ret 2"]),
        ("aa 00 00 00" + SWITCH.hex(), ["tableswitch {1: 24, 2: 28, default: 20}"]),
        ("ab 00 00 00" + LOOKUP.hex(), ["lookupswitch {-10: 24, 100: 28, default: 20}"]),
        ("b1 fe 00", ["return", "(not an instruction) fe 00"]),
        ("03 10", ["iconst_0", "(not an instruction) 10"]),
        ("bc 03", ["(not an instruction) bc 03"]),
        ("c4 00 00 00", ["(not an instruction) c4 00 00 00"]),
        ("c4 84 00 01 00", ["(not an instruction) c4 84 00 01 00"]),
        ("aa 00 00 00 7f", ["(not an instruction) aa 00 00 00 7f"]),
    ],
)
def test_instructions(code: str, shown: list[str]) -> None:
    assert [str(each) for each in instructions(bytes.fromhex(code))] == shown


@pytest.mark.parametrize(
    ("code", "entries"),
    [
        ("03 3c b1", {}),
        ("00 a7 00 05 4c 00 b1", {4: 4, 5: 4}),  # try { } catch (X x) { }
        ("00 a7 00 03 4c b1", {}),  # the goto leads there
        ("00 b1 4c bf 4c bf", {2: 2, 3: 2, 4: 4, 5: 4}),  # return, two handlers that throw
        ("00 b1 4c a7 ff ff", {}),  # what goes back to it reaches it too
    ],
)
def test_where_only_an_exception_leads(code: str, entries: dict[int, int]) -> None:
    assert exception_entries(bytes.fromhex(code)) == entries


@pytest.mark.parametrize(
    "operands",
    [
        "00000000 80000000 7fffffff",  # tableswitch with four billion cases
        "00000000 7fffffff 80000000",
        "00000000 00000001 00000000",
    ],
)
def test_a_table_that_lies_about_its_size(operands: str) -> None:
    (found,) = instructions(bytes.fromhex(f"aa 00 00 00 {operands}") + bytes(100))
    assert found.mnemonic == NOT_AN_INSTRUCTION


@pytest.mark.parametrize("count", ["7fffffff", "80000000", "ffffffff", "fffffffe"])
def test_a_lookup_that_lies_about_its_size(count: str) -> None:
    (found,) = instructions(bytes.fromhex(f"ab 00 00 00 00000000 {count}") + bytes(100))
    assert found.mnemonic == NOT_AN_INSTRUCTION


def test_operands_are_numbers() -> None:
    table, *_ = instructions(bytes.fromhex("aa 00 00 00") + SWITCH)
    assert (table.keys, table.targets, table.falls_through) == ((1, 2), (24, 28, 20), False)
    dimensions, *_ = instructions(bytes.fromhex("c5 00 02 03"))
    assert (dimensions.constant, dimensions.number) == (2, 3)
    assert dimensions.text("int[][][]") == "multianewarray int[][][] 3"
    branch, *_ = instructions(bytes.fromhex("99 00 04"))
    assert (branch.targets, branch.falls_through) == ((4,), True)


def test_javap_reads_the_same() -> None:
    paths = sorted(compiled(), key=lambda path: path.stat().st_size)[-4:]
    javap = newest_compiler().home / "bin" / "javap"
    ran = subprocess.run([javap, "-c", "-p", *paths], capture_output=True, text=True, check=True)
    expected = [(int(index), name) for index, name in LINE_OF_JAVAP.findall(ran.stdout)]
    read = [
        (each.index, each.mnemonic.removeprefix("wide "))
        for path in paths
        for file in (ClassFile.read(path.read_bytes()),)
        for method in file.methods
        if (attribute := method.attribute("Code")) is not None
        for each in instructions(Code.read(attribute.content, file.constants).code)
    ]
    assert read == [(index, name) for index, name in expected if name in MNEMONICS]


@given(st.binary(max_size=80))
def test_any_bytes_are_covered_without_gap(code: bytes) -> None:
    position = 0
    for instruction in instructions(code):
        assert instruction.index == position
        assert instruction.size > 0
        position += instruction.size
        assert str(instruction).startswith(instruction.mnemonic)
    assert position == len(code)
