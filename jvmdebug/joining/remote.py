# SPDX-License-Identifier: Apache-2.0
"""The objects of a guest: each stands for one of the owner's, and is of a subclass of its class.

A method or attribute asks the owner's object, so `isinstance`, `match` and all that front ends do
with the class work as they do there. What is awaited is awaited; an attribute, or a method that
does not wait, is asked for at once. Equal objects of the owner are one object here. Made by `guest`
and by `link`, for what the owner sends.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from typing import TYPE_CHECKING, Any, Final

from jvmdebug import in_sync
from jvmdebug.errors import ConnectionLost, StateError, WireError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from jvmdebug.joining.link import Link

_NAMES: Final = """
__getitem__ __len__ __iter__ __contains__ __int__ __index__ __float__ __bool__ __str__
__format__ __eq__ __hash__ __lt__ __le__ __gt__ __ge__ __repr__ _repr_html_ __aenter__ __aexit__
__aiter__ __anext__
"""
_SPECIAL: Final = frozenset(_NAMES.split())
_END: Final = object()


class Exhausted(Exception):  # noqa: N818 - StopAsyncIteration, which no future takes
    """An asynchronous iterator of the owner has no more."""


class Remote:
    """An object of the owner."""

    _remote_link: Link
    _remote_number: int
    _remote_known: dict[str, Any]
    """Attributes that never change."""

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - any attribute
        if name.startswith("_"):
            raise AttributeError(name)
        return _get(self, name)

    def __setattr__(self, name: str, value: Any) -> None:  # noqa: ANN401 - any attribute
        if name.startswith("_"):
            object.__setattr__(self, name, value)
        else:
            self._remote_link.set(self, name, value)

    def __repr__(self) -> str:
        try:
            return str(self._remote_link.ask_at_once("call", self, "__repr__"))
        except (StateError, WireError):
            return f"{type(self).__name__}({self._remote_number})"

    def __reduce__(self) -> Any:  # noqa: ANN401 - of `object`
        raise TypeError("an object of a session that was joined cannot be copied")


class _Iterator(Remote):
    """An asynchronous generator of the owner."""

    def __aiter__(self) -> _Iterator:
        return self

    async def __anext__(self) -> Any:  # noqa: ANN401 - its items
        try:
            return await self._remote_link.ask("wait", self, "__anext__")
        except Exhausted:
            raise StopAsyncIteration from None

    async def aclose(self) -> None:
        """End it."""
        if self._remote_link.end is None:
            await self._remote_link.ask("call", self, "aclose")


def _get(self: Remote, name: str) -> Any:  # noqa: ANN401
    known = self._remote_known
    if name in known:
        return known[name]
    link = self._remote_link
    if link.end is not None and (last := _after_end(self, name)) is not _END:
        return last
    try:
        return link.ask_at_once("get", self, name)
    except ConnectionLost:
        if (last := _after_end(self, name)) is not _END:
            return last
        raise


def _after_end(self: Remote, name: str) -> Any:  # noqa: ANN401
    """What can still be said of an object once the session is over."""
    found = getattr(type(self), "_remote_after_end", {}).get(name, _END)
    return found(self) if callable(found) else found


@functools.cache
def remote_class(named: str, extra: Callable[[str], dict[str, Any]]) -> type[Remote]:
    """The class that stands for `jvmdebug.session.stop:Stop`; `extra` gives it members of its own,
    and in `_remote_after_end` what its attributes are once the session is over.
    """
    module, _, name = named.partition(":")
    if module.partition(".")[0] != "jvmdebug":
        return _Iterator
    original: Any = importlib.import_module(module)
    for part in name.split("."):
        original = getattr(original, part)
    members: dict[str, Any] = {"__module__": original.__module__, "__doc__": original.__doc__}
    for each in dir(original):
        if (each.startswith("_") and each not in _SPECIAL) or (
            hasattr(Remote, each) and (each == "__repr__")
        ):
            continue
        known = inspect.getattr_static(original, each)
        if known is getattr(object, each, None) or known is None:
            continue
        member = _member(original, each, known)
        if member is not None:
            members[each] = member
    members.setdefault("__eq__", lambda self, other: True if self is other else NotImplemented)
    members["__hash__"] = object.__hash__
    members |= extra(named)
    try:
        made: type[Remote] = type(original.__name__, (Remote, original), members)
    except TypeError:  # a class that cannot have subclasses
        made = type(original.__name__, (Remote,), members)
    return made


def _member(original: type, name: str, known: Any) -> Any:  # noqa: ANN401, C901, PLR0911 - the kinds
    if isinstance(known, staticmethod | classmethod | type):
        return None
    if name == "__aiter__":
        return lambda self: self
    if name == "__hash__":
        return None
    if name == "__eq__":
        return _equality(original, known)
    if name == "__aenter__":
        return _entered
    if name == "__anext__":
        return _Iterator.__anext__
    if name == "__iter__":
        return _with_counterpart(_items, name, known)
    if not callable(known) or isinstance(known, property | functools.cached_property):
        return property(functools.partial(_got, name), functools.partial(_set, name))
    if inspect.iscoroutinefunction(known):
        return _awaited(name, known)
    if inspect.isasyncgenfunction(known):
        return _generator(name, known)
    return _at_once(name, known)


def _got(name: str, self: Remote) -> Any:  # noqa: ANN401
    return _get(self, name)


def _set(name: str, self: Remote, value: Any) -> None:  # noqa: ANN401
    self._remote_link.set(self, name, value)


def _equality(original: type, known: Any) -> Any:  # noqa: ANN401
    """Values of the program are compared by the owner; other objects are equal if they are one."""
    from jvmdebug.session.python_value import PythonicValue  # noqa: PLC0415 - of a session

    if not issubclass(original, PythonicValue):
        return lambda self, other: True if self is other else NotImplemented
    return _at_once("__eq__", known)


async def _entered(self: Remote) -> Remote:
    await self._remote_link.ask("wait", self, "__aenter__")
    return self


def _items(self: Remote) -> Iterator[Any]:
    return iter(self._remote_link.ask_at_once("call", self, "__iter__"))


def _awaited(name: str, known: Callable[..., Any]) -> Any:  # noqa: ANN401
    do = "wait" if name.startswith("__") else "call"

    @functools.wraps(known)
    async def method(self: Remote, *args: Any, **named: Any) -> Any:  # noqa: ANN401
        return await self._remote_link.ask(do, self, name, *args, **named)

    return method


def _generator(name: str, known: Callable[..., Any]) -> Any:  # noqa: ANN401
    @functools.wraps(known)
    async def method(self: Remote, *args: Any, **named: Any) -> AsyncIterator[Any]:  # noqa: ANN401
        items = self._remote_link.ask_at_once("call", self, name, *args, **named)
        try:
            async for each in items:
                yield each
        finally:
            await items.aclose()

    return method


def _at_once(name: str, known: Callable[..., Any]) -> Any:  # noqa: ANN401
    @functools.wraps(known)
    def method(self: Remote, *args: Any, **named: Any) -> Any:  # noqa: ANN401
        return self._remote_link.ask_at_once("call", self, name, *args, **named)

    return _with_counterpart(method, name, known)


def _with_counterpart(method: Any, name: str, known: Callable[..., Any]) -> Any:  # noqa: ANN401
    """The method, for which `jvmdebug.sync` waits as it does for the owner's."""
    if in_sync.counterpart(known) is None:
        return method

    @functools.wraps(method)
    def own(self: Remote, *args: Any) -> Any:  # noqa: ANN401
        return method(self, *args)

    async def waiting(self: Remote, *args: Any) -> Any:  # noqa: ANN401
        return await self._remote_link.ask("wait", self, name, *args)

    in_sync.set_counterpart(own, waiting)
    return own
