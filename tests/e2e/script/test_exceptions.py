# SPDX-License-Identifier: Apache-2.0
"""What a stop at an exception can be asked: `$exception` of each class, and its message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest

import jvmdebug
from tests.support.debuggees import debuggee
from tests.support.sessions import launched, next_stop, stop_at

if TYPE_CHECKING:
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

SHOP = "Exceptions.ShopException"
_OWN = "java.lang.ArithmeticException, java.lang.NullPointerException, Exceptions*"
"""Thrown in code that can name the class; code of the JDK cannot."""


@pytest.mark.parametrize(
    "condition",
    [
        f"$exception instanceof {SHOP}",
        f"$exception instanceof {SHOP} shop && shop.code == 42",
        f"$exception instanceof {SHOP} && (({SHOP}) $exception).code == 42",
        f"$exception instanceof {SHOP} && $exception.code == 42",
        f"switch ($exception) {{ case {SHOP} shop -> true; default -> false; }}",
    ],
)
async def test_a_condition_on_the_class_of_the_exception(
    jdk: Jdk, agent_kind: AgentKind, condition: str
) -> None:
    """Exceptions of other classes are thrown before and after."""
    program = debuggee("exceptions", "Exceptions")
    async with launched(program, jdk, agent_kind) as session:
        breakpoint_ = await session.break_on_exception(_OWN, condition=condition)
        stop = await next_stop(session)
        assert stop.exception is not None, breakpoint_.message
        assert (await stop.exception.type_name()).endswith("ShopException")
        await stop.resume()
        assert await session.next_stop(timeout_s=40) is None
        assert breakpoint_.message is None


@pytest.mark.parametrize(
    "condition",
    [f"$exception instanceof {SHOP}", "$exception instanceof ShopException"],
)
async def test_a_condition_in_a_frame_of_the_jdk_names_a_class_of_the_program(
    jdk: Jdk, agent_kind: AgentKind, condition: str
) -> None:
    """Integer.parseInt throws first: the bootstrap loader has no ShopException."""
    program = debuggee("exceptions", "Exceptions")
    async with launched(program, jdk, agent_kind) as session:
        breakpoint_ = await session.break_on_exception(condition=condition)
        stop = await next_stop(session)
        assert stop.exception is not None, breakpoint_.message
        assert (await stop.exception.type_name()).endswith("ShopException")
        await stop.resume()
        assert await session.next_stop(timeout_s=40) is None
        assert breakpoint_.message is None


async def test_the_helpful_message_of_a_null_pointer_exception(
    jdk: Jdk, agent_kind: AgentKind
) -> None:
    program = debuggee("exceptions", "Exceptions")
    async with launched(program, jdk, agent_kind) as session:
        await session.break_on_exception("java.lang.NullPointerException")
        stop = await next_stop(session)
        thrown = await stop.thrown()
        assert thrown is not None
        helpful = 'Cannot invoke "String.length()" because "text" is null'
        if jdk.version < 14:
            assert thrown.message is None
            return
        assert thrown.message == helpful
        assert str(thrown) == f"java.lang.NullPointerException: {helpful}"
        shown = await stop.frame.evaluate("$exception")
        assert stop.exception is not None
        for each in (shown, stop.exception):
            assert '"Cannot invoke \\"String.length()\\" because' in await each.as_text()


@pytest.mark.parametrize("mode", ["full", "fast"])
async def test_a_step_out_of_a_method_that_throws_says_so(
    jdk: Jdk, agent_kind: AgentKind, mode: Literal["full", "fast"]
) -> None:
    program = debuggee("exceptions", "Exceptions")
    if agent_kind == "stock" and mode == "fast":
        pytest.skip("the JDK's own agent has no modes")
    async with launched(program, jdk, agent_kind, mode=mode) as session:
        stop = await stop_at(session, program, "wrap")
        await stop.step_out()
        stop = await next_stop(session)
        assert stop.frame.function == "Exceptions.main(String[])"
        assert stop.returned is None
        said = "Exceptions.parse(java.lang.String) returned nothing: it ended by an exception"
        assert stop.why_not_returned == said
        with pytest.raises(jvmdebug.EvaluationError, match="ended by an exception"):
            await stop.frame.evaluate("$return")


@pytest.mark.parametrize("mode", ["full", "fast"])
async def test_a_step_over_a_call_that_throws_says_so(
    jdk: Jdk, agent_kind: AgentKind, mode: Literal["full", "fast"]
) -> None:
    program = debuggee("exceptions", "Exceptions")
    if agent_kind == "stock" and mode == "fast":
        pytest.skip("the JDK's own agent has no modes")
    async with launched(program, jdk, agent_kind, mode=mode) as session:
        stop = await stop_at(session, program, "parses")
        await stop.step_over()
        stop = await next_stop(session)
        assert (stop.frame.line, stop.returned) == (program.marker("caught"), None)
        line = program.marker("parses")
        assert stop.why_not_returned == f"line {line} ended by an exception, which is caught here"
        await stop.step_over()
        stop = await next_stop(session)
        assert "exception" not in str(stop.why_not_returned)


async def test_a_step_over_that_leaves_the_method_by_an_exception_says_so(
    jdk: Jdk, agent_kind: AgentKind
) -> None:
    program = debuggee("exceptions", "Exceptions")
    async with launched(program, jdk, agent_kind) as session:
        stop = await stop_at(session, program, "wrap")
        await stop.step_over()
        stop = await next_stop(session)
        assert (stop.frame.line, stop.returned) == (program.marker("catches"), None)
        said = "Exceptions.parse(java.lang.String) returned nothing: it ended by an exception"
        assert stop.why_not_returned == said
        await stop.step_over()
        stop = await next_stop(session)
        assert (stop.frame.line, stop.why_not_returned) == (program.marker("caught"), None)


@pytest.mark.agent
async def test_exceptions_asked_for_behind_a_throw(jdk: Jdk) -> None:
    """The step has left a breakpoint at the handler, which goes before the class is changed."""
    program = debuggee("jvmti", "Eventful")
    async with launched(program, jdk, "jvmdebug", mode="fast", vm_args=["-Xmx64m"]) as session:
        stop = await stop_at(session, program, "calls")
        await stop.step_into()
        stop = await next_stop(session)
        await stop.step_over()
        stop = await next_stop(session)
        caught = await session.break_on_exception("java.lang.IllegalStateException", caught=True)
        await stop.resume()
        stop = await next_stop(session)
        assert stop.breakpoints == (caught,)
        assert stop.frame.line == program.marker("throws")
        await session.kill()
