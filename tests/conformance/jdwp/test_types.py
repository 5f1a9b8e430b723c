# SPDX-License-Identifier: Apache-2.0
"""What the agents say about the VM and its types: VirtualMachine, ReferenceType and their kin."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest

from tests.conformance.jdwp.zoo import ARRAY, CLASS, INTERFACE, UNKNOWN_ID

if TYPE_CHECKING:
    from tests.conformance.jdwp.zoo import Zoo

PREPARED, INITIALIZED = 2, 4
ABSTRACT, NATIVE, STATIC, FINAL = 0x400, 0x100, 0x8, 0x10
SYNTHETIC = -0x1000_0000  # 0xf0000000 as a signed int
ZOO, DOG, NAMED, UNFINISHED = (
    "Lzoo/Zoo;",
    "Lzoo/Zoo$Dog;",
    "Lzoo/Zoo$Named;",
    "Lzoo/Zoo$Unfinished;",
)
STRING = "Ljava/lang/String;"


def test_version(zoo: Zoo) -> None:
    version = zoo.vm.ask("VirtualMachine.Version")
    assert version["jdwp_major"] == zoo.jdk.version
    assert version["jdwp_minor"] == 0
    assert version["vm_version"].startswith(f"{zoo.jdk.version}.")
    assert "VM" in version["vm_name"]
    assert version["vm_version"] in version["description"]


def test_id_sizes(zoo: Zoo) -> None:
    assert set(zoo.vm.ask("VirtualMachine.IDSizes").values()) == {8}


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
def test_classes_by_signature(zoo: Zoo, signature: str, tag: int, status: int) -> None:
    (found,) = zoo.vm.ask("VirtualMachine.ClassesBySignature", signature=signature)["classes"]
    assert found["type_tag"] == tag
    # An interface may or may not have been initialised.
    assert found["status"] | (INITIALIZED if tag == INTERFACE else 0) == status


@pytest.mark.parametrize("signature", ["Lno/such/Type;", "", "I", "garbage", "L\u00e9\U0001f600;"])
def test_classes_by_signature_finds_nothing(zoo: Zoo, signature: str) -> None:
    found = zoo.vm.ask("VirtualMachine.ClassesBySignature", signature=signature)
    assert found["classes"] == []


def test_all_classes(zoo: Zoo) -> None:
    classes = zoo.vm.ask("VirtualMachine.AllClasses")["classes"]
    by_signature = {entry["signature"]: entry for entry in classes}
    assert by_signature[DOG]["type_tag"] == CLASS
    assert by_signature[NAMED]["type_tag"] == INTERFACE
    assert by_signature["[[I"]["type_tag"] == ARRAY
    assert by_signature[DOG]["type_id"] == zoo.type(DOG)
    assert all(entry["status"] & PREPARED or entry["type_tag"] == ARRAY for entry in classes)
    assert len({entry["type_id"] for entry in classes}) == len(classes)


def test_all_classes_with_generic(zoo: Zoo) -> None:
    classes = zoo.vm.ask("VirtualMachine.AllClassesWithGeneric")["classes"]
    generic = {entry["signature"]: entry["generic_signature"] for entry in classes}
    assert generic[NAMED] == "<T:Ljava/lang/Object;>Ljava/lang/Object;"
    assert generic[ZOO] == ""
    assert generic["[[I"] == ""


def test_top_level_thread_groups(zoo: Zoo) -> None:
    (group,) = zoo.vm.ask("VirtualMachine.TopLevelThreadGroups")["groups"]
    assert zoo.vm.ask("ThreadGroupReference.Name", group=group)["name"] == "system"


def test_class_paths(zoo: Zoo) -> None:
    paths = zoo.vm.ask("VirtualMachine.ClassPaths")
    assert paths["base_directory"].startswith("/")
    assert paths["class_paths"] == [str(path) for path in zoo.program.class_path]
    assert paths["boot_class_paths"] == []


def test_capabilities(zoo: Zoo) -> None:
    assert set(zoo.vm.ask("VirtualMachine.Capabilities").values()) == {True}


def test_capabilities_new(zoo: Zoo) -> None:
    capabilities = zoo.vm.ask("VirtualMachine.CapabilitiesNew")
    absent = {name for name, present in capabilities.items() if not present}
    assert absent == {
        "can_add_method",
        "can_unrestrictedly_redefine_classes",
        "can_use_source_name_filters",
        *(f"reserved_{number}" for number in range(22, 33)),
    }


def test_all_modules(zoo: Zoo) -> None:
    modules = zoo.vm.ask("VirtualMachine.AllModules")["modules"]
    names = {zoo.vm.ask("ModuleReference.Name", module=module)["name"] for module in modules}
    assert {"java.base", ""} <= names
    base = zoo.vm.ask("ReferenceType.Module", type_id=zoo.type(STRING))["module"]
    assert base in modules
    assert zoo.vm.ask("ModuleReference.Name", module=base)["name"] == "java.base"
    assert zoo.vm.ask("ModuleReference.ClassLoader", module=base)["class_loader"] == 0
    own = zoo.vm.ask("ReferenceType.Module", type_id=zoo.type(ZOO))["module"]
    loader = zoo.vm.ask("ReferenceType.ClassLoader", type_id=zoo.type(ZOO))["class_loader"]
    assert zoo.vm.ask("ModuleReference.ClassLoader", module=own)["class_loader"] == loader


@pytest.mark.parametrize(
    ("signature", "generic"),
    [(DOG, "Lzoo/Zoo$Creature;Lzoo/Zoo$Named<Ljava/lang/String;>;"), (ZOO, ""), ("[[I", "")],
)
def test_signature(zoo: Zoo, signature: str, generic: str) -> None:
    type_id = zoo.type(signature)
    assert zoo.vm.ask("ReferenceType.Signature", type_id=type_id)["signature"] == signature
    both = zoo.vm.ask("ReferenceType.SignatureWithGeneric", type_id=type_id)
    assert both == {"signature": signature, "generic_signature": generic}


def test_class_loader(zoo: Zoo) -> None:
    loader = zoo.vm.ask("ReferenceType.ClassLoader", type_id=zoo.type(DOG))["class_loader"]
    assert loader == zoo.object("loader")
    assert zoo.vm.ask("ReferenceType.ClassLoader", type_id=zoo.type(STRING))["class_loader"] == 0


def test_modifiers(zoo: Zoo) -> None:
    def modifiers(signature: str) -> int:
        type_id = zoo.type(signature)
        return int(zoo.vm.ask("ReferenceType.Modifiers", type_id=type_id)["modifiers"])

    assert modifiers(STRING) & (FINAL | ABSTRACT) == FINAL
    assert modifiers(UNFINISHED) & ABSTRACT
    assert modifiers("[[I") & FINAL


def test_fields(zoo: Zoo) -> None:
    fields = zoo.vm.ask("ReferenceType.FieldsWithGeneric", type_id=zoo.type(DOG))["fields"]
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
    plain = zoo.vm.ask("ReferenceType.Fields", type_id=zoo.type(DOG))["fields"]
    for entry, with_generic in zip(plain, fields, strict=True):
        assert entry.items() <= with_generic.items()


def test_methods(zoo: Zoo) -> None:
    methods = zoo.vm.ask("ReferenceType.MethodsWithGeneric", type_id=zoo.type(DOG))["methods"]
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
    plain = zoo.vm.ask("ReferenceType.Methods", type_id=zoo.type(DOG))["methods"]
    for entry, with_generic in zip(plain, methods, strict=True):
        assert entry.items() <= with_generic.items()


def test_an_array_type_has_no_members(zoo: Zoo) -> None:
    row = zoo.type("[I")
    assert zoo.vm.ask("ReferenceType.Fields", type_id=row)["fields"] == []
    assert zoo.vm.ask("ReferenceType.Methods", type_id=row)["methods"] == []


def test_source_file(zoo: Zoo) -> None:
    assert (
        zoo.vm.ask("ReferenceType.SourceFile", type_id=zoo.type(DOG))["source_file"] == "Zoo.java"
    )
    array = zoo.type("[I")
    assert zoo.vm.refusal("ReferenceType.SourceFile", type_id=array) == "ABSENT_INFORMATION"


def test_source_debug_extension_is_absent(zoo: Zoo) -> None:
    refusal = zoo.vm.refusal("ReferenceType.SourceDebugExtension", type_id=zoo.type(ZOO))
    assert refusal == "ABSENT_INFORMATION"


def test_nested_types(zoo: Zoo) -> None:
    nested = zoo.vm.ask("ReferenceType.NestedTypes", type_id=zoo.type(ZOO))["classes"]
    expected = {
        (CLASS, zoo.type(DOG)),
        (CLASS, zoo.type("Lzoo/Zoo$Cat;")),
        (CLASS, zoo.type("Lzoo/Zoo$Creature;")),
        (CLASS, zoo.type(UNFINISHED)),
        (INTERFACE, zoo.type(NAMED)),
    }
    assert {(entry["type_tag"], entry["type_id"]) for entry in nested} >= expected
    names = {
        zoo.vm.ask("ReferenceType.Signature", type_id=entry["type_id"])["signature"]
        for entry in nested
    }
    assert all(name.startswith("Lzoo/Zoo$") for name in names)
    assert zoo.vm.ask("ReferenceType.NestedTypes", type_id=zoo.type(DOG))["classes"] == []


def test_status(zoo: Zoo) -> None:
    assert zoo.vm.ask("ReferenceType.Status", type_id=zoo.type(ZOO))["status"] == 7
    assert zoo.vm.ask("ReferenceType.Status", type_id=zoo.type("[I"))["status"] == 0


def test_interfaces(zoo: Zoo) -> None:
    interfaces = zoo.vm.ask("ReferenceType.Interfaces", type_id=zoo.type(DOG))["interfaces"]
    assert interfaces == [zoo.type(NAMED)]


def test_class_object(zoo: Zoo) -> None:
    class_object = zoo.vm.ask("ReferenceType.ClassObject", type_id=zoo.type(STRING))["class_object"]
    assert class_object == zoo.object("type")
    reflected = zoo.vm.ask("ClassObjectReference.ReflectedType", class_object=class_object)
    assert reflected == {"type_tag": CLASS, "type_id": zoo.type(STRING)}


def test_class_file_version(zoo: Zoo) -> None:
    version = zoo.vm.ask("ReferenceType.ClassFileVersion", type_id=zoo.type(ZOO))
    assert version == {"major_version": zoo.program.release + 44, "minor_version": 0}
    array = zoo.type("[I")
    assert zoo.vm.refusal("ReferenceType.ClassFileVersion", type_id=array) == "ABSENT_INFORMATION"


def test_constant_pool(zoo: Zoo) -> None:
    pool = zoo.vm.ask("ReferenceType.ConstantPool", type_id=zoo.type(ZOO))
    assert pool["count"] > 100
    assert b"hello " not in pool["constants"]
    assert b"contender" in pool["constants"]
    array = zoo.type("[I")
    assert zoo.vm.refusal("ReferenceType.ConstantPool", type_id=array) == "ABSENT_INFORMATION"


def test_superclass(zoo: Zoo) -> None:
    def superclass(signature: str) -> int:
        type_id = zoo.type(signature)
        return int(zoo.vm.ask("ClassType.Superclass", type_id=type_id)["superclass"])

    assert superclass(DOG) == zoo.type("Lzoo/Zoo$Creature;")
    assert superclass("Ljava/lang/Object;") == 0
    assert superclass(NAMED) == 0
    assert superclass("[I") == zoo.type("Ljava/lang/Object;")


def test_visible_classes(zoo: Zoo) -> None:
    loader = zoo.object("loader")
    visible = zoo.vm.ask("ClassLoaderReference.VisibleClasses", class_loader=loader)["classes"]
    assert {"type_tag": CLASS, "type_id": zoo.type(DOG)} in visible
    boot = zoo.vm.ask("ClassLoaderReference.VisibleClasses", class_loader=0)["classes"]
    assert {"type_tag": CLASS, "type_id": zoo.type(STRING)} in boot


def test_instances(zoo: Zoo) -> None:
    dog = zoo.type(DOG)
    instances = zoo.vm.ask("ReferenceType.Instances", type_id=dog, max_instances=0)["instances"]
    assert zoo.object("dog") in {entry["id"] for entry in instances}
    assert len(instances) == 2
    assert {chr(entry["tag"]) for entry in instances} == {"L"}
    one = zoo.vm.ask("ReferenceType.Instances", type_id=dog, max_instances=1)["instances"]
    assert len(one) == 1
    interface = zoo.type(NAMED)
    none = zoo.vm.ask("ReferenceType.Instances", type_id=interface, max_instances=0)
    assert none["instances"] == []
    assert zoo.vm.refusal("ReferenceType.Instances", type_id=dog, max_instances=-1) == (
        "ILLEGAL_ARGUMENT"
    )


def test_instance_counts(zoo: Zoo) -> None:
    types = [zoo.type(DOG), zoo.type("Lzoo/Zoo$Cat;"), zoo.type(NAMED), UNKNOWN_ID]
    counts = zoo.vm.ask("VirtualMachine.InstanceCounts", types=types)["counts"]
    assert counts == [2, 1, 0, 0]
    assert zoo.vm.ask("VirtualMachine.InstanceCounts", types=[])["counts"] == []


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
def test_what_is_no_type(zoo: Zoo, command: str) -> None:
    name = f"ReferenceType.{command}"
    assert zoo.vm.refusal(name, type_id=UNKNOWN_ID) == "INVALID_OBJECT"
    assert zoo.vm.refusal(name, type_id=zoo.object("dog")) == "INVALID_CLASS"
    assert zoo.vm.refusal(name, type_id=zoo.thread) == "INVALID_CLASS"


@pytest.mark.parametrize("command", TYPE_COMMANDS)
def test_a_null_type(our_zoo: Zoo, command: str) -> None:
    assert our_zoo.vm.refusal(f"ReferenceType.{command}", type_id=0) == "INVALID_CLASS"


def test_modules_that_are_none(zoo: Zoo) -> None:
    for command in ("ModuleReference.Name", "ModuleReference.ClassLoader"):
        assert zoo.vm.refusal(command, module=UNKNOWN_ID) == "INVALID_MODULE"


def test_modules_of_another_kind(our_zoo: Zoo) -> None:
    for command in ("ModuleReference.Name", "ModuleReference.ClassLoader"):
        for other in (0, our_zoo.object("dog"), our_zoo.type(ZOO)):
            assert our_zoo.vm.refusal(command, module=other) == "INVALID_MODULE"


def test_loaders_that_are_none(zoo: Zoo) -> None:
    command = "ClassLoaderReference.VisibleClasses"
    assert zoo.vm.refusal(command, class_loader=UNKNOWN_ID) == "INVALID_OBJECT"
    assert zoo.vm.refusal(command, class_loader=zoo.object("dog")) == "INVALID_CLASS_LOADER"


def test_an_ill_formed_request_is_refused(zoo: Zoo) -> None:
    for payload in (b"", b"\x00" * 7, struct.pack(">Q", UNKNOWN_ID)):
        code, _ = zoo.vm.ask_raw(2, 1, payload)
        assert code != 0
