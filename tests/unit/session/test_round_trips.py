# SPDX-License-Identifier: Apache-2.0
"""How many commands an operation costs, exactly: each is a round trip over a slow network."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug.stepping.returned import RETURN_BUDGET
from tests.support.fake_vm import ALL, EVENT_THREAD, MAIN_THREAD, FakeType, FakeVm, location

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.support.wire_reading import Message

CART, ADD, CALLER = 10, 100, 101
FRAMES = ({"frame_id": 1, "method": ADD}, {"frame_id": 2, "method": CALLER})
BREAKPOINT, STEP = 2, 1
INT = ord("I")


@pytest.fixture
def cart(fake_vm: FakeVm) -> FakeVm:
    """A VM with a class of two methods, in which the main thread is at line 5 of `add`."""
    fake_vm.types[CART] = FakeType(
        "Lshop/Cart;", {ADD: ("add", "(I)I", 9), CALLER: ("run", "()V", 9)}
    )
    fake_vm.on("Method.Bytecodes", {"bytecodes": bytes(8) + b"\xac"})
    fake_vm.on(
        "VirtualMachine.AllClassesWithGeneric",
        {
            "classes": [
                {
                    "type_tag": 1,
                    "type_id": CART,
                    "signature": "Lshop/Cart;",
                    "generic_signature": "",
                    "status": 7,
                }
            ]
        },
    )
    lines = [{"index": 0, "line": 5}, {"index": 4, "line": 6}]
    fake_vm.on("Method.LineTable", {"start": 0, "end": 9, "lines": lines})
    fake_vm.on("Method.VariableTableWithGeneric", {"argument_slots": 1, "variables": [_variable()]})
    fake_vm.on("ReferenceType.FieldsWithGeneric", {"fields": []})
    fake_vm.on("ReferenceType.SourceFile", {"source_file": "Cart.java"})
    fake_vm.on("ReferenceType.SourceDebugExtension", {"extension": ""})
    paths: Message = {"base_directory": "/", "class_paths": [], "boot_class_paths": []}
    fake_vm.on("VirtualMachine.ClassPaths", paths)
    fake_vm.on("ThreadReference.Name", {"name": "main"})
    fake_vm.on("ThreadReference.FrameCount", {"frame_count": len(FRAMES)})
    fake_vm.on("ThreadReference.Frames", _frames)
    fake_vm.on("StackFrame.GetValues", {"values": [{"tag": INT, "value": 3}]})
    return fake_vm


@pytest.fixture
async def session(cart: FakeVm) -> AsyncIterator[jvmdebug.Session]:
    """Attached to it."""
    async with jvmdebug.attach(cart.host, cart.port, timeout_s=5) as made:
        yield made


def _variable() -> Message:
    return {
        "start": 0,
        "name": "i",
        "signature": "I",
        "generic_signature": "",
        "length": 9,
        "slot": 0,
    }


def _frames(request: Message) -> Message:
    first = request["start_frame"]
    chosen = FRAMES[first : first + request["length"]]
    return {
        "frames": [
            {"frame_id": each["frame_id"], "location": location(CART, each["method"], 0)}
            for each in chosen
        ]
    }


def _event(kind: int, request_id: int, index: int = 0) -> Message:
    return {
        "kind": kind,
        "request_id": request_id,
        "thread": MAIN_THREAD,
        "location": location(CART, ADD, index),
    }


def _last_request(fake_vm: FakeVm, kind: int) -> int:
    """The id of the newest event request: the fake numbers them from 1."""
    sets = fake_vm.commands("EventRequest.Set")
    return max(at for at, each in enumerate(sets, 1) if each["event_kind"] == kind)


async def _hit(session: jvmdebug.Session, cart: FakeVm) -> jvmdebug.Stop:
    await cart.send_events(ALL, _event(BREAKPOINT, _last_request(cart, BREAKPOINT)))
    return await _next(session)


async def _next(session: jvmdebug.Session) -> jvmdebug.Stop:
    stop = await session.next_stop(timeout_s=5)
    assert stop is not None
    return stop


async def test_a_hit_whose_condition_is_false(session: jvmdebug.Session, cart: FakeVm) -> None:
    await session.break_at("shop.Cart:5", condition="i == 4")
    event = _event(BREAKPOINT, _last_request(cart, BREAKPOINT))
    await cart.send_events(EVENT_THREAD, event)
    await cart.wait_for("ThreadReference.Resume")  # the first hit binds the condition
    known = len(cart.names())
    await cart.send_events(EVENT_THREAD, event)
    await cart.wait_for("ThreadReference.Resume", 2)
    assert cart.names()[known:] == [
        "ThreadReference.Frames",
        "StackFrame.GetValues",
        "ThreadReference.Resume",
    ]
    assert cart.commands("ThreadReference.Frames")[-1]["length"] == 1


async def test_a_stop_at_a_breakpoint_asks_for_the_name_of_the_thread_alone(
    session: jvmdebug.Session, cart: FakeVm
) -> None:
    await session.break_at("shop.Cart:5")
    await (await _hit(session, cart)).resume()
    known = len(cart.names())
    stop = await _hit(session, cart)
    assert stop.frame.location == "shop.Cart.add(Cart.java:5)"
    assert cart.names()[known:] == ["ThreadReference.Name"]


async def test_a_step_over_and_its_stop(session: jvmdebug.Session, cart: FakeVm) -> None:
    await session.break_at("shop.Cart:5")
    stop = await _hit(session, cart)
    known = len(cart.names())
    await stop.step_over()
    await cart.send_events(ALL, _event(STEP, _last_request(cart, STEP), 4))
    stop = await _next(session)
    assert stop.frame.line == 6
    await cart.wait_for("EventRequest.Clear")
    assert cart.names()[known:] == [
        "Method.Bytecodes",  # once for each method; the other does not wait for it
        "EventRequest.Set",
        "VirtualMachine.Resume",
        "EventRequest.Clear",
    ]


async def test_a_step_is_cleared_before_the_program_runs_on(
    session: jvmdebug.Session, cart: FakeVm
) -> None:
    await session.break_at("shop.Cart:5")
    stop = await _hit(session, cart)
    await stop.step_over()
    known = len(cart.names())
    await cart.send_events(ALL, _event(STEP, _last_request(cart, STEP), 4))
    cart.hold("EventRequest.Clear")
    await (await _next(session)).resume()
    assert cart.names()[known:] == ["EventRequest.Clear", "VirtualMachine.Resume"]
    cart.release("EventRequest.Clear")


async def test_frames_and_variables_of_a_known_method(
    session: jvmdebug.Session, cart: FakeVm
) -> None:
    await session.break_at("shop.Cart:5")
    stop = await _hit(session, cart)
    await stop.frames(0, 20)
    await stop.frame.variables()
    await stop.resume()
    stop = await _hit(session, cart)
    known = len(cart.names())
    assert [frame.function for frame in await stop.frames(0, 20)] == ["Cart.add(int)", "Cart.run()"]
    (variable,) = await stop.frame.variables()
    assert (variable.name, await variable.as_text()) == ("i", "3")
    assert sorted(cart.names()[known:]) == [
        "StackFrame.GetValues",
        "ThreadReference.FrameCount",
        "ThreadReference.Frames",
    ]


async def test_the_locals_of_a_known_method(session: jvmdebug.Session, cart: FakeVm) -> None:
    """What an editor asks for after a stop: scopes, then each variable with text and counts."""
    await session.break_at("shop.Cart:5")
    stop = await _hit(session, cart)
    await _show_locals(stop)
    await stop.resume()
    stop = await _hit(session, cart)
    known = len(cart.names())
    assert await _show_locals(stop) == [("i", "3", 0)]
    assert cart.names()[known:] == ["ThreadReference.Frames", "StackFrame.GetValues"]


async def _show_locals(stop: jvmdebug.Stop) -> list[tuple[str, str, int]]:
    locals_, *_ = await stop.frame.scopes()
    return [
        (each.name, await each.as_text(), await each.child_count() + await each.has_views())
        for each in await locals_.variables()
    ]


# --- with our agent, whose replies are prefetched -------------------------------------------------


@pytest.fixture
def our_cart(cart: FakeVm) -> FakeVm:
    """The same VM with our agent in it: the frames and the variable are prefetched."""
    version = {
        "description": "Java Debug Wire Protocol (jvmdebug)",
        "jdwp_major": 17,
        "jdwp_minor": 0,
        "vm_version": "17.0.1",
        "vm_name": "Fake VM",
    }
    cart.on("VirtualMachine.Version", version)
    capabilities = [{"name": "stack", "is_on": True, "reason": ""}]
    cart.on("Agent.Capabilities", {"version": "1", "mode": "full", "capabilities": capabilities})
    cart.on("Agent.Stack", lambda request: {"answers": _prefetched(cart, request)})
    return cart


def _prefetched(cart: FakeVm, request: Message) -> list[Message]:
    thread = {"thread": request["thread"]}
    slots = [{"slot": 0, "tag": INT}]
    return [
        cart.answered("ThreadReference.FrameCount", thread),
        cart.answered(
            "ThreadReference.Frames", {**thread, "start_frame": 0, "length": len(FRAMES)}
        ),
        cart.answered("StackFrame.GetValues", {**thread, "frame": 1, "slots": slots}),
    ]


async def test_frames_and_variables_come_at_once_from_our_agent(our_cart: FakeVm) -> None:
    async with jvmdebug.attach(our_cart.host, our_cart.port, timeout_s=5) as session:
        assert (session.agent, session.mode) == ("jvmdebug", "full")
        await session.break_at("shop.Cart:5")
        asked: list[str] = []
        for _ in range(2):
            stop = await _hit(session, our_cart)
            known = len(our_cart.names())
            frames = await stop.frames(0, 20)
            assert [frame.function for frame in frames] == ["Cart.add(int)", "Cart.run()"]
            (variable,) = await stop.frame.variables()
            assert (variable.name, await variable.as_text()) == ("i", "3")
            asked = our_cart.names()[known:]
            await stop.resume()
        assert asked == ["Agent.Stack"]
        assert our_cart.commands("Agent.Stack")[-1] == {
            "thread": MAIN_THREAD,
            "start_frame": 0,
            "length": 20,
            "with_contents": True,
        }


async def test_prefetched_replies_end_with_a_change(our_cart: FakeVm) -> None:
    our_cart.on("StackFrame.SetValues", {})
    async with jvmdebug.attach(our_cart.host, our_cart.port, timeout_s=5) as session:
        await session.break_at("shop.Cart:5")
        stop = await _hit(session, our_cart)
        await stop.frames(0, 20)
        our_cart.on("StackFrame.GetValues", {"values": [{"tag": INT, "value": 4}]})
        (variable,) = await stop.frame.variables()
        assert await variable.as_text() == "3"
        await stop.frame.set("i", "4")
        (variable,) = await stop.frame.variables()
        assert await variable.as_text() == "4"


async def test_a_step_with_its_return_values_waits_for_no_more_replies(our_cart: FakeVm) -> None:
    names = ("stack", "method_exit_events", "near_frame")
    on = [{"name": name, "is_on": True, "reason": ""} for name in names]
    our_cart.on("Agent.Capabilities", {"version": "1", "mode": "full", "capabilities": on})
    async with jvmdebug.attach(our_cart.host, our_cart.port, timeout_s=5) as session:
        await session.break_at("shop.Cart:5")
        stop = await _hit(session, our_cart)
        known = len(our_cart.names())
        await stop.step_over()
        await our_cart.send_events(ALL, _event(STEP, _last_request(our_cart, STEP), 4))
        stop = await _next(session)
        assert (stop.frame.line, stop.returned) == (6, None)
        await our_cart.wait_for("EventRequest.Clear", 2)
        assert our_cart.names()[known:] == [
            "Method.Bytecodes",
            "EventRequest.Set",
            "EventRequest.Set",
            "VirtualMachine.Resume",
            "EventRequest.Clear",
            "EventRequest.Clear",
        ]
        returns = our_cart.commands("EventRequest.Set")[-1]
        assert returns["suspend_policy"] == 0, "nothing is stopped for a value"
        assert returns["modifiers"][0]["budget"] == RETURN_BUDGET
