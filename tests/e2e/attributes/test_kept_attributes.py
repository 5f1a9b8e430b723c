# SPDX-License-Identifier: Apache-2.0
"""No attribute of a class is lost because the debugger changes the class.

The program has classes with each attribute of JVMS 4.7 that a class can have, and attributes that
no VM knows. What reflection says of them is compared with the same program without a debugger; what
the hook of an agent behind ours sees is compared with the class file. `GIVEN_UP` names what HotSpot
itself drops, with the reason.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

import pytest

import jvmdebug
from tests.e2e.attributes.conftest import (
    ANSWER_TIMEOUT_S,
    FIRST_WITH_RECORDS,
    UNKNOWN,
    Program,
    attributes_of,
)
from tests.support import process
from tests.support.sessions import launched

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.support.jdks import Jdk

pytestmark = [pytest.mark.agent, pytest.mark.timeout(180)]

_UNREAD = "HotSpot skips it when it loads a class: nobody in the program can see it"
_DEPRECATED = "HotSpot skips it when it loads a class; reflection reads the annotation"
_SYNTHETIC = "HotSpot makes the access flag of it, which stays"
GIVEN_UP: Final = {
    ("class", "EnclosingMethod"): "HotSpot does not write it, but keeps that of the version before",
    ("class", "Deprecated"): _DEPRECATED,
    ("field", "Deprecated"): _DEPRECATED,
    ("method", "Deprecated"): _DEPRECATED,
    ("class", "Synthetic"): _SYNTHETIC,
    ("field", "Synthetic"): _SYNTHETIC,
    ("method", "Synthetic"): _SYNTHETIC,
    ("class", "RuntimeInvisibleAnnotations"): _UNREAD,
    ("field", "RuntimeInvisibleAnnotations"): _UNREAD,
    ("method", "RuntimeInvisibleAnnotations"): _UNREAD,
    ("method", "RuntimeInvisibleParameterAnnotations"): _UNREAD,
    ("class", "RuntimeInvisibleTypeAnnotations"): _UNREAD,
    ("field", "RuntimeInvisibleTypeAnnotations"): _UNREAD,
    ("method", "RuntimeInvisibleTypeAnnotations"): _UNREAD,
    ("code", "RuntimeInvisibleTypeAnnotations"): _UNREAD,
    ("code", "RuntimeVisibleTypeAnnotations"): _UNREAD,
    ("class", UNKNOWN): _UNREAD,
    ("field", UNKNOWN): _UNREAD,
    ("method", UNKNOWN): _UNREAD,
    ("code", UNKNOWN): _UNREAD,
}
"""What is not in the class file that HotSpot makes of a class for a change, and why that is no
loss. Module, ModulePackages and ModuleMainClass are in module-info alone, which is no class.
"""
ATTRIBUTES: Final = {
    "AnnotationDefault",
    "BootstrapMethods",
    "Code",
    "ConstantValue",
    "Deprecated",
    "EnclosingMethod",
    "Exceptions",
    "InnerClasses",
    "LineNumberTable",
    "LocalVariableTable",
    "LocalVariableTypeTable",
    "MethodParameters",
    "NestHost",
    "NestMembers",
    "RuntimeInvisibleAnnotations",
    "RuntimeInvisibleParameterAnnotations",
    "RuntimeInvisibleTypeAnnotations",
    "RuntimeVisibleAnnotations",
    "RuntimeVisibleParameterAnnotations",
    "RuntimeVisibleTypeAnnotations",
    "Signature",
    "SourceDebugExtension",
    "SourceFile",
    "StackMapTable",
    "Synthetic",
    UNKNOWN,
}
NEWER_ATTRIBUTES: Final = {"PermittedSubclasses", "Record"}
"""With the ones above all of JVMS 4.7 that a class of Java 25 can have."""
GIVEN_UP_BEFORE: Final = {
    ("class", "SourceDebugExtension"): "HotSpot skips it when it loads a class, unless an agent "
    "may ask for it: nobody in the program can see it",
}
"""The same in a program that ran before the debugger came."""
_FIRST_WITH_PARAMETERS: Final = 20
"""The first VM that writes MethodParameters (JDK-8240908)."""

_FIRST_WITH_ALL_PROBES: Final = 17


@asynccontextmanager
async def _running(program: Program, jdk: Jdk) -> AsyncIterator[int]:
    """The program without a debugger; its process."""
    running = await asyncio.create_subprocess_exec(
        *program.command(jdk), stdout=asyncio.subprocess.PIPE
    )
    try:
        assert running.stdout is not None
        async with asyncio.timeout(ANSWER_TIMEOUT_S):
            assert (await running.stdout.readline()).strip() == b"ready"
        yield running.pid
    finally:
        running.kill()
        await running.wait()


_BARE: dict[int, str] = {}


async def _bare(jdk: Jdk, folder: Path) -> str:
    """What reflection says without a debugger; asked once for each JDK."""
    if jdk.version not in _BARE:
        program = Program(jdk, folder / "bare")
        async with _running(program, jdk):
            _BARE[jdk.version] = await program.ask("describe")
    return _BARE[jdk.version]


def _lost(program: Program, seen: dict[str, bytes]) -> set[tuple[str, str]]:
    """Tells which attributes of the program's class files were not seen, and where."""
    return {
        (place, attribute)
        for name, content in seen.items()
        for place, _, attribute in (
            attributes_of(program.class_files[name]).keys() - attributes_of(content).keys()
        )
    }


async def test_what_the_vm_itself_gives_up(jdk: Jdk, tmp_path: Path) -> None:
    """Shows it without a debugger: another agent asks for a change of all classes, which changes
    nothing.
    """
    program = Program(jdk, tmp_path)
    async with _running(program, jdk):
        before = await program.ask("describe")
        refused = await program.ask("retransform")
        seen = {name: program.seen("early", name) for name in program.classes}
        after = await program.ask("describe")
    there = {at[2] for content in program.class_files.values() for at in attributes_of(content)}
    is_new = jdk.version >= FIRST_WITH_RECORDS
    assert there == ATTRIBUTES | (NEWER_ATTRIBUTES if is_new else set())
    expected = {*GIVEN_UP, *GIVEN_UP_BEFORE}
    if jdk.version < _FIRST_WITH_PARAMETERS:
        expected.add(("method", "MethodParameters"))
    assert _lost(program, seen) == expected
    # JDK-8315575 (16..21, mended in later updates of 17 and 21): the VM refuses its own file.
    record = "attributes.Newer$Point java.lang.ClassFormatError"
    assert refused.splitlines() in ([], [record])
    assert (after == before) is (jdk.version >= _FIRST_WITH_PARAMETERS)


def _assert_same(described: str, bare: str, when: str) -> None:
    pairs = zip(described.splitlines(), bare.splitlines(), strict=False)
    differing = [f"{one!r}, not {other!r}" for one, other in pairs if one != other]
    assert not differing, f"{when}: {differing[:10]}"
    assert described == bare, when


def _assert_given(program: Program, names: set[str], *, is_late: bool) -> None:
    """What the debugger has given the VM for these classes, as an agent behind ours has seen it."""
    lost = _lost(program, {name: program.seen("late", name) for name in names})
    known = {*GIVEN_UP, *(GIVEN_UP_BEFORE if is_late else ())}
    assert lost <= known, "an attribute is lost, and no reason is known"


def _differing(program: Program, names: set[str]) -> dict[tuple[str, ...], object]:
    """What of the given class files is not as in those of the program."""
    differing: dict[tuple[str, ...], object] = {}
    for name in names:
        before = attributes_of(program.class_files[name])
        for at, content in attributes_of(program.seen("late", name)).items():
            # In a record the VM gives up the same as elsewhere; reflection says the rest.
            if at[2] != "Record" and content != before.get(at):
                differing[name, *at] = (content, before.get(at))
    return differing


async def _given_as_before(program: Program, names: set[str]) -> None:
    """Wait until the debugger has given the VM what the class files have."""
    async with asyncio.timeout(ANSWER_TIMEOUT_S):
        while differing := _differing(program, names):
            try:
                await asyncio.sleep(0.02)
            except asyncio.CancelledError:
                raise AssertionError(f"differing: {differing}") from None


def _assert_probes(breakpoints: list[jvmdebug.Breakpoint]) -> None:
    ways = {(at.how, at.why_event) for each in breakpoints for at in each.locations}
    assert ways == {("probe", None)}


async def _watch(
    session: jvmdebug.Session, program: Program, jdk: Jdk, pid: int | None, bare: str
) -> None:
    """Change the classes in every way; reflection says the same after each of them."""
    methods = {each.partition("#")[0] for each in program.methods}
    is_late, is_old = session.mode == "late", jdk.version < _FIRST_WITH_ALL_PROBES

    async def look(when: str, changed: set[str] | None = None) -> None:
        await program.changed(changed or set())
        _assert_same(await program.ask("describe"), bare, when)

    async def break_everywhere() -> list[jvmdebug.Breakpoint]:
        return [await session.break_at(each, condition="false") for each in program.methods]

    async def remove(probes: list[jvmdebug.Breakpoint]) -> None:
        for each in probes:
            await each.remove()

    probes = await break_everywhere()
    _assert_probes(probes)
    await look("with conditions", methods)
    assert pid is not None
    await program.listen(pid)
    await remove(probes)
    await look("after the conditions", methods)
    _assert_given(program, methods, is_late=is_late)
    if not is_late:  # there the points at which steps stop stay until the end
        await _given_as_before(program, methods)
    probes = await break_everywhere()
    _assert_probes(probes)
    await look("with conditions again", methods)
    _assert_given(program, methods, is_late=is_late)
    await remove(probes)
    async with session.trace("attributes.Everything#*") as calls:
        await look("with a trace", {"attributes.Everything"})
        await program.ask("run")
        assert "Everything" in str(await anext(aiter(calls)))
    await look("after the trace", {"attributes.Everything"})
    thrown = await session.break_on_exception("java.lang.NumberFormatException", condition="false")
    await program.ask("run")
    await look("with an exception breakpoint", set() if is_late else {"attributes.Everything"})
    await thrown.remove()
    await look("after the exception breakpoint")
    swapped = await session.redefine(
        *(program.path_of(each) for each in methods), changed_only=False
    )
    assert {each.outcome for each in swapped} == {jvmdebug.Outcome.REDEFINED}
    await look("after a hot swap", methods)
    await break_everywhere()
    # The VM of JDK 11 has no probes in a class that was hot swapped, see docs/reference/jdks.md.
    await look("with conditions after a hot swap", set() if is_old and not is_late else methods)


async def test_a_program_that_is_launched(jdk: Jdk, tmp_path: Path) -> None:
    bare = await _bare(jdk, tmp_path)
    program = Program(jdk, tmp_path / "watched")
    if jdk.version < _FIRST_WITH_ALL_PROBES:
        # HotSpot counts a change of a class for its subclasses too, and the agent takes those as
        # changed by others.
        program.methods = tuple(each for each in program.methods if "Named$1" not in each)
    changed = {each.partition("#")[0] for each in program.methods}
    async with launched(
        program.debuggee, jdk, "jvmdebug", vm_args=program.vm_args, args=program.args
    ) as session:
        # Before JDK 17 one that asks nothing is a breakpoint of the VM.
        condition = "false" if jdk.version < _FIRST_WITH_ALL_PROBES else None
        early = [await session.break_at(each, condition=condition) for each in program.methods]
        await session.resume()
        _assert_same(await program.ask("describe"), bare, "with breakpoints from the start")
        _assert_probes(early)
        await program.changed(changed)
        for each in early:
            await each.remove()
        await program.changed(changed)
        _assert_same(await program.ask("describe"), bare, "after breakpoints from the start")
        await _watch(session, program, jdk, session.pid, bare)
        await session.detach()
        try:
            # See `_watch`: there are no probes to take out of a class that was hot swapped.
            await program.changed(changed if jdk.version >= _FIRST_WITH_ALL_PROBES else set())
            _assert_same(await program.ask("describe"), bare, "after the session")
        finally:
            await program.end()


async def test_a_program_that_is_attached_to(
    jdk: Jdk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JVMDEBUG_AGENT", str(process.agent_library()))
    bare = await _bare(jdk, tmp_path)
    program = Program(jdk, tmp_path / "watched")
    async with _running(program, jdk) as pid:
        async with jvmdebug.attach(pid=pid) as session:
            await _watch(session, program, jdk, pid, bare)
        changed = {each.partition("#")[0] for each in program.methods}
        await program.changed(changed)
        await _given_as_before(program, changed)
        _assert_same(await program.ask("describe"), bare, "after the session")
