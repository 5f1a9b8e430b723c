# SPDX-License-Identifier: Apache-2.0
"""Methods: lines, variables, bytecodes, and ids that are none of the type's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.conformance.jdwp.zoo import UNKNOWN_ID

if TYPE_CHECKING:
    from tests.conformance.jdwp.zoo import Zoo

ZOO, DOG, UNFINISHED = "Lzoo/Zoo;", "Lzoo/Zoo$Dog;", "Lzoo/Zoo$Unfinished;"


def test_line_table(zoo: Zoo) -> None:
    dog = zoo.type(DOG)
    table = zoo.vm.ask("Method.LineTable", type_id=dog, method_id=zoo.method(dog, "bark"))
    assert table["start"] == 0
    assert table["end"] > 0
    line = zoo.program.marker("bark")
    assert [entry["line"] for entry in table["lines"]] == [line - 1, line]
    assert all(table["start"] <= entry["index"] <= table["end"] for entry in table["lines"])


def test_line_table_of_methods_without_code(zoo: Zoo) -> None:
    unfinished = zoo.type(UNFINISHED)
    native = zoo.method(unfinished, "help")
    assert zoo.vm.refusal("Method.LineTable", type_id=unfinished, method_id=native) == (
        "NATIVE_METHOD"
    )
    abstract = zoo.method(unfinished, "work")
    table = zoo.vm.ask("Method.LineTable", type_id=unfinished, method_id=abstract)
    assert table == {"start": -1, "end": -1, "lines": []}


def test_variable_table(zoo: Zoo) -> None:
    dog = zoo.type(DOG)
    bark = zoo.method(dog, "bark")
    table = zoo.vm.ask("Method.VariableTable", type_id=dog, method_id=bark)
    assert table["argument_slots"] == 2
    described = {(entry["name"], entry["signature"], entry["slot"]) for entry in table["variables"]}
    assert described == {("this", DOG, 0), ("times", "I", 1), ("barked", "I", 2)}
    generic = zoo.vm.ask("Method.VariableTableWithGeneric", type_id=dog, method_id=bark)
    assert {entry["generic_signature"] for entry in generic["variables"]} == {""}


@pytest.mark.parametrize("command", ["VariableTable", "VariableTableWithGeneric"])
def test_variable_table_of_methods_without_code(zoo: Zoo, command: str) -> None:
    unfinished = zoo.type(UNFINISHED)
    native, abstract = (zoo.method(unfinished, name) for name in ("help", "work"))
    name = f"Method.{command}"
    assert zoo.vm.refusal(name, type_id=unfinished, method_id=native) == "NATIVE_METHOD"
    table = zoo.vm.ask(name, type_id=unfinished, method_id=abstract)
    assert table == {"argument_slots": 1, "variables": []}


def test_bytecodes(zoo: Zoo) -> None:
    dog = zoo.type(DOG)
    code = zoo.vm.ask("Method.Bytecodes", type_id=dog, method_id=zoo.method(dog, "bark"))
    assert code["bytecodes"][-1:] == b"\xac"  # ireturn
    unfinished = zoo.type(UNFINISHED)
    for name in ("help", "work"):
        method = zoo.method(unfinished, name)
        empty = zoo.vm.ask("Method.Bytecodes", type_id=unfinished, method_id=method)
        assert empty["bytecodes"] == b""


def test_is_obsolete(zoo: Zoo) -> None:
    dog = zoo.type(DOG)
    bark = zoo.method(dog, "bark")
    assert not zoo.vm.ask("Method.IsObsolete", type_id=dog, method_id=bark)["is_obsolete"]
    assert zoo.vm.ask("Method.IsObsolete", type_id=dog, method_id=0)["is_obsolete"]


METHOD_COMMANDS = [
    "LineTable",
    "VariableTable",
    "VariableTableWithGeneric",
    "Bytecodes",
    "IsObsolete",
]


@pytest.mark.parametrize("command", METHOD_COMMANDS)
def test_what_is_no_method_of_the_type(our_zoo: Zoo, command: str) -> None:
    vm, name = our_zoo.vm, f"Method.{command}"
    zoo, dog = our_zoo.type(ZOO), our_zoo.type(DOG)
    bark = our_zoo.method(dog, "bark")
    for method in (UNKNOWN_ID, 1, -1 & 0xFFFF_FFFF_FFFF_FFFF, bark + 1, dog):
        assert vm.refusal(name, type_id=dog, method_id=method) == "INVALID_METHODID", method
    assert vm.refusal(name, type_id=zoo, method_id=bark) == "INVALID_METHODID"
    assert vm.refusal(name, type_id=our_zoo.type("[I"), method_id=bark) == "INVALID_METHODID"
    assert vm.refusal(name, type_id=UNKNOWN_ID, method_id=bark) == "INVALID_OBJECT"
    assert vm.refusal(name, type_id=our_zoo.object("dog"), method_id=bark) == "INVALID_CLASS"
