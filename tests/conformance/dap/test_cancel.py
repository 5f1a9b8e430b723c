# SPDX-License-Identifier: Apache-2.0
"""Requests while another hangs: cancel, other requests, the end of the session."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug_dap import progress
from jvmdebug_dap.requests import load_handlers
from tests.support.dap_client import Refused

if TYPE_CHECKING:
    from tests.support.dap_client import DapClient
    from tests.support.stub_core import StubCore


async def test_a_hanging_evaluation_can_be_cancelled(stopped: DapClient, core: StubCore) -> None:
    hanging = stopped.begin("evaluate", {"expression": "hang"})
    await core.session.hanging.wait()
    looking = stopped.begin("stackTrace", {"threadId": 1})
    assert await stopped.request("threads")
    await stopped.request("cancel", {"requestId": hanging})
    with pytest.raises(Refused) as refused:
        await stopped.response(hanging)
    assert refused.value.response["message"] == "cancelled"
    assert (await stopped.response(looking))["stackFrames"]
    assert (await stopped.request("evaluate", {"expression": "i"}))["result"]


async def test_a_request_that_waits_can_be_cancelled(stopped: DapClient, core: StubCore) -> None:
    hanging = stopped.begin("evaluate", {"expression": "hang"})
    await core.session.hanging.wait()
    step = stopped.begin("next", {"threadId": 1})
    waiting = stopped.begin("evaluate", {"expression": "i"})
    await stopped.request("cancel", {"requestId": waiting})
    with pytest.raises(Refused, match="cancelled"):
        await stopped.response(waiting)
    with pytest.raises(Refused, match="cannot be cancelled"):
        await stopped.request("cancel", {"requestId": step})
    await stopped.request("cancel", {"requestId": hanging})
    await stopped.response(step)


async def test_long_requests_report_progress(client: DapClient, core: StubCore) -> None:
    await client.initialize(supportsProgressReporting=True)
    launched = client.begin("launch", {"mainClass": "shop.Main"})
    await client.event("initialized")
    await client.configured(launched)
    core.session.hit(jvmdebug.StopReason.PAUSE)
    await client.event("stopped")
    hanging = client.begin("evaluate", {"expression": "hang"})
    begun = await client.event("progressStart", requestId=hanging)
    assert (begun["title"], begun["cancellable"]) == ("Evaluating", True)
    await client.request("cancel", {"progressId": begun["progressId"]})
    with pytest.raises(Refused, match="cancelled"):
        await client.response(hanging)
    await client.event("progressEnd", progressId=begun["progressId"])
    assert (await client.request("evaluate", {"expression": "i"}))["result"]
    assert len(client.bodies("progressStart")) == 1


@pytest.mark.parametrize(
    ("context", "used", "other"),
    [("repl", "_MOMENT_S", "_LONG_S"), ("watch", "_LONG_S", "_MOMENT_S")],
)
async def test_vscode_is_told_later_of_what_it_asks_itself(
    client: DapClient,
    core: StubCore,
    monkeypatch: pytest.MonkeyPatch,
    context: str,
    used: str,
    other: str,
) -> None:
    """It shows each progress over the window: not for what it reads at each stop."""
    await client.initialize(supportsProgressReporting=True, clientID="vscode")
    launched = client.begin("launch", {"mainClass": "shop.Main"})
    await client.event("initialized")
    await client.configured(launched)
    core.session.hit(jvmdebug.StopReason.PAUSE)
    await client.event("stopped")
    monkeypatch.setattr(progress, used, 0.01)
    monkeypatch.setattr(progress, other, 1e6)
    hanging = client.begin("evaluate", {"expression": "hang", "context": context})
    begun = await client.event("progressStart", requestId=hanging)
    await client.request("cancel", {"progressId": begun["progressId"]})


def test_whatever_may_take_long_can_show_its_progress() -> None:
    """Requests that are answered at once report no progress; the rest is reported by events."""
    at_once = {
        *("initialize", "configurationDone", "terminate", "disconnect", "cancel", "pause"),
        *("continue", "next", "stepIn", "stepOut", "restartFrame", "gotoTargets", "goto"),
        *(
            "jvmdebug/popFrame",
            "jvmdebug/forceEarlyReturn",
            "jvmdebug/runTo",
            "jvmdebug/stepFilters",
            "jvmdebug/valueStyle",
            "jvmdebug/letJoin",
            "jvmdebug/suspend",
            "jvmdebug/stopObserving",
            "jvmdebug/probes",
            "jvmdebug/endProfile",
            "jvmdebug/loadedClasses",
            "jvmdebug/origins",
            "jvmdebug/goToMoment",
            "stepBack",
            "reverseContinue",
        ),
    }
    silent = {spec.command for spec in load_handlers().specs if spec.progress is None}
    assert silent == at_once


async def test_cancel_of_finished_or_unknown_requests(stopped: DapClient) -> None:
    await stopped.request("cancel", {"requestId": 1})
    await stopped.request("cancel", {"requestId": 12345})
    await stopped.request("cancel", {"progressId": "x"})


async def test_the_end_does_not_wait_for_a_hanging_evaluation(
    stopped: DapClient, core: StubCore
) -> None:
    hanging = stopped.begin("evaluate", {"expression": "hang"})
    await core.session.hanging.wait()
    await stopped.request("terminate")
    assert (await stopped.event("exited"))["exitCode"] == 143
    await stopped.event("terminated")
    await stopped.request("disconnect")
    with pytest.raises(Refused, match="cancelled"):
        await stopped.response(hanging)
    await stopped.closed()
