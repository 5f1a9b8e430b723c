# SPDX-License-Identifier: Apache-2.0
"""A link that is cut while the program lives: what is asked afterwards says so, and not that the
program has ended; in DAP see tests/e2e/dap/test_end_of_program.py.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.support.fault_proxy import FaultProxy
from tests.support.sessions import compiled

if TYPE_CHECKING:
    from tests.conftest import StartJvm
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind


async def test_requests_after_a_lost_link_say_that_it_is_lost(
    start_jvm: StartJvm, jdk: Jdk, agent_kind: AgentKind
) -> None:
    jvm = await start_jvm(compiled("script", "Spin", jdk), suspend=False)
    port = await jvm.port()
    with contextlib.ExitStack() as cut:
        proxy = cut.enter_context(FaultProxy(port))
        async with jvmdebug.attach(port=proxy.port, reconnect_s=0) as session:
            await session.break_at("Spin#round")
            stop = await session.next_stop()
            assert stop is not None
            frame = stop.frame
            await asyncio.to_thread(cut.close)
            await session.wait()
            for asked in (session.threads(), session.break_at("Spin#round"), frame.evaluate("1")):
                with pytest.raises(jvmdebug.StateError, match="the link to the program is lost"):
                    await asked
    if agent_kind == "stock":
        again = await jvm.wait_for(r"(?s)Listening.*Listening for \S+ \S+ at address: (\d+)")
        port = int(again.group(1))  # another one
    async with jvmdebug.attach(port=port) as session:  # it lives, and nothing holds it
        await session.break_at("Spin#round")
        assert await session.next_stop() is not None
