# SPDX-License-Identifier: Apache-2.0
"""What an expression may use, a lambda in it may use too."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import TYPE_CHECKING, Final

import pytest

import jvmdebug
from tests.support.debuggees import debuggee
from tests.support.sessions import launched, stop_at
from tests.support.warm_javac import javac

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

_LIST: Final = "java.util.stream.Collectors.toList()"
_OF: Final = "java.util.stream.Stream.of"
EXPRESSIONS: Final = (
    # private members of another class
    (f"ledger.dues.values().stream().map(d -> d + ledger.rate).collect({_LIST})", "{10, 17}"),
    (f"{_OF}(ledger).map(l -> Ledger.doubled(l.rate)).collect({_LIST})", "{6}"),
    ("java.util.stream.IntStream.of(1, 2).map(Ledger::doubled).sum()", "6"),
    (f"{_OF}(2L, 3L).mapToLong(n -> ledger.total(n, 1.5)).sum()", "17"),
    (f"{_OF}(ledger).peek(l -> l.rate += 4).mapToInt(l -> l.rate--).sum() + ledger.rate", "13"),
    ("java.util.stream.IntStream.of(5).map(n -> Ledger.opened = n).sum() + Ledger.opened", "10"),
    (f"{_OF}(4, 5).map(n -> new Ledger(n)).mapToInt(l -> l.rate).sum()", "9"),
    (
        f'{_OF}(true, false).map(b -> new Ledger(6, b ? "x" : "y")).mapToInt(l -> l.rate).sum()',
        "12",
    ),
    (f"{_OF}(4, 5).map(Ledger::new).mapToInt(l -> l.rate).sum()", "9"),
    ("new Object() { int get() { return ledger.rate + own; } }.get()", "17"),
    # private members of the class itself
    (f"{_OF}(1).map(k -> k + own).collect({_LIST})", "{12}"),
    # protected ones, inherited from another package, and of the JDK
    (f"{_OF}(1, 2).map(k -> k + length).collect({_LIST})", "{6, 7}"),
    ("java.util.stream.IntStream.range(0, 3).map(this::plank).sum()", "12"),
    ("java.util.stream.IntStream.range(0, n).map(k -> this.plank(k) + built).sum()", "5862"),
    (f'{_OF}("a").map(Members::sign).findFirst().get()', '"[a]"'),
    (f"{_OF}(1).map(k -> k + modCount).collect({_LIST})", "{2}"),
    ("new Object() { int get() { return plank(2) + length; } }.get()", "13"),
    # package-private ones of another package
    (f"{_OF}(this).mapToInt(p -> p.depth + p.fathoms(2)).sum()", "27"),
)
ASSIGNED: Final = (
    ("whole", "5", "5"),
    ("whole", "-n", "-3"),
    ("real", "3", "3.0"),
    ("half", "2", "2.0"),
    ("half", "2.5", "2.5"),
    ("few", "7", "7"),
    ("letter", "b", "'b'"),
    ("boxed", "c", "'c'"),
    ("letter", "'d'", "'d'"),
    ("size", "LARGE", "LARGE"),
    ("wholes.get(1)", "9", "9"),
)


async def test_members_in_lambdas(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = debuggee("members", "Members")
    async with launched(program, jdk, agent_kind) as session:
        stop = await stop_at(session, program, "open")
        for text, expected in EXPRESSIONS:
            try:
                shown = await (await stop.frame.evaluate(text)).as_text()
            except jvmdebug.JvmDebugError as error:
                pytest.fail(f"{text}: {error}")
            assert shown.endswith(expected), text


async def test_values_as_they_are_typed(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = debuggee("members", "Members")
    async with launched(program, jdk, agent_kind) as session:
        stop = await stop_at(session, program, "open")
        for target, typed, expected in ASSIGNED:
            assert await (await stop.frame.set(target, typed)).as_text() == expected, (
                target,
                typed,
            )
        # A variable of that name comes before the letter.
        with pytest.raises(jvmdebug.EvaluationError, match="int"):
            await stop.frame.set("letter", "z")
        with pytest.raises(jvmdebug.EvaluationError):
            await stop.frame.set("whole", "1.5")


def _compile_as_preview(program: Debuggee, jdk: Jdk, folder: Path) -> None:
    """Compile to class files with the mark that javac gives them with --enable-preview."""
    sources = [*program.source_dir.rglob("*.java")]
    javac(sources, folder, "-g", "--release", str(jdk.version))
    for each in folder.rglob("*.class"):
        content = bytearray(each.read_bytes())
        content[4:6] = b"\xff\xff"  # the minor version
        each.write_bytes(content)


async def test_programs_of_preview_releases(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path
) -> None:
    program = debuggee("members", "Members")
    await asyncio.to_thread(_compile_as_preview, program, jdk, tmp_path)
    preview = dataclasses.replace(program, class_path=(tmp_path,))
    async with launched(preview, jdk, agent_kind, vm_args=["--enable-preview"]) as session:
        stop = await stop_at(session, program, "open")
        for text, expected in (
            (f"{_OF}(this).map(m -> m.own).collect({_LIST})", "{11}"),
            (f"{_OF}(this).map(m -> m.size()).collect({_LIST})", "{1}"),
            (f"{_OF}(ledger).map(l -> l.rate).collect({_LIST})", "{3}"),
        ):
            assert (await (await stop.frame.evaluate(text)).as_text()).endswith(expected), text
