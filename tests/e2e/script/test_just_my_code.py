# SPDX-License-Identifier: Apache-2.0
"""`$Libraries` in step filters: what is the user's own code, however a program is packed."""

from __future__ import annotations

import dataclasses
import shutil
import zipfile
from collections import Counter
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug import JUST_MY_CODE
from jvmdebug.classfile import ClassFile, Code
from jvmdebug.classfile.access import Access
from jvmdebug.jdwp.connection import Connection
from jvmdebug.stepping.class_path import ClassPathPackages
from tests.support import process
from tests.support.debuggees import debuggee
from tests.support.libraries import library, maven
from tests.support.prompt import jvmdebug_command
from tests.support.sessions import next_stop

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from jvmdebug import Session, Stop
    from jvmdebug.classfile import ConstantPool, Member
    from jvmdebug.jdwp.command import Command
    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

_BOOT_MAIN = "org.springframework.boot.loader.launch.JarLauncher"


def own_code() -> Debuggee:
    """The program: `shop` is the user's, `tools` a library."""
    return debuggee("own_code", "shop.Main")


def packed(archive: Path, *packages: str, manifest: str = "", folder: str = "") -> Path:
    """An archive with these packages of the program, in a folder of it."""
    (classes,) = own_code().class_path
    archive.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(archive, "w") as made:
        if manifest:
            made.writestr("META-INF/MANIFEST.MF", f"Manifest-Version: 1.0\n{manifest}\n")
        for package in packages:
            for each in sorted((classes / package).rglob("*.class")):
                made.write(each, f"{folder}{package}/{each.name}")
    return archive


def unpacked(folder: Path, package: str) -> Path:
    """A directory with one package of the program."""
    (classes,) = own_code().class_path
    (folder / package).mkdir(parents=True)
    for each in (classes / package).glob("*.class"):
        (folder / package / each.name).write_bytes(each.read_bytes())
    return folder


def by_manifest(folder: Path) -> tuple[Path, list[str]]:
    """Starts it as Surefire does: an archive with nothing but a Class-Path."""
    unpacked(folder / "my classes", "shop")
    packed(folder / "lib" / "tools.jar", "tools")
    names = "Class-Path: my%20classes/ lib/tools\n .jar\nMain-Class: shop.Main"
    return packed(folder / "booter.jar", manifest=names), []


def by_loader(folder: Path) -> tuple[Path, list[str]]:
    """Starts it as servers do: the class path has the server only."""
    path = [unpacked(folder / "classes", "shop"), packed(folder / "tools.jar", "tools")]
    main = "Main-Class: starter.Starter"
    return packed(folder / "server.jar", "starter", manifest=main), [str(each) for each in path]


def by_first_archive(folder: Path) -> tuple[Path, list[str]]:
    """Archives alone: the first one is the user's."""
    packed(folder / "lib" / "tools.jar", "tools")
    names = "Main-Class: shop.Main\nClass-Path: lib/tools.jar"
    return packed(folder / "app.jar", "shop", manifest=names), []


def by_quarkus(folder: Path) -> tuple[Path, list[str]]:
    """Archives beside the one that is started, which loads them."""
    made = [
        packed(folder / "app" / "shop-1.jar", "shop"),
        packed(folder / "lib" / "main" / "tools.jar", "tools"),
    ]
    index = folder / "quarkus" / "quarkus-application.dat"
    index.parent.mkdir()
    index.touch()
    main = "Main-Class: starter.Starter"
    runner = packed(folder / "quarkus-run.jar", "starter", manifest=main)
    return runner, [str(each) for each in made]


def by_spring_boot(folder: Path) -> tuple[Path, list[str]]:
    """A fat jar, with the library as an archive in it."""
    tools = packed(folder / "tools.jar", "tools")
    main = f"Main-Class: {_BOOT_MAIN}\nStart-Class: shop.Main"
    made = packed(folder / "app.jar", "shop", manifest=main, folder="BOOT-INF/classes/")
    with (
        zipfile.ZipFile(made, "a") as fat,
        zipfile.ZipFile(library("spring-boot-loader")) as loader,
    ):
        for name in loader.namelist():
            if name.endswith(".class") or name.startswith("META-INF/services/"):
                fat.writestr(name, loader.read(name))
        fat.writestr("BOOT-INF/classes/", b"")  # its loader looks for this entry
        fat.writestr("BOOT-INF/lib/", b"")
        fat.write(tools, "BOOT-INF/lib/tools.jar")
    return made, []


def launched(
    jdk: Jdk, agent_kind: AgentKind, program: Path, args: list[str]
) -> AbstractAsyncContextManager[Session]:
    return jvmdebug.launch(
        program=program,
        args=args,
        source_path=[own_code().source_dir],
        java=jdk.home,
        **process.launch_options(agent_kind),
    )


async def stepped(session: Session, stop: Stop, kind: str = "into") -> tuple[Stop, int]:
    """The stop that a step ends at, and its line."""
    await (stop.step_into() if kind == "into" else stop.step_out())
    stop = await next_stop(session)
    return stop, stop.frame.line or 0


async def goes_through(session: Session, stop: Stop) -> Stop:
    """One round of the program, which stands at its first line: own lines only."""
    marker = own_code().marker
    stop, line = await stepped(session, stop)
    assert line == marker("callback"), f"through the library's twice: {stop.frame}"
    stop, line = await stepped(session, stop, "out")
    assert stop.frame.type_name == "shop.Main", f"out of the library too: {stop.frame}"
    for called_at in ("generated", "proxy"):
        while line != marker(called_at):
            await stop.step_over()
            stop = await next_stop(session)
            line = stop.frame.line or 0
            assert stop.frame.type_name == "shop.Main"
        stop, line = await stepped(session, stop)
        assert (stop.frame.type_name, line) == ("shop.Order", marker("price"))
        stop, line = await stepped(session, stop, "out")
        assert stop.frame.type_name == "shop.Main", f"not what is between: {stop.frame}"
    while line != marker("library"):
        await stop.step_over()
        stop = await next_stop(session)
        line = stop.frame.line or 0
    return stop


async def steps_through_own_code_only(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> tuple[Counter[str], Counter[str]]:
    """Two rounds; the commands of each by their names."""
    session.settings.step_filters = JUST_MY_CODE
    await session.break_at(f"Main.java:{own_code().marker('library')}", once=True)
    stop = await next_stop(session)
    counts = Counter[str](), Counter[str]()
    request: Callable[..., object] = Connection.request
    for sent in counts:

        def counted(self: Connection, command: Command[object], **more: object) -> object:
            sent[type(command).NAME] += 1  # noqa: B023 - called in this round only
            return request(self, command, **more)

        with monkeypatch.context() as patched:
            patched.setattr(Connection, "request", counted)
            stop = await goes_through(session, stop)
    await stop.resume()
    assert await session.wait() == 0
    return counts


PACKED = (by_manifest, by_loader, by_first_archive, by_quarkus)


@pytest.mark.parametrize("pack", PACKED, ids=[each.__name__ for each in PACKED])
async def test_steps_stay_in_the_users_code(
    pack: Callable[[Path], tuple[Path, list[str]]],
    jdk: Jdk,
    agent_kind: AgentKind,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program, args = pack(tmp_path)
    async with launched(jdk, agent_kind, program, args) as session:
        first, second = await steps_through_own_code_only(session, monkeypatch)
        asked = "ObjectReference.InvokeMethod"
        assert first[asked] <= 5, "once for each class at most"
        assert second[asked] == 0, "what was learned is kept"
        assert second.total() < 80, second


async def test_an_application_of_quarkus_that_is_not_on_this_machine(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The VM is asked, and the places of the archives tell."""
    program, args = by_quarkus(tmp_path)
    async with launched(jdk, agent_kind, program, args) as session:
        nothing = ClassPathPackages()
        monkeypatch.setattr("jvmdebug.stepping.libraries.packages_on", lambda *_: nothing)
        await steps_through_own_code_only(session, monkeypatch)


async def test_one_archive_of_all_is_the_users(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path
) -> None:
    """The code source of a shaded jar does not tell what was put into it: nothing is left out."""
    shaded = packed(tmp_path / "all.jar", "shop", "tools", manifest="Main-Class: shop.Main")
    async with launched(jdk, agent_kind, shaded, []) as session:
        session.settings.step_filters = JUST_MY_CODE
        await session.break_at(f"Main.java:{own_code().marker('library')}", once=True)
        stop, _ = await stepped(session, await next_stop(session))
        assert stop.frame.type_name == "tools.Calls"
        await stop.resume()
        assert await session.wait() == 0


async def test_a_step_that_begins_in_a_library_stays_out_of_the_jdk(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path
) -> None:
    """It goes through the library, which may be a bundle of the user's, and not into the JDK."""
    program, args = by_first_archive(tmp_path)
    marker = own_code().marker
    async with launched(jdk, agent_kind, program, args) as session:
        session.settings.step_filters = JUST_MY_CODE
        await session.break_at(f"Calls.java:{marker('made')}", once=True)
        stop, line = await next_stop(session), 0
        while line != marker("cast"):
            stop, line = await stepped(session, stop)
            assert stop.frame.type_name == "tools.Calls"
        await stop.resume()
        assert await session.wait() == 0


def with_made_classes(folder: Path) -> Path:
    """The classes of `made_classes`: one has no source and no lines, as Micronaut writes them, and
    one says that it is generated, as CGLIB does.
    """
    (classes,) = debuggee("made_classes", "shop.Main").class_path
    shutil.copytree(classes, folder)
    around = folder / "shop" / "Around.class"
    name, made = b"\0\x0bAround.java", b"\0\x0b<generated>"
    assert around.read_bytes().count(name) == 1
    around.write_bytes(around.read_bytes().replace(name, made))
    file = folder / "shop" / "$Order$Exec.class"
    parsed = ClassFile.read(file.read_bytes())
    file.write_bytes(bare(parsed, Access.SYNTHETIC))
    return folder


def bare(parsed: ClassFile, access: int) -> bytes:
    """The class without its source and lines, and with these flags too."""
    made = dataclasses.replace(
        parsed,
        access=parsed.access | access,
        attributes=tuple(each for each in parsed.attributes if each.name != "SourceFile"),
        methods=tuple(without_lines(each, parsed.constants) for each in parsed.methods),
    )
    return made.encode()


def without_lines(method: Member, constants: ConstantPool) -> Member:
    (code,) = (each for each in method.attributes if each.name == "Code")
    bare = dataclasses.replace(Code.read(code.content, constants), attributes=()).encode()
    attribute = dataclasses.replace(code, content=bare)
    return dataclasses.replace(method, attributes=(attribute,))


@pytest.mark.parametrize("leaves", ["out", "over"])
async def test_steps_do_not_end_in_classes_that_are_generated_into_the_users_folder(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path, leaves: str
) -> None:
    program = debuggee("made_classes", "shop.Main")
    async with jvmdebug.launch(
        program.main_class,
        class_path=[with_made_classes(tmp_path / "classes")],
        source_path=[program.source_dir],
        java=jdk.home,
        **process.launch_options(agent_kind),
    ) as session:
        session.settings.step_filters = JUST_MY_CODE
        placed = await session.break_at("shop.Order#price")
        for called_at in ("exec", "around", "exec"):
            stop = await next_stop(session)
            made = (await stop.thread.frames())[1]
            assert await made.is_library(), f"an editor greys {made}"
            assert not await stop.frame.is_library()
            await (stop.step_out() if leaves == "out" else stop.step_over())
            stop = await next_stop(session)
            expected = ("shop.Main", program.marker(called_at))
            assert (stop.frame.type_name, stop.frame.line) == expected
            if leaves == "out":
                assert stop.why_not_returned is None, "nothing was thrown"
                assert stop.returned is not None
                assert await stop.returned.as_text() == "7"
            await stop.resume()
        stop = await next_stop(session)
        await placed.remove()
        await stop.step_out()
        stop = await next_stop(session)
        await stop.step_into()
        stop = await next_stop(session)
        assert stop.frame.type_name == "shop.Main"
        await stop.resume()
        assert await session.wait() == 0


async def test_a_step_into_a_call_goes_through_a_generated_subclass(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path
) -> None:
    """It ends in the method that the source has; at the end of the line if the proxy has its own
    answer.
    """
    program, args = by_first_archive(tmp_path)
    marker = own_code().marker
    async with launched(jdk, agent_kind, program, args) as session:
        session.settings.step_filters = JUST_MY_CODE
        await session.break_at(f"Main.java:{marker('generated')}", once=True)
        stop = await next_stop(session)
        (call,) = await stop.step_in_targets()
        await stop.step_into(target=call)
        stop = await next_stop(session)
        assert (stop.frame.type_name, stop.frame.line) == ("shop.Order", marker("price"))
        await stop.run_to(f"Main.java:{marker('answered')}")
        stop = await next_stop(session)
        (call,) = await stop.step_in_targets()
        await stop.step_into(target=call)
        stop = await next_stop(session)
        assert (stop.frame.type_name, stop.frame.line) == ("shop.Main", marker("answered") + 1)
        await stop.resume()
        assert await session.wait() == 0


@pytest.mark.parametrize("access", [0, Access.SYNTHETIC], ids=["plain", "synthetic"])
async def test_a_step_into_a_call_of_a_class_without_source(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path, access: int
) -> None:
    """It ends there, though the class overrides a method with a source, unless the class may be
    made for calling that: it says that it is synthetic, and calls it.
    """
    (classes,) = own_code().class_path
    folder, marker = tmp_path / "classes", own_code().marker
    shutil.copytree(classes, folder)
    file = folder / "shop" / "Plain.class"
    file.write_bytes(bare(ClassFile.read(file.read_bytes()), access))
    passed = ("shop.Order", marker("kept")) if access else ("shop.Plain", None)
    ends = {"answers": ("shop.Plain", None), "passes": passed}
    async with jvmdebug.launch(
        "shop.Main",
        class_path=[folder],
        source_path=[own_code().source_dir],
        java=jdk.home,
        **process.launch_options(agent_kind),
    ) as session:
        session.settings.step_filters = JUST_MY_CODE
        for called_at, expected in ends.items():
            await session.break_at(f"Main.java:{marker(called_at)}", once=True)
            if session.current_stops:
                await session.resume()
            stop = await next_stop(session)
            (call,) = await stop.step_in_targets()
            await stop.step_into(target=call)
            stop = await next_stop(session)
            assert (stop.frame.type_name, stop.frame.line) == expected
        await session.resume()
        assert await session.wait() == 0


async def test_a_step_into_a_call_goes_through_a_proxy_of_the_jdk(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path
) -> None:
    """It ends in what implements the interface behind the handler, a class or a lambda; behind the
    line if that is the JDK's.
    """
    program, args = by_first_archive(tmp_path)
    marker = own_code().marker
    ends = {
        "proxy": ("shop.Order", marker("price")),
        "lambda": ("shop.Main", marker("body")),
        "strange": ("shop.Main", marker("behind")),
    }
    async with launched(jdk, agent_kind, program, args) as session:
        session.settings.step_filters = JUST_MY_CODE
        for called_at in ends:
            await session.break_at(f"Main.java:{marker(called_at)}", once=True)
        for called_at, expected in ends.items():
            stop = await next_stop(session)
            assert stop.frame.line == marker(called_at)
            (call,) = await stop.step_in_targets()
            await stop.step_into(target=call)
            stop = await next_stop(session)
            assert (stop.frame.type_name, stop.frame.line) == expected
            await stop.resume()
        assert await session.wait() == 0


@pytest.mark.network
@pytest.mark.skipif(maven() is None, reason="the loader is fetched by Maven; no mvn here")
async def test_a_fat_jar(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if jdk.version < 17:
        pytest.skip("Spring Boot 3 needs Java 17")
    program, args = by_spring_boot(tmp_path)
    async with launched(jdk, agent_kind, program, args) as session:
        first, _ = await steps_through_own_code_only(session, monkeypatch)
        assert first["ObjectReference.InvokeMethod"] == 0, "the files tell"


@pytest.mark.network
@pytest.mark.skipif(maven() is None, reason="the loader is fetched by Maven; no mvn here")
async def test_a_fat_jar_that_is_not_on_this_machine(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The files cannot be read: the VM is asked."""
    if jdk.version < 17:
        pytest.skip("Spring Boot 3 needs Java 17")
    program, args = by_spring_boot(tmp_path)
    async with launched(jdk, agent_kind, program, args) as session:
        nothing = ClassPathPackages()
        monkeypatch.setattr("jvmdebug.stepping.libraries.packages_on", lambda *_: nothing)
        _, second = await steps_through_own_code_only(session, monkeypatch)
        assert second["ObjectReference.InvokeMethod"] == 0


@pytest.mark.parametrize(
    ("option", "stops_in"), [(["--just-my-code"], "shop.Main"), ([], "tools.Calls")]
)
async def test_at_the_prompt(option: list[str], stops_in: str, jdk: Jdk, tmp_path: Path) -> None:
    program, _ = by_first_archive(tmp_path)
    at = f"break Main.java:{own_code().marker('library')}"
    commands = [word for each in (at, "run", "step") for word in ("-c", each)]
    given: list[str | Path] = ["launch", program, "--java", jdk.home, "--batch", *option, *commands]
    async with jvmdebug_command(*given) as shell:
        await shell.see(r"^Breakpoint 1, shop\.Main")
        await shell.see(rf"\) step\n(.*\n)?{stops_in}\.")
        assert await shell.end() == 0
