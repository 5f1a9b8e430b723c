# SPDX-License-Identifier: Apache-2.0
"""Several debuggers at once that connect, take over from each other and disconnect.

Owns their threads. Only one debugger is served at a time: the others are refused or end its
session, in the middle of commands, events and suspensions. Afterwards the agent serves the next
debugger, and the program runs.
"""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from typing import TYPE_CHECKING

from tests.stress.client import Client
from tests.support.jdwp_client import ConnectionLostError, RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable

_RIVALS = 3
_COMMANDS = 12
_SINGLE_STEP, _METHOD_ENTRY = 1, 40
_COUNT, _THREAD_ONLY, _STEP = 1, 3, 10
"""Kinds of modifiers."""


class TakingOver(Client):
    """Ends the session of the debugger that is connected."""

    GREETING = b"JDWP-Take-Over"


def compete(port: int, chance: random.Random, seconds: float) -> Counter[str]:
    """How often the debuggers were served, refused and lost their connection."""
    until = time.monotonic() + seconds
    outcomes: Counter[str] = Counter()
    errors: list[BaseException] = []

    def work(seed: int) -> None:
        own = random.Random(seed)
        try:
            while time.monotonic() < until:
                outcomes[_one(port, own)] += 1
        except BaseException as error:  # noqa: BLE001 - raised on the caller's thread
            errors.append(error)

    threads = [
        threading.Thread(target=work, args=(chance.randrange(2**32),)) for _ in range(_RIVALS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return outcomes


def _one(port: int, chance: random.Random) -> str:
    try:
        vm = (TakingOver if chance.random() < 0.6 else Client)(port)
    except (ConnectionLostError, OSError):
        return "refused"
    try:
        for _ in range(chance.randrange(_COMMANDS)):
            _act(vm, chance)
        if chance.random() < 0.3:
            vm.ask("VirtualMachine.Dispose")
    except (ConnectionLostError, OSError):
        return "lost"
    finally:
        vm.close()
    return "served"


def _act(vm: Client, chance: random.Random) -> None:
    threads = vm.ask("VirtualMachine.AllThreads")["threads"]
    thread = chance.choice(threads)
    actions: tuple[Callable[[], object], ...] = (
        lambda: vm.ask("VirtualMachine.Suspend"),
        lambda: vm.ask("VirtualMachine.Resume"),
        lambda: vm.ask("ThreadReference.Suspend", thread=thread),
        lambda: vm.ask("ThreadReference.Name", thread=thread),
        lambda: vm.ask("Agent.Capabilities"),
        vm.drain,
        lambda: _request(vm, chance, thread),
    )
    try:
        chance.choice(actions)()
    except RefusedError:
        return  # the thread has ended, or is suspended already


def _request(vm: Client, chance: random.Random, thread: int) -> None:
    step = {"kind": _STEP, "thread": thread, "size": 0, "depth": 0}
    only = {"kind": _THREAD_ONLY, "thread": thread}
    kind, modifier = chance.choice([(_SINGLE_STEP, step), (_METHOD_ENTRY, only)])
    vm.ask(
        "EventRequest.Set",
        event_kind=kind,
        suspend_policy=chance.randrange(3),
        modifiers=[modifier, {"kind": _COUNT, "count": 50}],
    )
