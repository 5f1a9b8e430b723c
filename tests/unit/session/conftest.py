# SPDX-License-Identifier: Apache-2.0
"""A session on a fake program: one class, two threads, and the events reported to the user."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.support.fake_classes import STATIC, FakeClasses, FakeMethod
from tests.support.fake_requests import EventRequests
from tests.support.fake_stacks import FakeStacks
from tests.support.fake_vm import ALL, MAIN_THREAD

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.support.fake_classes import FakeClass
    from tests.support.fake_vm import FakeVm
    from tests.support.wire_reading import Message

WORKER_THREAD = 2
SINGLE_STEP = 1
ADD = FakeMethod("add", "(I)I", STATIC, lines={0: 5, 4: 6})
RUN = FakeMethod("run", "()V", STATIC, lines={0: 10, 3: 11})


@dataclass
class Program:
    """A session, the VM that it is attached to, and the events it has reported."""

    session: jvmdebug.Session
    vm: FakeVm
    requests: EventRequests
    stacks: FakeStacks
    cart: FakeClass
    reported: list[jvmdebug.SessionEvent] = field(default_factory=list)

    async def send(self, *events: Message, policy: int = ALL) -> None:
        """One event set."""
        await self.vm.send_events(policy, *events)

    def hit(self, method: str, index: int, thread: int = MAIN_THREAD) -> Message:
        """The event of the newest breakpoint there."""
        return self.requests.hit(self.cart.at(method, index), thread)

    def hits(self, method: str, index: int, thread: int = MAIN_THREAD) -> list[Message]:
        """The events of all breakpoints there, oldest first."""
        return self.requests.hits(self.cart.at(method, index), thread)

    def step(self, method: str, index: int, thread: int = MAIN_THREAD) -> Message:
        """The event of the newest step, which ends there."""
        number = max(
            number
            for number, each in self.requests.armed.items()
            if each["event_kind"] == SINGLE_STEP
        )
        place = self.cart.at(method, index)
        return {"kind": SINGLE_STEP, "request_id": number, "thread": thread, "location": place}

    async def next(self) -> jvmdebug.Stop:
        """The next stop, which must come."""
        stop = await self.session.next_stop(timeout_s=5)
        assert stop is not None
        return stop


@pytest.fixture
async def program(fake_vm: FakeVm) -> AsyncIterator[Program]:
    """Attached: the main thread is at line 5 of `shop.Cart.add`, a worker in `run`."""
    classes, requests, stacks = FakeClasses(fake_vm), EventRequests(fake_vm), FakeStacks(fake_vm)
    cart = classes.load("shop.Cart", ADD, RUN)
    paths: Message = {"base_directory": "/", "class_paths": [], "boot_class_paths": []}
    fake_vm.on("VirtualMachine.ClassPaths", paths)
    stacks.put(MAIN_THREAD, "main", cart.at("add", 0), cart.at("run", 0))
    stacks.put(WORKER_THREAD, "worker", cart.at("run", 3))
    async with jvmdebug.attach(fake_vm.host, fake_vm.port, timeout_s=5) as session:
        made = Program(session, fake_vm, requests, stacks, cart)
        session.subscribe(made.reported.append)
        yield made
