# SPDX-License-Identifier: Apache-2.0
"""Read-only sessions send nothing that runs code of the program or changes it."""

from __future__ import annotations

import inspect
import sys
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug import ReadOnlyError
from jvmdebug.jdwp import command as commands
from jvmdebug.jdwp import read_only
from jvmdebug.jdwp.generated import catalog
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from jvmdebug import Stop
    from tests.conftest import StartJvm
    from tests.e2e.script.conftest import Launch


ATTEMPTS: dict[str, Callable[[Stop], Awaitable[object]]] = {
    "a call": lambda stop: stop.frame.evaluate("System.setProperty(text, text)"),
    "a new object": lambda stop: stop.frame.evaluate("new Object().hashCode()"),
    "what is native": lambda stop: stop.frame.evaluate("System.nanoTime()"),
    "a lambda": lambda stop: stop.frame.evaluate("((Runnable) () -> {}).toString()"),
    "a variable": lambda stop: stop.frame.set("text", "null"),
    "a field": lambda stop: stop.frame.assign("price", "2"),
    "a pop": lambda stop: stop.pop_frame(),
    "a return": lambda stop: stop.force_return("null"),
    "an interrupt": lambda stop: stop.thread.interrupt(),
}


async def test_nothing_is_run_or_changed(launch: Launch) -> None:
    program = debuggee("swap", "Swap")
    async with launch("swap", "Swap") as session:
        session.forbid_changes()
        assert session.is_read_only
        await session.break_at(f"Swap.java:{program.marker('word')}")
        await session.start()
        stop = await session.next_stop(20)
        assert stop is not None
        assert await (await stop.frame.get("text")).as_text() == '"old text"'
        # What only reads is computed, and a new text exists here only.
        made = await stop.frame.evaluate('"an " + text.trim()')
        assert await made.as_text() == '"an old text"'
        assert (await made.full_text(), await made.child_count()) == ("an old text", 0)
        assert (await stop.frame.evaluate("String.valueOf(1).length()")).value is not None
        for what, attempt in ATTEMPTS.items():
            with pytest.raises(ReadOnlyError, match="this session is read-only"):
                print(what, await attempt(stop))
        with pytest.raises(ReadOnlyError):
            await session.restart()
        assert await (await stop.frame.get("text")).as_text() == '"old text"'
        assert stop.is_current


async def test_an_attached_session_leaves_the_program_as_it_was(start_jvm: StartJvm) -> None:
    program = debuggee("swap", "Swap")
    jvm = await start_jvm(program)
    async with jvmdebug.attach("127.0.0.1", await jvm.port(), read_only=True) as session:
        at = f"Swap.java:{program.marker('word')}"
        refused = await session.break_at(at, condition="(text = null) == null")
        logs = await session.break_at(at, log_message="{text = null}")
        reads = await session.break_at(at, condition='"old text".equals(text)', once=True)
        await session.start()
        stop = await session.next_stop(20)
        assert stop is not None
        assert stop.breakpoints == (reads,)
        assert not refused.verified, "it is refused when its class is there, not at each hit"
        for each in (refused, logs):
            assert "may change the program" in (each.message or "")
            assert "this session is read-only" in (each.message or "")
        again = await session.break_at(at, condition="(text = null) != null")
        assert "this session is read-only" in (again.message or "")
        with pytest.raises(ReadOnlyError, match="cannot replace code"):
            await session.vm.redefine_classes(
                {stop.frame.declaring_type: (program.class_path[0] / "Swap.class").read_bytes()}
            )
        for end in (session.terminate, session.kill):
            with pytest.raises(ReadOnlyError, match="cannot end the program: this session is"):
                await end()
            assert stop.is_current
    assert await jvm.wait() == 0
    assert jvm.stdout.count("old text") == 3


def test_each_command_was_judged() -> None:
    """A new command that changes something is refused, or named here with the reason."""
    harmless = {
        # These stop and resume threads, and end the conversation.
        *("Suspend", "Resume", "ResumeWith", "Dispose", "HoldEvents", "ReleaseEvents"),
        "DisposeObjects",
        *("EnableCollection", "DisableCollection", "SetDefaultStratum"),
        # These put the program's own code back.
        *("Remove", "Clear", "Coverage.Stop", "Origins.Stop", "Recording.Stop"),
    }
    known = {
        f"{kind.NAME}"
        for module in vars(sys.modules[catalog.__package__ or ""]).values()
        if inspect.ismodule(module)
        for kind in vars(module).values()
        if inspect.isclass(kind) and issubclass(kind, commands.Command) and kind.CHANGES
    }
    refused = {each.NAME for each in read_only._DOES}
    assert known
    assert {
        each for each in known - refused if not {each, each.rpartition(".")[2]} & harmless
    } == set()
