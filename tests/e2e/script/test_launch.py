# SPDX-License-Identifier: Apache-2.0
"""Launching, attaching, detaching and ending real programs."""

from __future__ import annotations

import asyncio
import os
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug import LaunchError, ProgramRequest, SessionState, StopReason
from jvmdebug.jdk import Jdk as LaunchJdk
from tests.e2e.script.test_stops import until
from tests.support.listening import is_running
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from jvmdebug import Output
    from tests.conftest import StartJvm
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind, Jvm


def left_in(folder: Path) -> list[str]:
    """What compiling a single file leaves, while the program runs and afterwards."""
    return [path.name for path in folder.iterdir()]


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary directories of this test alone."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


async def test_output_is_split_complete_and_before_the_exit(launch: Launch) -> None:
    events: list[jvmdebug.SessionEvent] = []
    async with launch("basics", "Hello", args=["42"]) as session:
        session.subscribe(events.append)
        assert await session.next_stop(timeout_s=20) is None
        assert session.exit_code == 42
        assert await session.wait() == 42
    received = [
        e for e in events if isinstance(e, jvmdebug.Output | jvmdebug.Exited | jvmdebug.Ended)
    ]
    assert "".join(e.text for e in received if isinstance(e, jvmdebug.Output)) in (
        "hello\nto stderr\n",
        "to stderr\nhello\n",
    )
    assert jvmdebug.Output("stderr", "to stderr\n") in received
    assert received[-2:] == [jvmdebug.Exited(42), jvmdebug.Ended(jvmdebug.EndReason.EXITED)]


async def test_input_arguments_properties_environment_directory_encoding(
    launch: Launch, tmp_path: Path
) -> None:
    written: list[Output] = []
    async with launch(
        "script",
        "Echo",
        args=["one two", 'qu"ote', "$HOME", ""],
        vm_args=["-Decho.property=a b"],
        env={"ECHO_ENV": "grün"},
        cwd=tmp_path,
        encoding="utf-8",
        stdin="pipe",
        on_output=written.append,
    ) as session:
        await session.start()
        await session.write_stdin("first ä\nsecond\n")
        await session.write_stdin(None)
        assert await session.wait() == 0
    assert "".join(piece.text for piece in written).splitlines() == [
        "read first ä",
        "read second",
        "arg [one two]",
        'arg [qu"ote]',
        "arg [$HOME]",
        "arg []",
        "property [a b]",
        "env [grün]",
        f"cwd [{tmp_path}]",
        "no line end: ä",
    ]


async def test_a_single_file_is_compiled_and_cleaned_up(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path, temporary: Path
) -> None:
    source = tmp_path / "src" / "pack" / "Single.java"
    source.parent.mkdir(parents=True)
    source.write_text(
        "package pack;\n"
        "class Helper { static int twice(int n) { return 2 * n; } }\n"
        "public class Single {\n"
        "    public static void main(String[] args) {\n"
        "        int value = Helper.twice(Other.VALUE);\n"
        "        System.out.println(value);\n"
        "    }\n"
        "}\n"
    )
    (source.parent / "Other.java").write_text(
        "package pack;\nclass Other { static int VALUE = 4; }\n"
    )
    async with jvmdebug.launch(program=source, java=jdk.java, agent=agent_kind) as session:
        assert left_in(temporary)
        await session.break_at(f"{source}:6")
        await session.break_at("pack.Helper#twice", once=True)
        stop = await next_stop(session)
        assert stop.frame.location == "pack.Helper.twice(Single.java:2)"
        found = await stop.frame.source()
        assert found is not None
        assert found.path == source
        await stop.resume()
        stop = await next_stop(session)
        assert stop.frame.location == "pack.Single.main(Single.java:6)"
        assert str((await stop.frame.get("value")).value) == "8"
    assert left_in(temporary) == []


async def test_source_launch_mode_without_a_compiler(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not jdk.has_javac:  # nor the module that the launcher compiles with
        pytest.skip(f"the Java {jdk.version} runtime here has no compiler")
    monkeypatch.setattr(LaunchJdk, "javac", None)
    source = tmp_path / "Lonely.java"
    source.write_text(
        "public class Lonely {\n"
        "    public static void main(String[] args) {\n"
        '        System.out.println("alone " + args[0]);\n'
        "    }\n"
        "}\n"
    )
    written: list[str] = []
    async with jvmdebug.launch(
        program=source,
        args=["here"],
        java=jdk.java,
        agent=agent_kind,
        on_output=lambda piece: written.append(piece.text),
    ) as session:
        await session.break_at(f"{source}:3")
        stop = await next_stop(session)
        assert stop.frame.location == "Lonely.main(Lonely.java:3)"
        await stop.resume()
        assert await session.wait() == 0
    assert written == ["alone here\n"]


async def test_a_single_file_that_does_not_compile(
    jdk: Jdk, tmp_path: Path, temporary: Path
) -> None:
    source = tmp_path / "Wrong.java"
    source.write_text("class Wrong { int x = nothing; }\n")
    with pytest.raises(LaunchError, match=r"Wrong\.java does not compile:\n.*cannot find symbol"):
        async with jvmdebug.launch(str(source), java=jdk.java):
            pytest.fail("it cannot start")
    assert left_in(temporary) == []


async def test_the_port_may_be_written_with_the_host() -> None:
    with pytest.raises(LaunchError, match="cannot attach to localhost:1: nothing listens"):
        async with jvmdebug.attach("localhost:1", timeout_s=5):
            pytest.fail("nobody is there")


async def test_a_jar_with_stop_on_entry(jdk: Jdk, agent_kind: AgentKind, tmp_path: Path) -> None:
    program = compiled("shop", "shop.Main", jdk)
    jar = tmp_path / "shop.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nMain-Class: shop.Main\n\n")
        for path in program.class_path[0].rglob("*.class"):
            archive.write(path, path.relative_to(program.class_path[0]))
    async with jvmdebug.launch(
        program=jar, java=jdk.java, agent=agent_kind, stop_on_entry=True
    ) as session:
        stop = await next_stop(session)
        assert stop.reason is StopReason.ENTRY
        assert stop.frame.line == program.marker("main-first")
        assert stop.breakpoints == session.breakpoints == ()
        await stop.resume()
        assert await session.wait() == 7


async def test_a_failed_launch_gives_its_reason(jdk: Jdk, tmp_path: Path) -> None:
    agent = "stock" if jdk.has_jdwp else "jvmdebug"

    async def failure(**options: object) -> str:
        with pytest.raises(LaunchError) as caught:
            async with jvmdebug.launch(**{"agent": agent, "java": jdk.java} | options):  # type: ignore[arg-type]
                pytest.fail("it cannot start")
        return str(caught.value)

    assert "exactly one of main_class, program, module" in await failure()
    assert "main_class and module" in await failure(main_class="A", module="m")
    assert f"no file {tmp_path}/none.jar: name" in await failure(program=tmp_path / "none.jar")
    assert "neither a .java nor a .jar" in await failure(program=Path(__file__))
    assert "neither a java executable" in await failure(main_class="A", java=tmp_path)
    assert "neither a java executable" in await failure(main_class="A", java="/bin/sh")
    assert "is not a directory" in await failure(main_class="A", cwd=tmp_path / "none")
    assert f"{tmp_path} is a directory: name a class" in await failure(module=str(tmp_path))
    assert "no class no.Such on the class path, which is ." in await failure(main_class="no.Such")
    text = await failure(main_class="java.lang.Object", vm_args=["-XX:+NoSuchOption"])
    assert "exit code 1" in text
    assert "NoSuchOption" in text


async def test_a_class_that_the_vm_does_not_find_ends_with_its_message(launch: Launch) -> None:
    written: list[Output] = []
    args = ["--class-path=/nowhere"]  # not what `class_path` says, so only the VM knows
    async with launch("basics", "Hello", on_output=written.append) as session:
        assert session.state is SessionState.HELD
    async with jvmdebug.launch(
        "no.Such", vm_args=args, agent="stock", on_output=written.append
    ) as session:
        assert await session.next_stop(timeout_s=20) is None
        assert session.exit_code == 1
    assert any(p.stream == "stderr" and "no.Such" in p.text for p in written)


async def test_leaving_while_stopped_ends_the_program(launch: Launch) -> None:
    async with launch("script", "Spin") as session:
        await session.break_at("Spin#round")
        assert await session.next_stop(timeout_s=20) is not None
        pid = session.pid
        assert pid is not None
        assert is_running(pid)
    assert not is_running(pid)


async def test_leaving_by_an_error_ends_the_program(launch: Launch) -> None:
    pids: list[int | None] = []

    async def fail() -> None:
        async with launch("script", "Spin") as session:
            await session.start()
            pids.append(session.pid)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    (pid,) = pids
    assert pid is not None
    assert not is_running(pid)


async def test_terminate_runs_shutdown_hooks(launch: Launch) -> None:
    written: list[str] = []
    async with launch(
        "script", "Spin", on_output=lambda piece: written.append(piece.text)
    ) as session:
        await session.break_at("Spin#round")
        await next_stop(session)
        await session.terminate()
        assert session.exit_code == 143
        assert session.state is SessionState.ENDED
    assert "".join(written) == "spinning\nhook ran\n"


async def test_terminate_kills_a_program_that_does_not_exit(launch: Launch) -> None:
    events: list[jvmdebug.SessionEvent] = []
    async with launch("script", "Spin", args=["forever"]) as session:
        session.subscribe(events.append)
        await session.start()
        await until(session, "spinning")
        await session.terminate(grace_s=0.2)
        assert session.exit_code == -9
    text = "the program did not end within 0.2 s of SIGTERM, so it was killed"
    assert events[-1] == jvmdebug.Ended(jvmdebug.EndReason.EXITED, text)


async def test_detach_lets_the_program_go_on(launch: Launch) -> None:
    events: list[jvmdebug.SessionEvent] = []
    pid: int | None = None
    try:
        async with launch("script", "Spin") as session:
            session.subscribe(events.append)
            await session.break_at("Spin#round")
            stop = await next_stop(session)
            pid = session.pid
            await session.detach()
            assert not stop.is_current
            assert session.state is SessionState.ENDED
        assert events[-1] == jvmdebug.Ended(jvmdebug.EndReason.DETACHED)
        assert pid is not None
        assert is_running(pid)
    finally:
        if pid is not None:
            os.kill(pid, 9)


async def listening_port(jvm: Jvm, times_attached: int, agent_kind: AgentKind) -> int:
    """The port of the agent now: the stock one takes a new free one after each client."""
    first = await jvm.port()
    if agent_kind == "jvmdebug":
        return first
    said = "at address: "
    await jvm.wait_for(f"(?s)({said}.*){{{times_attached + 1}}}")
    return int(jvm.stdout.rpartition(said)[2].split()[0])


async def test_attach_twice_and_leave_it_running(
    start_jvm: StartJvm, jdk: Jdk, agent_kind: AgentKind
) -> None:
    program = compiled("script", "Spin", jdk)
    jvm = await start_jvm(program, suspend=False)
    before = 0
    for attached in range(2):
        port = await listening_port(jvm, attached, agent_kind)
        async with jvmdebug.attach(port=port, source_path=[program.source_dir]) as session:
            assert session.agent == agent_kind
            assert session.pid is None
            breakpoint_ = await session.break_at("Spin#round")
            stop = await next_stop(session)
            assert breakpoint_.verified
            before = int(str((await stop.frame.evaluate("rounds")).value))
            (top,) = await stop.frames(0, 1)
            assert str(await top.source()) == str(program.source("Spin.java"))
    async with jvmdebug.attach(port=await listening_port(jvm, 2, agent_kind)) as session:
        await session.break_at("Spin#round", hit_condition="3")
        stop = await next_stop(session)
        assert int(str((await stop.frame.evaluate("rounds")).value)) > before, "it went on"
        await session.terminate()
        assert session.state is SessionState.ENDED


async def test_attach_to_a_program_suspended_at_its_start(start_jvm: StartJvm, jdk: Jdk) -> None:
    program = compiled("basics", "Loop", jdk)
    jvm = await start_jvm(program, suspend=True)
    async with jvmdebug.attach(port=await jvm.port()) as session:
        await session.break_at(f"Loop.java:{program.marker('done')}")
        stop = await next_stop(session)
        assert stop.frame.line == program.marker("done")
        await stop.resume()
        assert await session.next_stop(timeout_s=20) is None
        assert session.exit_code is None


async def test_attach_to_nothing(unused_tcp_port: int) -> None:
    with pytest.raises(LaunchError, match=str(unused_tcp_port)):
        async with jvmdebug.attach(port=unused_tcp_port, timeout_s=0.3):
            pytest.fail("connected without a listener")


async def test_listen_for_a_program_in_a_terminal(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = compiled("shop", "shop.Main", jdk)
    request = ProgramRequest(
        main_class="shop.Main", class_path=program.class_path, java=jdk.java, agent=agent_kind
    )
    async with jvmdebug.listen(timeout_s=20) as listener:
        command = await listener.command(request)
        terminal = await asyncio.create_subprocess_exec(
            *command, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL
        )
        try:
            session = await listener.session()
            await session.break_at("shop.Main#main")
            stop = await next_stop(session)
            assert stop.reason is StopReason.FUNCTION_BREAKPOINT
            await stop.resume()
            assert await session.wait() is None
            assert await asyncio.wait_for(terminal.wait(), 20) == 7
        finally:
            if terminal.returncode is None:
                terminal.kill()
                await terminal.wait()
