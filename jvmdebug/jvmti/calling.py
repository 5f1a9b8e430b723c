# SPDX-License-Identifier: Apache-2.0
"""One call of a JVM TI function through our agent, and what an error code of it means.

Owns the errors. What each function takes and gives is known to its callers, `functions`,
`loaded_classes` and `modules`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from jvmdebug.errors import JvmDebugError, SourceError
from jvmdebug.jdwp.generated import jvmti as jvmti_set
from jvmdebug.jdwp.ids import ObjectId
from jvmdebug.model.agent import AgentCapability
from jvmdebug.model.class_names import classes_named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.observing.observation import ObservedProgram

    class JvmtiProgram(ObservedProgram, Protocol):
        """What is needed of a session."""

        @property
        def vm(self) -> VirtualMachine:
            """The VM; StateError when it is gone."""


_MEANINGS: Final = {
    10: ("INVALID_THREAD", "it is no thread"),
    15: ("THREAD_NOT_ALIVE", "the thread has not begun, or has ended"),
    20: ("INVALID_OBJECT", "it is no object"),
    21: ("INVALID_CLASS", "it is no class"),
    26: ("INVALID_MODULE", "it is no module"),
    62: ("FAILS_VERIFICATION", "the VM's verifier refuses the new code"),
    73: ("UNSUPPORTED_OPERATION", "the VM does not do it for a virtual thread"),
    79: ("UNMODIFIABLE_CLASS", "the VM lets nobody change this class"),
    80: ("UNMODIFIABLE_MODULE", "the VM lets nobody change this module"),
    98: ("NOT_AVAILABLE", "there is none of that name in this VM"),
    99: ("MUST_POSSESS_CAPABILITY", "this VM does not give the agent the capability for it"),
    100: ("NULL_POINTER", "something that is needed is null"),
    102: ("INVALID_EVENT_TYPE", "this VM has no such event"),
    103: ("ILLEGAL_ARGUMENT", "an argument is not valid"),
    106: ("CLASS_LOADER_UNSUPPORTED", "the system class loader cannot be added to"),
    110: ("OUT_OF_MEMORY", "the VM has no memory for it"),
    112: ("WRONG_PHASE", "it is possible before the VM has started only, or not any more"),
    113: ("INTERNAL", "it failed inside the VM"),
}


class JvmtiError(JvmDebugError):
    """A function of JVM TI refused."""

    def __init__(self, function: str, code: int, hint: str = "") -> None:
        self.function = function
        """Its name in JVM TI."""
        self.code = code
        """The error code, `JVMTI_ERROR_...`."""
        self.name, meaning = error_text(code)
        """Of the code, `UNMODIFIABLE_MODULE`."""
        super().__init__(f"{function}: {hint or meaning} ({self.name}, {code})")


def error_text(code: int) -> tuple[str, str]:
    """Name and meaning of an error code."""
    return _MEANINGS.get(code, (f"error {code}", "JVM TI refuses it"))


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


async def the_class(vm: VirtualMachine, named: str | ReferenceType) -> ReferenceType:
    """The class of a name. SourceError when none is loaded, or several loaders have one."""
    if not isinstance(named, str):
        return named
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
