# SPDX-License-Identifier: Apache-2.0
"""Tests which of a line's code indexes begin a pass: a table of the forms that compilers write."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from jvmdebug.classfile.opcodes import MNEMONICS
from jvmdebug.sources import LineSpec
from tests.support.fake_classes import FakeMethod
from tests.unit.breakpoints.conftest import resolved

if TYPE_CHECKING:
    from jvmdebug.model import VirtualMachine
    from tests.support.fake_classes import FakeClasses
    from tests.support.fake_vm import FakeVm

LINE, OTHER, LATER = 8, 4, 12
CONTINUATION = "(Lkotlin/coroutines/Continuation;)Ljava/lang/Object;"


def assembled(*words: str | int) -> bytes:
    """`iload_0 ifeq +7 …`: mnemonics, and numbers as two bytes."""
    return b"".join(
        each.to_bytes(2, signed=True) if isinstance(each, int) else bytes([MNEMONICS.index(each)])
        for each in words
    )


CHOICE = assembled("iload_0", "ifeq", 7, "iconst_1", "goto", 4, "iconst_0", "ireturn")
"""0: iload_0, 1: ifeq 8, 4: iconst_1, 5: goto 9, 8: iconst_0, 9: ireturn."""
LOOP = assembled("iconst_0", "istore_1", "iload_1", "ifeq", 7, "nop", "goto", -5, "return")
"""0: iconst_0, 2: iload_1, 3: ifeq 10, 6: nop, 7: goto 2, 10: return."""
CHECKED_BELOW = assembled("goto", 4, "nop", "iload_0", "ifne", -2, "return")
"""0: goto 4, 3: nop, 4: iload_0, 5: ifne 3, 8: return."""
COPIES = assembled("nop", "nop", "goto", 7, "astore_1", "nop", "aload_1", "athrow", "return")
"""0: nop, 1: nop, 2: goto 9, 5: astore_1 (a handler), 6: nop, 7: aload_1, 8: athrow, 9: return."""
RELEASED = assembled("nop", "return", "aload_1", "monitorexit", "athrow")
"""0: nop, 1: return, 2: aload_1 (a handler)."""
TWO_WAYS = assembled("iload_0", "ifeq", 8, "nop", "iconst_1", "goto", 4, "iconst_0", "ireturn")
"""0: iload_0, 1: ifeq 9, 4: nop, 5: iconst_1, 6: goto 10, 9: iconst_0, 10: ireturn."""


@pytest.mark.parametrize(
    ("code", "lines", "begins"),
    [
        pytest.param(CHOICE, {0: LINE, 4: OTHER, 9: LINE}, [0], id="the value is returned"),
        pytest.param(CHOICE, {0: LINE, 4: LINE, 8: LINE, 9: LINE}, [0], id="neighbours"),
        pytest.param(CHOICE, {0: OTHER, 4: LINE, 8: LINE}, [4, 8], id="two branches"),
        pytest.param(LOOP, {0: LINE, 2: LINE, 6: OTHER}, [0, 2], id="the head of a loop"),
        pytest.param(LOOP, {0: LINE, 2: OTHER, 7: LINE}, [0, 7], id="the update of a loop"),
        pytest.param(LOOP, {0: OTHER, 2: LINE, 6: LINE}, [2], id="the body on the head's line"),
        pytest.param(CHECKED_BELOW, {0: LINE, 3: OTHER, 4: LINE}, [4], id="only a jump"),
        pytest.param(COPIES, {0: OTHER, 1: LINE, 5: LINE}, [1, 5], id="copies of finally"),
        pytest.param(COPIES, {0: LINE, 1: LATER, 5: LATER, 7: LINE}, [0], id="thrown on"),
        pytest.param(COPIES, {1: OTHER, 2: LINE, 5: OTHER, 7: LINE}, [2, 7], id="its brace"),
        pytest.param(RELEASED, {0: LINE, 1: OTHER, 2: LINE}, [0], id="a monitor is released"),
        pytest.param(TWO_WAYS, {0: LATER, 4: LINE, 10: LINE}, [0], id="begins on a later line"),
        pytest.param(TWO_WAYS, {0: OTHER, 4: LINE, 10: LINE}, [4, 10], id="two ways to it"),
    ],
)
async def test_where_a_pass_begins(
    vm: VirtualMachine,
    fake_vm: FakeVm,
    classes: FakeClasses,
    code: bytes,
    lines: dict[int, int],
    begins: list[int],
) -> None:
    fake_vm.on("ReferenceType.ConstantPool", {"count": 1, "constants": b""})
    classes.load("shop.Cart", FakeMethod("run", lines=lines, code=code))
    found = await resolved(vm, LineSpec(LINE, type_name="shop.Cart"))
    assert [each.index for each in found.locations] == begins


async def test_a_coroutine_that_is_resumed_in_a_statement_does_not_begin_it(
    vm: VirtualMachine, fake_vm: FakeVm, classes: FakeClasses
) -> None:
    fake_vm.on("ReferenceType.ConstantPool", {"count": 1, "constants": b""})
    lines = {0: OTHER, 4: LINE, 10: LINE}
    classes.load("shop.Cart", FakeMethod("run", CONTINUATION, lines=lines, code=TWO_WAYS))
    found = await resolved(vm, LineSpec(LINE, type_name="shop.Cart"))
    assert [each.index for each in found.locations] == [4]


async def test_what_is_asked_for_a_line(
    vm: VirtualMachine, fake_vm: FakeVm, classes: FakeClasses
) -> None:
    fake_vm.on("ReferenceType.ConstantPool", {"count": 1, "constants": b""})
    classes.load(
        "shop.Cart",
        FakeMethod("choice", lines={0: LINE, 4: OTHER, 9: LINE}, code=CHOICE),
        FakeMethod("loop", lines={0: 20, 2: 21, 7: 20}, code=LOOP),
        FakeMethod("other", lines={0: 30, 2: 21, 7: 20}, code=LOOP),
    )
    asked = ("Method.Bytecodes", "ReferenceType.ConstantPool")
    for line, expected in ((OTHER, []), (LINE, [asked[0]]), (20, list(asked)), (20, [])):
        known = len(fake_vm.names())
        await resolved(vm, LineSpec(line, type_name="shop.Cart"))
        assert [each for each in fake_vm.names()[known:] if each in asked] == expected


async def test_a_huge_method_on_one_line_takes_no_time(
    vm: VirtualMachine, fake_vm: FakeVm, classes: FakeClasses
) -> None:
    fake_vm.on("ReferenceType.ConstantPool", {"count": 1, "constants": b""})
    part = assembled("iload_0", "ifeq", 4, "nop")
    code = part * 10_000 + assembled("return")
    lines = {index: LINE if index % 2 else OTHER for index in range(0, 50_000, 5)}
    classes.load("shop.Cart", FakeMethod("run", lines=lines, code=code))
    begun = time.monotonic()
    found = await resolved(vm, LineSpec(LINE, type_name="shop.Cart"))
    assert found.locations
    assert time.monotonic() - begun < 5
