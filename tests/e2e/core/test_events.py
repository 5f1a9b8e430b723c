# SPDX-License-Identifier: Apache-2.0
"""The router and a real VM: kinds of events, suspend counts, and invocations that meet events."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from jvmdebug.errors import NotFoundError, VmError
from jvmdebug.events import (
    RESUME,
    BreakpointOccurrence,
    ClassPrepareOccurrence,
    ExceptionOccurrence,
    FieldAccessOccurrence,
    FieldModificationOccurrence,
    MethodEntryOccurrence,
    MethodExitWithValueOccurrence,
    Occurrence,
    StepOccurrence,
    StopFor,
    Verdict,
    VmDeathOccurrence,
)
from jvmdebug.jdwp.generated.constants import EventKind, StepDepth, StepSize, SuspendPolicy
from jvmdebug.jdwp.generated.events import (
    ClassMatchModifier,
    ClassOnlyModifier,
    CountModifier,
    ExceptionOnlyModifier,
    FieldOnlyModifier,
    StepModifier,
    ThreadOnlyModifier,
)
from jvmdebug.jdwp.ids import FieldId, ObjectId, ReferenceTypeId
from jvmdebug.model import DebuggeeException, PrimitiveKind, PrimitiveValue
from tests.e2e.core.conftest import WAIT_S, Asked, locals_of, only, stop, thread_of

if TYPE_CHECKING:
    from tests.e2e.core.conftest import OpenProgram

ALL, EVENT_THREAD, NONE = SuspendPolicy.ALL, SuspendPolicy.EVENT_THREAD, SuspendPolicy.NONE


def number(value: int) -> PrimitiveValue:
    return PrimitiveValue(PrimitiveKind.INT, value)


async def test_a_condition_evaluated_by_a_reaction(open_program: OpenProgram) -> None:
    program = await open_program("basics", "Loop", args=["30"])
    declaring = await program.prepared()
    (factorial,) = [each for each in await declaring.methods() if each.name == "factorial"]
    hits = 0

    async def at_twenty(occurrence: BreakpointOccurrence) -> Verdict:
        nonlocal hits
        hits += 1
        frame = await occurrence.thread.frame(0)
        i = (await locals_of(frame))["number"]
        assert isinstance(i, PrimitiveValue)
        await declaring.invoke(factorial, [number(3)], occurrence.thread)
        return StopFor(Asked()) if i == number(20) else RESUME

    await program.break_at(declaring, "squared", at_twenty)
    await program.router.resume(program.start)
    stopped = await program.next()
    assert hits == 21
    assert (await locals_of(await thread_of(stopped).frame(0)))["result"] == number(400)
    assert await thread_of(stopped).suspend_count() == 1
    await program.finish(stopped)
    assert "summing" in program.jvm.stdout


async def test_a_breakpoint_inside_an_invocation_is_skipped(open_program: OpenProgram) -> None:
    program = await open_program("basics", "Loop")
    declaring = await program.prepared()
    squared = await program.break_at(declaring, "squared")
    await program.router.resume(program.start)
    stopped = await program.next()
    thread = thread_of(stopped)
    frame = await thread.frame(0)
    (square,) = [each for each in await declaring.methods() if each.name == "square"]
    for single_threaded in (True, False):
        result = await declaring.invoke(
            square, [number(9)], thread, single_threaded=single_threaded
        )
        assert result == number(81)
    assert program.router.skipped == {(EventKind.BREAKPOINT, squared.request_id): 2}
    assert stopped.is_current
    assert await thread.suspend_count() == 1
    assert (await locals_of(frame))["number"] == number(0)
    await program.router.resume(stopped)
    again = await program.next()
    assert (await locals_of(await thread_of(again).frame(0)))["number"] == number(1)


async def test_a_class_prepared_by_an_invocation_is_reported(open_program: OpenProgram) -> None:
    program = await open_program("exceptions", "Exceptions")
    declaring = await program.prepared()
    (parse,) = [each for each in await declaring.methods() if each.name == "parse"]
    prepared: list[str] = []

    async def note(occurrence: ClassPrepareOccurrence) -> Verdict:
        prepared.append(occurrence.type.name)
        await occurrence.type.methods()
        return StopFor(Asked())  # may not stop here

    prepare = await program.router.arm(
        EventKind.CLASS_PREPARE, (ClassMatchModifier("Exceptions$*"),), ALL, note
    )
    entry = await program.router.arm(
        EventKind.METHOD_ENTRY, (ClassOnlyModifier(declaring.id),), ALL, stop
    )
    await program.router.resume(program.start)
    stopped = await program.next()
    await entry.clear()
    text = await program.vm.create_string("7x")
    with pytest.raises(DebuggeeException, match="ShopException"):
        await declaring.invoke(parse, [text], thread_of(stopped))
    assert program.router.skipped == {(EventKind.CLASS_PREPARE, prepare.request_id): 1}
    assert prepared == ["Exceptions$ShopException"]
    assert stopped.is_current
    assert await thread_of(stopped).suspend_count() == 1


@pytest.mark.both_modes
async def test_steps(open_program: OpenProgram) -> None:
    program = await open_program("basics", "Loop")
    stopped, _ = await program.run_to("call")
    lines = []
    for depth in (StepDepth.INTO, StepDepth.OVER, StepDepth.OVER, StepDepth.OUT):
        thread = thread_of(stopped)
        step = await program.router.arm(
            EventKind.SINGLE_STEP,
            (StepModifier(thread.id, StepSize.LINE, depth), CountModifier(1)),
            ALL,
            stop,
        )
        await program.router.resume(stopped)
        stopped = await program.next()
        lines.append(await only(stopped, StepOccurrence).location.line())
        await step.clear()
    marker = program.debuggee.marker
    assert lines == [marker("square"), marker("square") + 1, marker("squared"), marker("call")]


async def test_exceptions_caught_and_uncaught(open_program: OpenProgram) -> None:
    program = await open_program("exceptions", "Exceptions")
    declaring = await program.prepared()
    every = ExceptionOnlyModifier(ReferenceTypeId(ObjectId(0)), caught=True, uncaught=True)
    await program.router.arm(
        EventKind.EXCEPTION, (every, ClassOnlyModifier(declaring.id)), ALL, stop
    )
    seen = []
    stopped = program.start
    for _ in range(3):
        await program.router.resume(stopped)
        stopped = await program.next()
        occurrence = only(stopped, ExceptionOccurrence)
        seen.append(((await occurrence.exception.type()).name, occurrence.is_caught))
    assert seen == [
        ("Exceptions$ShopException", True),
        ("java.lang.NullPointerException", True),
        ("java.lang.ArithmeticException", False),
    ]
    await program.finish(stopped)
    assert await program.jvm.wait(timeout_s=20) == 1


async def test_field_watches(open_program: OpenProgram) -> None:
    program = await open_program("basics", "Loop", args=["2"])
    declaring = await program.prepared()
    fields = {each.name: each for each in await declaring.fields()}
    for kind, name in (
        (EventKind.FIELD_MODIFICATION, "total"),
        (EventKind.FIELD_ACCESS, "calls"),
    ):
        await program.router.arm(
            kind, (FieldOnlyModifier(declaring.id, fields[name].id),), ALL, stop
        )
    await program.router.resume(program.start)
    stopped = await program.next()
    read = only(stopped, FieldAccessOccurrence)
    assert (read.field, read.object) == (fields["calls"], None)
    await program.router.resume(stopped)
    stopped = await program.next()
    written = only(stopped, FieldModificationOccurrence)
    assert written.field is fields["total"]
    assert written.new_value == PrimitiveValue(PrimitiveKind.LONG, 0)
    assert written.object == await (await thread_of(stopped).frame(0)).this_object()
    assert await written.location.line() == program.debuggee.marker("total")


async def test_method_entry_and_exit_with_value(open_program: OpenProgram) -> None:
    program = await open_program("basics", "Loop", args=["2"])
    declaring = await program.prepared()
    seen: list[str] = []

    async def note(occurrence: Occurrence) -> Verdict:
        if isinstance(occurrence, MethodEntryOccurrence):
            seen.append(f"> {occurrence.location.method.name}")
        elif isinstance(occurrence, MethodExitWithValueOccurrence):
            seen.append(f"< {occurrence.location.method.name} {occurrence.value}")
        return RESUME

    only_here = (ClassOnlyModifier(declaring.id),)
    for kind in (EventKind.METHOD_ENTRY, EventKind.METHOD_EXIT_WITH_RETURN_VALUE):
        await program.router.arm(kind, only_here, EVENT_THREAD, note)
    await program.finish(program.start)
    assert seen[:5] == ["> main", "> <init>", "< <init> void", "> square", "< square 0"]
    assert "< factorial 120" in seen
    assert seen[-1] == "< main void"


async def test_a_spent_request_can_be_cleared(open_program: OpenProgram) -> None:
    program = await open_program("basics", "Loop")
    stopped, _ = await program.run_to("call")
    request = await program.router.arm(
        EventKind.METHOD_ENTRY,
        (ThreadOnlyModifier(thread_of(stopped).id), CountModifier(1)),
        ALL,
        stop,
    )
    await program.router.resume(stopped)
    stopped = await program.next()
    await request.clear()
    assert not request.is_armed
    await program.finish(stopped)


async def test_a_refused_request_leaves_nothing(open_program: OpenProgram) -> None:
    program = await open_program("basics", "Loop")
    await program.prepared()
    unknown_field = FieldOnlyModifier(ReferenceTypeId(ObjectId(0x7FFF_1234)), FieldId(0))
    with pytest.raises(VmError) as raised:
        await program.router.arm(EventKind.FIELD_ACCESS, (unknown_field,), ALL, stop)
    assert not isinstance(raised.value, NotFoundError)
    assert "EventRequest.Set" in str(raised.value)


async def test_the_death_of_the_vm_is_reported_before_the_end(open_program: OpenProgram) -> None:
    program = await open_program("basics", "Hello")
    order: list[str] = []

    async def died(_: VmDeathOccurrence) -> Verdict:
        order.append("death")
        return RESUME

    program.router.subscribe(VmDeathOccurrence, died)
    await program.router.resume(program.start)
    async with asyncio.timeout(WAIT_S):
        await program.ended.wait()
        order.append("disconnect")
        await program.router.wait_ended()
    assert order == ["death", "disconnect"]
    assert program.router.current_stops == ()
