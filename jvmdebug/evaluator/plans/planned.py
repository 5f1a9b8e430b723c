# SPDX-License-Identifier: Apache-2.0
"""The plans of a VM's classes: `vm.companion(Plans)`. They are made once, until classes are
redefined.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from jvmdebug.classfile import ClassFile, instructions
from jvmdebug.errors import ClassFileError, UnsupportedError, VmError
from jvmdebug.evaluator.class_path import local_class_path, read_local
from jvmdebug.evaluator.plans.decoding import ClassName, Plan, UnplannedError, decoded
from jvmdebug.evaluator.plans.jdk_calls import OF_JDK
from jvmdebug.evaluator.plans.linking import linked, simple_name
from jvmdebug.jdwp.only_prefetched import (
    NotPrefetchedError,
    is_only_prefetched,
    only_prefetched,
)
from jvmdebug.model.class_files import parsed_class_file
from jvmdebug.model.lifetimes import Memo
from jvmdebug.sources import constant_pool

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from jvmdebug.classfile import ConstantPool, MemberReference
    from jvmdebug.evaluator.plans.decoding import Linked
    from jvmdebug.model.field import Field
    from jvmdebug.model.method import Method
    from jvmdebug.model.reference_type import ReferenceType

T = TypeVar("T")
_FIELDS: Final = 40
"""Objects with more are not read; our agent does not prefetch them either."""


class NotOwnError(UnplannedError):
    """No class of the program declares the method: it is of the JDK, or of an interface."""


class NotMadeError(Exception):
    """There is no plan yet, and none is to be made now."""


@dataclass(frozen=True, slots=True)
class Target:
    """The method that a call on objects of a class runs."""

    method: Method
    plan: Plan
    simple_names: dict[str, str]
    """Of the classes that the code names, and of its own, by internal names."""


class Plans:
    """Makes and keeps them."""

    def __init__(self) -> None:
        self._facts = Memo()
        self._redefinitions = 0

    async def close(self) -> None:
        """The connection is closed."""
        self._facts.forget()

    async def target(
        self, type_: ReferenceType, member: MemberReference, *, may_make: bool
    ) -> Target:
        """What a call that names the method runs on an object of the class. UnplannedError if that
        has no plan. Without `may_make` it is made only of what a stop has prefetched: NotMadeError
        if that is not enough.
        """
        key = type_, member
        return await self._fact(type_, key, lambda: self._target(type_, member), may_make=may_make)

    async def exactly(self, of: Target, member: MemberReference, *, may_make: bool) -> Target:
        """What `super.toString()` or a call of a private method in the code of `of` runs."""
        own, wanted = of.method.declaring_type, member.owner.replace("/", ".")
        for each in (own, *await own.superclasses()):
            if each.name == wanted:
                return await self.target(each, member, may_make=may_make)
        raise UnplannedError(f"it calls {wanted}.{member.name}()")

    async def simple_name(self, type_: ReferenceType, *, may_make: bool) -> str:
        """What `getSimpleName()` of a class gives."""
        internal = type_.signature[1:-1]
        if type_.signature.startswith("[") or "/" in type_.name:
            raise UnplannedError("a hidden class or an array has no simple name that is known")
        if "$" not in internal:
            return simple_name(internal, None)

        async def find() -> str:
            return simple_name(internal, await self._class_file(type_, await constant_pool(type_)))

        return await self._fact(type_, ("simple name", type_), find, may_make=may_make)

    async def fields(self, type_: ReferenceType) -> tuple[Field, ...]:
        """The fields that are read of an object of the class."""
        fields = await type_.instance_fields()
        if len(fields) > _FIELDS:
            raise UnplannedError("it has many fields")
        return fields

    async def _fact(
        self,
        type_: ReferenceType,
        key: tuple[object, ...],
        find: Callable[[], Awaitable[T]],
        *,
        may_make: bool,
    ) -> T:
        if self._redefinitions != type_.vm.redefinitions:
            self._facts.forget()
            self._redefinitions = type_.vm.redefinitions

        async def found() -> T | UnplannedError:
            try:
                return await find()
            except (ClassFileError, UnsupportedError, VmError) as error:
                return UnplannedError(str(error))
            except UnplannedError as error:
                return error

        if may_make or self._facts.peek(key) is not None:
            fact = await self._facts.get(key, found)
        else:
            try:
                fact = await only_prefetched(self._facts.get(key, found))
            except NotPrefetchedError as error:
                raise NotMadeError from error
        if isinstance(fact, UnplannedError):
            raise type(fact)(str(fact))
        return fact

    async def _target(self, type_: ReferenceType, member: MemberReference) -> Target:
        chain = (type_, *await type_.superclasses())
        own = [each for each in chain if not each.signature[1:].startswith(OF_JDK)]
        named = next((each for each in own if each.signature[1:-1] == member.owner), None)
        if named is not None:  # nothing overrides a private method
            for method in await named.methods():
                if method.is_private and _is(method, member):
                    return await self._of_method(named, method)
        for each in own:
            for method in await each.methods():
                if _is(method, member):
                    return await self._of_method(each, method)
        raise NotOwnError(f"{type_.name} has no {member.name}() of its own")

    async def _of_method(self, type_: ReferenceType, method: Method) -> Target:
        code, constants = await asyncio.gather(method.bytecodes(), constant_pool(type_))
        if constants is None or not code:
            raise UnplannedError(f"the VM does not give the code of {method}")
        internal = type_.signature[1:-1]
        file = await self._class_file(type_, constants) if _needs_file(code, internal) else None

        def link(index: int, of: str) -> Linked:
            if file is None:
                raise UnplannedError("what it links is in the class file only")
            return linked(file, constants, index, of, internal)

        plan = decoded(code, constants, link)
        named = [
            each.operand.internal for each in plan.steps if isinstance(each.operand, ClassName)
        ]
        own = [internal] if any(each.name == "record" for each in plan.steps) else []
        return Target(method, plan, {each: simple_name(each, file) for each in (*named, *own)})

    async def _class_file(
        self, type_: ReferenceType, constants: ConstantPool | None
    ) -> ClassFile | None:
        """Read the class file from the class path, if it has the constants of the loaded class, as
        asking the VM runs the transformers of other agents. Else our agent gives it. Archives take
        long to open: they are left out where only what was prefetched is to be used.
        """
        paths = await self._facts.get("class path", lambda: local_class_path(type_.vm))
        if is_only_prefetched():
            paths = [each for each in paths if each.is_dir()]
        content = await asyncio.to_thread(read_local, paths, f"{type_.signature[1:-1]}.class")
        try:
            local = None if content is None else ClassFile.read(content)
        except ClassFileError:
            local = None
        if local is not None and constants is not None and local.constants.raw == constants.raw:
            return local
        return await parsed_class_file(type_)


def _is(method: Method, member: MemberReference) -> bool:
    is_it = method.name == member.name and method.signature == member.descriptor
    return is_it and not method.is_static


def _needs_file(code: bytes, internal: str) -> bool:
    every = {each.mnemonic for each in instructions(code)}
    return "invokedynamic" in every or ("$" in internal and not every.isdisjoint({"ldc", "ldc_w"}))
