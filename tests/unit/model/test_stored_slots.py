# SPDX-License-Identifier: Apache-2.0
"""Types of local variables that are derived from the bytecode of a method."""

from __future__ import annotations

from jvmdebug.model.stored_slots import stored_slots


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
