# SPDX-License-Identifier: Apache-2.0
"""Texts of toString() methods that only join fields: when an editor shows them, and their cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmdebug.jdwp.engine import Engine
from tests.support.dap_client import local_client
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    from jvmdebug.jdwp.command import Command
    from tests.support.dap_client import DapClient
    from tests.support.debuggees import Debuggee
    from tests.support.process import AgentKind

    AttributesOf = Callable[[Debuggee], dict[str, Any]]

_TEXTS = {
    "second": "\"Listed[number=2, text='two']\"",
    "third": "\"Built{left=three, right=Listed[number=2, text='two']}121.5true\"",
    "fourth": '"Pair[left=1, right=r]/GREEN/GREEN1/Empty[]/1.1"',
}
_MORE_AT_MOST = 2


class _Sent:
    """Counts the commands that go to the agent."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.names: list[str] = []
        request = Engine.request

        def counted(engine: Engine, command: Command[Any]) -> tuple[int, bytes]:
            self.names.append(type(command).NAME)
            return request(engine, command)

        monkeypatch.setattr(Engine, "request", counted)

    def taken(self) -> list[str]:
        """The names since the last call."""
        taken, self.names = self.names, []
        return taken


async def _stopped(client: DapClient, program: Debuggee, asked: dict[str, Any]) -> dict[str, Any]:
    client.to_initialize = {"clientID": "vscode", "supportsInvalidatedEvent": True}
    return await client.run_to(program, "few", asked)


def _ends_with_texts(found: dict[str, Any]) -> bool:
    return all(found[name]["value"].endswith(text) for name, text in _TEXTS.items())


async def _again(client: DapClient, frame: dict[str, Any]) -> dict[str, Any]:
    """The top frame at the next stop."""
    await client.request("continue", {"threadId": frame["threadId"]})
    stop = await client.event("stopped", reason="breakpoint")
    top, *_ = await client.top_frames(stop["threadId"])
    return {**top, "threadId": stop["threadId"]}


async def _costs(
    program: Debuggee, asked: dict[str, Any], sent: _Sent, *, has_texts: bool
) -> list[list[str]]:
    """What is sent to show two stops."""
    async with local_client() as client:
        client.to_initialize = {"clientID": "vscode", "supportsInvalidatedEvent": True}
        launched = await client.begin_debugging("launch", **asked)
        path, line = program.marked("few")
        await client.set_lines(path, line)
        await client.configured(launched)
        costs = []
        for _ in range(2):
            stop = await client.event("stopped", reason="breakpoint")
            sent.taken()
            top, *_ = await client.top_frames(stop["threadId"])
            found = await client.locals_of(top)
            costs.append(sent.taken())
            assert _ends_with_texts(found) is has_texts
            await client.request("continue", {"threadId": stop["threadId"]})
        await client.request("disconnect")
        return costs


async def test_a_stop_costs_no_more_commands_for_texts(
    our_attributes: AttributesOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = debuggee("joined", "Joined")
    asked, sent = our_attributes(program), _Sent(monkeypatch)
    off = {**asked, "values": {"toString": "off"}}
    without = await _costs(program, off, sent, has_texts=False)
    costs = await _costs(program, asked, sent, has_texts=True)
    for number, (mine, plain) in enumerate(zip(costs, without, strict=True), 1):
        assert len(mine) <= len(plain) + _MORE_AT_MOST, f"stop {number}: {mine}, not {plain}"


async def test_texts_are_there_with_the_first_stop_or_after_it_was_shown(
    client: DapClient, attributes: AttributesOf, agent_kind: AgentKind
) -> None:
    """Our agent sends the code with the stop, and an editor marks no value as changed."""
    program = debuggee("joined", "Joined")
    frame = await _stopped(client, program, attributes(program))
    found = await client.locals_of(frame)
    if agent_kind == "stock":
        assert not _ends_with_texts(found)
        assert found["second"]["value"].startswith("Listed@")
        assert (await client.event("invalidated"))["areas"] == ["variables"]
        found = await client.locals_of(frame)
    assert _ends_with_texts(found)
    assert found["second"]["value"].startswith("Listed@")
    told = len(client.bodies("invalidated"))
    # Nothing changes once it is shown.
    frame = await _again(client, frame)
    assert _ends_with_texts(await client.locals_of(frame))
    await client.request("jvmdebug/valueStyle", {"toString": "off"})
    assert not _ends_with_texts(await client.locals_of(frame))
    assert len(client.bodies("invalidated")) == told + 1  # that of the changed style
    await client.request("disconnect")


async def test_a_client_that_shows_nothing_again_has_texts_from_the_second_stop_on(
    client: DapClient, attributes: AttributesOf, agent_kind: AgentKind
) -> None:
    program = debuggee("joined", "Joined")
    frame = await client.run_to(program, "few", attributes(program))
    has_texts = agent_kind == "jvmdebug"
    assert _ends_with_texts(await client.locals_of(frame)) is has_texts
    typed = await client.request(
        "evaluate", {"expression": "second", "frameId": frame["id"], "context": "repl"}
    )
    assert typed["result"].endswith(_TEXTS["second"])
    frame = await _again(client, frame)
    found = await client.locals_of(frame)
    assert found["second"]["value"].endswith(_TEXTS["second"])
    assert not client.bodies("invalidated")
    await client.request("disconnect")
