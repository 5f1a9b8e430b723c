# SPDX-License-Identifier: Apache-2.0
"""Tests of each framework are run and debugged through the session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import jvmdebug
from tests.e2e.testing.conftest import made_project
from tests.support.libraries import frameworks, maven
from tests.support.sessions import next_stop

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind


def line_of(project: Path, marker: str) -> tuple[str, int]:
    """File name and line of a `// @marker`."""
    for file in (project / "src" / "shop").glob("*.java"):
        for number, text in enumerate(file.read_text("utf-8").splitlines(), 1):
            if text.endswith(f"// @{marker}"):
                return file.name, number
    raise AssertionError(marker)


class Heard:
    """The test events of a session."""

    def __init__(self, session: jvmdebug.Session) -> None:
        self.events: list[jvmdebug.projects.TestEvent] = []
        self.others: list[str] = []
        session.subscribe(self._take)

    def _take(self, event: jvmdebug.SessionEvent) -> None:
        if isinstance(event, jvmdebug.projects.TestEvent):
            self.events.append(event)
        else:
            self.others.append(type(event).__name__)

    @property
    def leaves(self) -> dict[str, str | None]:
        """Selector → status of methods and calls, and of classes that failed by themselves."""
        return {
            str(each.selector): each.status
            for each in self.events
            if each.event == "finished"
            and (each.kind in ("method", "call") or each.status == "failed")
        }

    def finished(self, selector: str) -> jvmdebug.projects.TestEvent:
        (found,) = (
            each for each in self.events if each.event == "finished" and each.selector == selector
        )
        return found


async def results_of(opening: AbstractAsyncContextManager[jvmdebug.Session]) -> tuple[Heard, Any]:
    """Run the tests to their end; what was heard, and the exit code."""
    async with opening as session:
        heard = Heard(session)
        await session.start()
        await session.wait()
        return heard, session.exit_code


async def test_tests_of_all_frameworks_in_one_program(
    shop: Path, jdk: Jdk, agent_kind: AgentKind
) -> None:
    wanted = ("CartTest", "OldTest", "NgTest", "BrokenTest", "OddsTest")
    heard, exit_code = await results_of(
        jvmdebug.launch(project=shop, tests=wanted, java=jdk.home, agent=agent_kind)
    )
    assert exit_code == 1
    assert heard.leaves == {
        "shop.CartTest#adds": "passed",
        "shop.CartTest#removes": "failed",
        "shop.CartTest#prices[1]": "passed",
        "shop.CartTest#prices[2]": "failed",
        "shop.CartTest#prices[3]": "passed",
        "shop.CartTest#later": "skipped",
        "shop.CartTest#assumes": "skipped",
        "shop.CartTest$WhenEmpty#hasNoItems": "passed",
        "shop.OldTest#isOdd[1]": "passed",
        "shop.OldTest#isOdd[2]": "failed",
        "shop.OldTest#isOdd[3]": "passed",
        "shop.OldTest#waits[1]": "skipped",
        "shop.OldTest#waits[2]": "skipped",
        "shop.OldTest#waits[3]": "skipped",
        "shop.NgTest#adds": "passed",
        "shop.NgTest#odd[1]": "passed",
        "shop.NgTest#odd[2]": "failed",
        "shop.NgTest#odd[3]": "passed",
        "shop.NgTest#skips": "skipped",
        "shop.BrokenTest": "failed",
        "shop.OddsTest#testOne": "passed",
    }
    end = heard.events[-1]
    assert (end.event, end.counts) == ("end", {"passed": 10, "failed": 5, "skipped": 6})
    assert heard.events[0].event == "begin"
    assert heard.others[-2:] == ["Exited", "Ended"], "results come before the end"

    # The tree: ids name parents that have begun; the place of each test, and of its failure.
    begun = {each.id: each for each in heard.events if each.event == "started"}
    removes = heard.finished("shop.CartTest#removes")
    assert removes.name == "takes one \u2028 away"
    assert removes.seconds > 0
    assert begun[str(removes.parent)].selector == "shop.CartTest"
    call = heard.finished("shop.CartTest#prices[2]")
    calls = begun[str(call.parent)]
    assert (calls.kind, calls.method, calls.name) == ("calls", "prices", "prices(int)")
    assert removes.failure is not None
    assert removes.failure.message == "what is left ==> expected: <3> but was: <4>"
    assert (removes.failure.expected, removes.failure.actual) == ("3", "4")
    assert removes.failure.trace.startswith("org.opentest4j.AssertionFailedError: what is left")
    for marker, selector in (
        ("fails", "shop.CartTest#removes"),
        ("odd", "shop.CartTest#prices[2]"),
        ("old_odd", "shop.OldTest#isOdd[2]"),
        ("ng_odd", "shop.NgTest#odd[2]"),
        ("broken", "shop.BrokenTest"),
    ):
        failure = heard.finished(selector).failure
        assert failure is not None
        assert failure.file is not None
        assert (failure.file.name, failure.line) == line_of(shop, marker)
    skipped = {"later": "not yet", "assumes": "Assumption failed: no network"}
    for method, reason in skipped.items():
        assert heard.finished(f"shop.CartTest#{method}").reason == reason
    assert heard.finished("shop.NgTest#skips").reason == "not here"
    text = (shop / "src" / "shop" / "CartTest.java").read_text("utf-8").splitlines()
    assert removes.line is not None
    assert "void removes()" in text[removes.line - 1]


async def test_single_methods_and_single_calls(shop: Path, jdk: Jdk, agent_kind: AgentKind) -> None:
    wanted = (
        "shop.CartTest#adds",
        "CartTest#prices[2]",
        "OldTest#isOdd[3]",
        "NgTest#odd[2]",
        "shop.CartTest.WhenEmpty",
        "OddsTest#testOne",
    )
    heard, _ = await results_of(
        jvmdebug.launch(project=shop, tests=wanted, java=jdk.home, agent=agent_kind)
    )
    assert heard.leaves == {
        "shop.CartTest#adds": "passed",
        "shop.CartTest#prices[2]": "failed",
        "shop.OldTest#isOdd[3]": "passed",
        "shop.NgTest#odd[2]": "failed",
        "shop.CartTest$WhenEmpty#hasNoItems": "passed",
        "shop.OddsTest#testOne": "passed",
    }


async def test_a_test_is_debugged_and_started_again(
    shop: Path, jdk: Jdk, agent_kind: AgentKind
) -> None:
    name, line = line_of(shop, "odd")
    async with jvmdebug.launch(
        project=shop, tests=["CartTest#prices"], java=jdk.home, agent=agent_kind
    ) as session:
        heard = Heard(session)
        breakpoint_ = await session.break_at(f"{name}:{line}", condition="cents == 2")
        stop = await next_stop(session)
        assert await (await stop.frame.evaluate("cents")).as_text() == "2"
        assert heard.leaves == {"shop.CartTest#prices[1]": "passed"}, "told while it runs"
        await breakpoint_.remove()
        await session.restart()
        heard.events.clear()
        await session.start()
        await session.wait()
        assert session.exit_code == 1
    assert [each.event for each in heard.events][:: len(heard.events) - 1] == ["begin", "end"]
    assert list(heard.leaves.values()) == ["passed", "failed", "passed"]


async def test_a_program_that_ends_in_a_test_has_no_end_of_results(
    shop: Path, jdk: Jdk, agent_kind: AgentKind
) -> None:
    heard, exit_code = await results_of(
        jvmdebug.launch(project=shop, tests=["ExitTest"], java=jdk.home, agent=agent_kind)
    )
    assert exit_code == 7
    assert [each.event for each in heard.events] == ["begin", "started", "started"]


@pytest.mark.slow
async def test_junit_6(
    tmp_path: Path, jdk: Jdk, agent_kind: AgentKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Has the API alone on the class path, as most builds have it: the rest is found."""
    if maven() is None:
        pytest.skip("the test frameworks are fetched by Maven; no mvn here")
    jars = frameworks("junit-6")
    brought = ("junit-platform-launcher", "junit-platform-engine", "junit-jupiter-engine")
    home = tmp_path / "home"
    for jar in jars:
        artifact = jar.name.removesuffix("-6.0.1.jar")
        if artifact in brought:
            group = "jupiter" if "jupiter" in artifact else "platform"
            folder = home / ".m2/repository/org/junit" / group / artifact / "6.0.1"
            folder.mkdir(parents=True)
            (folder / jar.name).symlink_to(jar)
    api = tuple(each for each in jars if not each.name.startswith(brought))
    project = made_project(tmp_path / "shop", api, "CartTest")
    monkeypatch.setenv("HOME", str(home))
    heard, _ = await results_of(
        jvmdebug.launch(project=project, tests=["*"], java=jdk.home, agent=agent_kind)
    )
    assert heard.leaves["shop.CartTest#prices[2]"] == "failed"
    assert heard.events[-1].counts == {"passed": 4, "failed": 2, "skipped": 2}
