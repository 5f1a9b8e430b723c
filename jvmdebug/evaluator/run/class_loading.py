# SPDX-License-Identifier: Apache-2.0
"""Loading classes in the debuggee: Class.forName, invoked on the thread of the evaluation.

Implements `symbols.loaded_types.ClassLoading`. Made by `expression`, unless it is read-only.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.evaluator.run.invoker import Invoker
from jvmdebug.model.debuggee_exception import DebuggeeException
from jvmdebug.model.primitives import PrimitiveKind, PrimitiveValue
from jvmdebug.model.values import NULL, ClassObjectReference

if TYPE_CHECKING:
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.thread import Thread

_FOR_NAME: Final = "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;"


@dataclass(frozen=True, slots=True)
class ClassForName:
    """Loads classes on a thread that is suspended by an event."""

    thread: Thread

    async def load(self, name: str, home: ReferenceType) -> ReferenceType | None:
        """See ClassLoading."""
        vm = home.vm
        class_types = await vm.classes_by_signature("Ljava/lang/Class;")
        if not class_types:
            return None
        methods = await class_types[0].methods()
        for_name = next(each for each in methods if each.signature == _FOR_NAME)
        loader, text = await asyncio.gather(home.class_loader(), vm.create_string(name))
        arguments = (
            text,
            PrimitiveValue(PrimitiveKind.BOOLEAN, value=True),
            NULL if loader is None else loader,
        )
        try:
            call = class_types[0].invoke(for_name, arguments, self.thread)
            loaded = await vm.companion(Invoker).result(self.thread, call)
        except DebuggeeException:
            return None  # ClassNotFoundException, or the static initializer threw
        if not isinstance(loaded, ClassObjectReference):
            return None
        return await loaded.reflected_type()
