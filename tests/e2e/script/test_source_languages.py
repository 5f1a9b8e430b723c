# SPDX-License-Identifier: Apache-2.0
"""Breakpoints by absolute path, as editors send them, in languages without a package clause."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

import jvmdebug
from tests.support import process
from tests.support.debuggees import SOURCES
from tests.support.libraries import clojure, maven
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from jvmdebug import Session
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

_TIMEOUT_S: Final = 60.0


async def passed(session: Session) -> list[tuple[str | None, int | None]]:
    """Tells the sources and lines of all stops until the end."""
    return [(stop.frame.source_path, stop.frame.line) async for stop in session.stops()]


@pytest.mark.parametrize("mapped", ["sub/page.jsp", "/sub/page.jsp"])
async def test_a_page_in_a_folder_of_a_web_application(
    launch: Launch, jdk: Jdk, mapped: str
) -> None:
    web = compiled("pages", "strata.Pages", jdk).source_dir / "web"
    async with launch("pages", "strata.Pages", args=[mapped]) as session:
        other = await session.break_at(f"{web}/page.jsp:3")
        await session.break_at(f"{web}/sub/page.jsp:3")
        stop = await next_stop(session)
        assert (stop.frame.source_path, stop.frame.line) == (mapped, 3)
        source = await session.find_source(mapped)
        assert source is not None
        assert source.path == web / "sub/page.jsp"
        await session.break_at(f"{web}/sub/page.jsp:4")
        await session.resume()
        assert await passed(session) == [(mapped, 4)]
        assert other.hits == 0, "a page of that name in another folder"


@pytest.mark.network
@pytest.mark.skipif(maven() is None, reason="Clojure is fetched by Maven; no mvn here")
async def test_two_files_of_one_name_in_clojure(jdk: Jdk, agent_kind: AgentKind) -> None:
    sources = SOURCES / "clojure"
    async with jvmdebug.launch(
        "clojure.main",
        args=["-m", "my-app.b.core"],
        class_path=[*clojure(), sources],
        java=jdk.home,
        **process.launch_options(agent_kind),
    ) as session:
        await session.break_at(f"{sources}/my_app/a/core.clj:6")
        await session.break_at(f"{sources}/my_app/b/core.clj:6")
        stop = await session.next_stop(timeout_s=_TIMEOUT_S)
        assert stop is not None
        found = [(stop.frame.source_path, stop.frame.line)]
        await session.resume()
        found += await passed(session)
        # The call comes first: the line is on the stack when the other function runs.
        assert sorted(set(found)) == [("my_app/a/core.clj", 6), ("my_app/b/core.clj", 6)]


@pytest.mark.network
@pytest.mark.skipif(maven() is None, reason="Clojure is fetched by Maven; no mvn here")
async def test_steps_stay_in_the_users_code_in_clojure(jdk: Jdk, agent_kind: AgentKind) -> None:
    """A directory with sources alone: what is compiled from them as it runs is the user's."""
    sources = SOURCES / "clojure"
    async with jvmdebug.launch(
        "clojure.main",
        args=["-m", "my-app.b.core"],
        class_path=[*clojure(), sources],
        java=jdk.home,
        **process.launch_options(agent_kind),
    ) as session:
        session.settings.step_filters = jvmdebug.JUST_MY_CODE
        await session.break_at(f"{sources}/my_app/b/core.clj:6", once=True)
        stop = await session.next_stop(timeout_s=_TIMEOUT_S)
        seen = list[tuple[str | None, int | None]]()
        while stop is not None and stop.frame.method_name != "main":
            seen.append((stop.frame.source_path, stop.frame.line))
            if stop.frame.source_path == "my_app/a/core.clj" and stop.frame.line == 7:
                break
            await stop.step_into()
            stop = await session.next_stop(timeout_s=_TIMEOUT_S)
        assert {each for each, _ in seen} == {"my_app/a/core.clj", "my_app/b/core.clj"}
        assert ("my_app/a/core.clj", 5) in seen
