# SPDX-License-Identifier: Apache-2.0
"""`evaluating()`: the debuggee `evaluate`, and evaluation in the frames where it stops."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Protocol

import pytest

from jvmdebug import display, evaluator
from jvmdebug.model.made_reference import MadeReference
from jvmdebug.model.values import ObjectReference, StringReference
from tests.support.sessions import DebuggeeSession, compiled, launched

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from contextlib import AbstractAsyncContextManager

    from jvmdebug.model.frame import Frame
    from jvmdebug.model.values import Value
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind


async def to_string(frame: Frame, value: Value) -> str:
    """What Java's string conversion makes of a value."""
    is_made = isinstance(value, MadeReference)
    text, names = '"" + $value', {"$value": value}
    result = await evaluator.evaluate(frame, text, names=names, read_only=is_made)
    assert isinstance(result, StringReference)
    return await result.as_text()


async def static_list(frame: Frame, class_name: str, field_name: str) -> list[Value]:
    """The elements of a static list of the debuggee."""
    signature = f"L{class_name.replace('.', '/')};"
    (type_,) = await frame.thread.vm.classes_by_signature(signature)
    fields = [each for each in await type_.fields() if each.name == field_name]
    (found,) = await type_.static_values(fields)
    assert isinstance(found, ObjectReference)
    return [child.value for child in await display.children(found)]


def needs_interrupt(jdk: Jdk, agent_kind: AgentKind) -> None:
    """Leave out the pair that interrupts no method which runs for the debugger."""
    if agent_kind == "stock" and jdk.version == 21:
        pytest.skip("libjdwp of JDK 21 interrupts no method that runs for the debugger")


class StartEvaluating(Protocol):
    """Launches the debuggee `evaluate`, or another one."""

    def __call__(
        self, topic: str = "evaluate", main_class: str = "evaluate.Main"
    ) -> AbstractAsyncContextManager[DebuggeeSession]:
        """Launch it, held before its first instruction."""


@pytest.fixture
def evaluating(jdk: Jdk, agent_kind: AgentKind) -> StartEvaluating:
    """Launches debuggees with the JDK and the agent of the test."""
    return _starter(jdk, agent_kind)


@pytest.fixture
def evaluating_with_ours(jdk: Jdk) -> StartEvaluating:
    """The same with our agent alone, for what does not depend on the agent."""
    return _starter(jdk, "jvmdebug")


def _starter(jdk: Jdk, agent_kind: AgentKind) -> StartEvaluating:
    @contextlib.asynccontextmanager
    async def start(
        topic: str = "evaluate", main_class: str = "evaluate.Main"
    ) -> AsyncIterator[DebuggeeSession]:
        program = compiled(topic, main_class, jdk)
        async with launched(program, jdk, agent_kind) as session:
            yield DebuggeeSession(session, program)

    return start
