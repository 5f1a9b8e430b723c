# SPDX-License-Identifier: Apache-2.0
"""What an assistant is told when a program dies or ends, and of a session that comes after one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.e2e.assistant.test_planted_bugs import assistant
from tests.support.debuggees import debuggee
from tests.support.relay import running_relay

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import StartJvm


async def test_an_uncaught_exception_stops_the_program() -> None:
    async with assistant("Uncaught") as ask:
        await ask.launch()
        stop = await ask("run")
        assert "uncaught exception java.lang.IllegalArgumentException: odd: 3" in stop
        assert "number = 3" in stop
        assert "ended with exit code 1" in await ask("run")


async def test_panic_lets_uncaught_exceptions_pass() -> None:
    async with assistant("Uncaught") as ask:
        await ask.launch()
        await ask("panic")
        assert "ended with exit code 1" in await ask("run")


async def test_an_error_names_every_form_of_a_stop_point() -> None:
    async with assistant("Uncaught") as ask:
        await ask.launch()
        for wrong in ("non sense", "throw java.lang.Error", ""):
            said = await ask("stop_at", where=wrong, fails=True)
            for form in ("shop/Cart.java:42", "shop.Cart#add", "exception ", "uncaught", "field "):
                assert form in said, wrong


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("where", {}),
        ("evaluate", {"expression": "1"}),
        ("pause", {}),
        ("run", {"step": "over"}),
        ("stop_at", {"where": "Uncaught#half"}),
        ("remove_stop_point", {"number": 7}),
        ("set_value", {"target": "number", "value": "1"}),
        ("trace_calls", {"methods": "Uncaught#half", "seconds": 0.2}),
        ("who_sets", {"field": "Uncaught.sum", "seconds": 0.2}),
        ("sample", {"expression": "1", "seconds": 0.2}),
        ("threads", {}),
        ("instances", {"type_name": "Uncaught"}),
        ("is_code_current", {"class_name": "Uncaught"}),
        ("hot_swap", {"paths": ["nothing"]}),
    ],
)
async def test_after_the_end_each_tool_says_so(tool: str, arguments: dict[str, object]) -> None:
    async with assistant("Uncaught") as ask:
        await ask.launch()
        await ask("panic")
        assert "ended with exit code 1" in await ask("run")
        said = await ask(tool, fails=True, **arguments)
        assert "the program Uncaught has ended with exit code 1" in said
        assert "`launch`" in said


async def test_output_stays_in_its_session() -> None:
    async with assistant("Uncaught") as ask:
        await ask.launch()
        await ask("panic")
        session = ask.investigation.session
        await session.wait()
        await ask.launch()
        assert await ask("output") == "nothing new"
        assert "begins" not in await ask("stop_points")


async def test_a_stop_point_that_was_never_set_is_named_at_the_end() -> None:
    async with assistant("Uncaught") as ask:
        await ask.launch()
        await ask("stop_at", where="nowhere.Nothing#never")
        await ask("stop_at", where="Uncaught#half", condition="number == 99")
        assert "exception" in await ask("run")
        ended = await ask("run")
        assert "ended with exit code 1" in ended
        assert re.search(r"stop point 1 was never set: .*nowhere\.Nothing", ended)
        assert "stop point 2 was set, and never reached" in ended


async def test_attach_through_a_relay(
    start_jvm: StartJvm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What its token does not permit is told as what a session does not."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    vm = await start_jvm(debuggee("script", "Spin"), suspend=False)
    async with (
        running_relay(tmp_path / "relay", f"127.0.0.1:{await vm.port()}") as relay,
        assistant("Uncaught") as ask,
    ):
        token_file = str(relay.tokens["observe"])
        said = await ask("attach", target=relay.address(), token_file=token_file)
        assert f"attached to {relay.address()}: Java" in said
        await ask("stop_at", where="Spin#round")
        assert "stopped: stop point" in await ask("run")
        refused = await ask("evaluate", expression="System.exit(3)", fails=True)
        assert "read-only" in refused


async def test_attach_says_that_the_program_is_held(start_jvm: StartJvm) -> None:
    vm = await start_jvm(debuggee("planted", "Uncaught"))
    async with assistant("Uncaught") as ask:
        said = await ask("attach", target=f"127.0.0.1:{await vm.port()}")
        assert "held before its first instruction: set stop points, then `run`" in said
