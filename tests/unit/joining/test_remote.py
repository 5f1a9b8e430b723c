# SPDX-License-Identifier: Apache-2.0
"""The classes of a guest's objects: one for each class of the API, with all that it has."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

import pytest

from jvmdebug.errors import ConnectionLost
from jvmdebug.in_sync import counterpart
from jvmdebug.joining.remote import Remote, remote_class
from jvmdebug.sync.generated.members import MEMBERS

_LEFT_OUT = {"__hash__", "__repr__"}


class FakeLink:
    """Notes what is asked, and answers with the name that was asked for."""

    end: str | None = None

    def __init__(self) -> None:
        self.asked: list[tuple[Any, ...]] = []

    async def ask(self, do: str, _target: object, name: str, *args: Any, **named: Any) -> Any:
        self.asked.append((do, name, args, named))
        return name

    def ask_at_once(self, do: str, _target: object, name: str, *args: Any, **named: Any) -> Any:
        self.asked.append((do, name, args, named))
        if self.end is not None:
            raise ConnectionLost(self.end)
        return name

    def set(self, _target: object, name: str, value: Any) -> None:
        self.asked.append(("set", name, value))


def made(full: str, **more: Any) -> tuple[Any, FakeLink]:
    link = FakeLink()
    it = object.__new__(remote_class(full, lambda _: more))
    object.__setattr__(it, "_remote_link", link)
    object.__setattr__(it, "_remote_number", 1)
    object.__setattr__(it, "_remote_known", {})
    return it, link


@pytest.mark.parametrize("full", MEMBERS)
def test_each_class_has_one_that_asks(full: str) -> None:
    module, _, name = full.partition(":")
    original = getattr(importlib.import_module(module), name)
    if inspect.isabstract(original) or getattr(original, "_is_protocol", False):
        return  # there are objects of its subclasses alone
    it, _ = made(full)
    assert isinstance(it, original)
    assert isinstance(it, Remote)
    for member in MEMBERS[full]:
        known = inspect.getattr_static(original, member, None)
        if known is None or member in _LEFT_OUT or isinstance(known, staticmethod | classmethod):
            continue
        ours = inspect.getattr_static(type(it), member)
        assert ours is not known, f"{member} would work with what the guest has not"
        assert inspect.iscoroutinefunction(ours) == inspect.iscoroutinefunction(known), member
        assert (counterpart(ours) is None) == (counterpart(known) is None), member


async def test_what_is_awaited_and_what_is_not() -> None:
    stop, link = made("jvmdebug.session.stop:Stop")
    assert await stop.frames(0, count=3) == "frames"
    assert stop.reason == "reason"
    assert stop.made_in_the_constructor == "made_in_the_constructor"
    stop.thread = 5
    assert link.asked == [
        ("call", "frames", (0,), {"count": 3}),
        ("get", "reason", (), {}),
        ("get", "made_in_the_constructor", (), {}),
        ("set", "thread", 5),
    ]
    with pytest.raises(AttributeError):
        _ = stop._suspension
    with pytest.raises(TypeError):
        stop.__reduce__()


def test_objects_are_equal_if_they_are_one() -> None:
    first, _ = made("jvmdebug.session.stop:Stop")
    second, _ = made("jvmdebug.session.stop:Stop")
    assert first == first  # noqa: PLR0124
    assert first != second
    assert len({first, second, first}) == 2


def test_after_the_end_what_is_known_is_said() -> None:
    stop, link = made("jvmdebug.session.stop:Stop", _remote_after_end={"is_current": False})
    link.end = "the session has ended"
    assert stop.is_current is False
    with pytest.raises(ConnectionLost, match="has ended"):
        _ = stop.reason
