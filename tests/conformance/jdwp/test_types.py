# SPDX-License-Identifier: Apache-2.0
"""What the agents say about the VM and its types: VirtualMachine, ReferenceType and their kin."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest

from tests.conformance.jdwp.target import ARRAY, CLASS, INTERFACE, UNKNOWN_ID

if TYPE_CHECKING:
    from tests.conformance.jdwp.target import Target

PREPARED, INITIALIZED = 2, 4
ABSTRACT, NATIVE, STATIC, FINAL = 0x400, 0x100, 0x8, 0x10
SYNTHETIC = -0x1000_0000  # 0xf0000000 as a signed int
TARGET, DOG, NAMED, UNFINISHED = (
    "Ltarget/Target;",
    "Ltarget/Target$Dog;",
    "Ltarget/Target$Named;",
    "Ltarget/Target$Unfinished;",
)
STRING = "Ljava/lang/String;"


def test_version(target: Target) -> None:
    version = target.vm.ask("VirtualMachine.Version")
    assert version["jdwp_major"] == target.jdk.version
    assert version["jdwp_minor"] == 0
    assert version["vm_version"].startswith(f"{target.jdk.version}.")
    assert "VM" in version["vm_name"]
    assert version["vm_version"] in version["description"]


def test_id_sizes(target: Target) -> None:
    assert set(target.vm.ask("VirtualMachine.IDSizes").values()) == {8}


@pytest.mark.parametrize(
    ("signature", "tag", "status"),
    [
        (STRING, CLASS, 7),
        ("Ljava/lang/Runnable;", INTERFACE, 7),
        ("[Ljava/lang/String;", ARRAY, 0),
        ("[[I", ARRAY, 0),
        (DOG, CLASS, 7),
    ],
)
def test_classes_by_signature(target: Target, signature: str, tag: int, status: int) -> None:
    (found,) = target.vm.ask("VirtualMachine.ClassesBySignature", signature=signature)["classes"]
    assert found["type_tag"] == tag
    # An interface may or may not have been initialised.
    assert found["status"] | (INITIALIZED if tag == INTERFACE else 0) == status


@pytest.mark.parametrize("signature", ["Lno/such/Type;", "", "I", "garbage", "L\u00e9\U0001f600;"])
def test_classes_by_signature_finds_nothing(target: Target, signature: str) -> None:
    found = target.vm.ask("VirtualMachine.ClassesBySignature", signature=signature)
    assert found["classes"] == []


def test_all_classes(target: Target) -> None:
    classes = target.vm.ask("VirtualMachine.AllClasses")["classes"]
    by_signature = {entry["signature"]: entry for entry in classes}
    assert by_signature[DOG]["type_tag"] == CLASS
    assert by_signature[NAMED]["type_tag"] == INTERFACE
    assert by_signature["[[I"]["type_tag"] == ARRAY
    assert by_signature[DOG]["type_id"] == target.type(DOG)
    assert all(entry["status"] & PREPARED or entry["type_tag"] == ARRAY for entry in classes)
    assert len({entry["type_id"] for entry in classes}) == len(classes)


def test_all_classes_with_generic(target: Target) -> None:
    classes = target.vm.ask("VirtualMachine.AllClassesWithGeneric")["classes"]
    generic = {entry["signature"]: entry["generic_signature"] for entry in classes}
    assert generic[NAMED] == "<T:Ljava/lang/Object;>Ljava/lang/Object;"
    assert generic[TARGET] == ""
    assert generic["[[I"] == ""


def test_top_level_thread_groups(target: Target) -> None:
    (group,) = target.vm.ask("VirtualMachine.TopLevelThreadGroups")["groups"]
    assert target.vm.ask("ThreadGroupReference.Name", group=group)["name"] == "system"


def test_class_paths(target: Target) -> None:
    paths = target.vm.ask("VirtualMachine.ClassPaths")
    assert paths["base_directory"].startswith("/")
    assert paths["class_paths"] == [str(path) for path in target.program.class_path]
    assert paths["boot_class_paths"] == []


def test_capabilities(target: Target) -> None:
    assert set(target.vm.ask("VirtualMachine.Capabilities").values()) == {True}


def test_capabilities_new(target: Target) -> None:
    capabilities = target.vm.ask("VirtualMachine.CapabilitiesNew")
    absent = {name for name, present in capabilities.items() if not present}
    assert absent == {
        "can_add_method",
        "can_unrestrictedly_redefine_classes",
        "can_use_source_name_filters",
        *(f"reserved_{number}" for number in range(22, 33)),
    }


def test_all_modules(target: Target) -> None:
    modules = target.vm.ask("VirtualMachine.AllModules")["modules"]
    names = {target.vm.ask("ModuleReference.Name", module=module)["name"] for module in modules}
    assert {"java.base", ""} <= names
    base = target.vm.ask("ReferenceType.Module", type_id=target.type(STRING))["module"]
    assert base in modules
    assert target.vm.ask("ModuleReference.Name", module=base)["name"] == "java.base"
    assert target.vm.ask("ModuleReference.ClassLoader", module=base)["class_loader"] == 0
    own = target.vm.ask("ReferenceType.Module", type_id=target.type(TARGET))["module"]
    loader = target.vm.ask("ReferenceType.ClassLoader", type_id=target.type(TARGET))["class_loader"]
    assert target.vm.ask("ModuleReference.ClassLoader", module=own)["class_loader"] == loader


@pytest.mark.parametrize(
    ("signature", "generic"),
    [
        (DOG, "Ltarget/Target$Creature;Ltarget/Target$Named<Ljava/lang/String;>;"),
        (TARGET, ""),
        ("[[I", ""),
    ],
)
def test_signature(target: Target, signature: str, generic: str) -> None:
    type_id = target.type(signature)
    assert target.vm.ask("ReferenceType.Signature", type_id=type_id)["signature"] == signature
    both = target.vm.ask("ReferenceType.SignatureWithGeneric", type_id=type_id)
    assert both == {"signature": signature, "generic_signature": generic}


def test_class_loader(target: Target) -> None:
    loader = target.vm.ask("ReferenceType.ClassLoader", type_id=target.type(DOG))["class_loader"]
    assert loader == target.object("loader")
    assert (
        target.vm.ask("ReferenceType.ClassLoader", type_id=target.type(STRING))["class_loader"] == 0
    )


def test_modifiers(target: Target) -> None:
    def modifiers(signature: str) -> int:
        type_id = target.type(signature)
        return int(target.vm.ask("ReferenceType.Modifiers", type_id=type_id)["modifiers"])

    assert modifiers(STRING) & (FINAL | ABSTRACT) == FINAL
    assert modifiers(UNFINISHED) & ABSTRACT
    assert modifiers("[[I") & FINAL


def test_fields(target: Target) -> None:
    fields = target.vm.ask("ReferenceType.FieldsWithGeneric", type_id=target.type(DOG))["fields"]
    described = [
        (entry["name"], entry["signature"], entry["generic_signature"]) for entry in fields
    ]
    assert described == [
        ("name", STRING, ""),
        ("age", "I", ""),
        ("weight", "J", ""),
        ("tricks", "Ljava/util/List;", "Ljava/util/List<Ljava/lang/String;>;"),
        ("self", DOG, ""),
    ]
    plain = target.vm.ask("ReferenceType.Fields", type_id=target.type(DOG))["fields"]
    for entry, with_generic in zip(plain, fields, strict=True):
        assert entry.items() <= with_generic.items()


def test_methods(target: Target) -> None:
    methods = target.vm.ask("ReferenceType.MethodsWithGeneric", type_id=target.type(DOG))["methods"]
    described = [
        (entry["name"], entry["signature"], entry["modifiers"] & SYNTHETIC == SYNTHETIC)
        for entry in methods
    ]
    assert described == [
        ("<init>", f"({STRING})V", False),
        ("name", f"(){STRING}", False),
        ("bark", "(I)I", False),
        ("name", "()Ljava/lang/Object;", True),
    ]
    plain = target.vm.ask("ReferenceType.Methods", type_id=target.type(DOG))["methods"]
    for entry, with_generic in zip(plain, methods, strict=True):
        assert entry.items() <= with_generic.items()


def test_an_array_type_has_no_members(target: Target) -> None:
    row = target.type("[I")
    assert target.vm.ask("ReferenceType.Fields", type_id=row)["fields"] == []
    assert target.vm.ask("ReferenceType.Methods", type_id=row)["methods"] == []


def test_source_file(target: Target) -> None:
    assert (
        target.vm.ask("ReferenceType.SourceFile", type_id=target.type(DOG))["source_file"]
        == "Target.java"
    )
    array = target.type("[I")
    assert target.vm.refusal("ReferenceType.SourceFile", type_id=array) == "ABSENT_INFORMATION"


def test_source_debug_extension_is_absent(target: Target) -> None:
    refusal = target.vm.refusal("ReferenceType.SourceDebugExtension", type_id=target.type(TARGET))
    assert refusal == "ABSENT_INFORMATION"


def test_nested_types(target: Target) -> None:
    nested = target.vm.ask("ReferenceType.NestedTypes", type_id=target.type(TARGET))["classes"]
    expected = {
        (CLASS, target.type(DOG)),
        (CLASS, target.type("Ltarget/Target$Cat;")),
        (CLASS, target.type("Ltarget/Target$Creature;")),
        (CLASS, target.type(UNFINISHED)),
        (INTERFACE, target.type(NAMED)),
    }
    assert {(entry["type_tag"], entry["type_id"]) for entry in nested} >= expected
    names = {
        target.vm.ask("ReferenceType.Signature", type_id=entry["type_id"])["signature"]
        for entry in nested
    }
    assert all(name.startswith("Ltarget/Target$") for name in names)
    assert target.vm.ask("ReferenceType.NestedTypes", type_id=target.type(DOG))["classes"] == []


def test_status(target: Target) -> None:
    assert target.vm.ask("ReferenceType.Status", type_id=target.type(TARGET))["status"] == 7
    assert target.vm.ask("ReferenceType.Status", type_id=target.type("[I"))["status"] == 0


def test_interfaces(target: Target) -> None:
    interfaces = target.vm.ask("ReferenceType.Interfaces", type_id=target.type(DOG))["interfaces"]
    assert interfaces == [target.type(NAMED)]


def test_class_object(target: Target) -> None:
    class_object = target.vm.ask("ReferenceType.ClassObject", type_id=target.type(STRING))[
        "class_object"
    ]
    assert class_object == target.object("type")
    reflected = target.vm.ask("ClassObjectReference.ReflectedType", class_object=class_object)
    assert reflected == {"type_tag": CLASS, "type_id": target.type(STRING)}


def test_class_file_version(target: Target) -> None:
    version = target.vm.ask("ReferenceType.ClassFileVersion", type_id=target.type(TARGET))
    assert version == {"major_version": target.program.release + 44, "minor_version": 0}
    array = target.type("[I")
    assert (
        target.vm.refusal("ReferenceType.ClassFileVersion", type_id=array) == "ABSENT_INFORMATION"
    )


def test_constant_pool(target: Target) -> None:
    pool = target.vm.ask("ReferenceType.ConstantPool", type_id=target.type(TARGET))
    assert pool["count"] > 100
    assert b"hello " not in pool["constants"]
    assert b"contender" in pool["constants"]
    array = target.type("[I")
    assert target.vm.refusal("ReferenceType.ConstantPool", type_id=array) == "ABSENT_INFORMATION"


def test_superclass(target: Target) -> None:
    def superclass(signature: str) -> int:
        type_id = target.type(signature)
        return int(target.vm.ask("ClassType.Superclass", type_id=type_id)["superclass"])

    assert superclass(DOG) == target.type("Ltarget/Target$Creature;")
    assert superclass("Ljava/lang/Object;") == 0
    assert superclass(NAMED) == 0
    assert superclass("[I") == target.type("Ljava/lang/Object;")


def test_visible_classes(target: Target) -> None:
    loader = target.object("loader")
    visible = target.vm.ask("ClassLoaderReference.VisibleClasses", class_loader=loader)["classes"]
    assert {"type_tag": CLASS, "type_id": target.type(DOG)} in visible
    boot = target.vm.ask("ClassLoaderReference.VisibleClasses", class_loader=0)["classes"]
    assert {"type_tag": CLASS, "type_id": target.type(STRING)} in boot


def test_instances(target: Target) -> None:
    dog = target.type(DOG)
    instances = target.vm.ask("ReferenceType.Instances", type_id=dog, max_instances=0)["instances"]
    assert target.object("dog") in {entry["id"] for entry in instances}
    assert len(instances) == 2
    assert {chr(entry["tag"]) for entry in instances} == {"L"}
    one = target.vm.ask("ReferenceType.Instances", type_id=dog, max_instances=1)["instances"]
    assert len(one) == 1
    interface = target.type(NAMED)
    none = target.vm.ask("ReferenceType.Instances", type_id=interface, max_instances=0)
    assert none["instances"] == []
    assert target.vm.refusal("ReferenceType.Instances", type_id=dog, max_instances=-1) == (
        "ILLEGAL_ARGUMENT"
    )


def test_instance_counts(target: Target) -> None:
    types = [target.type(DOG), target.type("Ltarget/Target$Cat;"), target.type(NAMED), UNKNOWN_ID]
    counts = target.vm.ask("VirtualMachine.InstanceCounts", types=types)["counts"]
    assert counts == [2, 1, 0, 0]
    assert target.vm.ask("VirtualMachine.InstanceCounts", types=[])["counts"] == []


TYPE_COMMANDS = [
    "Signature",
    "ClassLoader",
    "Modifiers",
    "Fields",
    "Methods",
    "SourceFile",
    "NestedTypes",
    "Status",
    "Interfaces",
    "ClassObject",
    "SourceDebugExtension",
    "SignatureWithGeneric",
    "FieldsWithGeneric",
    "MethodsWithGeneric",
    "ClassFileVersion",
    "ConstantPool",
    "Module",
]


@pytest.mark.parametrize("command", TYPE_COMMANDS)
def test_invalid_types(target: Target, command: str) -> None:
    name = f"ReferenceType.{command}"
    assert target.vm.refusal(name, type_id=UNKNOWN_ID) == "INVALID_OBJECT"
    assert target.vm.refusal(name, type_id=target.object("dog")) == "INVALID_CLASS"
    assert target.vm.refusal(name, type_id=target.thread) == "INVALID_CLASS"


@pytest.mark.parametrize("command", TYPE_COMMANDS)
def test_a_null_type(our_target: Target, command: str) -> None:
    assert our_target.vm.refusal(f"ReferenceType.{command}", type_id=0) == "INVALID_CLASS"


def test_modules_that_are_none(target: Target) -> None:
    for command in ("ModuleReference.Name", "ModuleReference.ClassLoader"):
        assert target.vm.refusal(command, module=UNKNOWN_ID) == "INVALID_MODULE"


def test_modules_of_another_kind(our_target: Target) -> None:
    for command in ("ModuleReference.Name", "ModuleReference.ClassLoader"):
        for other in (0, our_target.object("dog"), our_target.type(TARGET)):
            assert our_target.vm.refusal(command, module=other) == "INVALID_MODULE"


def test_loaders_that_are_none(target: Target) -> None:
    command = "ClassLoaderReference.VisibleClasses"
    assert target.vm.refusal(command, class_loader=UNKNOWN_ID) == "INVALID_OBJECT"
    assert target.vm.refusal(command, class_loader=target.object("dog")) == "INVALID_CLASS_LOADER"


def test_an_ill_formed_request_is_refused(target: Target) -> None:
    for payload in (b"", b"\x00" * 7, struct.pack(">Q", UNKNOWN_ID)):
        code, _ = target.vm.ask_raw(2, 1, payload)
        assert code != 0
