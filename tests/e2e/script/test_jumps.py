# SPDX-License-Identifier: Apache-2.0
"""A thread that jumps to another line does the same as code in which the jump is written out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug import StopReason
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk

KINDS: Final = (
    *("forward", "back", "each", "array", "wides", "caught", "cleanup", "chosen", "blocks"),
    *("lambda", "generic", "static", "changed", "resource", "skipped", "thrown", "nested"),
)
"""Methods of the debuggee: kinds of code, and where the jump goes in them."""


async def test_every_kind_of_code(launch_ours: Launch, jdk: Jdk) -> None:
    program = compiled("jumps", "Jumps", jdk)
    written: list[str] = []
    async with launch_ours(
        "jumps", "Jumps", args=KINDS, on_output=lambda piece: written.append(piece.text)
    ) as session:
        source = program.source_dir / "Jumps.java"
        breakpoints = {
            program.marker(f"{kind}-from"): await session.break_at(
                f"{source}:{program.marker(f'{kind}-from')}"
            )
            for kind in KINDS
        }
        kinds = {program.marker(f"{kind}-from"): kind for kind in KINDS}
        await session.resume()
        for expected in KINDS:
            stop = await next_stop(session)
            line = stop.frame.line
            assert line is not None
            assert kinds[line] == expected
            await breakpoints[line].remove()
            depth = await stop.frame_count()
            target = program.marker(f"{expected}-to")
            jumped = await stop.jump_to(target)
            assert (jumped.reason, jumped.frame.line) == (StopReason.GOTO, target), expected
            assert await jumped.frame_count() == depth, expected
            assert not stop.is_current
            await jumped.resume()
        assert await session.next_stop(timeout_s=30) is None
    lines = "".join(written).splitlines()
    assert lines[0::2] == lines[1::2]
    assert len(lines) == 2 * len(KINDS)
