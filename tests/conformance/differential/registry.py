# SPDX-License-Identifier: Apache-2.0
"""All conversations, by name.

    @conversation(ZOO)
    def the_superclass_of_each_type(talk: Talk) -> None:
        ...

To add one: write such a function in a module of `conversations/`. It is called
`<module>.<function>`. It shares its VM with the others of the scene, so it must leave the VM as it
found it; with `fresh=True` it has one of its own.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, TypeVar

from tests.conformance.differential import conversations

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tests.conformance.differential.scene import Scene
    from tests.conformance.differential.talk import Talk


@dataclass(frozen=True)
class Conversation:
    """A script, and where it takes place."""

    name: str
    scene: Scene
    script: Callable[[Talk], None]
    fresh: bool
    least_version: int
    most_version: int

    def is_for(self, version: int) -> bool:
        """Whether that JDK has what it is about."""
        return self.least_version <= version <= self.most_version


_REGISTERED: dict[str, Conversation] = {}

T = TypeVar("T")


def conversation(
    scene: Scene, *, fresh: bool = False, least_version: int = 0, most_version: int = 999
) -> Callable[[Callable[[Talk], None]], Callable[[Talk], None]]:
    """Register the function as a conversation."""

    def register(script: Callable[[Talk], None]) -> Callable[[Talk], None]:
        name = _name(script)
        _register(Conversation(name, scene, script, fresh, least_version, most_version))
        return script

    return register


def conversations_over(
    cases: Mapping[str, T],
    scene: Scene,
    *,
    fresh: bool = False,
    least_version: int = 0,
    most_version: int = 999,
) -> Callable[[Callable[[Talk, T], None]], Callable[[Talk, T], None]]:
    """Register the function once for each case, as `<module>.<function>[<case>]`."""

    def register(script: Callable[[Talk, T], None]) -> Callable[[Talk, T], None]:
        for key, case in cases.items():
            name = f"{_name(script)}[{key}]"
            own = partial(_with_case, script, case)
            _register(Conversation(name, scene, own, fresh, least_version, most_version))
        return script

    return register


def _with_case(script: Callable[[Talk, T], None], case: T, talk: Talk) -> None:
    script(talk, case)


def _name(script: Callable[..., None]) -> str:
    return f"{script.__module__.rpartition('.')[2]}.{script.__name__}"


def _register(one: Conversation) -> None:
    if one.name in _REGISTERED:
        raise ValueError(f"two conversations are called {one.name}")
    _REGISTERED[one.name] = one


@cache
def all_conversations() -> tuple[Conversation, ...]:
    """Every conversation of every module, those of one scene together."""
    for module in pkgutil.iter_modules(conversations.__path__):
        importlib.import_module(f"{conversations.__name__}.{module.name}")
    return tuple(sorted(_REGISTERED.values(), key=lambda one: (one.scene.name, one.name)))
