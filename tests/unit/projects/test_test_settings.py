# SPDX-License-Identifier: Apache-2.0
"""Tests what Surefire's configuration becomes, and which classes its patterns mean."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jvmdebug.projects import TestSettings
from jvmdebug.projects.surefire import TestModule, runs_of, settings_of
from jvmdebug.projects.test_settings import ClassFilter

KEY = "maven-surefire-plugin default-test"
DEPENDENCIES = (
    ("compile", "/r/io.jar", "org.io:io:jar::1"),
    ("test", "/r/junit.jar", "org.junit:junit:jar:fast:2"),
    ("provided", "/r/servlet.jar", "javax:servlet:jar::3"),
)


def settings(
    *lines: tuple[str, str],
    folder: Path = Path("/m"),
    plugin: str = "maven-surefire-plugin",
    version: str = "3.2.5",
) -> TestSettings:
    outputs = (folder / "target/test-classes", folder / "target/classes")
    module = TestModule(folder, outputs, DEPENDENCIES, [("stage", "it")], "/r")
    reported = [(KEY, path, value) for path, value in lines]
    (run,) = runs_of([(KEY, plugin, version, "default-test")], reported)
    return settings_of(run, module)


def properties_of(found: TestSettings) -> dict[str, str]:
    prefix = "--property="
    given = (each for each in found.runner_options if each.startswith(prefix))
    return dict(each.removeprefix(prefix).split("=", 1) for each in given)


def test_what_is_always_set() -> None:
    found = settings()
    path = os.pathsep.join(map(str, found.class_path or ()))
    assert (found.vm_args, properties_of(found)) == (
        (),
        {
            "stage": "it",
            "basedir": "/m",
            "localRepository": "/r",
            **dict.fromkeys(("surefire.test.class.path", "surefire.real.class.path"), path),
        },
    )
    assert (found.name, found.has_assertions, found.folder) == ("surefire default-test", True, None)
    names = [each.name for each in found.class_path or ()]
    assert names == ["test-classes", "classes", "io.jar", "junit.jar", "servlet.jar"]
    assert found.not_applied == ()
    assert TestSettings.from_json(found.to_json()) == found


def test_the_line_of_arguments() -> None:
    line = "-Xmx1g -Dname='a b' \"-Dother=c\\d\" -Dn=${surefire.forkNumber} @{late} -Dw=${none}"
    found = settings(("argLine", f"{line} -agentlib:jdwp=server=y"))
    assert found.vm_args[:5] == ("-Xmx1g", "-Dname=a b", "-Dother=c\\d", "-Dn=1", "-Dw=${none}")
    assert found.not_applied == (
        "argLine: @{late} is left out, as @{late} has no value",
        "argLine: ${none} in -Dw=${none} has no value",
        "argLine: -agentlib:jdwp=server=y is left out, as there is one debugger already",
    )
    agent = settings(
        ("argLine", "-javaagent:${org.io:io:jar} -javaagent:@{org.junit:junit:jar:fast}")
    )
    assert agent.vm_args[:2] == ("-javaagent:/r/io.jar", "-javaagent:/r/junit.jar")
    assert settings(("argLine", "-Xmx1g"), ("forkCount", "0")).vm_args == ()


def test_what_a_plugin_sets_later_is_named() -> None:
    found = settings(
        ("systemPropertyVariables/port", "${free.port}"),
        ("environmentVariables/URL", "http://localhost:@{free.port}/"),
    )
    assert found.not_applied == (
        "systemPropertyVariables: ${free.port} has no value before the build has run, for port",
        "environmentVariables: @{free.port} has no value before the build has run, for URL",
    )


def test_properties_and_variables(tmp_path: Path) -> None:
    tmp_path.joinpath("a.properties").write_text("# no\na=file\nb : 2\\\n 3\nempty\n")
    found = settings(
        ("systemPropertiesFile", "a.properties"),
        ("systemProperties/property/name", "old"),
        ("systemProperties/property/value", "1"),
        ("systemPropertyVariables/a", "1 2"),
        ("systemPropertyVariables/stage", "unit"),
        ("environmentVariables/HARBOUR", "north"),
        ("excludedEnvironmentVariables/excludedEnvironmentVariable", "SECRET"),
        ("workingDirectory", "work"),
        folder=tmp_path,
    )
    properties = properties_of(found)
    del properties["basedir"], properties["localRepository"]
    del properties["surefire.test.class.path"], properties["surefire.real.class.path"]
    assert properties == {"old": "1", "b": "23", "empty": "", "a": "1 2", "stage": "it"}
    assert dict(found.environment) == {"SECRET": None, "HARBOUR": "north"}
    assert found.folder == tmp_path / "work"


@pytest.mark.parametrize(
    ("excluded", "left"),
    [
        ("org.io:io", ["junit.jar", "servlet.jar"]),
        ("org.*:*", ["servlet.jar"]),
        ("org.junit:junit:jar:fast,javax:servlet:jar:3", ["io.jar"]),
        ("org.io:other", ["io.jar", "junit.jar", "servlet.jar"]),
    ],
)
def test_the_class_path(excluded: str, left: list[str]) -> None:
    found = settings(
        ("classpathDependencyExcludes/classpathDependencyExclude", excluded),
        ("additionalClasspathElements", "/x,extra"),
    )
    names = [each.name for each in found.class_path or ()]
    assert names == ["test-classes", "classes", *left, "x", "extra"]
    assert (found.class_path or ())[-1] == Path("/m/extra")


def test_a_scope_is_left_out() -> None:
    found = settings(("classpathDependencyScopeExclude", "runtime"))
    assert [each.name for each in found.class_path or ()][2:] == ["junit.jar", "servlet.jar"]


def test_groups_forks_and_what_is_not_applied() -> None:
    found = settings(
        ("groups", "fast & !broken, smoke"),
        ("excludedGroups", "slow"),
        ("reuseForks", "false"),
        ("parallel", "methods"),
        ("includes/include", "**/A*.java,%regex[p.B{1,2}Test.*]"),
        ("includes/include", "!**/AX*"),
        ("properties/configurationParameters", "a.b = 1 c.d=x y"),
        ("properties/property/name", "listener"),
        ("properties/property/value", "a.Listener"),
        ("skipTests", "true"),
        ("enableAssertions", "false"),
    )
    options = (each for each in found.runner_options if not each.startswith("--property="))
    assert tuple(options) == (
        *("--include-group=fast & !broken", "--include-group=smoke", "--exclude-group=slow"),
        *("--parameter=a.b=1", "--parameter=c.d=x y"),
    )
    assert found.is_forked_each
    assert found.is_skipped
    assert not found.has_assertions
    assert found.not_applied == (
        "parallel (methods): tests run one after the other",
        "property of the framework listener (a.Listener)",
    )
    names = ("p.ATest", "p.AXTest", "p.BBTest", "p.BBBTest", "p.A$In")
    assert [each for each in names if found.has(each)] == ["p.ATest", "p.BBTest"]


@pytest.mark.parametrize(
    ("plugin", "version", "names"),
    [
        ("maven-surefire-plugin", "3.2.5", ["TestA", "ATest", "ATests", "ATestCase"]),
        ("maven-surefire-plugin", "2.12.4", ["TestA", "ATest", "ATestCase"]),
        ("maven-failsafe-plugin", "3.2.5", ["ITA", "AIT", "AITCase"]),
    ],
)
def test_the_usual_names(plugin: str, version: str, names: list[str]) -> None:
    found = settings(plugin=plugin, version=version)
    all_names = ("TestA", "ATest", "ATests", "ATestCase", "ITA", "AIT", "AITCase", "Other")
    assert [each for each in all_names if found.has(f"p.q.{each}")] == names
    assert found.is_usual is (plugin == "maven-surefire-plugin")


@pytest.mark.parametrize(
    ("pattern", "matches", "not_matches"),
    [
        ("**/*Test.java", "a.b.CTest", "a.b.CTests"),
        ("**/b/*", "a.b.C", "a.b.c.C"),
        ("a/b/**", "a.b.c.C", "a.c.C"),
        ("a.b.CTest", "a.b.CTest", "a.b.DTest"),
        ("CTest.java", "a.b.CTest", "a.b.XCTest"),
        ("a/b/", "a.b.c.C", "a.C"),
        ("%ant[**/C?Test.class]", "a.CxTest", "a.CTest"),
        ("%regex[.*/C[xy].class]", "a.Cx", "a.Cz"),
    ],
)
def test_patterns_of_files(pattern: str, matches: str, not_matches: str) -> None:
    found = ClassFilter((pattern,))
    assert found.has(matches)
    assert not found.has(not_matches)
    assert not ClassFilter((), (pattern,)).has(matches)


@pytest.mark.parametrize(
    ("pattern", "matches", "not_matches"),
    [
        ("*IntegrationTest", "a.b.CIntegrationTest", "a.b.CTest"),
        ("a.b.*", "a.b.c.C", "a.c.C"),
        ("CTest", "a.b.CTest", "a.b.XCTest"),
    ],
)
def test_patterns_of_names(pattern: str, matches: str, not_matches: str) -> None:
    found = ClassFilter((pattern,), kind="names")
    assert found.has(matches)
    assert not found.has(not_matches)
