# SPDX-License-Identifier: Apache-2.0
"""The owner's objects that a guest knows by numbers.

Owns the numbers, and what goes by reference: all that has a life in the session. An object is kept
until the guest has dropped it. Used by `host`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator
from types import BuiltinMethodType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any, Final

from jvmdebug.errors import WireError
from jvmdebug.model.thread import Thread
from jvmdebug.session.frame_handle import FrameHandle
from jvmdebug.session.threads import ThreadHandle

if TYPE_CHECKING:
    from collections.abc import Callable

_BY_VALUE: Final = "jvmdebug.session.events"
_PRIVATE: Final = (
    *("jvmdebug.jdwp.connection", "jvmdebug.events.router", "jvmdebug.session.services"),
    *("jvmdebug.session.program", "jvmdebug.session.lifecycle", "jvmdebug.session.stop_registry"),
    "jvmdebug.joining.",
)
_BY_EQUALITY: Final = (ThreadHandle, Thread)
"""Made anew each time; equal ones are the same for a guest."""
CONSTANT: Final = {
    FrameHandle: (
        *("is_inlined", "is_obsolete", "depth", "type_name", "method_name", "line", "index"),
        *("is_native", "is_synthetic", "source_name", "source_path"),
    ),
}
"""Attributes that never change: they go with the object, and are not asked for."""


class Objects:
    """What a guest knows by numbers. Called as `values.References`."""

    def __init__(self, call_back: Callable[[int, tuple[Any, ...]], object]) -> None:
        self._call_back = call_back
        self._numbers: dict[object, int] = {}
        self._objects: dict[int, object] = {}
        self._sent: dict[int, int] = {}
        self._last = 0

    def of(self, value: Any) -> list[Any] | None:  # noqa: ANN401 - see References
        """`[number, class, constant attributes]`; the class is empty for a function."""
        if not _goes_by_reference(value):
            return None
        key: object = id(value)
        if isinstance(value, _BY_EQUALITY):
            key = (type(value), value)
        number = self._numbers.get(key)
        if number is None:
            self._last = number = self._last + 1
            self._numbers[key] = number
            self._objects[number] = value
        self._sent[number] = self._sent.get(number, 0) + 1
        if isinstance(value, FunctionType | MethodType | BuiltinMethodType):
            return [number, "", {}]
        class_ = type(value)
        known = {name: getattr(value, name) for name in CONSTANT.get(class_, ())}
        return [number, f"{class_.__module__}:{class_.__qualname__}", known]

    def found(self, named: list[Any]) -> object:
        """An object of ours, or a function that calls one of the guest's."""
        kind, number = named
        if kind == "callback":
            return _Callback(number, self._call_back)
        if number not in self._objects:
            raise WireError(f"this session has given out no object {number}")
        return self._objects[number]

    def release(self, number: int, count: int) -> None:
        """The guest has dropped an object that was sent so often."""
        left = self._sent.get(number, 0) - count
        self._sent[number] = left
        if left <= 0 and number in self._objects:
            value = self._objects.pop(number)
            key = (type(value), value) if isinstance(value, _BY_EQUALITY) else id(value)
            self._numbers.pop(key, None)
            del self._sent[number]

    def all(self) -> list[object]:
        """Everything that it still knows."""
        return list(self._objects.values())


class _Callback:
    """A function of the guest."""

    def __init__(self, number: int, call_back: Callable[[int, tuple[Any, ...]], object]) -> None:
        self.number = number
        self._call_back = call_back

    def __call__(self, *args: Any) -> object:  # noqa: ANN401 - its own
        return self._call_back(self.number, args)


def _goes_by_reference(value: Any) -> bool:  # noqa: ANN401
    """TypeError for what is the owner's alone."""
    if type(value).__module__.startswith(_PRIVATE):
        raise TypeError(f"a {type(value).__name__} is not for those who have joined a session")
    if isinstance(value, FunctionType | MethodType | BuiltinMethodType | AsyncIterator):
        return True
    class_ = type(value)
    module = class_.__module__
    if module.partition(".")[0] != "jvmdebug" or isinstance(value, type | BaseException | tuple):
        return False
    if module == _BY_VALUE or module.startswith("jvmdebug.projects.testing"):
        return not dataclasses.is_dataclass(value)
    if dataclasses.is_dataclass(value):
        parameters = class_.__dataclass_params__
        return not parameters.frozen or f"{module}:{class_.__qualname__}" in _handles()
    return True


def _handles() -> frozenset[str]:
    from jvmdebug.sync.generated.members import MEMBERS  # noqa: PLC0415 - long, and seldom needed

    return frozenset(each for each in MEMBERS if not each.startswith(_BY_VALUE))


def callback_number(value: object) -> int | None:
    """The guest's number of a function of its own; None for anything else."""
    return value.number if isinstance(value, _Callback) else None
