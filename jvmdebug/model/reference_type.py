# SPDX-License-Identifier: Apache-2.0
"""Classes, interfaces and array types that are loaded in the debuggee.

One mirror for each loaded type, made by VirtualMachine and kept until the type is unloaded; what
cannot change is requested once. Static fields and static methods are reached here, others through
objects.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

from jvmdebug.classfile.descriptors import java_name, package_name, simple_name
from jvmdebug.errors import (
    AbsentInformationError,
    InvalidClassError,
    TypeMismatchError,
)
from jvmdebug.jdwp.generated import agent as agent_set
from jvmdebug.jdwp.generated import array_type, class_type, reference_type
from jvmdebug.jdwp.generated.constants import ClassStatus, Tag, TypeTag
from jvmdebug.jdwp.ids import ArrayTypeId, ClassId, FieldValue
from jvmdebug.model.agent import AgentCapability
from jvmdebug.model.class_outline import outlined_methods
from jvmdebug.model.field import Field
from jvmdebug.model.lifetimes import Memo
from jvmdebug.model.method import Method
from jvmdebug.model.values import ObjectReference, Value, assignable, wire_value
from jvmdebug.printable import one_line

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from jvmdebug.jdwp.ids import MethodId, ReferenceTypeId
    from jvmdebug.model.location import Location
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.values import ClassLoaderReference, ClassObjectReference
    from jvmdebug.model.virtual_machine import VirtualMachine

T = TypeVar("T")


class ReferenceType:
    """A loaded type. Mirrors are unique, so identity is equality."""

    TAG: TypeTag

    def __init__(
        self, vm: VirtualMachine, type_id: ReferenceTypeId, signature: str, generic: str | None
    ) -> None:
        self.vm = vm
        self.id = type_id
        self.signature = signature
        """Descriptor, such as `Lshop/Cart;`."""
        self.name = java_name(signature)
        """Java name, such as `shop.Cart$Item` or `int[][]`."""
        self._memo = Memo()
        if generic is not None:
            self._memo.put("generic", generic)

    @property
    def tag(self) -> TypeTag:
        """Class, interface or array, as the wire says it."""
        return self.TAG

    @property
    def simple_name(self) -> str:
        """The last part of the name: `Item`."""
        return simple_name(self.name)

    @property
    def package_name(self) -> str:
        """The package, empty for the unnamed one."""
        return package_name(self.name)

    async def generic_signature(self) -> str | None:
        """The generic signature of the declaration; None when it is not generic."""
        return await self._memo.get("generic", self._fetch_generic) or None

    async def fields(self) -> tuple[Field, ...]:
        """The fields declared here, in the order of the class file."""
        return await self._memo.get("fields", self._fetch_fields)

    async def methods(self) -> tuple[Method, ...]:
        """The methods declared here, constructors and static initialiser too."""
        return await self._memo.get("methods", self._fetch_methods)

    async def read_outline(self) -> None:
        """Read together what tells where its lines are. Its thread may wait for all of it."""
        if self.vm.agent_can(AgentCapability.CLASS_OUTLINE):
            await self._memo.get("methods", lambda: outlined_methods(self, self._memo))
        else:
            await asyncio.gather(self.source_debug_extension(), self.source_file(), self.methods())

    async def all_fields(self) -> tuple[Field, ...]:
        """Fields declared here and in all supertypes; this type's first."""
        types = (self, *await self.supertypes())
        found = await asyncio.gather(*(each.fields() for each in types))
        return tuple(field for fields in found for field in fields)

    async def all_methods(self) -> tuple[Method, ...]:
        """Methods declared here and in all supertypes, overridden ones too; this type's first."""
        types = (self, *await self.supertypes())
        found = await asyncio.gather(*(each.methods() for each in types))
        return tuple(method for methods in found for method in methods)

    async def method(self, method_id: MethodId) -> Method:
        """The declared method with this id; an obsolete one when the id is not among them."""
        found = (await self._memo.get("methods_by_id", self._index_methods)).get(method_id)
        if found is not None:
            return found
        return Method(self, method_id, "<obsolete>", "()V", None, 0, is_obsolete=True)

    async def superclass(self) -> ClassType | None:
        """The superclass; None for Object and interfaces."""
        return None

    async def interfaces(self) -> tuple[ReferenceType, ...]:
        """The interfaces named in the declaration."""
        return await self._memo.get("interfaces", self._fetch_interfaces)

    async def supertypes(self) -> tuple[ReferenceType, ...]:
        """All supertypes without this one: the superclasses, nearest first, then the interfaces."""
        return await self._memo.get("supertypes", self._fetch_supertypes)

    async def superclasses(self) -> tuple[ClassType, ...]:
        """The classes it extends, nearest first. Only they have instance fields to inherit."""
        superclass = await self.superclass()
        return () if superclass is None else (superclass, *await superclass.superclasses())

    async def instance_fields(self) -> tuple[Field, ...]:
        """The fields that an object of this class has: those declared here first, then upwards."""
        return await self._memo.get("instance_fields", self._all_instance_fields)

    async def is_subtype_of(self, name: str) -> bool:
        """Whether the type or one of its supertypes has this Java name."""
        if self.name == name:
            return True
        return any(each.name == name for each in await self.supertypes())

    async def source_file(self) -> str | None:
        """Name of the source file as the compiler wrote it; None when it did not."""
        return await self._memo.get("source_file", self._fetch_source_file)

    async def source_debug_extension(self) -> str | None:
        """The JSR-45 source map; None when there is none or the VM cannot report it."""
        if not self.vm.capabilities.can_get_source_debug_extension:
            return None
        return await self._memo.get("source_debug_extension", self._fetch_extension)

    async def class_file(self) -> bytes | None:
        """The class file as the VM has it; None from another agent than ours, and for what the VM
        does not give, such as hidden classes.
        """
        if not self.vm.agent_can(AgentCapability.CLASS_FILE):
            return None
        try:
            return (await self.vm.request(agent_set.ClassFile(self.id))).class_file
        except AbsentInformationError:
            return None

    async def modifiers(self) -> int:
        """Access flags."""
        return await self._memo.get("modifiers", self._fetch_modifiers)

    async def class_loader(self) -> ClassLoaderReference | None:
        """The loader that defined it; None for the bootstrap loader."""
        return await self._memo.get("class_loader", self._fetch_class_loader)

    async def class_object(self) -> ClassObjectReference:
        """The java.lang.Class object."""
        return await self._memo.get("class_object", self._fetch_class_object)

    async def status(self) -> ClassStatus:
        """The state of the class: verified, prepared, initialised, failed."""
        reply = await self.vm.request(reference_type.Status(self.id))
        return reply.status

    async def nested_types(self) -> list[ReferenceType]:
        """The loaded types nested directly or not in this one; slow, asks for all classes."""
        reply = await self.vm.request(reference_type.NestedTypes(self.id))
        found = (self.vm.reference_type(each.type_tag, each.type_id) for each in reply.classes)
        return list(await asyncio.gather(*found))

    async def instances(self, max_count: int = 0) -> list[ObjectReference]:
        """Reachable instances, at most `max_count` of them; 0: all."""
        reply = await self.vm.request(reference_type.Instances(self.id, max_count))
        return [self.vm.reference(each.tag, each.id) for each in reply.instances]

    async def static_values(self, fields: Sequence[Field]) -> tuple[Value, ...]:
        """The values of static fields declared here, in their order. One round trip."""
        if not fields:
            return ()
        reply = await self.vm.request(
            reference_type.GetValues(self.id, tuple(field.id for field in fields))
        )
        return tuple(self.vm.value(value) for value in reply.values)

    async def set_static_value(self, field: Field, value: Value) -> None:
        """Writes a static field, after Java's assignment conversion. Only classes can."""
        raise TypeMismatchError(f"writing {value} to {field}, a constant of an interface,")

    async def invoke(
        self,
        method: Method,
        arguments: Sequence[Value],
        thread: Thread,
        *,
        single_threaded: bool = True,
        timeout_s: float | None = None,
    ) -> Value:
        """Calls a static method declared here; as ObjectReference.invoke."""
        return await self.vm.invocations.on_type(
            self, method, arguments, thread, single_threaded=single_threaded, timeout_s=timeout_s
        )

    async def locations_of_line(self, line: int) -> list[Location]:
        """Every location where the line begins in the methods of this type. Pipelined."""
        methods = await self.methods()
        found = await asyncio.gather(*(method.locations_of_line(line) for method in methods))
        return [location for locations in found for location in locations]

    async def derived(self, fact: str, find: Callable[[], Awaitable[T]]) -> T:
        """A value that a caller derives from immutable properties of the type; cached with it."""
        return await self._memo.get(("derived", fact), find)

    def forget_members(self) -> None:
        """The type was redefined: drops its methods and what was derived from them."""
        for fact in (
            "methods",
            "methods_by_id",
            ("derived", "class_file"),
            "source_debug_extension",
            "source_file",
        ):
            self._memo.drop(fact)

    async def _all_instance_fields(self) -> tuple[Field, ...]:
        async def inherited() -> tuple[Field, ...]:
            superclass = await self.superclass()
            return () if superclass is None else await superclass.instance_fields()

        own, above = await asyncio.gather(self.fields(), inherited())
        return (*(each for each in own if not each.is_static), *above)

    async def _fetch_generic(self) -> str:
        reply = await self.vm.request(reference_type.SignatureWithGeneric(self.id))
        return reply.generic_signature

    async def _fetch_fields(self) -> tuple[Field, ...]:
        reply = await self.vm.request(reference_type.FieldsWithGeneric(self.id))
        return tuple(
            Field(
                declaring_type=self,
                id=each.field_id,
                name=each.name,
                signature=each.signature,
                generic=each.generic_signature or None,
                modifiers=each.modifiers,
            )
            for each in reply.fields
        )

    async def _fetch_methods(self) -> tuple[Method, ...]:
        reply = await self.vm.request(reference_type.MethodsWithGeneric(self.id))
        return tuple(
            Method(
                self,
                each.method_id,
                each.name,
                each.signature,
                each.generic_signature or None,
                each.modifiers,
            )
            for each in reply.methods
        )

    async def _index_methods(self) -> dict[MethodId, Method]:
        return {method.id: method for method in await self.methods()}

    async def _fetch_interfaces(self) -> tuple[ReferenceType, ...]:
        reply = await self.vm.request(reference_type.Interfaces(self.id))
        found = (self.vm.reference_type(TypeTag.INTERFACE, each) for each in reply.interfaces)
        return tuple(await asyncio.gather(*found))

    async def _fetch_supertypes(self) -> tuple[ReferenceType, ...]:
        superclass, interfaces = await asyncio.gather(self.superclass(), self.interfaces())
        direct = ([superclass] if superclass is not None else []) + list(interfaces)
        above = await asyncio.gather(*(each.supertypes() for each in direct))
        every = dict.fromkeys(
            found for each, further in zip(direct, above, strict=True) for found in (each, *further)
        )
        classes = [each for each in every if isinstance(each, ClassType)]
        return (*classes, *(each for each in every if not isinstance(each, ClassType)))

    async def _fetch_source_file(self) -> str | None:
        try:
            reply = await self.vm.request(reference_type.SourceFile(self.id))
        except AbsentInformationError:
            return None
        return reply.source_file

    async def _fetch_extension(self) -> str | None:
        try:
            reply = await self.vm.request(reference_type.SourceDebugExtension(self.id))
        except AbsentInformationError:
            return None
        return reply.extension

    async def _fetch_modifiers(self) -> int:
        reply = await self.vm.request(reference_type.Modifiers(self.id))
        return reply.modifiers

    async def _fetch_class_loader(self) -> ClassLoaderReference | None:
        reply = await self.vm.request(reference_type.ClassLoader(self.id))
        return self.vm.class_loader(reply.class_loader) if reply.class_loader else None

    async def _fetch_class_object(self) -> ClassObjectReference:
        reply = await self.vm.request(reference_type.ClassObject(self.id))
        return self.vm.class_object(reply.class_object)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return one_line(f"{type(self).__name__}({self.name}, {self.id:#x})")


class ClassType(ReferenceType):
    """A loaded class, enums and records among them."""

    TAG = TypeTag.CLASS

    async def superclass(self) -> ClassType | None:
        """The superclass; None for java.lang.Object."""
        if self.signature == "Ljava/lang/Object;":
            return None
        return await self._memo.get("superclass", self._fetch_superclass)

    async def new_instance(
        self,
        constructor: Method,
        arguments: Sequence[Value],
        thread: Thread,
        *,
        single_threaded: bool = True,
        timeout_s: float | None = None,
    ) -> ObjectReference:
        """Makes an object with a constructor declared here; as ObjectReference.invoke."""
        return await self.vm.invocations.new_instance(
            self,
            constructor,
            arguments,
            thread,
            single_threaded=single_threaded,
            timeout_s=timeout_s,
        )

    async def set_static_value(self, field: Field, value: Value) -> None:
        """Writes a static field, after Java's assignment conversion (TypeMismatchError if none)."""
        wire = wire_value(assignable(value, field.signature, f"field {field}"))
        await self.vm.request(class_type.SetValues(ClassId(self.id), (FieldValue(field.id, wire),)))

    async def _fetch_superclass(self) -> ClassType | None:
        reply = await self.vm.request(class_type.Superclass(ClassId(self.id)))
        if not reply.superclass:
            return None
        found = await self.vm.reference_type(TypeTag.CLASS, reply.superclass)
        if not isinstance(found, ClassType):
            raise InvalidClassError(f"using {found.name} as the superclass of {self.name}")
        return found


class InterfaceType(ReferenceType):
    """A loaded interface, annotation types among them."""

    TAG = TypeTag.INTERFACE


class ArrayType(ReferenceType):
    """An array type."""

    TAG = TypeTag.ARRAY

    @property
    def component_signature(self) -> str:
        """Descriptor of the elements: `[[I` has `[I`."""
        return self.signature[1:]

    async def new_instance(self, length: int) -> ObjectReference:
        """Makes an array of zeros or nulls. It can be collected at once unless it is pinned."""
        reply = await self.vm.request(array_type.NewInstance(ArrayTypeId(self.id), length))
        return self.vm.reference(Tag.ARRAY, reply.new_array.id)

    async def fields(self) -> tuple[Field, ...]:
        """Empty: an array has no fields in the sense of the VM."""
        return ()

    async def methods(self) -> tuple[Method, ...]:
        """Empty: arrays inherit those of Object."""
        return ()

    async def supertypes(self) -> tuple[ReferenceType, ...]:
        """java.lang.Object alone, when it is known."""
        return tuple(await self.vm.classes_by_signature("Ljava/lang/Object;"))

    async def source_file(self) -> str | None:
        """None: array types have no source."""
        return None

    async def source_debug_extension(self) -> str | None:
        """None: array types have no source."""
        return None
