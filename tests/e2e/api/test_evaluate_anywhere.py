# SPDX-License-Identifier: Apache-2.0
"""`session.evaluate`: values outside of any frame, of a program that runs on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.support import process
from tests.support.sessions import compiled

if TYPE_CHECKING:
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

READ = {
    "1 + 1": "2",
    '"Observed." + 7': '"Observed.7"',
    "true": "true",
    "Integer.MAX_VALUE": "2147483647",
    "java.lang.Integer.MIN_VALUE": "-2147483648",
    "Observed.counter * 0": "0",
    "java.util.List.of(1).size()": "1",
    "Math.max(Observed.counter * 0, 3)": "3",
    "String.valueOf(Observed.counter).isEmpty()": "false",
}
"""Nothing is run: no thread is needed."""
CALLED = {
    'Observed.PRICES.put("new", 7) == null': "true",
    "System.nanoTime() > 0": "true",
    "Thread.currentThread().isAlive()": "true",
}
"""In the next thread that enters a method."""


async def test_what_can_be_asked(jdk: Jdk, agent_kind: AgentKind) -> None:
    built = compiled("observed", "Observed", jdk)
    async with jvmdebug.launch(
        "Observed",
        class_path=built.class_path,
        java=jdk.home,
        args=["spin"],
        **process.launch_options(agent_kind),
    ) as session:
        await session.break_at("Observed#main", once=True)
        assert await session.next_stop() is not None  # its class is loaded then
        await session.resume()
        for text, value in READ.items():
            assert (await session.evaluate(text)).text == value
        for text, value in CALLED.items():
            assert (await session.evaluate(text, timeout_s=20)).text == value
        with pytest.raises(jvmdebug.EvaluationError, match="there is no variable or class nope"):
            await session.evaluate("nope.size()", timeout_s=20)
