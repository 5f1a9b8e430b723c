# SPDX-License-Identifier: Apache-2.0
"""Hot swap: what is accepted, what is refused and how, and what becomes of methods and frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.conformance.jdwp.zoo import UNKNOWN_ID

if TYPE_CHECKING:
    from tests.conformance.jdwp.zoo import Zoo

ZOO, DOG = "Lzoo/Zoo;", "Lzoo/Zoo$Dog;"
SMALL, OTHER = b"\x10\xf8\x3e", b"\x10\xf7\x3e"  # bipush -8 (or -9), istore_3: `byte small = -8`


def class_file(zoo: Zoo, name: str) -> bytes:
    return (zoo.program.class_path[0] / name).read_bytes()


def redefine(zoo: Zoo, type_id: int, content: bytes) -> str:
    classes = [{"type_id": type_id, "class_file": content}]
    return zoo.vm.refusal("VirtualMachine.RedefineClasses", classes=classes)


def changed_zoo(zoo: Zoo) -> bytes:
    content = class_file(zoo, "zoo/Zoo.class")
    assert content.count(SMALL) == 1
    return content.replace(SMALL, OTHER)


def test_the_same_class_again(fresh_zoo: Zoo) -> None:
    zoo = fresh_zoo
    dog = zoo.type(DOG)
    bark = zoo.method(dog, "bark")
    assert redefine(zoo, dog, class_file(zoo, "zoo/Zoo$Dog.class")) == "NONE"
    assert zoo.method(dog, "bark") == bark
    assert zoo.vm.refusal("Method.LineTable", type_id=dog, method_id=bark) == "NONE"
    assert not zoo.vm.ask("Method.IsObsolete", type_id=dog, method_id=bark)["is_obsolete"]
    assert zoo.frames()[0]["location"] == zoo.stop_location()


def test_a_frame_of_old_code(fresh_zoo: Zoo) -> None:
    zoo = fresh_zoo
    type_id = zoo.type(ZOO)
    stop = zoo.method(type_id, "stop")
    old = zoo.vm.ask("Method.Bytecodes", type_id=type_id, method_id=stop)["bytecodes"]
    assert redefine(zoo, type_id, changed_zoo(zoo)) == "NONE"
    new = zoo.vm.ask("Method.Bytecodes", type_id=type_id, method_id=stop)["bytecodes"]
    assert new == old.replace(SMALL, OTHER)
    top, caller = (frame["location"] for frame in zoo.frames()[:2])
    assert top["method_id"] == 0
    assert top["type_id"] == type_id
    assert caller["method_id"] == zoo.method(zoo.type(DOG), "bark")
    reply = zoo.vm.ask("Method.IsObsolete", type_id=type_id, method_id=0)
    assert reply["is_obsolete"]
    assert not zoo.vm.ask("Method.IsObsolete", type_id=type_id, method_id=stop)["is_obsolete"]


def test_breakpoints_of_the_class_are_gone(fresh_zoo: Zoo) -> None:
    zoo = fresh_zoo
    assert redefine(zoo, zoo.type(ZOO), changed_zoo(zoo)) == "NONE"
    # The breakpoint at the stop is not hit any more; a new one is.
    zoo.set_event(2, {"kind": 7, "location": zoo.stop_location()})
    zoo.resume_to_stop()
    top = zoo.frames()[0]
    assert top["location"] == zoo.stop_location()
    slots = zoo.slots(top)
    request = {"thread": zoo.thread, "frame": top["frame_id"]}
    small = [{"slot": slots["small"], "tag": ord("B")}]
    (value,) = zoo.vm.ask("StackFrame.GetValues", **request, slots=small)["values"]
    assert value["value"] == -9


@pytest.mark.parametrize(
    ("content", "refusal"),
    [(b"\xca\xfe\xba\xbe", "INVALID_CLASS_FORMAT"), (b"garbage", "INVALID_CLASS_FORMAT")],
)
def test_what_is_no_class_file(zoo: Zoo, content: bytes, refusal: str) -> None:
    assert redefine(zoo, zoo.type(DOG), content) == refusal


def test_an_empty_class_file(our_zoo: Zoo) -> None:
    assert redefine(our_zoo, our_zoo.type(DOG), b"") == "INVALID_CLASS_FORMAT"


def test_a_class_file_of_another_class(zoo: Zoo) -> None:
    content = class_file(zoo, "zoo/Zoo$Cat.class")
    assert redefine(zoo, zoo.type(DOG), content) == "NAMES_DONT_MATCH"


def test_a_newer_class_file(zoo: Zoo) -> None:
    content = bytearray(class_file(zoo, "zoo/Zoo$Cat.class"))
    content[6:8] = b"\x03\xe8"
    refusal = redefine(zoo, zoo.type("Lzoo/Zoo$Cat;"), bytes(content))
    assert refusal == "UNSUPPORTED_VERSION"


def test_a_field_more(zoo: Zoo) -> None:
    # `weight` becomes `weighs`: one field less, another more.
    content = class_file(zoo, "zoo/Zoo$Dog.class").replace(b"\x00\x06weight", b"\x00\x06weighs")
    assert redefine(zoo, zoo.type(DOG), content) == "SCHEMA_CHANGE_NOT_IMPLEMENTED"


def test_another_superclass(zoo: Zoo) -> None:
    content = class_file(zoo, "zoo/Zoo$Dog.class")
    swapped = content.replace(b"\x00\x10zoo/Zoo$Creature", b"\x00\x10java/lang/Object")
    assert redefine(zoo, zoo.type(DOG), swapped) in {
        "HIERARCHY_CHANGE_NOT_IMPLEMENTED",
        "FAILS_VERIFICATION",
    }


def test_types_that_cannot_be_redefined(zoo: Zoo) -> None:
    content = class_file(zoo, "zoo/Zoo$Dog.class")
    assert redefine(zoo, zoo.type("[I"), content) == "INTERNAL"
    assert redefine(zoo, UNKNOWN_ID, content) == "INVALID_OBJECT"
    assert redefine(zoo, zoo.object("dog"), content) == "INVALID_CLASS"
    assert zoo.vm.refusal("VirtualMachine.RedefineClasses", classes=[]) == "NONE"
