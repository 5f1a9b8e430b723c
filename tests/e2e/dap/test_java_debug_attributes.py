# SPDX-License-Identifier: Apache-2.0
"""A launch.json of java-debug: its project by a name, words in the class path, a launcher."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

import pytest

from tests.support import process
from tests.support.dap_client import Refused
from tests.support.jdks import newest_compiler
from tests.unit.projects.test_detection import write

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.dap_client import DapClient
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

MAIN = """\
package shop;

public class Main {
    public static void main(String[] args) {
        System.out.println("%s " + System.getenv("LAUNCHED"));
        System.out.println(System.getProperty("java.class.path"));
    }
}
"""


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two projects with a class of the same name."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("JAVA_HOME", str(newest_compiler().home))
    folder = tmp_path / "work space"
    for name in ("one", "two"):
        write(folder / name / ".classpath")
        write(folder / name / "src/shop/Main.java", MAIN % name)
        (folder / name / "lib").mkdir()
        for jar in ("old", "new"):
            zipfile.ZipFile(folder / name / f"lib/{jar}.jar", "w").close()
    write(folder / "two/test/shop/MainTest.java", "package shop; class MainTest { }")
    write(folder / "two/.project", "<projectDescription><name>second</name></projectDescription>")
    script = write(folder / "launch.sh", '#!/bin/sh\nLAUNCHED=yes\nexport LAUNCHED\nexec "$@"\n')
    script.chmod(0o755)
    return folder


async def test_the_project_that_is_named_runs(
    client: DapClient, workspace: Path, jdk: Jdk, agent_kind: AgentKind
) -> None:
    configuration = {
        "type": "java",
        "mainClass": "shop.Main",
        "projectName": "second",
        "cwd": str(workspace),
        "javaExec": str(jdk.java),
        "classPaths": ["first.jar", "$Test", "last.jar", "!two/lib/old.jar"],
        "linux": {"launcherScript": str(workspace / "launch.sh")},
        **process.launch_options(agent_kind),
    }
    launched = await client.begin_debugging("launch", **configuration)
    (breakpoint_,) = await client.set_lines(workspace / "two/src/shop/Main.java", 6)
    await client.configured(launched)
    stopped = await client.event("stopped", reason="breakpoint")
    assert stopped["hitBreakpointIds"] == [breakpoint_["id"]]
    (frame,) = await client.top_frames(stopped["threadId"])
    assert frame["source"]["path"] == str(workspace / "two/src/shop/Main.java")
    await client.request("continue", {"threadId": stopped["threadId"]})
    await client.event("exited", exitCode=0)
    first, class_path, _ = client.output("stdout").split("\n")
    assert first == "two yes"
    names = [each.rpartition("/")[2] for each in class_path.split(":")]
    assert (names[0], names[-1]) == ("first.jar", "last.jar")
    assert "new.jar" in names
    assert "old.jar" not in names
    assert any(each.startswith("test") for each in names), "the class path with the tests"
    assert "not used" not in client.output("console")


async def test_a_name_that_nothing_has_is_told(
    client: DapClient, workspace: Path, jdk: Jdk
) -> None:
    """The launch does what it would do without it."""
    await client.run(
        mainClass="shop.Main",
        projectName="three",
        cwd=str(workspace / "one"),
        javaExec=str(jdk.java),
    )
    await client.event("exited", exitCode=0)
    assert client.output("stdout").startswith("one null\n")
    assert "no project called three was found" in client.output("console")


async def test_a_launcher_that_does_not_exist(client: DapClient, workspace: Path, jdk: Jdk) -> None:
    with pytest.raises(Refused, match="cannot start /no/such/script: no such file or directory"):
        await client.begin_debugging(
            "launch",
            mainClass="shop.Main",
            cwd=str(workspace / "one"),
            javaExec=str(jdk.java),
            launcherScript="/no/such/script",
        )
