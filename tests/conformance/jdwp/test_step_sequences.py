# SPDX-License-Identifier: Apache-2.0
"""Long random sequences of steps: in both modes of our agent they end where libjdwp's do.

The same sequence is stepped with each agent through `Paths`, which goes into frames and comes out
of them in every way; the places and depths of all ends are compared.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.support.debuggees import debuggee
from tests.support.jdwp_session import (
    EVENT_THREAD,
    INTO,
    LINE,
    MIN,
    OUT,
    OVER,
    SINGLE_STEP,
    VM_DEATH,
    JdwpSession,
    class_exclude,
    session_of,
)

if TYPE_CHECKING:
    from tests.support.jdks import Jdk
    from tests.support.process import AgentInVm

pytestmark = pytest.mark.agent

_LIBRARIES = ("java.*", "javax.*", "jdk.*", "sun.*", "com.sun.*")
_STEPS = 400
_OUTER_FRAMES = 2
"""Frames that a step out would leave for good."""


class End(NamedTuple):
    """The place where a step ended."""

    step: str
    type: str
    method: str
    at: int
    frames: int


class Walk:
    """One debuggee on its way."""

    def __init__(self, session: JdwpSession) -> None:
        self._session = session
        self._names: dict[tuple[int, int], tuple[str, str]] = {}
        self.thread = session.run_to("begin")

    def step(self, depth: int, size: int, excluded: tuple[str, ...]) -> End | None:
        """The end of a step; None when the VM has died before."""
        vm = self._session.vm
        modifiers = [{"kind": 10, "thread": self.thread, "size": size, "depth": depth}]
        modifiers += [class_exclude(pattern) for pattern in excluded]
        request = self._session.request(SINGLE_STEP, *modifiers, policy=EVENT_THREAD)
        vm.ask("VirtualMachine.Resume")
        (event,) = vm.next_set()["events"]
        if event["kind"] == VM_DEATH:
            return None
        assert event["kind"] == SINGLE_STEP
        self._session.clear(SINGLE_STEP, request)
        location = event["location"]
        frames = vm.ask("ThreadReference.FrameCount", thread=self.thread)["frame_count"]
        name = ("into", "over", "out")[depth] + (" line" if size == LINE else " min")
        type_name, method = self._name(location["type_id"], location["method_id"])
        return End(name, type_name, method, location["index"], frames)

    def _name(self, type_id: int, method_id: int) -> tuple[str, str]:
        if (type_id, method_id) not in self._names:
            vm = self._session.vm
            signature = vm.ask("ReferenceType.Signature", type_id=type_id)["signature"]
            # The names of hidden classes have a number or an address that differs in each VM.
            signature = signature.partition("$$Lambda")[0].partition("LambdaForm$")[0]
            methods = vm.ask("ReferenceType.Methods", type_id=type_id)["methods"]
            for method in methods:
                known = (signature, method["name"] + method["signature"])
                self._names[type_id, method["method_id"]] = known
        return self._names[type_id, method_id]


class Chance:
    """Chooses steps, so that a walk sees much of the program before it ends."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._depths = self._random.choice(((6, 3, 1), (3, 6, 1), (5, 2, 3), (2, 4, 4), (8, 1, 2)))
        self._sizes = self._random.choice(((1, 0), (4, 1), (1, 3)))

    def next(self, frames: int) -> tuple[int, int]:
        """Depth and size of a step from a stack of so many frames."""
        depths = self._depths if frames > _OUTER_FRAMES else (8, 4, 0)
        return (
            self._random.choices((INTO, OVER, OUT), depths)[0],
            self._random.choices((LINE, MIN), self._sizes)[0],
        )


def walk(jdk: Jdk, agent: AgentInVm, seed: int, excluded: tuple[str, ...]) -> list[End]:
    """All ends of the sequence."""
    ends: list[End] = []
    chance = Chance(seed)
    with session_of(jdk, agent, "2", program=debuggee("paths", "Paths")) as session:
        moving = Walk(session)
        frames = 1
        while len(ends) < _STEPS:
            end = moving.step(*chance.next(frames), excluded)
            if end is None:
                return ends
            ends.append(end)
            frames = end.frames
    return ends


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("excluded", [_LIBRARIES, ()], ids=["filtered", "everywhere"])
def test_ends_are_the_same(jdk: Jdk, seed: int, excluded: tuple[str, ...]) -> None:
    full = walk(jdk, "jvmdebug", seed, excluded)
    assert len(full) > 5
    assert walk(jdk, "jvmdebug-fast", seed, excluded) == full
    if jdk.has_jdwp:
        assert walk(jdk, "stock", seed, excluded) == full
