# SPDX-License-Identifier: Apache-2.0
"""The mirrors of a real VM: values, types, frames, threads, invocations."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from jvmdebug.errors import (
    ConnectionLost,
    IllegalArgumentError,
    InvalidIndexError,
    InvalidLengthError,
    StateError,
    ThreadNotSuspendedError,
    TypeMismatchError,
    VmError,
)
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy
from jvmdebug.jdwp.generated.events import LocationOnlyModifier
from jvmdebug.jdwp.ids import ObjectId
from jvmdebug.model import (
    NULL,
    VOID,
    ArrayReference,
    ArrayType,
    ClassType,
    DebuggeeException,
    InterfaceType,
    Method,
    ObjectReference,
    PrimitiveKind,
    PrimitiveValue,
    ReferenceType,
    StringReference,
)
from tests.e2e.core.conftest import locals_of, stop, thread_of

if TYPE_CHECKING:
    from jvmdebug.model import Value, VirtualMachine
    from tests.e2e.core.conftest import OpenProgram
    from tests.support.jdks import Jdk


def number(value: int, kind: PrimitiveKind = PrimitiveKind.INT) -> PrimitiveValue:
    return PrimitiveValue(kind, value)


async def method_of(declaring: ReferenceType, name: str, signature: str | None = None) -> Method:
    for each in await declaring.all_methods():
        if each.name == name and signature in (None, each.signature):
            return each
    raise LookupError(f"no {name} in {declaring}")


async def class_of(vm: VirtualMachine, signature: str) -> ClassType:
    (found,) = await vm.classes_by_signature(signature)
    assert isinstance(found, ClassType)
    return found


async def text_of(value: Value) -> str:
    assert isinstance(value, StringReference)
    return await value.as_text()


async def test_version_and_capabilities(open_program: OpenProgram, jdk: Jdk) -> None:
    program = await open_program("basics", "Hello")
    assert program.vm.version.feature_release == jdk.version
    assert program.vm.capabilities.can_pop_frames
    assert program.vm.capabilities.can_force_early_return
    assert not program.vm.capabilities.can_add_method


async def test_locals_of_every_kind_in_one_round_trip(open_program: OpenProgram) -> None:
    program = await open_program("basics", "Loop")
    _, frame = await program.run_to("locals")
    variables = await frame.variables()
    await frame.values(variables[:1])  # the first reading asks for the frame's id too
    before = program.vm.connection.round_trips
    values = await frame.values(variables)
    assert program.vm.connection.round_trips == before + 1
    found = {each.name: value for each, value in zip(variables, values, strict=True)}
    assert found["flag"] == PrimitiveValue(PrimitiveKind.BOOLEAN, True)  # noqa: FBT003
    assert found["tiny"] == number(-1, PrimitiveKind.BYTE)
    assert found["letter"] == number(ord("ä"), PrimitiveKind.CHAR)
    assert found["small"] == number(300, PrimitiveKind.SHORT)
    assert found["number"] == number(70_000)
    assert found["big"] == number(1 << 40, PrimitiveKind.LONG)
    assert found["ratio"] == PrimitiveValue(PrimitiveKind.FLOAT, 1.5)
    assert found["exact"] == PrimitiveValue(PrimitiveKind.DOUBLE, 2.25)
    assert found["nothing"] == NULL
    assert await text_of(found["text"]) == 'text with "quotes" and ünicode'
    numbers = found["numbers"]
    assert isinstance(numbers, ArrayReference)
    assert await numbers.get() == (number(1), number(2), number(3))
    arguments = [each.name for each in variables if each.is_argument]
    assert arguments == ["flag", "tiny", "letter", "small", "number", "big", "ratio", "exact"]
    assert await frame.this_object() is None


async def test_setting_locals_fields_and_elements(open_program: OpenProgram) -> None:
    program = await open_program("basics", "Loop")
    _, frame = await program.run_to("total")
    variables = {each.name: each for each in await frame.variables()}
    await frame.set_value(variables["before"], number(1000))
    assert (await locals_of(frame))["before"] == number(1000, PrimitiveKind.LONG)
    this = await frame.this_object()
    assert this is not None
    fields = {field.name: field for field in await (await this.type()).fields()}
    await this.set_value(fields["total"], number(7))
    await this.set_value(fields["calls"], number(40))
    with pytest.raises(TypeMismatchError, match=r"Loop\.calls of type int"):
        await this.set_value(fields["calls"], number(1, PrimitiveKind.LONG))
    read = await this.get_values([fields["calls"], fields["total"]])
    assert read == (number(40), number(7, PrimitiveKind.LONG))
    array_type, *_ = await program.vm.classes_by_signature("[I")
    assert isinstance(array_type, ArrayType)
    array = await array_type.new_instance(4)
    assert isinstance(array, ArrayReference)
    await array.set(1, [number(5), number(6, PrimitiveKind.CHAR)])
    assert await array.get() == (number(0), number(5), number(6), number(0))
    assert await array.get(1, 2) == (number(5), number(6))
    with pytest.raises(TypeMismatchError):
        await array.set(0, [NULL])
    for start, count in ((3, 2), (-1, 1), (9, 1)):
        with pytest.raises((InvalidIndexError, InvalidLengthError)):
            await array.get(start, count)


async def test_frames_have_locations(open_program: OpenProgram) -> None:
    program = await open_program("recursion", "Recursion", args=["6"])
    stopped, frame = await program.run_to("base")
    thread = thread_of(stopped)
    frames = await thread.frames(0, 100)
    assert len(frames) == await thread.frame_count()
    assert frames[0] is frame
    line = program.debuggee.marker("base")
    assert await frame.location.as_text() == f"Recursion.fib(Recursion.java:{line})"
    assert [each.location.method.name for each in frames][-1] == "main"
    assert await frames[-1].location.line() == program.debuggee.marker("fib-call")
    depths = [(await locals_of(each))["n"] for each in frames[:-1]]
    assert depths[0] == number(1)
    assert depths[-1] == number(6)


async def test_a_frame_is_stale_after_a_resume(open_program: OpenProgram) -> None:
    program = await open_program("basics", "Loop")
    declaring = await program.prepared()
    await program.break_at(declaring, "squared")
    await program.router.resume(program.start)
    first = await program.next()
    frame = await thread_of(first).frame(0)
    await program.router.resume(first)
    await program.next()
    with pytest.raises(StateError, match="has run since"):
        await locals_of(frame)


async def test_without_debug_information_arguments_are_numbered(
    open_program: OpenProgram,
) -> None:
    program = await open_program("basics", "Loop", debug_tables="none")
    declaring = await program.prepared()
    method = await method_of(declaring, "add")
    assert await method.variable_table() is None
    assert (await method.line_table()).lines == ()
    assert await method.location(0).line() is None
    assert await declaring.source_file() is None
    square = await method_of(declaring, "square")
    await program.router.arm(
        EventKind.BREAKPOINT,
        (LocationOnlyModifier(square.location(0).wire),),
        SuspendPolicy.ALL,
        stop,
    )
    await program.router.resume(program.start)
    frame = await thread_of(await program.next()).frame(0)
    (argument,) = await frame.variables()
    assert (argument.name, argument.is_inferred) == ("arg0", True)
    assert await frame.values([argument]) == (number(0),)
    assert await frame.location.as_text() == "Loop.square(Unknown Source)"


async def test_types_and_their_members(open_program: OpenProgram) -> None:
    program = await open_program("basics", "Loop")
    declaring = await program.prepared()
    assert (declaring.name, declaring.signature) == ("Loop", "LLoop;")
    assert await declaring.source_file() == "Loop.java"
    assert await declaring.generic_signature() is None
    assert [each.name for each in await declaring.fields()] == ["calls", "name", "total"]
    assert isinstance(declaring, ClassType)
    parent = await declaring.superclass()
    assert parent is not None
    assert parent.name == "java.lang.Object"
    assert await parent.superclass() is None
    assert await parent.class_loader() is None
    loader = await declaring.class_loader()
    assert loader is not None
    assert await (await declaring.class_object()).reflected_type() is declaring
    names = {each.name for each in await declaring.all_methods()}
    assert {"<init>", "main", "factorial", "hashCode"} <= names
    string = await class_of(program.vm, "Ljava/lang/String;")
    assert await string.is_subtype_of("java.lang.CharSequence")
    assert not await string.is_subtype_of("java.util.List")
    supertypes = [each.name for each in await string.supertypes()]
    assert supertypes[0] == "java.lang.Object"
    assert "java.io.Serializable" in supertypes
    (comparable,) = await program.vm.classes_by_signature("Ljava/lang/Comparable;")
    assert isinstance(comparable, InterfaceType)
    generic = await comparable.generic_signature()
    assert generic == "<T:Ljava/lang/Object;>Ljava/lang/Object;"


async def test_all_classes_are_one_round_trip(open_program: OpenProgram) -> None:
    program = await open_program("basics", "Loop")
    await program.prepared()
    before = program.vm.connection.round_trips
    classes = await program.vm.all_classes()
    assert program.vm.connection.round_trips == before + 1
    by_name = {each.name: each for each in classes}
    assert isinstance(by_name["int[]"], ArrayType)
    assert isinstance(by_name["java.lang.Comparable"], InterfaceType)
    assert by_name["Loop"] is (await program.vm.classes_by_signature("LLoop;"))[0]
    assert len(classes) > 300


async def test_invoking_static_virtual_and_constructors(open_program: OpenProgram) -> None:
    program = await open_program("basics", "Loop")
    stopped, frame = await program.run_to("total")
    thread = thread_of(stopped)
    this = await frame.this_object()
    assert this is not None
    loop = await this.type()
    assert isinstance(loop, ClassType)
    factorial = await method_of(loop, "factorial")
    assert await loop.invoke(factorial, [number(10)], thread) == number(
        3_628_800, PrimitiveKind.LONG
    )
    assert await this.invoke(factorial, [number(3)], thread) == number(6, PrimitiveKind.LONG)
    constructor = await method_of(loop, "<init>")
    name = await program.vm.create_string("mäde 𝄞 \ud800")
    await name.disable_collection()
    made = await loop.new_instance(constructor, [name], thread)
    assert await made.type() is loop
    (field,) = [each for each in await loop.fields() if each.name == "name"]
    (found,) = await made.get_values([field])
    assert found == name
    assert await text_of(found) == "mäde 𝄞 \ud800"
    assert await made.invoke(await method_of(loop, "add"), [number(5)], thread) == VOID
    to_string = await method_of(loop, "toString")
    assert (await text_of(await made.invoke(to_string, [], thread))).startswith("Loop@")
    # The frame has a new id by now, and is the same frame.
    assert (await locals_of(frame))["amount"] == number(0)
    with pytest.raises(IllegalArgumentError, match="takes 1 arguments, with 2"):
        await loop.invoke(factorial, [number(1), number(2)], thread)


async def test_non_virtual_invocation_runs_the_method_named(open_program: OpenProgram) -> None:
    program = await open_program("basics", "Hello")
    stopped, frame = await program.run_to("print")
    greeting = (await locals_of(frame))["greeting"]
    assert isinstance(greeting, StringReference)
    object_type = await class_of(program.vm, "Ljava/lang/Object;")
    to_string = await method_of(object_type, "toString")
    thread = thread_of(stopped)
    assert await text_of(await greeting.invoke(to_string, [], thread)) == "hello"
    plain = await greeting.invoke(to_string, [], thread, non_virtual=True)
    assert (await text_of(plain)).startswith("java.lang.String@")


async def test_an_exception_in_an_invocation_is_raised(open_program: OpenProgram) -> None:
    program = await open_program("exceptions", "Exceptions")
    stopped, _ = await program.run_to("caught")
    declaring, *_ = await program.vm.classes_by_signature("LExceptions;")
    divide = await method_of(declaring, "divide")
    with pytest.raises(DebuggeeException, match="ArithmeticException") as raised:
        await declaring.invoke(divide, [number(1), number(0)], thread_of(stopped))
    assert (await raised.value.exception.type()).name == "java.lang.ArithmeticException"
    message = await method_of(await raised.value.exception.type(), "getMessage")
    text = await raised.value.exception.invoke(message, [], thread_of(stopped))
    assert await text_of(text) == "/ by zero"


async def test_popping_a_frame_makes_the_call_again(open_program: OpenProgram) -> None:
    program = await open_program("basics", "Loop")
    declaring = await program.prepared()
    await program.break_at(declaring, "squared")
    await program.router.resume(program.start)
    stopped = await program.next()
    frames = await thread_of(stopped).frames()
    await frames[0].pop()
    assert not frames[1].is_valid
    top = await thread_of(stopped).frame(0)
    assert top.location.method.name == "main"
    await program.router.resume(stopped)
    again = await program.next()
    assert (await locals_of(await thread_of(again).frame(0)))["number"] == number(0)
    (calls,) = [each for each in await declaring.fields() if each.name == "calls"]
    assert await declaring.static_values([calls]) == (number(2),)


async def test_forcing_an_early_return(open_program: OpenProgram) -> None:
    program = await open_program("basics", "Loop", args=["1"])
    declaring = await program.prepared()
    square = await program.break_at(declaring, "squared")
    await program.break_at(declaring, "add")
    await program.router.resume(program.start)
    stopped = await program.next()
    thread = thread_of(stopped)
    with pytest.raises(TypeMismatchError, match=r"result of Loop\.square\(int\) of type int"):
        await thread.force_early_return(number(1, PrimitiveKind.LONG))
    await thread.force_early_return(number(77, PrimitiveKind.SHORT))
    await square.clear()
    await program.router.resume(stopped)
    stopped = await program.next()
    found = await locals_of(await thread_of(stopped).frame(0))
    assert found["square"] == number(77)


async def test_threads(open_program: OpenProgram) -> None:
    program = await open_program("threads", "ManyThreads", args=["3"])
    stopped, _ = await program.run_to("all-started")
    threads = await program.vm.all_threads()
    names = await asyncio.gather(*(each.name() for each in threads))
    by_name = dict(zip(names, threads, strict=True))
    assert {"main", "worker-0", "worker-1", "worker-2"} <= set(names)
    main = by_name["main"]
    assert main is thread_of(stopped)
    assert (await main.status()).is_suspended
    assert await main.suspend_count() == 1
    alone = await program.router.suspend_thread(main)
    assert await main.suspend_count() == 2
    await program.router.resume(alone)
    assert not await main.is_virtual()
    group = await main.group()
    assert group is not None
    assert await group.name() == "main"
    assert main in (await group.children())[0]
    parent = await group.parent()
    assert parent is not None
    assert await parent.parent() is None
    assert await program.vm.top_level_thread_groups() == [parent]
    type_ = await main.reference.type()
    assert type_.name == "java.lang.Thread"
    frames = await by_name["worker-1"].frames()
    assert "work" in [each.location.method.name for each in frames]
    assert frames[0].is_native or frames[0].location.method.has_code


async def test_monitors_of_a_deadlock(open_program: OpenProgram) -> None:
    program = await open_program("threads", "Deadlock")
    await program.run_to("deadlocked")
    threads = await program.vm.all_threads()
    by_name = {await each.name(): each for each in threads}
    one, two = by_name["one"], by_name["two"]
    wanted = await one.contended_monitor()
    assert wanted is not None
    assert wanted in await two.owned_monitors()
    assert (await wanted.monitor_state()).owner is two
    depths = dict(await two.owned_monitors_with_depth())
    assert depths[wanted] == 0


async def test_a_running_thread_has_no_frames(open_program: OpenProgram) -> None:
    program = await open_program("threads", "Deadlock")
    stopped, _ = await program.run_to("deadlocked")
    (one,) = [each for each in await program.vm.all_threads() if await each.name() == "one"]
    await program.router.resume(stopped)
    with pytest.raises(ThreadNotSuspendedError):
        await one.frames(0, 1)
    await program.vm.exit(3)


async def test_stale_and_foreign_ids_are_errors(open_program: OpenProgram) -> None:
    program = await open_program("basics", "Hello")
    await program.prepared()
    nowhere = ObjectReference(program.vm, ObjectId(0x7FFF_1234))
    with pytest.raises(VmError) as raised:
        await nowhere.type()
    assert "ObjectReference.ReferenceType(object=2147422772)" in str(raised.value)


async def test_the_end_of_the_vm(open_program: OpenProgram) -> None:
    program = await open_program("basics", "Hello", args=["5"])
    stopped, _ = await program.run_to("exit")
    await program.finish(stopped)
    assert isinstance(await program.vm.connection.wait_closed(), ConnectionLost)
    with pytest.raises(ConnectionLost):
        await program.vm.all_threads()
    assert await program.jvm.wait(timeout_s=20) == 5
