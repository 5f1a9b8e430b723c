# SPDX-License-Identifier: Apache-2.0
"""One session over what is difficult for debuggers: several breakpoints of a line, conditions that
fail, log messages with braces and percent signs, a live change, sly exceptions, final fields.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.dap_client import DapClient
    from tests.support.debuggees import Debuggee

    AttributesOf = Callable[[Debuggee], dict[str, Any]]
    Body = dict[str, Any]

MESSAGE = '{i}: {twice} {1 / (i - 4)} 100% %d {new int[]{1, 2}.length} {"}"} {{i}}'


class Going:
    """Continues from stop to stop."""

    def __init__(self, client: DapClient, thread_id: int) -> None:
        self._client = client
        self.thread = {"threadId": thread_id}

    async def __call__(self, command: str = "continue", **expected: Any) -> tuple[Body, Body]:
        """The next stop and its topmost frame."""
        await self._client.request(command, self.thread)
        stop = await self._client.event("stopped", **expected)
        return stop, (await self._client.top_frames(stop["threadId"], 1))[0]

    async def value(self, frame: Body, expression: str) -> str:
        asked = {"expression": expression, "frameId": frame["id"]}
        shown: str = (await self._client.request("evaluate", asked))["result"]
        return shown


async def test_error_prone_cases_in_one_session(
    client: DapClient, our_attributes: AttributesOf
) -> None:
    program = debuggee("cases", "cases.Cases")
    line = program.marker
    path, at = program.marked("twice")
    frame = await client.run_to(program, "loop", {**our_attributes(program), "mode": "full"})
    going = Going(client, frame["threadId"])
    await _conditions(client, going, at)
    await client.set_lines(path, line("each"))
    _, frame = await going()
    await client.set_lines(path)  # the lambda is on that line too
    _, frame = await going("next", reason="step")
    assert frame["line"] == line("call-sly"), "over the lambda"
    await _sly(client, going, program)

    # A final field is a field.
    await client.request("setExceptionBreakpoints", {"filters": []})
    await client.set_lines(path, line("end"))
    _, frame = await going()
    cases = (await client.locals_of(frame))["cases"]
    inside = {"variablesReference": cases["variablesReference"], "name": "width"}
    assert (await client.request("setVariable", {**inside, "value": "3 + 40"}))["value"] == "43"
    await client.request("continue", going.thread)
    assert (await client.event("exited"))["exitCode"] == 0
    await client.event("terminated")
    assert client.output("stdout") == "43 613\n"


async def _conditions(client: DapClient, going: Going, at: int) -> None:
    path = debuggee("cases", "cases.Cases").source("cases/Cases.java")
    third = {"line": at, "condition": "i == 3", "mode": "thread"}
    ninth = {"line": at, "hitCondition": "== 9"}
    logged = {"line": at, "condition": "i > 3 && i < 6", "logMessage": MESSAGE}
    fails = {"line": at, "condition": "1 / (i - 2) > 5"}
    bad = {"line": at, "hitCondition": "% 0"}
    first = await client.set_lines(path, third, ninth, logged, fails, bad)
    assert [each["verified"] for each in first] == [True, True, True, True, False]
    assert len({each["id"] for each in first}) == 5, "each for itself, though of one line"
    assert "divides by zero" in first[4]["message"]

    stop, frame = await going()
    assert (await going.value(frame, "i"), stop["hitBreakpointIds"]) == ("2", [first[3]["id"]])
    reported = [each["breakpoint"] for each in client.bodies("breakpoint")]
    (failed,) = [each for each in reported if "by zero" in each.get("message", "")]
    assert failed["id"] == first[3]["id"]
    refused, told = [each for each in client.bodies("output") if "by zero" in each["output"]]
    assert refused["output"] == f"{first[4]['message']}\n"
    assert (told["category"], told["line"]) == ("console", at), "where it stops, and why"
    assert told["output"] == f"{failed['message']}\n"

    # A live change of one: the hits of the others stay.
    again = await client.set_lines(path, third, ninth, logged, {"line": at, "hitCondition": "4"})
    assert [each["id"] for each in again] == [each["id"] for each in first[:4]]
    stop, frame = await going()
    assert (await going.value(frame, "i"), stop["hitBreakpointIds"]) == ("3", [first[0]["id"]])
    assert stop["allThreadsStopped"] is False
    stop, frame = await going()
    assert (await going.value(frame, "i"), stop["hitBreakpointIds"]) == ("6", [first[3]["id"]])
    assert stop["allThreadsStopped"] is True
    assert client.output("console").splitlines() == [
        first[4]["message"],
        failed["message"],
        "4: 8 <1 / (i - 4): java.lang.ArithmeticException: / by zero> 100% %d 2 } {i}",
        "5: 10 1 100% %d 2 } {i}",
    ]
    stop, frame = await going()
    assert (await going.value(frame, "i"), stop["hitBreakpointIds"]) == ("8", [first[1]["id"]])


async def _sly(client: DapClient, going: Going, program: Debuggee) -> None:
    """Nothing of the exception is called to show it; and its constructor by its name."""
    only = {"filterId": "caught", "condition": "Cases.Sly"}
    body = await client.request("setExceptionBreakpoints", {"filters": [], "filterOptions": [only]})
    assert len(body["breakpoints"]) == 1
    await client.request("setFunctionBreakpoints", {"breakpoints": [{"name": "Cases.Sly.<init>"}]})
    stop, frame = await going()
    assert (stop["reason"], frame["name"]) == ("function breakpoint", "new Cases$Sly()")
    stop, frame = await going()
    assert (stop["reason"], stop["text"]) == ("exception", "cases.Cases$Sly: as it is")
    assert frame["line"] == program.marker("sly")
    info = await client.request("exceptionInfo", {"threadId": stop["threadId"]})
    assert (info["description"], info["breakMode"]) == ("cases.Cases$Sly: as it is", "always")
    assert info["details"]["message"] == "as it is"
