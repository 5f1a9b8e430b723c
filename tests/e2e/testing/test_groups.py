# SPDX-License-Identifier: Apache-2.0
"""Groups that a build includes or excludes hold in each framework, but not for what is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug.projects import TestSettings
from jvmdebug.projects.testing import selection
from tests.e2e.testing.conftest import made_project
from tests.e2e.testing.test_frameworks import results_of
from tests.support.libraries import frameworks, maven

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

CLASSES = ("GroupedTest", "MarkedTest", "TaggedTest")


@pytest.fixture(scope="module")
def quay(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if maven() is None:
        pytest.skip("the test frameworks are fetched by Maven; no mvn here")
    folder = tmp_path_factory.mktemp("groups") / "quay"
    return made_project(folder, frameworks(), *CLASSES, package="quay")


@pytest.mark.parametrize(
    ("options", "named", "ran"),
    [
        (("--exclude-group=Slow",), CLASSES, {f"{each}#plain" for each in CLASSES}),
        (("--include-group=Slow",), CLASSES, {f"{each}#slow" for each in CLASSES}),
        (("--include-group=None",), CLASSES, set()),
        (
            ("--exclude-group=Slow",),
            tuple(f"{each}#slow" for each in CLASSES),
            {f"{each}#slow" for each in CLASSES},
        ),
    ],
)
async def test_groups_of_the_build(
    quay: Path,
    jdk: Jdk,
    agent_kind: AgentKind,
    monkeypatch: pytest.MonkeyPatch,
    options: tuple[str, ...],
    named: tuple[str, ...],
    ran: set[str],
) -> None:
    settings = TestSettings("of a build", runner_options=options)
    monkeypatch.setattr(selection, "_settings", lambda *_, **__: settings)
    monkeypatch.setattr("jvmdebug.projects.testing.program._newest", lambda _, group, __: group)
    heard, exit_code = await results_of(
        jvmdebug.launch(project=quay, tests=named, java=jdk.home, agent=agent_kind)
    )
    assert heard.leaves == {f"quay.{each}": "passed" for each in ran}
    assert exit_code == 0
