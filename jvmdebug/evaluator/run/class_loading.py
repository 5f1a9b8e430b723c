# SPDX-License-Identifier: Apache-2.0
"""Loading classes in the debuggee: Class.forName, invoked on the thread of the evaluation.

Implements `symbols.loaded_types.ClassLoading`. Made by `expression`, unless it is read-only.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.evaluator.run.invoker import Invoker
from jvmdebug.jdwp.generated.constants import ClassStatus
from jvmdebug.model.debuggee_exception import DebuggeeException
from jvmdebug.model.primitives import PrimitiveKind, PrimitiveValue
from jvmdebug.model.reference_type import ArrayType
from jvmdebug.model.values import NULL, ClassObjectReference

if TYPE_CHECKING:
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.values import ObjectReference, Value

_CLASS: Final = "Ljava/lang/Class;"
_FOR_NAME: Final = "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;"
_MEMBERS: Final = "()[Ljava/lang/reflect/Field;"
_NOT_FOUND: Final = ("java.lang.ClassNotFoundException", "java.lang.NoClassDefFoundError")


@dataclass(frozen=True, slots=True)
class ClassForName:
    """Loads classes on a thread that is suspended by an event."""

    thread: Thread

    async def load(self, name: str, home: ReferenceType) -> ReferenceType | None:
        """See ClassLoading."""
        try:
            loaded = await self._for_name(name, await home.class_loader(), initialize=False)
        except DebuggeeException as error:
            if (await error.exception.type()).name in _NOT_FOUND:
                return None
            raise
        if not isinstance(loaded, ClassObjectReference):
            return None
        type_ = await loaded.reflected_type()
        if not isinstance(type_, ArrayType) and not await type_.status() & ClassStatus.PREPARED:
            # HotSpot links a class when its members are listed, also when the list then fails.
            with contextlib.suppress(DebuggeeException):
                await self._invoked("getDeclaredFields", _MEMBERS, loaded)
        return type_

    async def initialize(self, type_: ReferenceType) -> None:
        """See ClassLoading."""
        try:
            await self._for_name(type_.name, await type_.class_loader(), initialize=True)
        except DebuggeeException as error:
            thrown = (await error.exception.type()).name
            if thrown == _NOT_FOUND[0]:
                return  # a hidden class is not found by its name: its first use initializes it
            said = f"initializing {type_.name} threw {thrown}"
            raise DebuggeeException(said, error.exception, error.column, error.trace) from None

    async def _for_name(
        self, name: str, loader: ObjectReference | None, *, initialize: bool
    ) -> Value:
        text = await self.thread.vm.create_string(name)
        flag = PrimitiveValue(PrimitiveKind.BOOLEAN, value=initialize)
        loader_argument = NULL if loader is None else loader
        return await self._invoked("forName", _FOR_NAME, None, text, flag, loader_argument)

    async def _invoked(
        self, name: str, signature: str, target: ObjectReference | None, *arguments: Value
    ) -> Value:
        """The result of a method of java.lang.Class."""
        vm = self.thread.vm
        (class_type,) = await vm.classes_by_signature(_CLASS)
        methods = await class_type.methods()
        method = next(each for each in methods if (each.name, each.signature) == (name, signature))
        call = (
            class_type.invoke(method, arguments, self.thread)
            if target is None
            else target.invoke(method, arguments, self.thread)
        )
        return await vm.companion(Invoker).result(self.thread, call)
