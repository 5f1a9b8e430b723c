# SPDX-License-Identifier: Apache-2.0
"""What a guest knows: the owner's objects by their numbers, and its own functions by its numbers.

An object is forgotten when nothing of the guest uses it any more, and the owner is told. Used by
`link`.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import weakref
from typing import TYPE_CHECKING, Any

from jvmdebug.errors import WireError
from jvmdebug.joining.remote import Remote, remote_class

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmdebug.joining.link import Link


class Known:
    """The guest's objects by the owner's numbers, and its callbacks by its own. Called as
    `values.References`.
    """

    def __init__(self, extra: Callable[[str], dict[str, Any]]) -> None:
        self.link: Link
        self._extra = extra
        self._objects: weakref.WeakValueDictionary[int, Remote] = weakref.WeakValueDictionary()
        self._counts: dict[int, list[int]] = {}
        self._freed: list[list[int]] = []
        self._callbacks: dict[int, Callable[..., Any]] = {}
        self._last = 0

    def callback(self, number: int) -> Callable[..., Any]:
        """The function that the owner calls by that number."""
        return self._callbacks[number]

    def take_freed(self) -> list[list[int]]:
        """The objects that are not used any more, as [number, how often it came]; once."""
        freed, self._freed = self._freed, []
        return freed

    def of(self, value: Any) -> list[Any] | None:  # noqa: ANN401 - see References
        """A reference to an object of the owner, or to a function of ours."""
        if isinstance(value, Remote):
            return ["object", value._remote_number]  # noqa: SLF001 - of the class that we make
        if isinstance(value, _Function):
            return ["object", value.remote_number]
        if inspect.isroutine(value) or isinstance(value, functools.partial):
            self._last += 1
            self._callbacks[self._last] = value
            return ["callback", self._last]
        return None

    def found(self, named: list[Any]) -> object:
        """The object that stands for one of the owner's."""
        number, class_name, known = named
        count = self._counts.get(number)
        found = self._objects.get(number)
        if found is not None and count is not None:
            count[0] += 1
            return found
        self._counts[number] = count = [1]
        if not class_name:
            function = _Function(self.link, number)
            weakref.finalize(function, self._free, number, count).atexit = False
            return function
        made = object.__new__(remote_class(class_name, self._extra))
        object.__setattr__(made, "_remote_link", self.link)
        object.__setattr__(made, "_remote_number", number)
        object.__setattr__(made, "_remote_known", known)
        self._objects[number] = made
        weakref.finalize(made, self._free, number, count).atexit = False
        return made

    def _free(self, number: int, count: list[int]) -> None:
        if self._counts.get(number) is count:
            del self._counts[number]
        self._freed.append([number, count[0]])


class _Function:
    """A function of the owner: it ends a subscription, say."""

    def __init__(self, link: Link, number: int) -> None:
        self._link = link
        self.remote_number = number

    def __call__(self, *args: Any) -> Any:  # noqa: ANN401 - its own
        if self._link.end is None:
            with contextlib.suppress(WireError):
                return self._link.ask_at_once("call", self, "", *args)
        return None
