# SPDX-License-Identifier: Apache-2.0
"""What `jvmdebug doctor` says of machines that lack something."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug.attaching import LocalJvm
from jvmdebug.jdk import Jdk
from jvmdebug_cli import machine_checks
from jvmdebug_cli.machine_checks import Finding, findings

if TYPE_CHECKING:
    from pathlib import Path


def _made(folder: Path, release: int, *files: str, does: str = "exit 0") -> Jdk:
    """A Java runtime whose java is a script."""
    java = folder / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\n{does}\n")
    java.chmod(0o755)
    for each in files:
        (folder / each).parent.mkdir(parents=True, exist_ok=True)
        (folder / each).touch()
    return Jdk(folder, release)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    """A machine without anything on PATH."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(machine_checks, "all_jdks", list)
    monkeypatch.setattr(jvmdebug, "local_jvms", list)
    monkeypatch.setattr(machine_checks, "_ENGINES", {})
    return monkeypatch


def _of(subject: str) -> list[Finding]:
    return [each for each in findings() if each.subject == subject]


@pytest.mark.usefixtures("machine")
def test_a_machine_without_java() -> None:
    (java,) = _of("Java")
    assert java.state == "missing"
    assert java.text == "no Java runtime: nothing can be started"
    assert java.hint is not None
    assert "JAVA_HOME" in java.hint
    (agent,) = _of("agent")
    assert agent.state == "ok"
    assert agent.text.endswith(": not tried")
    assert [each.state for each in _of("build tools")] == ["note"]
    assert [each.state for each in _of("containers")] == ["note"]
    assert [each.state for each in _of("editors")] == ["note"]


def test_runtimes_that_lack_something(machine: pytest.MonkeyPatch, tmp_path: Path) -> None:
    old, bare = _made(tmp_path / "8", 8, "bin/javac"), _made(tmp_path / "21", 21)
    machine.setattr(machine_checks, "all_jdks", lambda: [old, bare])
    first, second = _of("Java")
    assert (first.state, first.hint) == ("note", "use Java 11 or later")
    assert second.text.endswith("21, no compiler, no sources of its classes (src.zip)")
    machine.setattr(machine_checks, "all_jdks", lambda: [bare])
    assert [each.state for each in _of("Java")] == ["ok", "missing"]


def test_a_runtime_that_does_not_load_the_agent(
    machine: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    does = "echo 'Error: libc.musl-x86_64.so.1: cannot open shared object file' >&2; exit 1"
    machine.setattr(machine_checks, "all_jdks", lambda: [_made(tmp_path / "m", 21, does=does)])
    (agent,) = _of("agent")
    assert agent.state == "missing"
    assert agent.text.endswith(": Error: libc.musl-x86_64.so.1: cannot open shared object file")
    assert agent.text.startswith(f"{tmp_path / 'm'} does not load ")


def test_no_agent(machine: pytest.MonkeyPatch, tmp_path: Path) -> None:
    machine.setenv("JVMDEBUG_AGENT", str(tmp_path / "none.so"))
    (agent,) = _of("agent")
    assert agent.state == "missing"
    assert "only the JDK's own agent" in agent.text


def test_jvms_of_others(machine: pytest.MonkeyPatch) -> None:
    theirs = LocalJvm(1, "shop.Main", "21", "tomcat", None, None)
    machine.setattr(jvmdebug, "local_jvms", lambda: [theirs])
    machine.setattr(machine_checks, "_user", lambda: "me")
    machine.setattr(os, "geteuid", lambda: 1000)
    (found,) = _of("attach by process id")
    assert found.text == "1 JVM runs; those of tomcat take no agent from me"
    assert found.hint == "run jvmdebug as the user of the JVM"


def test_a_folder_for_temporary_files_without_code(machine: pytest.MonkeyPatch) -> None:
    machine.setattr(machine_checks, "forbids_code", lambda _path, _mounts: True)
    first, second = _of("attach by process id")
    assert "mounted noexec" in first.text
    assert (first.state, second.state) == ("note", "ok")


def test_an_engine_of_containers_that_refuses(machine: pytest.MonkeyPatch, tmp_path: Path) -> None:
    place = tmp_path / "docker.sock"
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(place))  # nothing listens
        machine.setattr(machine_checks, "_ENGINES", {"Docker": (str(place),)})
        first, second = _of("containers")
        assert "Docker is there, and" in first.text
        assert "refused" in first.text.lower()
        assert second.state == "note"
        bound.listen()
        assert [each.text for each in _of("containers")] == [f"Docker ({place})"]
