# SPDX-License-Identifier: Apache-2.0
"""What selects a test selects no other one, and brings the tests that it depends on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug_cli.main import main
from tests.e2e.testing.conftest import made_project
from tests.e2e.testing.test_frameworks import Heard, results_of
from tests.support.libraries import frameworks, maven
from tests.support.matrix import has_all_sets

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

JUPITER = "[engine:junit-jupiter]/[class:quay.CratesTest]"
TESTNG = "[engine:testng]/[class:quay.FleetTest]"
JUNIT4 = "[engine:junit4]/[class:quay.OldCratesTest]"


@pytest.fixture(scope="module")
def quay(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if maven() is None:
        pytest.skip("the test frameworks are fetched by Maven; no mvn here")
    return made_project(tmp_path_factory.mktemp("quay") / "quay", frameworks(), package="quay")


async def run(project: Path, jdk: Jdk, agent_kind: AgentKind, *tests: str) -> Heard:
    heard, _ = await results_of(
        jvmdebug.launch(project=project, tests=tests, java=jdk.home, agent=agent_kind)
    )
    return heard


@pytest.mark.parametrize(
    ("named", "leaves"),
    [
        ("leave", {"read": "passed", "plan": "passed", "leave": "passed"}),
        ("anchor", {"read": "passed", "anchor": "passed"}),
        ("sounds[2]", {"read": "passed", "sounds[2]": "failed"}),
        ("never", {"strands": "failed", "never": "skipped"}),
        ("rings[2]", {"rings[2]": "passed"}),
        ("rings", {"rings[1]": "passed", "rings[2]": "failed", "rings[3]": "passed"}),
        ("nope", {"nope": "failed"}),
    ],
)
async def test_a_method_of_testng_runs_with_what_it_depends_on(
    quay: Path, jdk: Jdk, agent_kind: AgentKind, named: str, leaves: dict[str, str]
) -> None:
    heard = await run(quay, jdk, agent_kind, f"TideTest#{named}")
    assert heard.leaves == {f"quay.TideTest#{name}": status for name, status in leaves.items()}


async def test_a_method_of_testng_runs_with_what_it_needs_in_another_class(
    quay: Path, jdk: Jdk, agent_kind: AgentKind
) -> None:
    heard = await run(quay, jdk, agent_kind, "TideTest#passes")
    assert heard.leaves == {
        "quay.LockTest#fills": "passed",
        "quay.LockTest#opens": "passed",
        "quay.TideTest#passes": "passed",
    }


async def test_the_instances_of_a_factory_have_names_and_run_alone(
    quay: Path, jdk: Jdk, agent_kind: AgentKind
) -> None:
    heard = await run(quay, jdk, agent_kind, "FleetTest")
    named = {each.name: each for each in heard.events if each.event == "finished"}
    ships = {"[1] ship 1", "[2] ship 2", "[3] ship 3"}
    assert {name for name in named if name.startswith("[")} == ships | {"[1] [a]", "[2] [b]"}
    assert {"carries on ship 1", "carries on ship 2", "carries on ship 3"} < set(named)
    failed = sorted(name for name, status in heard.leaves.items() if status == "failed")
    carried = f"{TESTNG}/[instance:2]/[method:carries(java.lang.String)]/[call:2]"
    assert failed == [carried, "quay.FleetTest#floats[2]"]
    for each in failed:
        heard = await run(quay, jdk, agent_kind, each)
        assert heard.leaves == {each: "failed"}
    heard = await run(quay, jdk, agent_kind, "FleetTest#sails[3]")
    assert heard.leaves == {
        "quay.FleetTest#floats[3]": "passed",
        "quay.FleetTest#sails[3]": "passed",
    }


async def test_tests_that_have_the_same_method_and_number_run_alone(
    quay: Path, jdk: Jdk, agent_kind: AgentKind
) -> None:
    heard = await run(quay, jdk, agent_kind, "CratesTest", "OldCratesTest")
    failed = sorted(name for name, status in heard.leaves.items() if status == "failed")
    assert failed == [
        f"{JUPITER}/[method:opens(org.junit.jupiter.api.TestInfo)]",
        f"{JUPITER}/[test-factory:stacks()]/[dynamic-container:#2]/[dynamic-test:#2]",
        f"{JUPITER}/[test-template:weighs(int)]/[test-template-invocation:#2]",
        f"{JUNIT4}/[test:isPacked(quay.OldLeftTest)]",
        f"{JUNIT4}/[test:isPacked(quay.OldRightTest)]",
    ]
    assert len(heard.leaves) == 14
    for each in failed:
        heard = await run(quay, jdk, agent_kind, each)
        assert heard.leaves == {each: "failed"}


@pytest.fixture
def own_quay(tmp_path: Path) -> Path:
    """A project whose sources a test edits."""
    if maven() is None:
        pytest.skip("the test frameworks are fetched by Maven; no mvn here")
    names = ("CratesTest", "TideTest", "LockTest")
    return made_project(tmp_path / "quay", frameworks(), *names, package="quay")


@pytest.fixture
def command(
    own_quay: Path,
    jdk: Jdk,
    agent_kind: AgentKind,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[..., tuple[set[str], str]]:
    """`jvmdebug test --json` in the project: the selectors of what was run, and standard error."""
    del agent_kind
    monkeypatch.chdir(own_quay)

    def call(*arguments: str) -> tuple[set[str], str]:
        capsys.readouterr()
        main(["test", "--java", str(jdk.home), "--json", *arguments])
        said = capsys.readouterr()
        events = [json.loads(each) for each in said.out.splitlines()]
        ran = (each for each in events if each["event"] == "finished")
        return {each["selector"] for each in ran if each["kind"] in ("method", "call")}, said.err

    return call


def test_failed_runs_exactly_what_failed_and_remembers_what_it_did_not_run(
    own_quay: Path, command: Callable[..., tuple[set[str], str]]
) -> None:
    right = f"{JUPITER}/[test-factory:stacks()]/[dynamic-container:#2]/[dynamic-test:#2]"
    two = f"{JUPITER}/[test-template:weighs(int)]/[test-template-invocation:#2]"
    opens = f"{JUPITER}/[method:opens(org.junit.jupiter.api.TestInfo)]"
    command("CratesTest", "TideTest#strands", "TideTest#read")
    assert command("--failed")[0] == {right, two, opens, "quay.TideTest#strands"}
    source = own_quay / "src" / "quay" / "CratesTest.java"
    text = source.read_text("utf-8")
    source.write_text(text.replace("assertNotEquals(2, kilos)", "assertNotEquals(9, kilos)"))
    command("CratesTest#weighs")
    (own_quay / "src" / "quay" / "TideTest.java").unlink()
    ran, said = command("--failed")
    assert ran == {right, opens}
    assert "quay.TideTest#strands is no longer there" in said
    if not has_all_sets():
        return
    source.write_text(text.replace("void opens(TestInfo info)", "void closes(TestInfo info)"))
    assert command("CratesTest")[0] > {right, two}
    assert command("--failed")[0] == {right, two}


def test_tests_that_a_program_did_not_reach_stay_remembered(
    own_quay: Path, command: Callable[..., tuple[set[str], str]]
) -> None:
    source = own_quay / "src" / "quay" / "EndsTest.java"
    first = "if (true) throw new Error();"
    text = f"""package quay;
    import org.junit.jupiter.api.*;
    @TestMethodOrder(MethodOrderer.MethodName.class)
    class EndsTest {{
        @Test void a() {{ {first} }}
        @Test void b() {{ if (true) throw new Error(); }}
    }}"""
    source.write_text(text, "utf-8")
    command("EndsTest")
    source.write_text(text.replace(first, "Runtime.getRuntime().halt(5);"), "utf-8")
    command("--failed", "--build", "always")
    source.write_text(text.replace(first, ""), "utf-8")
    assert command("--failed")[0] == {"quay.EndsTest#a", "quay.EndsTest#b"}
