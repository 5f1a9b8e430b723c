# SPDX-License-Identifier: Apache-2.0
"""Dimensions that grow (threads, classes, …), and the requests measured for each.

Each dimension brings a fresh debuggee to a size and yields operations: a name, and what one run of
it is. Used by the table (`make scale`) at full size and by the tests at small sizes.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tests.scale import vm as orders

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.scale.vm import ScaleVm

_PREPARED: Final = 8  # EventKind.CLASS_PREPARE
_PIECE: Final = 50_000


@dataclass(frozen=True, slots=True)
class Dimension:
    """One thing of which there can be many."""

    name: str
    size: int
    """The size that the agent is meant for."""
    operations: Callable[[ScaleVm, int], Iterator[tuple[str, Callable[[], None]]]]
    agent_options: str = ""
    vm_args: tuple[str, ...] = ()
    since: int = 11
    """The least Java version that has it."""


def _id(number: int) -> bytes:
    return struct.pack(">q", number)


def _asked(vm: ScaleVm, name: str, payloads: list[bytes]) -> None:
    """Ask all of it; every answer must be a success."""
    codes = {code for code, _ in vm.wire.all(name, payloads)}
    assert codes <= {0}, f"{name}: errors {codes}"


def _threads_of(vm: ScaleVm) -> list[bytes]:
    ((code, payload),) = vm.wire.all("VirtualMachine.AllThreads", [b""])
    assert code == 0
    (count,) = struct.unpack_from(">i", payload)
    return [payload[4 + 8 * index : 12 + 8 * index] for index in range(count)]


def _platform_threads(vm: ScaleVm, size: int) -> Iterator[tuple[str, Callable[[], None]]]:
    yield "start", lambda: vm.carry_out(orders.THREADS, size)
    yield from _of_threads(vm, size)
    yield "end all", lambda: vm.carry_out(orders.END_THREADS, 0)


def _virtual_threads(vm: ScaleVm, size: int) -> Iterator[tuple[str, Callable[[], None]]]:
    yield (
        "start",
        lambda: vm.carry_out(orders.VIRTUAL_THREADS, size),
    )
    yield from _of_threads(vm, size)
    yield "end all", lambda: vm.carry_out(orders.END_THREADS, 0)


def _unlisted_virtual_threads(vm: ScaleVm, size: int) -> Iterator[tuple[str, Callable[[], None]]]:
    yield (
        "start",
        lambda: vm.carry_out(orders.VIRTUAL_THREADS, size),
    )
    yield "suspend all", lambda: _asked(vm, "VirtualMachine.Suspend", [b""])
    yield "resume all", lambda: _asked(vm, "VirtualMachine.Resume", [b""])


def _of_threads(vm: ScaleVm, size: int) -> Iterator[tuple[str, Callable[[], None]]]:
    threads: list[bytes] = []

    def listed() -> None:
        threads[:] = _threads_of(vm)
        assert len(threads) >= size, len(threads)

    yield "list", listed
    yield "list again", listed
    yield "names", lambda: _asked(vm, "ThreadReference.Name", threads)
    yield "states", lambda: _asked(vm, "ThreadReference.Status", threads)
    yield "suspend all", lambda: _asked(vm, "VirtualMachine.Suspend", [b""])
    whole = struct.pack(">ii", 0, -1)
    yield (
        "all stacks",
        lambda: _asked(vm, "ThreadReference.Frames", [each + whole for each in threads]),
    )
    yield "resume all", lambda: _asked(vm, "VirtualMachine.Resume", [b""])
    yield "suspend each", lambda: _asked(vm, "ThreadReference.Suspend", threads)
    yield "resume each", lambda: _asked(vm, "ThreadReference.Resume", threads)


def _classes(vm: ScaleVm, size: int) -> Iterator[tuple[str, Callable[[], None]]]:
    wire = vm.wire
    modifiers = [{"kind": 5, "pattern": "nowhere.*"}]  # ClassMatch
    wire.ask("EventRequest.Set", event_kind=_PREPARED, suspend_policy=2, modifiers=modifiers)
    yield "load", lambda: vm.carry_out(orders.CLASSES, size)
    yield "AllClasses", lambda: _asked(vm, "VirtualMachine.AllClassesWithGeneric", [b""])
    yield "again", lambda: _asked(vm, "VirtualMachine.AllClassesWithGeneric", [b""])
    one = wire.encode("VirtualMachine.ClassesBySignature", signature="Lmany/Made7;")
    yield "by signature", lambda: _asked(vm, "VirtualMachine.ClassesBySignature", [one])
    yield "100 by signature", lambda: _asked(vm, "VirtualMachine.ClassesBySignature", [one] * 100)


def _deep_stack(vm: ScaleVm, size: int) -> Iterator[tuple[str, Callable[[], None]]]:
    vm.order(orders.DEEP_STACK, size)
    diver = _threads_of(vm)
    vm.wire.ask("VirtualMachine.Suspend")
    deep = next(
        each
        for each, (_, count) in zip(
            diver, vm.wire.all("ThreadReference.FrameCount", diver), strict=True
        )
        if int.from_bytes(count, "big") > size
    )

    def frames(*ranges: tuple[int, int]) -> Callable[[], None]:
        payloads = [deep + struct.pack(">ii", *each) for each in ranges]
        return lambda: _asked(vm, "ThreadReference.Frames", payloads)

    yield "first 20", frames((0, 20))
    yield "whole", frames((0, -1))
    yield "in pages of 20", frames(*((start, 20) for start in range(0, size, 20)))
    yield "one by one", frames(*((start, 1) for start in range(size)))
    yield "count", lambda: _asked(vm, "ThreadReference.FrameCount", [deep])


def _arrays(vm: ScaleVm, size: int) -> Iterator[tuple[str, Callable[[], None]]]:
    vm.order(orders.ARRAYS, size)
    ints, longs = _id(vm.get("ints")), _id(vm.get("longs"))
    whole = struct.pack(">ii", 0, size)
    yield "get ints whole", lambda: _asked(vm, "ArrayReference.GetValues", [ints + whole])
    yield "get longs whole", lambda: _asked(vm, "ArrayReference.GetValues", [longs + whole])
    pieces = [ints + struct.pack(">ii", start, 100) for start in range(0, size, size // 1000)]
    yield "get 1,000 pieces", lambda: _asked(vm, "ArrayReference.GetValues", pieces)
    new = ints + whole + bytes(4 * size)
    yield "set ints whole", lambda: _asked(vm, "ArrayReference.SetValues", [new])


def _text(vm: ScaleVm, size: int) -> Iterator[tuple[str, Callable[[], None]]]:
    vm.order(orders.TEXT, size)
    text = _id(vm.get("text"))
    yield "read", lambda: _asked(vm, "StringReference.Value", [text])
    new = struct.pack(">i", 2 * size) + "\u00e9".encode() * size
    yield "create", lambda: _asked(vm, "VirtualMachine.CreateString", [new])


def _objects(vm: ScaleVm, size: int) -> Iterator[tuple[str, Callable[[], None]]]:
    wire = vm.wire
    vm.order(orders.OBJECTS, size)
    held = _id(vm.get("held"))
    known = wire.ask("VirtualMachine.ClassesBySignature", signature="Lscale/Scale$Payload;")
    payload = _id(known["classes"][0]["type_id"])
    ids: list[bytes] = []

    def show() -> None:
        # In pieces: more than 65,535 objects at once end the VM under libjdwp.
        pieces = [
            held + struct.pack(">ii", start, min(_PIECE, size - start))
            for start in range(0, size, _PIECE)
        ]
        ids.clear()
        for code, reply in wire.all("ArrayReference.GetValues", pieces):
            assert code == 0, code
            ids.extend(reply[start + 1 : start + 9] for start in range(5, len(reply), 9))
        assert len(ids) == size

    yield "instances, 100", lambda: _asked(vm, "ReferenceType.Instances", [payload + b"\0\0\0d"])
    counted = wire.encode(
        "VirtualMachine.InstanceCounts", types=[int.from_bytes(payload, "big", signed=True)]
    )
    yield "instance count", lambda: _asked(vm, "VirtualMachine.InstanceCounts", [counted])
    yield "show all", show
    yield "show again", show
    yield "their types", lambda: _asked(vm, "ObjectReference.ReferenceType", ids[:10_000])

    def dispose() -> None:
        count = struct.pack(">i", 2)
        body = struct.pack(">i", len(ids)) + b"".join(each + count for each in ids)
        _asked(vm, "VirtualMachine.DisposeObjects", [body])

    yield "dispose all", dispose


DIMENSIONS: Final = (
    Dimension("platform threads", 5_000, _platform_threads, vm_args=("-Xss256k",)),
    Dimension(
        "virtual threads, listed",
        100_000,
        _virtual_threads,
        agent_options="includevirtualthreads=y",
        vm_args=("-Xmx1g",),
        since=21,
    ),
    Dimension("virtual threads", 100_000, _unlisted_virtual_threads, vm_args=("-Xmx1g",), since=21),
    Dimension("classes", 20_000, _classes),
    Dimension("deep stack", 10_000, _deep_stack),
    Dimension("arrays", 10_000_000, _arrays, vm_args=("-Xmx1g",)),
    Dimension("text", 20_000_000, _text, vm_args=("-Xmx1g",)),
    Dimension("objects", 1_000_000, _objects, vm_args=("-Xmx1g",)),
)
