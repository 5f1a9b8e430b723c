# SPDX-License-Identifier: Apache-2.0
"""Deadlocks of monitors in programs that are attached to, and of the initialization of classes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.support.bare_program import bare_program
from tests.support.debuggees import debuggee
from tests.support.prompt import ask, ask_json
from tests.support.sessions import launched

if TYPE_CHECKING:
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

_WITHIN_S = 40.0
_MONITORS = ["left", "right"]
_CLASSES = ["east", "west"]
_BELOW = ["above", "below"]


async def _deadlocks(session: jvmdebug.Session, expected: list[list[str]]) -> jvmdebug.Snapshot:
    """The snapshot that has all of them."""
    async with asyncio.timeout(_WITHIN_S):
        while True:
            snapshot = await session.snapshot()
            is_there = sorted(map(sorted, snapshot.deadlocks)) == expected
            if is_there and snapshot.thread("third").waits_for is not None:
                return snapshot


def _check_classes(snapshot: jvmdebug.Snapshot) -> None:
    for name, owner, type_ in (
        ("east", "west", "Waits$West"),
        ("west", "east", "Waits$East"),
        ("third", "west", "Waits$West"),
        ("below", "above", "Waits$Above"),
        ("above", "below", "Waits$Below"),
    ):
        thread = snapshot.thread(name)
        assert thread.waits_for is not None, name
        assert thread.waits_for.text == f"the initialization of {type_}", name
        assert (thread.waits_for.owner, thread.status) == (owner, "waiting"), name
        assert thread.waits_for.is_initialization
    assert not [each for each in snapshot.threads if each.name == "main" and each.waits_for]


async def test_from_the_start(jdk: Jdk, agent_kind: AgentKind) -> None:
    async with launched(debuggee("waits", "Waits"), jdk, agent_kind) as session:
        await session.start()
        snapshot = await _deadlocks(session, [_BELOW, _CLASSES, _MONITORS])
        _check_classes(snapshot)
        dump = await session.thread_dump()
        assert sorted(map(sorted, dump.deadlocks)) == [_BELOW, _CLASSES, _MONITORS]
        _check_classes(dump)


@pytest.mark.agent
async def test_attached_by_the_process_id(jdk: Jdk) -> None:
    async with bare_program(jdk, program=debuggee("waits", "Waits")) as program:
        async with jvmdebug.attach(pid=program.pid) as session:
            assert session.mode == "late"
            snapshot = await _deadlocks(session, [_BELOW, _CLASSES, _MONITORS])
            _check_classes(snapshot)
            assert snapshot.monitors_unknown is None
            left, right = snapshot.thread("left"), snapshot.thread("right")
            assert left.waits_for is not None
            assert left.waits_for.owner_id == right.id
            assert right.waits_for is not None
            assert right.waits_for.owner == "left"
            assert right.waits_for.text.startswith("Waits.class@")
            held = [(each.text, each.depth) for each in left.holds]
            assert held == [(right.waits_for.text, 0)]
            notified = snapshot.thread("notified")
            assert notified.waits_for is not None
            assert (notified.waits_for.owner, notified.holds) == (None, ())
            async with session.contention() as contention:
                blocked = {each.thread: each.owner for each in contention.blocked}
                assert blocked == {"left": "right", "right": "left"}
        code, output, _ = await ask("threads", str(program.pid))
        assert code == 0
        lines = output.splitlines()
        assert lines[0] == "Deadlock:"
        assert '    "east" waits for the initialization of Waits$West, held by "west"' in lines
        assert "3 deadlocks; the program was held for " in lines[-1]
        assert "monitors are not known" not in output
        seen = await ask_json("monitors", str(program.pid), "--for", "0.3")
        assert {each["thread"]: each["owner"] for each in seen["blocked"]} == blocked
