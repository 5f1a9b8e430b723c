# SPDX-License-Identifier: Apache-2.0
"""A `.java` program is restarted after its source was changed, so that it compiles or does not."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.dap_client import DapClient, Refused
from tests.support.debuggees import debuggee
from tests.support.process import OUTLIVING, java_processes

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.debuggees import Debuggee

    AttributesOf = Callable[[Debuggee], dict[str, Any]]

SOURCE = """public class Edited {
    static int rounds;
    public static void main(String[] args) throws Exception {
        System.out.print("first\\n");
        while (rounds >= 0) {
            rounds++;
            Thread.sleep(10);
        }
    }
}
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "Edited.java"
    path.write_text(SOURCE)
    return path


def write(source: Path, text: str) -> None:
    """What the user saves."""
    source.write_text(text)


async def begun(client: DapClient, attributes: AttributesOf, source: Path) -> int:
    """Launch it with a breakpoint in the loop, and wait for that; the thread."""
    given = attributes(debuggee("basics", "Hello"))
    asked = {name: given[name] for name in ("javaExec", "agent")}
    launched = await client.begin_debugging("launch", program=str(source), **asked)
    await client.set_lines(source, 6)
    await client.configured(launched)
    thread: int = (await client.event("stopped", reason="breakpoint"))["threadId"]
    return thread


def programs() -> set[int]:
    """The VMs that are debugged; the server that compiles for expressions may start meanwhile."""
    found = set()
    for pid in java_processes() - OUTLIVING:
        with contextlib.suppress(OSError):
            if b"JavacServer" not in Path(f"/proc/{pid}/cmdline").read_bytes():
                found.add(pid)
    return found


@pytest.mark.parametrize("is_stopped", [True, False])
async def test_a_syntax_error_leaves_the_old_program_as_it_was(
    client: DapClient, attributes: AttributesOf, source: Path, *, is_stopped: bool
) -> None:
    thread = await begun(client, attributes, source)
    (frame,) = await client.top_frames(thread)
    if not is_stopped:
        await client.set_lines(source)
        await client.request("continue", {"threadId": thread})
    before = programs()
    write(source, SOURCE.replace("rounds++;", "rounds++"))
    with pytest.raises(Refused) as refused:
        await client.request("restart")
    assert "Edited.java does not compile" in refused.value.error["format"]
    assert f"{source}:6: error: ';' expected" in refused.value.error["format"]
    assert refused.value.error["showUser"] is True
    assert programs() == before
    if not is_stopped:
        await client.request("pause", {"threadId": thread})
        await client.event("stopped", reason="pause")
    else:  # nothing that the client knows of the stop has become invalid
        value = await client.request(
            "evaluate", {"expression": "rounds", "frameId": frame["id"], "context": "repl"}
        )
        assert value["result"] == "0"
    assert client.bodies("terminated") == []

    # With the error mended the same request restarts it.
    write(source, SOURCE.replace("first", "second"))
    await client.set_lines(source, 6)
    await client.request("restart")
    await client.event("output", output="second\n")
    await client.event("stopped", reason="breakpoint")
    await client.request("disconnect")
    await client.closed()


async def test_stop_works_after_a_failed_restart(
    client: DapClient, attributes: AttributesOf, source: Path
) -> None:
    await begun(client, attributes, source)
    write(source, "no Java at all")
    with pytest.raises(Refused):
        await client.request("restart")
    await client.request("terminate")
    await client.event("exited", exitCode=143)
    await client.event("terminated")
    await client.request("disconnect")
    await client.closed()


async def test_a_program_that_ends_while_the_new_one_is_compiled_ends_the_session(
    client: DapClient, attributes: AttributesOf, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import jvmdebug  # noqa: PLC0415 - what the adapter calls is replaced

    await begun(client, attributes, source)
    ended = asyncio.Event()

    async def failing(request: jvmdebug.ProgramRequest, _progress: object) -> jvmdebug.JavaCommand:
        ended.set()
        async with asyncio.timeout(20):
            while java_processes() - OUTLIVING:  # noqa: ASYNC110 - of the adapter's child
                await asyncio.sleep(0.02)
        raise jvmdebug.LaunchError(f"{request.program} does not compile")

    monkeypatch.setattr(jvmdebug, "prepare", failing)
    restarted = client.begin("restart")
    await ended.wait()
    await client.request("terminate")
    with pytest.raises(Refused, match="does not compile"):
        await client.response(restarted)
    await client.event("exited")
    await client.event("terminated")


async def test_vscode_marks_the_error_of_a_program_that_does_not_compile(
    client: DapClient, attributes: AttributesOf, source: Path
) -> None:
    write(source, SOURCE.replace("rounds++;", "rounds++"))
    given = attributes(debuggee("basics", "Hello"))
    await client.initialize(clientID="vscode")
    with pytest.raises(Refused) as refused:
        await client.request("launch", {"program": str(source), "javaExec": given["javaExec"]})
    assert refused.value.error["showUser"] is False  # a dialog in VS Code
    (problem,) = (await client.event("jvmdebug/problems"))["problems"]
    assert (problem["path"], problem["line"], problem["isError"]) == (str(source), 6, True)
    assert problem["message"] == "';' expected"
    assert problem["column"] == len("            rounds++") + 1


async def test_vscode_is_told_why_nothing_was_started(client: DapClient, source: Path) -> None:
    await client.initialize(clientID="vscode")
    with pytest.raises(Refused, match="/nope/java") as refused:
        await client.request("launch", {"program": str(source), "javaExec": "/nope/java"})
    assert refused.value.error["showUser"] is False  # a dialog in VS Code
    told = await client.event("jvmdebug/notStarted")
    assert told["message"] in str(refused.value)


async def test_vscode_is_told_what_there_is_of_java(client: DapClient, tmp_path: Path) -> None:
    """A class for a newer Java than that which would run it: one sentence, and all that is here."""
    (tmp_path / "Main.class").write_bytes(b"\xca\xfe\xba\xbe\0\0\0\x8f")  # Java 99
    await client.initialize(clientID="vscode")
    asked = {"mainClass": "Main", "classPaths": [str(tmp_path)]}
    with pytest.raises(Refused, match="was compiled for Java 99"):
        await client.request("launch", asked)
    told = await client.event("jvmdebug/notStarted")
    assert told["message"].startswith("Main was compiled for Java 99, and the Java that was to run")
    assert "tried" not in told["message"]
    assert told["jdk"]["wanted"] == 99
    assert any(each.startswith("Java ") for each in told["jdk"]["tried"])


@pytest.mark.parametrize("is_saved", ["before", "with", "after"])
async def test_what_is_mended_after_a_refused_restart_is_replaced(
    client: DapClient, our_attributes: AttributesOf, source: Path, is_saved: str
) -> None:
    """The editor asks for the new code of each file that is saved; to restart saves, too."""
    await begun(client, our_attributes, source)
    asked = {"paths": [str(source)]}
    write(source, SOURCE.replace("rounds++;", "rounds++"))
    answers = []
    if is_saved == "before":
        answers.append(await client.request("jvmdebug/replaceSources", asked))
    restarted = client.begin("restart")
    if is_saved == "with":
        answers.append(await client.request("jvmdebug/replaceSources", asked))
    with pytest.raises(Refused, match="does not compile"):
        await client.response(restarted)
    if is_saved == "after":
        answers.append(await client.request("jvmdebug/replaceSources", asked))
    write(source, SOURCE.replace("rounds++;", "rounds += 2;"))
    body = await client.request("jvmdebug/replaceSources", asked)
    assert [each["outcome"] for each in body["classes"]] == ["redefined"]
    (problem,) = answers[0]["problems"]
    assert problem["message"] == "';' expected"


async def test_a_restart_that_vscode_asks_for_is_refused_by_an_event(
    client: DapClient, our_attributes: AttributesOf, source: Path
) -> None:
    """VS Code takes a failed request for the end of the session, and tells its extensions so."""
    given = our_attributes(debuggee("basics", "Hello"))
    asked = {"program": str(source), "javaExec": given["javaExec"]}
    await client.initialize(clientID="vscode")
    launched = client.begin("launch", asked)
    await client.event("initialized")
    await client.set_lines(source, 6)
    await client.configured(launched)
    await client.event("stopped", reason="breakpoint")
    await client.event("jvmdebug/problems", problems=[])
    before = programs()
    write(source, SOURCE.replace("rounds++;", "rounds++"))
    await client.request("restart", {"arguments": asked})
    (problem,) = (await client.event("jvmdebug/problems"))["problems"]
    assert problem["message"] == "';' expected"
    assert programs() == before
    assert client.bodies("terminated") == []
    # What the compiler has no part in has an event of its own.
    await client.request("restart", {"arguments": {**asked, "javaExec": "/nope/java"}})
    told = await client.event("jvmdebug/notStarted")
    assert "/nope/java" in told["message"]
    assert told["isRestart"] is True
    assert programs() == before
    write(source, SOURCE.replace("first", "second"))
    await client.request("restart", {"arguments": asked})
    await client.event("output", output="second\n")
    await client.event("stopped", reason="breakpoint")
    await client.request("disconnect")
    await client.closed()
