# SPDX-License-Identifier: Apache-2.0
"""A thread that is stopped in a class of a fake VM, and a stepper for it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from jvmdebug.events import Router
from jvmdebug.jdwp.ids import ObjectId, ThreadId
from jvmdebug.stepping import Stepper
from tests.support.fake_classes import BRIDGE, STATIC, SYNTHETIC, FakeClasses, FakeMethod
from tests.support.fake_requests import EventRequests
from tests.support.fake_stacks import FakeStacks
from tests.support.fake_vm import EVENT_THREAD, MAIN_THREAD

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from jvmdebug.events import StopSet
    from jvmdebug.model import Thread, VirtualMachine
    from tests.support.fake_classes import FakeClass
    from tests.support.fake_vm import FakeVm
    from tests.support.wire_reading import Message

ADD = FakeMethod("add", "(I)I", STATIC, lines={0: 5, 4: 6})
RUN = FakeMethod("run", "()V", STATIC, lines={0: 10, 8: 11})
HIDDEN = FakeMethod("access$0", "()V", STATIC | SYNTHETIC, lines={0: 1})
BRIDGED = FakeMethod("add", "(I)Ljava/lang/Object;", STATIC | SYNTHETIC | BRIDGE, lines={0: 1})
CONSTRUCTOR = FakeMethod("<init>", "()V", 1, lines={0: 3})


@dataclass
class Stepping:
    """The main thread stands at the beginning of line 10 of `run`."""

    vm: FakeVm
    requests: EventRequests
    stacks: FakeStacks
    cart: FakeClass
    library: FakeClass
    thread: Thread
    router: Router
    stepper: Stepper
    stops: asyncio.Queue[StopSet]
    steps: int = 0
    """How often the thread was resumed with a step."""

    async def ends_at(self, kind: int, *stack: Message) -> None:
        """The thread has run to the top of `stack`: the event of the newest request of the kind."""
        self.stacks.move(MAIN_THREAD, *stack)
        await self.vm.send_events(EVENT_THREAD, self.event(kind, stack[0]))

    def event(self, kind: int, place: Message) -> Message:
        number = max(n for n, each in self.requests.armed.items() if each["event_kind"] == kind)
        return {"kind": kind, "request_id": number, "thread": MAIN_THREAD, "location": place}

    async def goes_on(self, resumes: int) -> None:
        """The last event has stopped nothing: the thread was resumed that often by now."""
        await self.vm.wait_for("ThreadReference.Resume", self.steps + resumes)
        assert self.stops.empty()

    async def stopped(self) -> StopSet:
        async with asyncio.timeout(5):
            return await self.stops.get()


@pytest.fixture
async def stepping(fake_vm: FakeVm, vm: VirtualMachine) -> AsyncIterator[Stepping]:
    classes, requests, stacks = FakeClasses(fake_vm), EventRequests(fake_vm), FakeStacks(fake_vm)
    cart = classes.load("shop.Cart", ADD, RUN, HIDDEN, CONSTRUCTOR, BRIDGED)
    library = classes.load("lib.List", ADD)
    stacks.put(MAIN_THREAD, "main", cart.at("run", 0))
    router = Router(vm)
    stops: asyncio.Queue[StopSet] = asyncio.Queue()
    router.set_stop_sink(stops.put)
    router.start()
    thread = vm.thread(ThreadId(ObjectId(MAIN_THREAD)))
    stepper = Stepper(router)
    yield Stepping(fake_vm, requests, stacks, cart, library, thread, router, stepper, stops)
    await router.close()
