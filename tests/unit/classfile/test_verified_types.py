# SPDX-License-Identifier: Apache-2.0
"""What the verifier knows is what compilers have written into the frames of the class files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmdebug.classfile import ClassFile, Code, instructions
from jvmdebug.classfile.verified_types import VerifiedTypes
from tests.unit.classfile.corpus import compiled, swap

if TYPE_CHECKING:
    from jvmdebug.classfile import Member

PRIMITIVES = frozenset("IJFD")
STATIC = 0x0008


def types_of(file: ClassFile, method: Member, code: Code) -> VerifiedTypes:
    is_static = bool(method.access & STATIC)
    return VerifiedTypes(code, file.constants, file.name, method.descriptor, is_static=is_static)


def without_frames(code: Code) -> Code:
    others = tuple(each for each in code.attributes if each.name != "StackMapTable")
    return Code(code.max_stack, code.max_locals, code.code, code.handlers, others)


def methods() -> list[tuple[ClassFile, Member, Code]]:
    found: list[tuple[ClassFile, Member, Code]] = []
    for path in compiled():
        file = ClassFile.read(path.read_bytes())
        found += [
            (file, method, Code.read(attribute.content, file.constants))
            for method in file.methods
            if (attribute := method.attribute("Code")) is not None
        ]
    return found


def test_followed_code_agrees_with_the_frames() -> None:
    """The frames say what following the code says, as far as control goes straight on."""
    compared = 0
    for file, method, code in methods():
        known, followed = (types_of(file, method, each) for each in (code, without_frames(code)))
        for each in instructions(code.code):
            found, said = followed.at(each.index), known.at(each.index)
            if found is None:
                break
            assert said is not None
            assert found.stack == said.stack, (file.name, method.name, each)
            for slot, type_ in said.locals.items():
                kinds = {found.locals[slot], type_} & PRIMITIVES
                assert not kinds or found.locals[slot] == type_, (file.name, method.name, each)
            compared += 1
    assert compared > 1000


@pytest.mark.parametrize(("slot", "is_live"), [(0, True), (1, False)])
def test_a_slot_is_live_until_it_is_written(slot: int, is_live: bool) -> None:  # noqa: FBT001
    # 0: iload_0; 1: istore_1; 2: goto 0
    code = Code(1, 2, bytes((26, 60, 167, 255, 254)), (), ())
    constants = ClassFile.read(swap()).constants
    types = VerifiedTypes(code, constants, "A", "(II)V", is_static=True)
    assert types.is_live(slot, 2) is is_live
