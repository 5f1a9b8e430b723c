# SPDX-License-Identifier: Apache-2.0
"""Types of local variables that are derived from the bytecode of a method."""

from __future__ import annotations

from jvmdebug.classfile import Attribute, Code
from jvmdebug.model.stored_slots import VerifiedSlots, stored_slots
from tests.support.lines_run import counted_lines


def test_stores_before_the_place_count() -> None:
    # iconst_1 istore_2; lconst_1 lstore 5; aconst_null astore_1; fconst_0 fstore_3
    code = bytes.fromhex("04 3d 0a 37 05 01 4c 0b 46 b1")
    assert stored_slots(code, 0) == {}
    assert stored_slots(code, 2) == {2: "I"}
    assert stored_slots(code, 7) == {1: "Ljava/lang/Object;", 2: "I", 5: "J"}
    assert stored_slots(code, 100) == {1: "Ljava/lang/Object;", 2: "I", 3: "F", 5: "J"}


def test_a_slot_that_is_used_again_has_what_was_stored_last() -> None:
    code = bytes.fromhex("04 3c 0f 48 b1")  # istore_1, then dstore_1
    assert stored_slots(code, 2) == {1: "I"}
    assert stored_slots(code, 5) == {1: "D"}


def test_wide_instructions_and_switches_are_stepped_over() -> None:
    wide = "04 c4 36 01 00 c4 84 01 00 00 01"  # wide istore 256, wide iinc 256 1
    assert stored_slots(bytes.fromhex(wide), 11) == {256: "I"}
    # tableswitch at 1, operands at 4: default, 0, 1, two offsets (like istore_0), istore_3
    code = bytes.fromhex("1a aa 00 00 00000015 00000000 00000001 3b3b3b3b 3b3b3b3b 3e b1")
    assert stored_slots(code, len(code)) == {3: "I"}
    # lookupswitch at 0, operands at 4: default, one pair
    code = bytes.fromhex("ab 00 00 00 00000010 00000001 3b3b3b3b 3b3b3b3b 3d b1")
    assert stored_slots(code, len(code)) == {2: "I"}


def _code(instructions: str, frames: str = "") -> Code:
    attributes = (Attribute("StackMapTable", 0, bytes.fromhex(frames)),) if frames else ()
    return Code(4, 8, bytes.fromhex(instructions), (), attributes)


def test_a_slot_of_one_branch_is_not_verified_behind_it() -> None:
    # iload_0 ifeq(9); lconst_1 lstore_1; goto(9) [8: nop] 9: iconst_1 istore_3; return
    code = _code("1a 99 00 08 0a 40 a7 00 03 04 3e b1", "00 01 09")
    slots = VerifiedSlots(code, ["I"], is_static=True)
    assert slots.before(0) == {0: "I"}
    assert slots.before(6) == {0: "I", 1: "J"}
    assert slots.before(9) == {0: "I"}
    assert slots.before(11) == {0: "I", 3: "I"}


def test_frames_add_and_take_locals_and_have_types_that_nobody_may_use() -> None:
    # nop × 16; append 2 at 2: long, Object #5; full at 4: top, float, uninitialized at 1;
    # chop 1 at 6; same with an int on the stack at 8; same extended at 11.
    frames = "0005 fd0002 04 070005 ff0001 0003 00 02 080001 0000 fa0001 41 01 fb0002"
    slots = VerifiedSlots(_code("00" * 16, frames), [], is_static=False)
    something = "Ljava/lang/Object;"
    assert slots.before(1) == {0: something}
    assert slots.before(2) == {0: something, 1: "J", 3: something}
    assert slots.before(5) == {1: "F"}
    assert slots.before(6) == slots.before(15) == {1: "F"}


def test_a_store_into_half_of_a_long_ends_it() -> None:
    # lconst_1 lstore_1; iconst_1 istore_2; lconst_1 lstore_1
    slots = VerifiedSlots(_code("0a 40 04 3d 0a 40 b1"), [], is_static=True)
    assert slots.before(2) == {1: "J"}
    assert slots.before(4) == {2: "I"}
    assert slots.before(6) == {1: "J"}


def test_a_long_method_is_read_once_for_all_its_breakpoints() -> None:
    code = bytes.fromhex("043c") * 1000 + b"\xb1"
    with counted_lines() as first:
        assert stored_slots(code, 2) == {1: "I"}
    with counted_lines() as later:
        assert stored_slots(code, 4) == {1: "I"}
    assert later.count < first.count / 100
