# SPDX-License-Identifier: Apache-2.0
"""However many breakpoints are set at once, their class is changed once: also while the program
runs the methods, for whatever they count or write, and for tasks that know nothing of each other.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

import pytest

import jvmdebug
from jvmdebug import (
    BreakpointChanged,
    BreakpointLogged,
    BreakpointOptions,
    BreakpointRequest,
    LineSpec,
)
from jvmdebug.model.reference_type import ReferenceType
from jvmdebug.probes.completing import complete
from tests.support.bare_program import bare_program
from tests.support.sessions import compiled, launched, next_stop

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Collection
    from pathlib import Path

    from jvmdebug import Breakpoint, Session
    from jvmdebug.jdwp.ids import RequestId
    from jvmdebug.model.virtual_machine import VirtualMachine
    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

_METHODS: Final = 24
_LINES: Final = 16
_MOST_EVENTS: Final = 2
_DEADLINE_S: Final = 40
_STANDS_THERE: Final = "a thread runs the method now, and may come there again"


class _Program:
    """`Gathered`: it is started, calls its methods from `begin` on, and ends after `end`."""

    def __init__(self, session: Session, program: Debuggee, folder: Path) -> None:
        self.session = session
        self._program = program
        self._folder = folder

    def begin(self) -> None:
        (self._folder / "begins").touch()

    def end(self) -> None:
        (self._folder / "ends").touch()

    def requests(self, **options: Any) -> list[BreakpointRequest]:
        """One for each method."""
        return self._requests([f"part{each}" for each in range(_METHODS)], options)

    def requests_of_lines(self, **options: Any) -> list[BreakpointRequest]:
        """One for each line of one method."""
        return self._requests([f"line{each}" for each in range(_LINES)], options)

    def _requests(self, markers: list[str], options: dict[str, Any]) -> list[BreakpointRequest]:
        lines = [self._program.marker(each) for each in markers]
        return [
            BreakpointRequest(LineSpec(line, path="Gathered.java"), BreakpointOptions(**options))
            for line in lines
        ]

    def changes(self) -> int:
        """How often the VM has changed the class."""
        log = (self._folder / "changes.log").read_text()
        return len(re.findall(r"redefined name=Gathered,", log))

    async def calls_at_end(self) -> int:
        """Let it end: how often its methods were called."""
        await self.session.break_at(f"Gathered.java:{self._program.marker('done')}")
        self.end()
        stop = await next_stop(self.session)
        return int(await (await stop.frame.get("calls")).as_text())


@asynccontextmanager
async def _running(jdk: Jdk, folder: Path, *more: str) -> AsyncIterator[_Program]:
    program = compiled("gathered", "Gathered", jdk)
    ready = asyncio.Event()
    log = folder / "changes.log"
    async with launched(
        program,
        jdk,
        "jvmdebug",
        vm_args=[f"-Xlog:redefine+class+load=info:file={log}"],
        args=[str(folder / "begins"), str(folder / "ends"), *more],
        on_output=lambda piece: ready.set() if "ready" in piece.text else None,
    ) as session:
        await session.resume()
        await asyncio.wait_for(ready.wait(), _DEADLINE_S)
        yield _Program(session, program, folder)
        if session.current_stops:
            await session.kill()


def _how(*breakpoints: Breakpoint) -> Counter[tuple[str, str | None]]:
    return Counter((at.how, at.why_event) for each in breakpoints for at in each.locations)


def _assert_probes(number: int, *breakpoints: Breakpoint) -> int:
    """All are probes. A machine that is busy may have kept a thread from leaving some of them: how
    many.
    """
    how = _how(*breakpoints)
    events = how.pop(("event", _STANDS_THERE), 0)
    assert events <= _MOST_EVENTS
    assert set(how) == {("probe", None)}
    assert _how(*breakpoints).total() == number
    return events


@pytest.mark.parametrize(
    "options",
    [
        {"condition": "text == null"},
        {"hit_condition": "1000000000"},
        {"condition": "text.isEmpty()", "log_message": "{text.trim()}"},
    ],
    ids=["condition", "hit condition", "log message"],
)
async def test_breakpoints_in_methods_that_run(
    jdk: Jdk, tmp_path: Path, options: dict[str, str]
) -> None:
    async with _running(jdk, tmp_path) as it:
        it.begin()
        placed = await it.session.breakpoints.replace("a", it.requests(**options))
        tried_again = _assert_probes(_METHODS, *placed)
        assert it.changes() == 1
        others = it.requests(condition="text == null", log_message="{text.isEmpty()} again")
        placed = await it.session.breakpoints.replace("a", others)
        tried_again += _assert_probes(_METHODS, *placed)
        # What a busy machine has kept from being a probe is tried again, by changes of its own.
        assert it.changes() - tried_again <= 2, "others take their place by one change, too"
        await it.session.kill()


@pytest.mark.parametrize(
    "options",
    [{"condition": "sum == -5"}, {"condition": "text.isEmpty()", "log_message": "{text.trim()}"}],
    ids=["condition", "log message"],
)
async def test_breakpoints_in_one_method_that_runs(
    jdk: Jdk, tmp_path: Path, options: dict[str, str]
) -> None:
    """All become probes when a thread has come to the last one: while the VM reports them, it
    nearly always stands before one of them.
    """
    async with _running(jdk, tmp_path) as it:
        it.begin()
        changed = asyncio.Event()
        it.session.subscribe(
            lambda event: changed.set() if isinstance(event, BreakpointChanged) else None
        )
        placed = await it.session.breakpoints.replace("a", it.requests_of_lines(**options))
        async with asyncio.timeout(_DEADLINE_S):
            while set(_how(*placed)) != {("probe", None)}:
                await changed.wait()
                changed.clear()
        assert it.changes() == 1
        await it.session.kill()


async def test_one_breakpoint_in_many_methods(jdk: Jdk, tmp_path: Path) -> None:
    async with _running(jdk, tmp_path) as it:
        it.begin()
        placed = await it.session.break_at("Gathered#part*", hit_condition="1000000000")
        _assert_probes(_METHODS + 1, placed)
        assert it.changes() == 1
        await it.session.kill()


async def test_tasks_that_do_not_know_each_other(jdk: Jdk, tmp_path: Path) -> None:
    async with _running(jdk, tmp_path) as it:
        placed = await asyncio.gather(
            *(
                it.session.break_at(f"Gathered#part{each}", condition="text == null")
                for each in range(_METHODS)
            )
        )
        _assert_probes(_METHODS, *placed)
        assert it.changes() <= _METHODS // 3
        await it.session.kill()


def _held_until(monkeypatch: pytest.MonkeyPatch, is_time: Callable[[], bool]) -> None:
    """What is installed is put in only then; until then the VM reports it."""

    async def held(vm: VirtualMachine, requests: Collection[RequestId]) -> dict[RequestId, str]:
        async with asyncio.timeout(_DEADLINE_S):
            while not is_time():  # noqa: ASYNC110 - nothing tells
                await asyncio.sleep(0.01)
        return await complete(vm, requests)

    monkeypatch.setattr("jvmdebug.probes.deferring.complete", held)


async def test_hits_before_the_change_are_counted(
    jdk: Jdk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with _running(jdk, tmp_path) as it:

        def is_time() -> bool:
            it.begin()
            return all(each.hits > 20 for each in it.session.breakpoints)

        _held_until(monkeypatch, is_time)
        counted = await it.session.break_at("Gathered#part*", hit_condition="1000000000")
        monkeypatch.undo()
        _assert_probes(_METHODS + 1, counted)
        calls = await it.calls_at_end()
        await it.session.probes()
        assert counted.hits == calls


async def test_a_location_that_cannot_be_a_probe_is_counted_with_the_others(
    jdk: Jdk, tmp_path: Path
) -> None:
    logged: list[str] = []
    async with _running(jdk, tmp_path, "stays") as it:
        it.session.subscribe(
            lambda event: logged.append(event.text) if isinstance(event, BreakpointLogged) else None
        )
        counted = await it.session.break_at("Gathered#part*", hit_condition="1000000000")
        tenth = await it.session.break_at(
            "Gathered#part*", hit_condition="==10", log_message="the tenth"
        )
        expected = {("probe", None): _METHODS, ("event", _STANDS_THERE): 1}
        if jdk.version < 17:  # there no class changes while a thread is in any of its methods
            expected = {("event", _STANDS_THERE): _METHODS + 1}
        assert _how(counted) == _how(tenth) == expected
        it.begin()
        calls = await it.calls_at_end()
        await it.session.probes()
        first = 1  # was called before there were breakpoints
        assert (counted.hits, tenth.hits) == (calls - first, calls - first)
        assert logged == ["the tenth"]


async def test_a_class_file_is_read_once_for_all_methods(
    jdk: Jdk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = compiled("gathered", "Gathered", jdk)
    read: Counter[str] = Counter()
    class_file = ReferenceType.class_file

    async def counting(self: ReferenceType) -> bytes | None:
        read[self.name] += 1
        return await class_file(self)

    monkeypatch.setattr(ReferenceType, "class_file", counting)
    arguments = [str(tmp_path / "begins"), str(tmp_path / "ends")]
    async with (
        bare_program(jdk, program=program, args=arguments) as bare,
        jvmdebug.attach(pid=bare.pid) as session,
        session.trace("Gathered#part*") as trace,
    ):
        (tmp_path / "begins").touch()
        call = await trace.next(timeout_s=_DEADLINE_S)
        assert str(call).startswith('Gathered.part0("text")')
        assert read["Gathered"] == 1
