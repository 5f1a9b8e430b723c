# SPDX-License-Identifier: Apache-2.0
"""What `jvmdebug relay` costs an editor: two sessions at the same time, one through a relay and one
without, that do the same by turns. All on one machine, so nothing is in it of a network.
"""

from __future__ import annotations

import contextlib
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.bench.distance import Editor
from tests.bench.proxy import Traffic
from tests.bench.scenario import Program, Work, compiled, target
from tests.support.dap_client import local_client
from tests.support.relay import RunningRelay, running_relay

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.support.jdks import Jdk

ROUNDS: Final = 60
_WARM: Final = 20
_ROWS: Final = ("continue to the next stop, shown", "step over, shown")


class _Stopped:
    """An editor that is at a breakpoint in a loop."""

    def __init__(self, editor: Editor, stop: Any) -> None:
        self._editor = editor
        self._stop = stop

    async def timed(self, request: str, reason: str) -> float:
        """Seconds from a request that resumes to the variables of the next stop."""
        client, started = self._editor.client, time.perf_counter()
        await client.request(request, {"threadId": self._stop["threadId"]})
        self._stop = await client.event("stopped", reason=reason)
        await self._editor.show(self._stop)
        return time.perf_counter() - started


@contextlib.asynccontextmanager
async def _stopped(
    program: Program, agent: str, relay_folder: Path | None
) -> AsyncIterator[_Stopped]:
    async with contextlib.AsyncExitStack() as stack:
        debuggee = await stack.enter_async_context(
            target(program, Work(0, 0), counted=False, agent=agent, main_class="Distance")
        )
        where: dict[str, Any] = {"hostName": "127.0.0.1", "port": debuggee.port}
        if relay_folder is not None:
            opening = running_relay(relay_folder, f"127.0.0.1:{debuggee.port}")
            relay: RunningRelay = await stack.enter_async_context(opening)
            where = {"hostName": relay.address(), "tokenFile": str(relay.tokens["debug"])}
        client = await stack.enter_async_context(local_client())
        client.is_judged = False  # it would take longer than the relay
        editor = Editor(client, program, Traffic())
        attached = await client.begin_debugging("attach", **where, **editor.sources)
        await editor.break_at_first(attached)
        stop = await client.event("stopped", reason="breakpoint")
        yield _Stopped(editor, stop)
        await client.request("disconnect", {"terminateDebuggee": False})


async def measure(program: Program, agent: str) -> dict[str, tuple[list[float], list[float]]]:
    """Row → seconds without and through a relay."""
    rows: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name in _ROWS}
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CONFIG_HOME"] = folder
        async with (
            _stopped(program, agent, None) as direct,
            _stopped(program, agent, Path(folder)) as relayed,
        ):
            for number in range(ROUNDS + _WARM):
                for name, asked in zip(_ROWS, ("continue", "next"), strict=True):
                    for found, editor in zip(rows[name], (direct, relayed), strict=True):
                        reason = "breakpoint" if asked == "continue" else "step"
                        seconds = await editor.timed(asked, reason)
                        if number >= _WARM:
                            found.append(seconds)
    return rows


async def table(jdk: Jdk, agents: dict[str, str]) -> str:
    """Medians, and what the relay adds."""
    lines = [f"JDK {jdk.version}: an editor without and through a relay, ms, median of {ROUNDS}"]
    with compiled(jdk, only="Distance.java") as program:
        for name, agent in agents.items():
            lines.append(f"{name:36}{'without':>9}{'through':>9}{'added':>9}")
            for row, (direct, relayed) in (await measure(program, agent)).items():
                medians = [statistics.median(each) * 1000 for each in (direct, relayed)]
                added = statistics.median(
                    (b - a) * 1000 for a, b in zip(direct, relayed, strict=True)
                )
                lines.append(f"  {row:34}{medians[0]:>9.2f}{medians[1]:>9.2f}{added:>9.2f}")
    return "\n".join(lines)
