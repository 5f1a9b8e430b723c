# SPDX-License-Identifier: Apache-2.0
"""The fixtures, and what a report says of their sessions. Loaded by pytest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

    from jvmdebug_pytest.java_project import MakeJavaProject
    from jvmdebug_pytest.sessions import OpenSession, Sessions

_SESSIONS: pytest.StashKey[Sessions] = pytest.StashKey()


@pytest.fixture
def java_project(tmp_path: Path) -> MakeJavaProject:
    """Makes a Java project for the test: `java_project({"shop/Cart.java": "..."})`, or of the
    sources in a folder, `java_project("src/main/java", class_path=["lib/gson.jar"])`, or of a
    Maven or Gradle build, `java_project(".")`.

    The result is compiled with all debug information: `.class_path`, `.source_path`; `.write` and
    `.compile` change it. CompilationError with the compiler's messages.
    """
    from jvmdebug_pytest.java_project import MakeJavaProject  # noqa: PLC0415 - see the package

    return MakeJavaProject(tmp_path / "java")


@pytest.fixture
def jvmdebug_session(request: pytest.FixtureRequest) -> Iterator[OpenSession]:
    """Opens sessions of `jvmdebug.sync`: `jvmdebug_session("shop.Main", project=project)`.

    Takes what `jvmdebug.launch` takes. They are closed when the test ends. A report of the test
    has what their programs wrote, and if it failed what their threads did.
    """
    from jvmdebug_pytest.sessions import OpenSession, Sessions  # noqa: PLC0415 - see the package

    sessions = Sessions()
    request.node.stash[_SESSIONS] = sessions
    yield OpenSession(sessions)
    sessions.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add to the report what is known of the test's programs, while they are there."""
    report = yield
    sessions = item.stash.get(_SESSIONS, None)
    if sessions is not None and call.when == "call":
        report.sections += sessions.sections(is_failed=report.failed)
    return report
