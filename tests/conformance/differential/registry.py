# SPDX-License-Identifier: Apache-2.0
"""All conversations, by name.

    @conversation(TARGET)
    def the_superclass_of_each_type(client: RecordingClient) -> None:
        ...

To add one: write such a function in a module of `conversations/`. It is called
`<module>.<function>`. It shares its VM with the others of the fixture, so it must leave the VM as
it found it; with `fresh=True` it has one of its own.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, TypeVar

from tests.conformance.differential import conversations

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping

    from tests.conformance.differential.fixture import Fixture
    from tests.conformance.differential.recording_client import RecordingClient


@dataclass(frozen=True)
class Conversation:
    """A script, and the fixture that it starts from."""

    name: str
    fixture: Fixture
    script: Callable[[RecordingClient], None]
    fresh: bool
    least_version: int
    most_version: int

    def is_for(self, version: int) -> bool:
        """Whether that JDK has what it is about."""
        return self.least_version <= version <= self.most_version


_REGISTERED: dict[str, Conversation] = {}

T = TypeVar("T")


def conversation(
    fixture: Fixture, *, fresh: bool = False, least_version: int = 0, most_version: int = 999
) -> Callable[[Callable[[RecordingClient], None]], Callable[[RecordingClient], None]]:
    """Register the function as a conversation."""

    def register(script: Callable[[RecordingClient], None]) -> Callable[[RecordingClient], None]:
        name = _name(script)
        _register(Conversation(name, fixture, script, fresh, least_version, most_version))
        return script

    return register


def conversations_over(
    cases: Mapping[str, T],
    fixture: Fixture,
    *,
    fresh: Container[str] = (),
    least_version: int = 0,
    most_version: int = 999,
) -> Callable[[Callable[[RecordingClient, T], None]], Callable[[RecordingClient, T], None]]:
    """Register the function once for each case, as `<module>.<function>[<case>]`; the cases in
    `fresh` have VMs of their own.
    """

    def register(
        script: Callable[[RecordingClient, T], None],
    ) -> Callable[[RecordingClient, T], None]:
        for key, case in cases.items():
            name = f"{_name(script)}[{key}]"
            own = partial(_with_case, script, case)
            _register(Conversation(name, fixture, own, key in fresh, least_version, most_version))
        return script

    return register


def _with_case(
    script: Callable[[RecordingClient, T], None], case: T, client: RecordingClient
) -> None:
    script(client, case)


def _name(script: Callable[..., None]) -> str:
    return f"{script.__module__.rpartition('.')[2]}.{script.__name__}"


def _register(one: Conversation) -> None:
    if one.name in _REGISTERED:
        raise ValueError(f"two conversations are called {one.name}")
    _REGISTERED[one.name] = one


@cache
def all_conversations() -> tuple[Conversation, ...]:
    """Every conversation of every module, those of one fixture together."""
    for module in pkgutil.iter_modules(conversations.__path__):
        importlib.import_module(f"{conversations.__name__}.{module.name}")
    return tuple(sorted(_REGISTERED.values(), key=lambda one: (one.fixture.name, one.name)))
