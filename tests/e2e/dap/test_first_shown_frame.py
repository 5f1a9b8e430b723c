# SPDX-License-Identifier: Apache-2.0
"""A stop shows itself in every editor, however many frames of libraries are on top of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.dap_client import Body, DapClient
    from tests.support.debuggees import Debuggee

    AttributesOf = Callable[[Debuggee], dict[str, Any]]

KEPT_AT_TOP = ("breakpoint", "step", "function breakpoint")
"""For these reasons VS Code shows the topmost frame, whatever its hints are."""


def is_greyed(frame: Body) -> bool:
    """Whether VS Code greys it: the hint of the frame, else that of its source."""
    hint = frame.get("presentationHint") or frame["source"].get("presentationHint")
    return hint in ("deemphasize", "subtle")


class Window:
    """The call stack of VS Code 1.100, which reads one frame, then 19 more, and shows one."""

    def __init__(self, client: DapClient, stop: Body) -> None:
        self._client = client
        self._stop = stop
        self.frames: list[Body] = []
        self._source_hints: dict[object, str | None] = {}

    async def read(self, levels: int) -> None:
        """Read more frames; a source is one object, and has the hint that came last."""
        asked = {
            "threadId": self._stop["threadId"],
            "startFrame": len(self.frames),
            "levels": levels,
        }
        self.frames += (await self._client.request("stackTrace", asked))["stackFrames"]
        for each in self.frames:
            if "source" in each:
                source = each["source"]
                self._source_hints[self._key(source)] = source.get("presentationHint")
        for each in self.frames:
            if "source" in each:
                each["source"]["presentationHint"] = self._source_hints[self._key(each["source"])]

    @staticmethod
    def _key(source: Body) -> object:
        return source.get("sourceReference") or source["path"]

    @property
    def shown(self) -> Body | None:
        """The frame that is opened (`Thread.getTopStackFrame`)."""
        is_kept = self._stop["reason"] in KEPT_AT_TOP
        for each in self.frames:
            if "source" in each and (is_kept or not is_greyed(each)):
                return each
        return None

    @property
    def shows_exception(self) -> bool:
        """Whether the box with the exception opens, which goes by the sources alone."""
        for each in self.frames:
            if "source" in each and each["source"]["presentationHint"] != "deemphasize":
                return each is self.shown
        return False


async def stopped(
    client: DapClient, attributes: dict[str, Any], client_id: str, *arguments: str
) -> Body:
    """The place where the exception is thrown."""
    await client.initialize(clientID=client_id)
    launched = client.begin("launch", {**attributes, "args": list(arguments)})
    await client.event("initialized")
    await client.request("setExceptionBreakpoints", {"filters": ["uncaught"]})
    await client.configured(launched)
    return await client.event("stopped", reason="exception")


OWN, TOP = "Buried.hash", "ArrayList$SubList"


@pytest.mark.parametrize(
    ("arguments", "shown", "has_source"),
    [
        pytest.param(["4"], OWN, True, id="among those that are read"),
        pytest.param(["30"], OWN, True, id="below those that are read"),
        pytest.param(["30"], OWN, False, id="without source"),
        pytest.param(["300"], TOP, True, id="too deep"),
        pytest.param(["4", "alone"], TOP, True, id="nowhere"),
        pytest.param(["30", "alone"], TOP, False, id="nowhere, and deep"),
    ],
)
async def test_vscode_shows_the_users_frame_or_the_topmost(
    client: DapClient,
    our_attributes: AttributesOf,
    arguments: list[str],
    shown: str,
    has_source: bool,  # noqa: FBT001 - a column of the table
) -> None:
    attributes = our_attributes(debuggee("buried", "Buried"))
    if not has_source:
        attributes["sourcePaths"] = []
    window = Window(client, await stopped(client, attributes, "vscode", *arguments))
    await window.read(1)
    if shown is TOP:
        assert window.shown is window.frames[0]
    else:
        assert window.shown is None, "what is opened first is closed again"
    await window.read(19)
    assert window.shown is not None, "a stop that shows nothing"
    assert window.shown["name"].startswith(shown)
    assert window.shows_exception
    count = len(window.frames)
    if shown is OWN:
        assert window.frames.index(window.shown) == count - 1 or count <= 20
    else:
        assert count <= 20
    # "Load More" goes on behind them.
    more = {"threadId": window._stop["threadId"], "startFrame": count, "levels": 3}
    answer = await client.request("stackTrace", more)
    rest = {frame["id"] for frame in answer["stackFrames"]}
    assert len(rest) == min(3, answer["totalFrames"] - count)
    assert rest.isdisjoint(frame["id"] for frame in window.frames)


@pytest.mark.parametrize("levels", [None, 1, 20])
@pytest.mark.parametrize("arguments", [["4"], ["30"], ["4", "alone"]], ids=" ".join)
async def test_other_editors_get_what_they_ask_for_with_a_frame_to_show(
    client: DapClient,
    our_attributes: AttributesOf,
    arguments: list[str],
    levels: int | None,
) -> None:
    attributes = our_attributes(debuggee("buried", "Buried"))
    stop = await stopped(client, attributes, "neovim", *arguments)
    asked = {"threadId": stop["threadId"], "startFrame": 0}
    if levels is not None:
        asked["levels"] = levels
    answer = await client.request("stackTrace", asked)
    frames = answer["stackFrames"]
    assert len(frames) == min(levels or answer["totalFrames"], answer["totalFrames"])
    depth = next((at for at, each in enumerate(frames) if each["name"].startswith(OWN)), None)
    first = next((at for at, each in enumerate(frames) if not is_greyed(each)), None)
    if levels == 1:
        # Those that load the stack late read 19 more.
        assert first == (None if arguments == ["4"] else 0)
    elif depth is not None:
        assert first == depth
    else:
        assert first == 0, "all are greyed"


async def test_where_nothing_is_found_of_a_frame_its_text_is_shown(
    client: DapClient, our_attributes: AttributesOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    import jvmdebug  # noqa: PLC0415 - what the adapter calls is replaced

    async def refused(_frame: jvmdebug.FrameHandle) -> None:
        raise jvmdebug.UnsupportedError("no bytecode")

    async def unknown(_frame: jvmdebug.FrameHandle) -> None:
        return None

    monkeypatch.setattr(jvmdebug.FrameHandle, "listing", refused)
    monkeypatch.setattr(jvmdebug.FrameHandle, "source", unknown)
    attributes = our_attributes(debuggee("buried", "Buried", debug_tables="none"))
    window = Window(client, await stopped(client, attributes, "vscode", "4"))
    await window.read(1)
    await window.read(19)
    assert window.shown is not None
    assert window.shown["name"].startswith(OWN)
    assert window.shows_exception
    source = {"source": window.shown["source"]}
    text = await client.request(
        "source", {**source, "sourceReference": window.shown["source"]["sourceReference"]}
    )
    assert "Buried" in text["content"]


async def test_an_exception_that_has_left_all_frames_is_shown(
    client: DapClient, our_attributes: AttributesOf
) -> None:
    """The thread stands in code of the JDK that reports it, and has no other frames."""
    await client.initialize(clientID="vscode")
    launched = client.begin("launch", our_attributes(debuggee("script", "Ends")))
    await client.event("initialized")
    await client.request("setExceptionBreakpoints", {"filters": ["uncaught"]})
    await client.configured(launched)
    while True:
        stop = await client.event("stopped", reason="exception")
        window = Window(client, stop)
        await window.read(1)
        if window.frames[0]["name"].startswith("Thread.dispatchUncaughtException"):
            break
        await client.request("continue", {"threadId": stop["threadId"]})
    await window.read(19)
    assert window.shown is window.frames[0]
    assert window.shows_exception
