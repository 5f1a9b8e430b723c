# SPDX-License-Identifier: Apache-2.0
"""Classes that a script lists, edits as they are loaded, and replaces from memory, in real VMs."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

import jvmdebug.sync
from jvmdebug import ArgumentError, LaunchError, Outcome, SourceError, UnsupportedError
from jvmdebug.classfile import THIS, ClassEditor, StaticCall
from tests.support import process
from tests.support.sessions import compiled, launched, next_stop, stop_at

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

TOPIC, MAIN = "edited", "Edited"
ENTER = "(Ljava/lang/String;IJDZ)V"


def count(editor: ClassEditor) -> None:
    """Count the beginnings and the returns of all methods."""
    for number, method in enumerate(editor.methods):
        values = (method.name, number, 1 << 40, 0.5, True)
        editor.call_at_entry(method, StaticCall("Edited$Counts", "enter", ENTER, values))
        is_static = bool(method.access & 8)
        leave = "(Ljava/lang/Object;)I"
        values_of_leave = ("static",) if is_static else ((THIS,),)
        editor.call_before_return(
            method, StaticCall("Edited$Counts", "leave", leave, values_of_leave)
        )


async def test_classes_are_edited_before_they_run(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    printed: list[str] = []
    async with launched(
        program, jdk, agent_kind, on_output=lambda each: printed.append(each.text)
    ) as session:
        stop = await stop_at(session, program, "begins")
        transform = session.transform_classes("Edited$L*", count)
        if agent_kind == "stock":
            with pytest.raises(UnsupportedError, match="editing classes"):
                await transform.open()
            return
        async with transform, session.transform_classes("Edited", count) as of_loaded:
            assert of_loaded.edited == ["Edited"]
            line = f"Edited.java:{program.marker('ends')}"
            await session.break_at(line)
            await session.break_at("Edited$Late#shaped")
            await stop.resume()
            stop = await next_stop(session)
            assert stop.frame.function == "Edited$Late.shaped(int)"
            assert await (await stop.frame.get("n")).equals(40)
            await stop.step_over()
            stop = await next_stop(session)
            await stop.resume()
            stop = await next_stop(session)
            assert transform.edited == ["Edited$Late"]
            assert transform.failures == []
            # Constructor, shaped, named four times, spins; early, finish: main runs its old code.
            assert await stop.frame.evaluate("Counts.entries.get()") == 9
            assert await stop.frame.evaluate("Counts.returns.get()") == 8
            assert await stop.frame.evaluate("Counts.last") == "finish"
        assert repr(transform) == "ClassTransform(Edited$L*, not open, 1 classes)"
        assert await stop.frame.evaluate('new Late(1).named("a")') == "first"
        assert await stop.frame.evaluate("Counts.entries.get()") == 9, "it is as it was before"
        await stop.resume()
        await session.wait()
    assert "".join(printed) == "begins\n186 firstsecond7bad 45 1\nends\n"


async def test_an_edit_that_fails_leaves_the_class(jdk: Jdk) -> None:
    program = compiled(TOPIC, MAIN, jdk)

    def edit(editor: ClassEditor) -> bytes:
        if editor.name.endswith("Late"):
            return editor.encode()[:-1]
        raise ValueError("not this one")

    async with launched(program, jdk, "jvmdebug") as session:
        stop = await stop_at(session, program, "begins")
        async with session.transform_classes("Edited*", edit) as transform:
            await session.break_at(f"Edited.java:{program.marker('ends')}")
            await stop.resume()
            await next_stop(session)
        assert transform.edited == []
        assert {name for name, _ in transform.failures} == {"Edited", "Edited$Late"}


def test_the_same_without_await(jdk: Jdk) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    opened = jvmdebug.sync.launch(
        MAIN,
        class_path=program.class_path,
        java=jdk.home,
        **process.launch_options("jvmdebug"),
    )
    with opened as session, session.transform_classes("Edited$Late", count) as transform:
        session.break_at(f"Edited.java:{program.marker('ends')}")
        stop = session.next_stop(timeout_s=40)
        assert stop is not None
        assert transform.edited == ["Edited$Late"]
        assert stop.frame.evaluate("Counts.entries.get()") == 7


async def test_many_classes_of_the_jdk_stay_valid(jdk: Jdk) -> None:
    program = compiled(TOPIC, MAIN, jdk)

    def add(editor: ClassEditor) -> None:
        call = StaticCall("java.lang.Math", "abs", "(I)I", (7,))
        for method in editor.methods:
            editor.call_at_entry(method, call)
            editor.call_before_return(method, call)

    options = ["-XX:+UnlockDiagnosticVMOptions", "-XX:+BytecodeVerificationLocal"]
    async with launched(program, jdk, "jvmdebug", vm_args=options) as session:
        stop = await stop_at(session, program, "begins")
        for pattern in ("java.util.*", "java.io.*"):
            async with session.transform_classes(pattern, add) as transform:
                assert len(transform.edited) > 15
                refused = [each for each in transform.failures if "Verify" in str(each[1])]
                assert not refused
        assert await stop.frame.evaluate("early()") == 1


async def test_what_an_editor_refuses(jdk: Jdk) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    content = (program.class_path[0] / "Edited$Late.class").read_bytes()
    editor = ClassEditor(content)
    assert editor.encode() == content
    assert [each.name for each in editor.methods] == ["<init>", "shaped", "named", "spins"]
    call = StaticCall("X", "y", "(I)V", (1,))
    with pytest.raises(ArgumentError, match=r"0 methods nothing in Edited\$Late; there is: <init>"):
        editor.method("nothing")
    with pytest.raises(ArgumentError, match="has 1 parameters, 0 arguments are given"):
        editor.call_at_entry(editor.method("spins"), StaticCall("X", "y", "(I)V"))
    with pytest.raises(ArgumentError, match="'a' is no constant of the type I"):
        editor.call_at_entry(editor.method("spins"), StaticCall("X", "y", "(I)V", ("a",)))
    of_object = StaticCall("X", "y", "(Ljava/lang/Object;)V", ((THIS,),))
    with pytest.raises(ArgumentError, match="spins is static"):
        editor.call_at_entry(editor.method("spins"), of_object)
    editor.call_before(editor.method("named"), 9_999, call)
    with pytest.raises(jvmdebug.JvmDebugError, match="no instruction begins at code index 9999"):
        editor.encode()


async def test_classes_by_pattern(jdk: Jdk) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    async with launched(program, jdk, "jvmdebug") as session:
        await stop_at(session, program, "ends")
        found = await session.classes.all("Edited*")
        assert [each.name for each in found] == ["Edited", "Edited$Late"]
        late = found[-1]
        assert [each.name for each in await late.methods()] == [
            "<init>",
            "shaped",
            "named",
            "spins",
        ]
        assert [str(each) for each in await late.fields()] == ["Edited$Late.value"]
        assert len(await session.classes.all("java.util.*Map")) > 2
        assert await session.classes.all("nothing.*") == []


async def test_code_from_memory_and_sources(jdk: Jdk, tmp_path: Path) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    classes = tmp_path / "classes"
    shutil.copytree(program.class_path[0], classes)
    source = tmp_path / "Edited.java"
    text = (program.source_dir / "Edited.java").read_text()
    source.write_text(text)
    async with jvmdebug.launch(
        MAIN, class_path=[classes], source_path=[tmp_path], java=jdk.home
    ) as session:
        stop = await stop_at(session, program, "ends")
        (late,) = await session.classes.find("Edited$Late")
        editor = ClassEditor(await session.classes.class_file(late))
        count(editor)
        (outcome,) = await session.redefine({late: editor.encode()})
        assert (outcome.outcome, outcome.type_name) == (Outcome.REDEFINED, "Edited$Late")
        before = int(await stop.frame.evaluate("Counts.entries.get()"))
        assert await stop.frame.evaluate('new Late(4).named("a")') == "first"
        assert await stop.frame.evaluate("Counts.entries.get()") == before + 2
        with pytest.raises(ArgumentError, match=r"given for Edited is one of Edited\$Late"):
            await session.redefine({"Edited": editor.encode()})
        source.write_text(text.replace('return "first";', 'return "changed";'))
        found = await session.redefine(source)
        assert "Edited$Late" in {each.type_name for each in found}
        assert await stop.frame.evaluate('new Late(4).named("a")') == "changed"
        source.write_text(text.replace('return "first";', "return 7;"))
        with pytest.raises((SourceError, LaunchError), match="incompatible types"):
            await session.redefine(source)
