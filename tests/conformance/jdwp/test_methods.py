# SPDX-License-Identifier: Apache-2.0
"""Methods: lines, variables, bytecodes, and ids of methods of other types."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.conformance.jdwp.target import UNKNOWN_ID

if TYPE_CHECKING:
    from tests.conformance.jdwp.target import Target

TARGET, DOG, UNFINISHED = "Ltarget/Target;", "Ltarget/Target$Dog;", "Ltarget/Target$Unfinished;"


def test_line_table(target: Target) -> None:
    dog = target.type(DOG)
    table = target.vm.ask("Method.LineTable", type_id=dog, method_id=target.method(dog, "bark"))
    assert table["start"] == 0
    assert table["end"] > 0
    line = target.program.marker("bark")
    assert [entry["line"] for entry in table["lines"]] == [line - 1, line]
    assert all(table["start"] <= entry["index"] <= table["end"] for entry in table["lines"])


def test_line_table_of_methods_without_code(target: Target) -> None:
    unfinished = target.type(UNFINISHED)
    native = target.method(unfinished, "help")
    assert target.vm.refusal("Method.LineTable", type_id=unfinished, method_id=native) == (
        "NATIVE_METHOD"
    )
    abstract = target.method(unfinished, "work")
    table = target.vm.ask("Method.LineTable", type_id=unfinished, method_id=abstract)
    assert table == {"start": -1, "end": -1, "lines": []}


def test_variable_table(target: Target) -> None:
    dog = target.type(DOG)
    bark = target.method(dog, "bark")
    table = target.vm.ask("Method.VariableTable", type_id=dog, method_id=bark)
    assert table["argument_slots"] == 2
    described = {(entry["name"], entry["signature"], entry["slot"]) for entry in table["variables"]}
    assert described == {("this", DOG, 0), ("times", "I", 1), ("barked", "I", 2)}
    generic = target.vm.ask("Method.VariableTableWithGeneric", type_id=dog, method_id=bark)
    assert {entry["generic_signature"] for entry in generic["variables"]} == {""}


@pytest.mark.parametrize("command", ["VariableTable", "VariableTableWithGeneric"])
def test_variable_table_of_methods_without_code(target: Target, command: str) -> None:
    unfinished = target.type(UNFINISHED)
    native, abstract = (target.method(unfinished, name) for name in ("help", "work"))
    name = f"Method.{command}"
    assert target.vm.refusal(name, type_id=unfinished, method_id=native) == "NATIVE_METHOD"
    table = target.vm.ask(name, type_id=unfinished, method_id=abstract)
    assert table == {"argument_slots": 1, "variables": []}


def test_bytecodes(target: Target) -> None:
    dog = target.type(DOG)
    code = target.vm.ask("Method.Bytecodes", type_id=dog, method_id=target.method(dog, "bark"))
    assert code["bytecodes"][-1:] == b"\xac"  # ireturn
    unfinished = target.type(UNFINISHED)
    for name in ("help", "work"):
        method = target.method(unfinished, name)
        empty = target.vm.ask("Method.Bytecodes", type_id=unfinished, method_id=method)
        assert empty["bytecodes"] == b""


def test_is_obsolete(target: Target) -> None:
    dog = target.type(DOG)
    bark = target.method(dog, "bark")
    assert not target.vm.ask("Method.IsObsolete", type_id=dog, method_id=bark)["is_obsolete"]
    assert target.vm.ask("Method.IsObsolete", type_id=dog, method_id=0)["is_obsolete"]


METHOD_COMMANDS = [
    "LineTable",
    "VariableTable",
    "VariableTableWithGeneric",
    "Bytecodes",
    "IsObsolete",
]


@pytest.mark.parametrize("command", METHOD_COMMANDS)
def test_methods_that_the_type_does_not_have(our_target: Target, command: str) -> None:
    vm, name = our_target.vm, f"Method.{command}"
    target, dog = our_target.type(TARGET), our_target.type(DOG)
    bark = our_target.method(dog, "bark")
    for method in (UNKNOWN_ID, 1, -1 & 0xFFFF_FFFF_FFFF_FFFF, bark + 1, dog):
        assert vm.refusal(name, type_id=dog, method_id=method) == "INVALID_METHODID", method
    assert vm.refusal(name, type_id=target, method_id=bark) == "INVALID_METHODID"
    assert vm.refusal(name, type_id=our_target.type("[I"), method_id=bark) == "INVALID_METHODID"
    assert vm.refusal(name, type_id=UNKNOWN_ID, method_id=bark) == "INVALID_OBJECT"
    assert vm.refusal(name, type_id=our_target.object("dog"), method_id=bark) == "INVALID_CLASS"
