# SPDX-License-Identifier: Apache-2.0
"""The threads of a fake VM: their names and stacks.

stacks = FakeStacks(fake_vm)
stacks.put(MAIN_THREAD, "main", cart.at("add", 4), cart.at("run", 0))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.fake_vm import Refusal

if TYPE_CHECKING:
    from tests.support.fake_vm import FakeVm, Reply
    from tests.support.wire_reading import Message

_INVALID_INDEX, _INVALID_LENGTH = 503, 504
_FRAMES_OF_ONE_THREAD = 1000


class FakeStacks:
    """The stack of each thread, topmost frame first."""

    def __init__(self, vm: FakeVm) -> None:
        self._vm = vm
        self._names: dict[int, str] = {}
        self._stacks: dict[int, tuple[Message, ...]] = {}
        vm.on("ThreadReference.Frames", self._frames)
        vm.on("ThreadReference.FrameCount", self._frame_count)
        vm.on("ThreadReference.Name", lambda request: {"name": self._names[request["thread"]]})
        vm.on("VirtualMachine.AllThreads", lambda _: {"threads": list(self._names)})

    def put(self, thread: int, name: str, *locations: Message) -> None:
        """The thread exists, and stands there."""
        self._names[thread] = name
        self._stacks[thread] = locations
        self._vm.threads.setdefault(thread, 0)

    def move(self, thread: int, *locations: Message) -> None:
        """Has the thread run to there."""
        self._stacks[thread] = locations

    def _frame_count(self, request: Message) -> Reply:
        return {"frame_count": len(self._stacks[request["thread"]])}

    def _frames(self, request: Message) -> Reply:
        stack = self._stacks[request["thread"]]
        start, length = request["start_frame"], request["length"]
        if start > len(stack) or (start == len(stack) and length > 0):
            return Refusal(_INVALID_INDEX)
        if length < 0:
            length = len(stack) - start
        if start + length > len(stack):
            return Refusal(_INVALID_LENGTH)
        first_id = request["thread"] * _FRAMES_OF_ONE_THREAD + len(stack)
        return {
            "frames": [
                {"frame_id": first_id - at, "location": stack[at]}
                for at in range(start, start + length)
            ]
        }
