# SPDX-License-Identifier: Apache-2.0
"""The classes of the synchronous API, each made from the asynchronous class of its name.

A proxy holds the asynchronous object. A method calls its method in the loop's thread and waits for
what that returns; what has a proxy class is wrapped on the way out and unwrapped on the way in.
Which classes and members there are is in `members`, generated with the stub. Called by users
through `jvmdebug.sync`.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from types import MethodType
from typing import TYPE_CHECKING, Any, Final, TypeVar

from jvmdebug.errors import StateError
from jvmdebug.in_sync import counterpart
from jvmdebug.sync.generated.members import FUNCTIONS, MEMBERS
from jvmdebug.sync.portal import Portal

if TYPE_CHECKING:
    from types import TracebackType

_NAMES: Final = {
    "__aenter__": "__enter__",
    "__aexit__": "__exit__",
    "__aiter__": "__iter__",
    "__anext__": "__next__",
}
_OF_SEQUENCES: Final = ("__contains__", "index", "count")

P = TypeVar("P", bound="Proxy")


class Proxy:
    """An object of the synchronous API. Equal to another one of the same object."""

    __slots__ = ("_portal", "_target")
    _target: Any
    _portal: Portal

    def __init__(self) -> None:
        raise TypeError(f"{type(self).__name__} is not made by its users: sessions give it")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Proxy) and bool(self._target == other._target)

    def __hash__(self) -> int:
        return hash(self._target)

    def __repr__(self) -> str:
        return repr(self._target)

    def __str__(self) -> str:
        return str(self._target)

    def _repr_html_(self) -> str | None:
        html = getattr(self._target, "_repr_html_", None)
        return None if html is None else str(html())


def proxy_class(full: str) -> type[Proxy]:
    """The class of `jvmdebug.session.stop:Stop`."""
    return _made(full)


def function_named(name: str) -> Callable[..., object]:
    """The function of that name here: `launch`, `open`."""
    original = getattr(importlib.import_module("jvmdebug"), FUNCTIONS[name])

    @functools.wraps(original)
    def function(*args: Any, **kwargs: Any) -> object:  # noqa: ANN401 - typed in the stub
        portal = Portal()
        try:
            found = portal.call(original, *_in(args, portal), **_in(kwargs, portal))
        except BaseException:
            portal.close()
            raise
        if isinstance(found, AbstractAsyncContextManager) and _class_of(found) is None:
            return _Opening(found, portal)
        proxy = out(found, portal)
        if isinstance(proxy, Proxy):
            portal.on_exit = getattr(proxy, "close", None)
        else:
            portal.close()
        return proxy

    function.__name__ = function.__qualname__ = name
    return function


class _Opening:
    """What `launch(...)` gives: a session while it is entered."""

    def __init__(self, context: AbstractAsyncContextManager[Any], portal: Portal) -> None:
        self._context = context
        self._portal = portal

    def __enter__(self) -> object:
        portal = self._portal
        if portal.is_closed:
            raise StateError("this was entered before: call launch, attach or listen again")

        async def leave(_: object) -> None:
            await self._context.__aexit__(None, None, None)

        try:
            opened = portal.run(_awaited(self._context.__aenter__()), leave)
        except BaseException:
            portal.close()
            raise
        portal.on_exit = lambda: self.__exit__(None, None, None)
        return out(opened, portal)

    def __exit__(
        self,
        type_: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool | None:
        portal = self._portal
        if portal.is_closed:  # session.close() was called
            return None
        try:
            is_handled: bool | None = portal.run(
                _awaited(self._context.__aexit__(type_, error, traceback))
            )
        finally:
            portal.close()
        return is_handled


async def _awaited(work: Any) -> Any:  # noqa: ANN401
    return await work


# --- making the classes ---------------------------------------------------------------------------


@functools.cache
def _made(full: str) -> type[Proxy]:
    module, _, name = full.partition(":")
    original: type = getattr(importlib.import_module(module), name)
    above = [each for each in original.__mro__[1:] if _full_name(each) in MEMBERS]
    bases = (_made(_full_name(above[0])),) if above else (Proxy,)
    names = [*MEMBERS[full], *(_OF_SEQUENCES if issubclass(original, Sequence) else ())]
    members: dict[str, object] = {"__slots__": (), "__doc__": original.__doc__}
    for each in names:
        members[_NAMES.get(each, each)] = _member(original, each)
    if full == _SESSION:
        members["close"] = _closing(members["close"])
    if issubclass(original, Sequence):
        members["__iter__"] = _items
    members["__module__"] = "jvmdebug.sync"
    if hasattr(original, "__parameters__"):
        members["__class_getitem__"] = classmethod(_same)
    made: type[Proxy] = type(name, bases, members)
    if issubclass(original, Sequence):
        Sequence.register(made)
    return made


def _same(class_: type, _arguments: object) -> type:
    """`Observation[Call]` is Observation."""
    return class_


_SESSION: Final = "jvmdebug.session.session:Session"


def _closing(close: Any) -> Callable[[Proxy], None]:  # noqa: ANN401
    """Closing a session also ends the threads that only it needs. It may be repeated."""

    @functools.wraps(close)
    def closed(self: Proxy) -> None:
        if self._portal.is_closed:
            return
        try:
            close(self)
        finally:
            self._portal.close()

    return closed


def _member(original: type, name: str) -> object:
    known = inspect.getattr_static(original, name, None)
    if name == "__aiter__":
        return _iter
    if name == "__anext__":
        return _next
    if counterpart(known) is not None:
        return _special(name)
    if inspect.isfunction(known):
        return _method(name, known)
    return property(functools.partial(_get, name), doc=getattr(known, "__doc__", None))


def _special(name: str) -> Callable[..., object]:
    """A special method that waits here for what is awaited in the asynchronous API. That of a
    closed session knows what was read before.
    """

    def method(self: Proxy, *args: Any) -> object:  # noqa: ANN401 - typed in the stub
        portal, target = self._portal, self._target
        own = getattr(type(target), name)
        given = _in(args, portal)
        if portal.is_closed:
            return out(own(target, *given), portal)
        waited = counterpart(own)
        assert waited is not None
        found = out(portal.call(waited, target, *given), portal)
        return iter(found) if name == "__iter__" else found

    method.__name__ = name
    return method


def _get(name: str, self: Proxy) -> object:
    """An attribute; one of a closed session has its last value."""
    portal = self._portal
    if portal.is_closed:
        return out(getattr(self._target, name), portal)
    return out(portal.call(getattr, self._target, name), portal)


def _method(name: str, known: Callable[..., object]) -> Callable[..., object]:
    waits = inspect.iscoroutinefunction(known) or inspect.isasyncgenfunction(known)

    @functools.wraps(known)
    def method(self: Proxy, *args: Any, **kwargs: Any) -> object:  # noqa: ANN401 - typed in the stub
        portal = self._portal
        called = getattr(self._target, name)
        if portal.is_closed and not waits:
            return out(called(*_in(args, portal), **_in(kwargs, portal)), portal)
        found = portal.call(called, *_in(args, portal), **_in(kwargs, portal))
        if name == "__aenter__":
            return self
        return out(found, portal)

    return method


def _iter(self: P) -> P:
    return self


def _items(self: Proxy) -> Iterator[object]:
    """The items of a sequence, as it is now."""
    portal = self._portal
    items = list(self._target) if portal.is_closed else portal.call(list, self._target)
    return iter(out(items, portal))


def _next(self: Proxy) -> object:
    portal = self._portal
    try:
        return out(portal.run(_awaited(anext(self._target))), portal)
    except StopAsyncIteration:
        raise StopIteration from None


# --- in and out -----------------------------------------------------------------------------------


def out(value: Any, portal: Portal) -> Any:  # noqa: ANN401, PLR0911 - one case for each kind of value
    """What a synchronous caller gets for it."""
    if value is None or isinstance(value, str | int | float | bytes):
        return value
    full = _class_of(value)
    if full is not None:
        proxy = object.__new__(_made(full))
        proxy._target, proxy._portal = value, portal
        return proxy
    if isinstance(value, tuple):
        items = [out(each, portal) for each in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if isinstance(value, list):
        return [out(each, portal) for each in value]
    if isinstance(value, dict):
        return {out(key, portal): out(each, portal) for key, each in value.items()}
    if isinstance(value, AsyncIterator):
        return _iterate(value, portal)
    if isinstance(value, MethodType) or inspect.isfunction(value):
        return functools.partial(_call_out, value, portal)
    return value


def _call_out(function: Callable[..., object], portal: Portal, *args: object) -> object:
    """A function that the API has returned: to end a subscription."""
    return None if portal.is_closed else out(portal.call(function, *_in(args, portal)), portal)


def _iterate(values: AsyncIterator[Any], portal: Portal) -> Iterator[object]:
    try:
        while True:
            try:
                value = portal.run(_awaited(anext(values)))
            except StopAsyncIteration:
                return
            yield out(value, portal)
    finally:
        close = getattr(values, "aclose", None)
        if close is not None and not portal.is_closed:
            with contextlib.suppress(StateError):
                portal.run(_awaited(close()))


def _in(value: Any, portal: Portal) -> Any:  # noqa: ANN401, PLR0911
    """What the asynchronous API gets for it."""
    if isinstance(value, Proxy):
        return value._target  # noqa: SLF001 - of this module
    if isinstance(value, str | bytes | type) or value is None:
        return value
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return tuple(_in(each, portal) for each in value)
    if isinstance(value, list):
        return [_in(each, portal) for each in value]
    if isinstance(value, Mapping):
        return {key: _in(each, portal) for key, each in value.items()}
    if callable(value):
        return lambda *args: portal.call_back(value, *(out(each, portal) for each in args))
    return value


def _full_name(class_: type) -> str:
    return f"{class_.__module__}:{class_.__qualname__}"


_NEAREST: Final[dict[type[object], str | None]] = {}


def _class_of(value: object) -> str | None:
    """The name of the nearest class that has a counterpart; by shape for a protocol."""
    class_ = type(value)
    if class_ not in _NEAREST:
        _NEAREST[class_] = _nearest(class_)
    return _NEAREST[class_]


def _nearest(class_: type[object]) -> str | None:
    for each in class_.__mro__:
        if (full := _full_name(each)) in MEMBERS:
            return full
    if class_.__module__.startswith("jvmdebug."):
        for full in _PROTOCOLS:
            if all(hasattr(class_, name) for name in MEMBERS[full]):
                return full
    return None


_PROTOCOLS: Final = ("jvmdebug.session.memory:Memory",)
