# SPDX-License-Identifier: Apache-2.0
"""Special methods that have to ask the VM: `variable["legs"]`, `len(variable)`.

Python gives them no way to wait. In the asynchronous API such a method works with what is known
already, or raises a TypeError that names the call to await; in `jvmdebug.sync` it waits for that
call. Used by the classes of the session, and by `sync.proxies`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F", bound="Callable[..., object]")
_COUNTERPART: Final = "counterpart_in_sync"


def in_sync(name: str) -> Callable[[F], F]:
    """Have the method of `jvmdebug.sync` wait for the method of this name, with its arguments."""

    def decorated(method: F) -> F:
        setattr(method, _COUNTERPART, lambda target, *given: getattr(target, name)(*given))
        return method

    return decorated


def after_reading(method: F) -> F:
    """Have the method of `jvmdebug.sync` wait for `_read`, with its arguments, and then do the same
    as here.
    """

    async def waiting(target: Any, *given: Any) -> object:  # noqa: ANN401 - any class of the API
        await target._read(*given)  # noqa: SLF001 - part of the class that is decorated
        return method(target, *given)

    setattr(method, _COUNTERPART, waiting)
    return method


def set_counterpart(method: object, waiting: Callable[..., object]) -> None:
    """Have the method of `jvmdebug.sync` wait for `waiting`, called with the object and its
    arguments.
    """
    setattr(method, _COUNTERPART, waiting)


def counterpart(method: object) -> Callable[..., object] | None:
    """What the method of `jvmdebug.sync` waits for, if it is not the method itself."""
    found: Callable[..., object] | None = getattr(method, _COUNTERPART, None)
    return found


def must_be_awaited(what: str, instead: str) -> TypeError:
    """The error for what would have to ask the VM."""
    return TypeError(
        f"{what} has to ask the VM: write `{instead}`, or use jvmdebug.sync, where it works"
    )
