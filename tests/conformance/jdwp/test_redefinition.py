# SPDX-License-Identifier: Apache-2.0
"""Hot swap: which changes are accepted or refused, and the effect on methods and frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.conformance.jdwp.target import UNKNOWN_ID

if TYPE_CHECKING:
    from tests.conformance.jdwp.target import Target

TARGET, DOG = "Ltarget/Target;", "Ltarget/Target$Dog;"
SMALL, OTHER = b"\x10\xf8\x3e", b"\x10\xf7\x3e"  # bipush -8 (or -9), istore_3: `byte small = -8`


def class_file(target: Target, name: str) -> bytes:
    return (target.program.class_path[0] / name).read_bytes()


def redefine(target: Target, type_id: int, content: bytes) -> str:
    classes = [{"type_id": type_id, "class_file": content}]
    return target.vm.refusal("VirtualMachine.RedefineClasses", classes=classes)


def changed_target(target: Target) -> bytes:
    content = class_file(target, "target/Target.class")
    assert content.count(SMALL) == 1
    return content.replace(SMALL, OTHER)


def test_the_same_class_again(fresh_target: Target) -> None:
    target = fresh_target
    dog = target.type(DOG)
    bark = target.method(dog, "bark")
    assert redefine(target, dog, class_file(target, "target/Target$Dog.class")) == "NONE"
    assert target.method(dog, "bark") == bark
    assert target.vm.refusal("Method.LineTable", type_id=dog, method_id=bark) == "NONE"
    assert not target.vm.ask("Method.IsObsolete", type_id=dog, method_id=bark)["is_obsolete"]
    assert target.frames()[0]["location"] == target.stop_location()


def test_a_frame_of_old_code(fresh_target: Target) -> None:
    target = fresh_target
    type_id = target.type(TARGET)
    stop = target.method(type_id, "stop")
    old = target.vm.ask("Method.Bytecodes", type_id=type_id, method_id=stop)["bytecodes"]
    assert redefine(target, type_id, changed_target(target)) == "NONE"
    new = target.vm.ask("Method.Bytecodes", type_id=type_id, method_id=stop)["bytecodes"]
    assert new == old.replace(SMALL, OTHER)
    top, caller = (frame["location"] for frame in target.frames()[:2])
    assert top["method_id"] == 0
    assert top["type_id"] == type_id
    assert caller["method_id"] == target.method(target.type(DOG), "bark")
    reply = target.vm.ask("Method.IsObsolete", type_id=type_id, method_id=0)
    assert reply["is_obsolete"]
    assert not target.vm.ask("Method.IsObsolete", type_id=type_id, method_id=stop)["is_obsolete"]


def test_breakpoints_of_the_class_are_gone(fresh_target: Target) -> None:
    target = fresh_target
    assert redefine(target, target.type(TARGET), changed_target(target)) == "NONE"
    # The breakpoint at the stop is not hit any more; a new one is.
    target.set_event(2, {"kind": 7, "location": target.stop_location()})
    target.resume_to_stop()
    top = target.frames()[0]
    assert top["location"] == target.stop_location()
    slots = target.slots(top)
    request = {"thread": target.thread, "frame": top["frame_id"]}
    small = [{"slot": slots["small"], "tag": ord("B")}]
    (value,) = target.vm.ask("StackFrame.GetValues", **request, slots=small)["values"]
    assert value["value"] == -9


@pytest.mark.parametrize(
    ("content", "refusal"),
    [(b"\xca\xfe\xba\xbe", "INVALID_CLASS_FORMAT"), (b"garbage", "INVALID_CLASS_FORMAT")],
)
def test_invalid_class_files(target: Target, content: bytes, refusal: str) -> None:
    assert redefine(target, target.type(DOG), content) == refusal


def test_an_empty_class_file(our_target: Target) -> None:
    assert redefine(our_target, our_target.type(DOG), b"") == "INVALID_CLASS_FORMAT"


def test_a_class_file_of_another_class(target: Target) -> None:
    content = class_file(target, "target/Target$Cat.class")
    assert redefine(target, target.type(DOG), content) == "NAMES_DONT_MATCH"


def test_a_newer_class_file(target: Target) -> None:
    content = bytearray(class_file(target, "target/Target$Cat.class"))
    content[6:8] = b"\x03\xe8"
    refusal = redefine(target, target.type("Ltarget/Target$Cat;"), bytes(content))
    assert refusal == "UNSUPPORTED_VERSION"


def test_a_field_more(target: Target) -> None:
    # `weight` becomes `weighs`: one field less, another more.
    content = class_file(target, "target/Target$Dog.class").replace(
        b"\x00\x06weight", b"\x00\x06weighs"
    )
    assert redefine(target, target.type(DOG), content) == "SCHEMA_CHANGE_NOT_IMPLEMENTED"


def test_another_superclass(target: Target) -> None:
    content = class_file(target, "target/Target$Dog.class")
    swapped = content.replace(b"\x00\x16target/Target$Creature", b"\x00\x10java/lang/Object")
    assert redefine(target, target.type(DOG), swapped) in {
        "HIERARCHY_CHANGE_NOT_IMPLEMENTED",
        "FAILS_VERIFICATION",
    }


def test_types_that_cannot_be_redefined(target: Target) -> None:
    content = class_file(target, "target/Target$Dog.class")
    assert redefine(target, target.type("[I"), content) == "INTERNAL"
    assert redefine(target, UNKNOWN_ID, content) == "INVALID_OBJECT"
    assert redefine(target, target.object("dog"), content) == "INVALID_CLASS"
    assert target.vm.refusal("VirtualMachine.RedefineClasses", classes=[]) == "NONE"
