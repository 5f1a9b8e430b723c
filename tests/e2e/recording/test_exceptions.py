# SPDX-License-Identifier: Apache-2.0
"""Exceptions of a program that is recorded: caught and uncaught ones are told apart as without."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.debuggees import debuggee
from tests.support.sessions import launched

if TYPE_CHECKING:
    from pathlib import Path

    import jvmdebug
    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk

_CAUGHT = "replayed", "shop.Till", "thrown", ()
_UNCAUGHT = "flight", "flight.Flight", "ends", ("end", "100")


async def _places(session: jvmdebug.Session) -> list[tuple[str, int | None, bool | None]]:
    """The reason and the line of each stop, and whether the exception is caught."""
    found = []
    while (stop := await session.next_stop(timeout_s=30)) is not None:
        found.append((stop.reason.name, stop.frame.line, stop.exception_caught))
        await stop.resume()
    return found


def _expected(program: Debuggee, thrown: str, *, is_caught: bool, asked: str) -> list[object]:
    is_seen = asked == "all" or (asked == "caught") == is_caught
    return [("EXCEPTION", program.marker(thrown), is_caught)] if is_seen else []


@pytest.mark.parametrize("asked", ["caught", "uncaught", "all"])
@pytest.mark.parametrize("beside", ["alone", "with a breakpoint"])
@pytest.mark.parametrize("what", ["calls", "lines", "all"])
@pytest.mark.parametrize("case", [_CAUGHT, _UNCAUGHT], ids=["caught", "uncaught"])
async def test_caught_and_uncaught(
    jdk: Jdk,
    tmp_path: Path,
    case: tuple[str, str, str, tuple[str, ...]],
    what: str,
    beside: str,
    asked: str,
) -> None:
    name, main, thrown, args = case
    program = debuggee(name, main)
    async with launched(program, jdk, "jvmdebug", args=list(args)) as session:
        types = main.rpartition(".")[0] + ".*"
        await session.break_on_exception(
            "java.lang.IllegalStateException",
            caught=asked != "uncaught",
            uncaught=asked != "caught",
        )
        if beside != "alone":
            await session.break_at(f"{main}:{program.marker(thrown)}", hit_condition="100")
        async with session.record(tmp_path / "a.jvmrec", what=what, only=[types]):
            await session.start()
            stops = await _places(session)
    assert stops == _expected(program, thrown, is_caught=case is _CAUGHT, asked=asked)
