# SPDX-License-Identifier: Apache-2.0
"""Finding a Java runtime, and choosing the agent for it, without starting anything."""

from __future__ import annotations

import os
import platform
from typing import TYPE_CHECKING

import pytest

from jvmdebug.errors import JdkError, LaunchError
from jvmdebug.jdk import Jdk, all_jdks, find_jdk
from jvmdebug.launch.agent_library import (
    AGENT_ENVIRONMENT_NAME,
    agent_option,
    choose_agent,
    choose_mode,
    launch_agent_path,
)
from tests.support.elf import AARCH64, GLIBC, X86_64, elf

if TYPE_CHECKING:
    from pathlib import Path


def runtime(home: Path, version: str = "17.0.15", *, stock: bool = True, javac: bool = True) -> Jdk:
    """A directory that looks like a Java runtime."""
    (home / "bin").mkdir(parents=True)
    (home / "lib").mkdir()
    for name in ("java", "javac") if javac else ("java",):
        (home / "bin" / name).touch(mode=0o755)
    if stock:
        (home / "lib" / "libjdwp.so").touch()
    (home / "release").write_text(f'IMPLEMENTOR="X"\nJAVA_VERSION="{version}"\n')
    return find_jdk(home)


def test_by_home_executable_and_name(tmp_path: Path) -> None:
    jdk = runtime(tmp_path / "jdk")
    assert jdk.feature_version == 17
    assert jdk.javac == tmp_path / "jdk" / "bin" / "javac"
    assert find_jdk(jdk.java) == jdk
    link = tmp_path / "bin" / "java"
    link.parent.mkdir()
    link.symlink_to(jdk.java)
    assert find_jdk(link) == jdk
    assert find_jdk("java", {"PATH": str(link.parent)}) == jdk


def test_another_program_beside_java_is_no_java(tmp_path: Path) -> None:
    jdk = runtime(tmp_path / "jdk")
    for name in ("sh", "javac"):
        other = jdk.java.with_name(name)
        other.touch(mode=0o755)
        with pytest.raises(LaunchError, match=f"{other} is neither a java executable"):
            find_jdk(other)


def script(path: Path, *lines: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]))
    path.chmod(0o755)
    return path


def test_a_script_is_the_runtime_that_it_runs(tmp_path: Path) -> None:
    """A script such as the shims of jenv, asdf and mise."""
    jdk = runtime(tmp_path / "jdk")
    told = f'echo "    java.home = {jdk.home}" >&2'
    shim = script(tmp_path / "shims" / "java", f'[ "$2" = -version ] && {told}')
    assert find_jdk(shim) == Jdk(jdk.home, jdk.feature_version, shim)
    assert find_jdk(shim).java == shim, "it may prepare something"
    assert find_jdk("java", {"PATH": str(shim.parent)}) == find_jdk(shim)
    other = find_jdk(script(tmp_path / "bin" / "java", told))
    assert other.home == jdk.home, "and not the folder above bin"


def test_a_script_in_a_runtime_is_its_java(tmp_path: Path) -> None:
    jdk = runtime(tmp_path / "jdk")
    jdk.java.unlink()
    script(jdk.java, "exit 1")
    assert find_jdk(jdk.java) == find_jdk(jdk.home) == jdk


def test_a_script_that_runs_no_java_is_none(tmp_path: Path) -> None:
    gone = script(tmp_path / "a" / "java", f'echo "    java.home = {tmp_path / "gone"}"')
    for each in (gone, script(tmp_path / "b" / "java", "echo hello")):
        with pytest.raises(LaunchError, match="is neither a java executable"):
            find_jdk(each)


def test_java_home_comes_before_path(tmp_path: Path) -> None:
    first, second = runtime(tmp_path / "a"), runtime(tmp_path / "b", "1.8.0_422", javac=False)
    env = {"JAVA_HOME": str(second.home), "PATH": str(first.home / "bin")}
    assert find_jdk(None, env) == second
    assert (second.feature_version, second.javac) == (8, None)
    assert find_jdk(None, {"PATH": str(first.home / "bin")}) == first


def test_folders_that_are_no_runtime(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for wrong in (tmp_path, tmp_path / "file", tmp_path / "none"):
        with pytest.raises(LaunchError, match="neither a java executable"):
            find_jdk(wrong)
    with pytest.raises(LaunchError, match="no executable named"):
        find_jdk("java", {"PATH": str(tmp_path)})


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that looks like our agent for this machine."""
    machine = {"x86_64": X86_64, "aarch64": AARCH64}.get(platform.machine(), 0)
    path = tmp_path / "libjvmdebug.so"
    path.write_bytes(elf(machine, GLIBC))
    monkeypatch.setenv(AGENT_ENVIRONMENT_NAME, str(path))
    return path


def test_auto_takes_ours_where_it_can_be_loaded(tmp_path: Path, library: Path) -> None:
    assert choose_agent("auto", runtime(tmp_path / "17")) == "jvmdebug"
    assert choose_agent("stock", runtime(tmp_path / "21", "21")) == "stock"
    old = runtime(tmp_path / "8", "1.8.0_1")
    assert choose_agent("auto", old) == "stock"
    with pytest.raises(LaunchError, match="JDK 11 or later"):
        choose_agent("jvmdebug", old)
    library.write_bytes(elf(1, GLIBC))
    assert choose_agent("auto", runtime(tmp_path / "25", "25")) == "stock"
    library.unlink()
    assert choose_agent("auto", runtime(tmp_path / "11", "11")) == "stock"
    bare = runtime(tmp_path / "bare", stock=False)
    with pytest.raises(LaunchError, match=r"no libjdwp\.so"):
        choose_agent("stock", bare)
    with pytest.raises(LaunchError, match="is not there"):
        choose_agent("auto", bare)
    with pytest.raises(LaunchError, match="is not a file"):
        launch_agent_path()


def test_the_option(library: Path) -> None:
    assert agent_option("127.0.0.1:5005", suspend=False) == (
        f"-agentpath:{library}=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:5005"
    )
    assert agent_option("5005", mode="fast").endswith(",address=5005,mode=fast")


@pytest.mark.parametrize(
    "address", ["5005", "0", "localhost:0", "[::1]:5", "[::1%lo]:5", "unix:/run/app"]
)
def test_addresses_to_listen_on(address: str, library: Path) -> None:
    del library
    assert agent_option(address).endswith(f",address={address.removeprefix('unix:')}")


@pytest.mark.parametrize(
    "address",
    ["foo", "", "65536", "-1", "host:", "a,b:1", "1,server=n", "unix:", "unix:/a,b"],
)
def test_what_is_no_address(address: str, library: Path) -> None:
    del library
    with pytest.raises(LaunchError, match=r"is not an address|should be the path"):
        agent_option(address)


def test_the_mode() -> None:
    assert choose_mode("auto", "jvmdebug") == "fast"
    assert choose_mode("full", "jvmdebug") == "full"
    assert choose_mode("auto", "jvmdebug", "off") == "full"
    assert choose_mode("fast", "jvmdebug", "off") == "fast"
    assert choose_mode("auto", "stock") == choose_mode("full", "stock") == "full"
    with pytest.raises(LaunchError, match="has no fast mode"):
        choose_mode("fast", "stock")


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The environment of somebody without any Java: no variable, an empty home and PATH."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setattr("jvmdebug.jdk_places._FOLDERS", ("~/.jdks",))
    return {"PATH": str(tmp_path / "empty"), "HOME": str(home)}


def test_none_is_one_sentence_and_all_that_was_tried(bare: dict[str, str]) -> None:
    with pytest.raises(JdkError) as failed:
        find_jdk(env={**bare, "JAVA_HOME": "/gone"})
    told = failed.value
    assert told.summary.count("no Java runtime found") == 1
    assert "\n" not in told.summary
    for place in ("JAVA_HOME: /gone", "PATH: no java", "SDKMAN: ", "jenv: ", "asdf: "):
        assert any(each.startswith(place) for each in told.tried), place
        assert place in str(told)
    assert told.wanted is None


@pytest.mark.parametrize(
    ("variable", "usual", "below"),
    [
        ("SDKMAN_DIR", ".sdkman", "candidates/java/21-tem"),
        ("JENV_ROOT", ".jenv", "versions/21"),
        ("ASDF_DATA_DIR", ".asdf", "installs/java/temurin-21"),
        ("MISE_DATA_DIR", ".local/share/mise", "installs/java/21"),
        ("GRADLE_USER_HOME", ".gradle", "jdks/adoptium-21"),
    ],
)
def test_what_installs_runtimes(
    tmp_path: Path, bare: dict[str, str], variable: str, usual: str, below: str
) -> None:
    home = tmp_path / "home" / usual / below
    home.parent.mkdir(parents=True)
    runtime(home, "21")
    assert find_jdk(env=bare).home == home
    moved = tmp_path / "moved"
    (tmp_path / "home" / usual).rename(moved)
    with pytest.raises(JdkError):
        find_jdk(env=bare)
    assert find_jdk(env={**bare, variable: str(moved)}).home == moved / below


def test_the_current_one_of_sdkman_comes_first(tmp_path: Path, bare: dict[str, str]) -> None:
    folder = tmp_path / "home/.sdkman/candidates/java"
    folder.mkdir(parents=True)
    chosen = runtime(folder / "17-tem")
    runtime(folder / "25-tem", "25")
    assert find_jdk(env=bare).feature_version == 25
    (folder / "current").symlink_to(chosen.home)
    assert find_jdk(env=bare) == chosen


def test_the_settings_come_first_and_further_ones_are_known(
    tmp_path: Path, bare: dict[str, str]
) -> None:
    for version in ("17", "21", "25", "24"):
        runtime(tmp_path / "jdks" / version, version)
    several = os.pathsep.join([str(tmp_path / "jdks/24"), str(tmp_path / "jdks")])
    env = {**bare, "JAVA_HOME": str(tmp_path / "jdks/17"), "JVMDEBUG_JDKS": several}
    assert find_jdk(env=env).feature_version == 17
    assert [each.feature_version for each in all_jdks(env)] == [17, 24, 25, 21]
    env["JVMDEBUG_JAVA_HOME"] = str(tmp_path / "jdks/21")
    assert find_jdk(env=env).feature_version == 21
    env["JVMDEBUG_JAVA_HOME"] = str(tmp_path)
    with pytest.raises(JdkError, match="that the settings name") as failed:
        find_jdk(env=env)
    assert failed.value.tried == (f"JVMDEBUG_JAVA_HOME: {tmp_path}",)


def test_those_of_toolchains(tmp_path: Path, bare: dict[str, str]) -> None:
    jdk = runtime(tmp_path / "a&b", "21")
    file = tmp_path / "home/.m2/toolchains.xml"
    file.parent.mkdir()
    entry = "<toolchain><configuration><jdkHome>\n {} </jdkHome></configuration></toolchain>"
    places = ["${env.PLACE}/a&amp;b", f"{tmp_path}/none"]
    hidden = f"<!-- {entry.format(runtime(tmp_path / 'hidden', '11').home)} -->"
    file.write_text(f"<toolchains>{hidden}{''.join(map(entry.format, places))}</toolchains>")
    assert all_jdks({**bare, "PLACE": str(tmp_path)}) == [jdk]
