# SPDX-License-Identifier: Apache-2.0
"""The registry of DAP requests: what `@request` declares, and the capabilities that result.

To add a request: (1) its arguments and body in `models` if the schema has none, (2) an async
function `(session, arguments) -> body` with `@request` in the right file of `handlers`, (3) `make
generate`. The router finds it, and `initialize` claims what it `supports`.
"""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from jvmdebug_dap.lanes import Lane
from jvmdebug_dap.models.base import Model
from jvmdebug_dap.models.generated.types import Capabilities

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from jvmdebug_dap.session import AdapterSession
    from jvmdebug_dap.states import State


@dataclass(frozen=True, slots=True)
class Later:
    """Returned by a handler that responds after other requests have been served."""

    answer: Awaitable[Model | None]


Answer: TypeAlias = "Model | Later | None"
ArgumentsT = TypeVar("ArgumentsT", bound=Model)
Handler: TypeAlias = "Callable[[AdapterSession, ArgumentsT], Awaitable[Answer]]"


@dataclass(frozen=True, slots=True)
class RequestSpec:
    """A request as its handler declares it."""

    command: str
    arguments: type[Model]
    handler: Callable[[AdapterSession, Any], Awaitable[Answer]]
    when: frozenset[State]
    lane: Lane
    holds_events: bool
    """Events that it causes are sent after its response."""
    supports: Capabilities | None
    progress: str | None = None
    """The title of its progress event, if it takes long."""
    at_end: Callable[[Any], Model | None] | None = None
    """The answer once the program has ended, or when it ends meanwhile; None: an error."""

    can_be_undone: bool = False
    """Whether it undoes what it has begun when it is cancelled: nothing has been started then."""

    @property
    def is_cancellable(self) -> bool:
        """Requests that only inspect can be cancelled; those that change the VM must complete."""
        return self.can_be_undone or self.lane in (Lane.CALL, Lane.LOOK, Lane.ASK)


class Registry:
    """The requests by command. A handler is imported with the first request that it serves: an
    editor sends a third of them, and the program waits while they are imported.
    """

    def __init__(self) -> None:
        self._specs: dict[str, RequestSpec] = {}
        self._homes: dict[str, str] | None = None

    def add(self, spec: RequestSpec) -> None:
        if spec.command in self._specs:
            raise ValueError(f"two handlers for {spec.command}")
        self._specs[spec.command] = spec

    def get(self, command: str) -> RequestSpec | None:
        if command not in self._specs and (home := self._home_of(command)) is not None:
            importlib.import_module(f"{_HANDLERS}.{home}")
        return self._specs.get(command)

    def _home_of(self, command: str) -> str | None:
        if self._homes is None:
            self._homes = json.loads(HOMES.read_bytes())
        return self._homes.get(command)

    @property
    def specs(self) -> tuple[RequestSpec, ...]:
        return tuple(self._specs.values())

    def capabilities(self) -> Capabilities:
        """The union of what the handlers support, so that nothing is claimed without a handler."""
        claimed: dict[str, object] = {}
        for spec in self._specs.values():
            if spec.supports is not None:
                claimed.update(spec.supports.model_dump(exclude_none=True))
        return Capabilities.model_validate(claimed)


HOMES: Final = Path(__file__).with_name("handlers.json")
"""Command → module of `handlers`; written by tools/dap_capabilities.py."""
_HANDLERS: Final = "jvmdebug_dap.handlers"
REGISTRY: Final = Registry()


def request(
    command: str,
    *,
    when: frozenset[State],
    lane: Lane = Lane.CHANGE,
    holds_events: bool = False,
    supports: Capabilities | None = None,
    progress: str | None = None,
    at_end: Callable[[Any], Model | None] | None = None,
    can_be_undone: bool = False,
) -> Callable[[Handler[ArgumentsT]], Handler[ArgumentsT]]:
    """Declare the handler of a request; its second parameter's type is the arguments' model.

    `at_end` makes the answer when there is no program any more: nobody is to blame that it ended
    before the request was served.
    """

    def declare(handler: Handler[ArgumentsT]) -> Handler[ArgumentsT]:
        arguments = list(inspect.signature(handler).parameters.values())[1].annotation
        if not (isinstance(arguments, type) and issubclass(arguments, Model)):
            raise TypeError(f"the handler of {command} does not name its arguments' model")
        REGISTRY.add(
            RequestSpec(
                command,
                arguments,
                handler,
                when,
                lane,
                holds_events,
                supports,
                progress,
                at_end,
                can_be_undone,
            )
        )
        return handler

    return declare


def load_handlers() -> Registry:
    """The registry with every module of `handlers` imported."""
    package = importlib.import_module(_HANDLERS)
    for module in pkgutil.iter_modules(package.__path__, f"{_HANDLERS}."):
        importlib.import_module(module.name)
    return REGISTRY
