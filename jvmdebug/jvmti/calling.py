# SPDX-License-Identifier: Apache-2.0
"""One call of a JVM TI function through our agent, and what an error code of it means.

Owns the errors. What each function takes and gives is known to its callers, `functions`,
`loaded_classes` and `modules`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from jvmdebug.errors import ArgumentError, JvmDebugError, SourceError
from jvmdebug.jdwp.generated import jvmti as jvmti_set
from jvmdebug.jdwp.ids import ObjectId
from jvmdebug.jvmti.error_code import JvmtiErrorCode
from jvmdebug.model.agent import AgentCapability
from jvmdebug.model.class_names import classes_named
from jvmdebug.model.reference_type import ReferenceType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.heap.named_objects import HasType
    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.observing.observation import ObservedProgram

    class JvmtiProgram(ObservedProgram, Protocol):
        """What is needed of a session."""

        @property
        def vm(self) -> VirtualMachine:
            """The VM; StateError when it is gone."""


_CODES: Final = frozenset(JvmtiErrorCode)
_MEANINGS: Final[dict[int, str]] = {
    JvmtiErrorCode.INVALID_THREAD: "it is no thread",
    JvmtiErrorCode.THREAD_NOT_ALIVE: "the thread has not begun, or has ended",
    JvmtiErrorCode.INVALID_THREAD_GROUP: "it is no thread group",
    JvmtiErrorCode.INVALID_OBJECT: "it is no object",
    JvmtiErrorCode.INVALID_CLASS: "it is no class",
    JvmtiErrorCode.INVALID_MODULE: "it is no module",
    JvmtiErrorCode.FAILS_VERIFICATION: "the VM's verifier refuses the new code",
    JvmtiErrorCode.UNSUPPORTED_OPERATION: "the VM does not do it for a virtual thread",
    JvmtiErrorCode.UNMODIFIABLE_CLASS: "the VM lets nobody change this class",
    JvmtiErrorCode.UNMODIFIABLE_MODULE: "the VM lets nobody change this module",
    JvmtiErrorCode.NOT_AVAILABLE: "there is none of that name in this VM",
    JvmtiErrorCode.MUST_POSSESS_CAPABILITY: "this VM does not give the agent the capability for it",
    JvmtiErrorCode.NULL_POINTER: "something that is needed is null",
    JvmtiErrorCode.INVALID_EVENT_TYPE: "this VM has no such event",
    JvmtiErrorCode.ILLEGAL_ARGUMENT: "an argument is not valid",
    JvmtiErrorCode.CLASS_LOADER_UNSUPPORTED: "the system class loader cannot be added to",
    JvmtiErrorCode.OUT_OF_MEMORY: "the VM has no memory for it",
    JvmtiErrorCode.WRONG_PHASE: "it is possible before the VM has started only, or not any more",
    JvmtiErrorCode.INTERNAL: "it failed inside the VM",
}


class JvmtiError(JvmDebugError):
    """A function of JVM TI refused."""

    def __init__(self, function: str, code: int, hint: str = "") -> None:
        self.function = function
        """Its name in JVM TI."""
        self.code = JvmtiErrorCode(code) if code in _CODES else code
        """The error code; a number that JVM TI does not define stays one."""
        self.name, meaning = error_text(code)
        """Of the code, `UNMODIFIABLE_MODULE`."""
        super().__init__(f"{function}: {hint or meaning} ({self.name}, {code})")


def error_text(code: int) -> tuple[str, str]:
    """Name and meaning of an error code."""
    name = JvmtiErrorCode(code).name if code in _CODES else f"error {code}"
    return name, _MEANINGS.get(code, "JVM TI refuses it")


async def call(
    vm: VirtualMachine,
    function: str,
    *,
    numbers: Sequence[int] = (),
    texts: Sequence[str] = (),
    objects: Sequence[int] = (),
    changes: bool = False,
    hint: str = "",
) -> jvmti_set.CallReply | jvmti_set.ChangeReply:
    """Call a function by its name. Objects are ids, 0 for null.

    Raises JvmtiError with the code that it returned, and `hint` in place of what the code means.
    """
    require(vm, function)
    ids = tuple(ObjectId(each) for each in objects)
    given = function, tuple(numbers), tuple(texts), ids
    reply: jvmti_set.CallReply | jvmti_set.ChangeReply
    if changes:
        reply = await vm.request(jvmti_set.Change(*given), timeout_s=None)
    else:
        reply = await vm.request(jvmti_set.Call(*given), timeout_s=None)
    if reply.error:
        raise JvmtiError(function, reply.error, hint)
    return reply


def require(vm: VirtualMachine, purpose: str) -> None:
    """Raises UnsupportedError if the agent in the VM is not ours."""
    vm.require_of_agent(AgentCapability.JVMTI, purpose)


async def number(vm: VirtualMachine, function: str, *objects: int) -> int:
    """The only number that a function gives."""
    return (await call(vm, function, objects=objects)).numbers[0]


NamedClass: TypeAlias = "str | ReferenceType | HasType"
"""A class where one is asked for: its name, as the model has it, or as `classes.find` gives it."""


async def the_class(vm: VirtualMachine, named: NamedClass) -> ReferenceType:
    """The class that is meant. SourceError when none of that name is loaded, or several loaders
    have one.
    """
    if not isinstance(named, str):
        type_ = getattr(named, "type", named)
        if isinstance(type_, ReferenceType):
            return type_
        raise ArgumentError(
            f"{named!r} is no class: give a name, shop.Cart, or what session.classes.find gives"
        )
    loaded = await classes_named(vm, named)
    if not loaded:
        raise SourceError(
            f"no class {named} is loaded: give its full name, shop.Cart$Item for a nested one"
        )
    if len(loaded) > 1:
        raise SourceError(
            f"{len(loaded)} class loaders have a class {named}: choose one of those that"
            " session.classes.find gives, by its `type`"
        )
    return loaded[0]


async def class_id(type_: ReferenceType) -> int:
    """The id of its java.lang.Class object."""
    return (await type_.class_object()).id
