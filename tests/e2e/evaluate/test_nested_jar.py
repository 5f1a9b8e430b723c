# SPDX-License-Identifier: Apache-2.0
"""Compiled expressions in programs whose classes are not on the class path: fat jars, servers."""

from __future__ import annotations

import contextlib
import shutil
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug import display, evaluator
from jvmdebug.errors import EvaluationError
from tests.support import process
from tests.support.debuggees import debuggee
from tests.support.sessions import DebuggeeSession, compiled

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from jvmdebug.model.frame import Frame
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

TEXTS = (
    ('names.stream().map(each -> each + "!").findFirst().get()', '"ann!"'),
    ("names.stream().map(each -> each.length() + secret).findFirst().get()", "10"),
    ("names.stream().map(each -> repository.named(each).name()).findFirst().get()", '"ann"'),
    ("names.stream().map(repository::find).findFirst().get().get().name()", '"ann"'),
    ("names.stream().map(shop.data.Author::new).findFirst().get().name()", '"ann"'),
    ("names.stream().map(Author::new).map(Author::name).findFirst().get()", '"ann"'),
    (
        "((java.util.function.Supplier<String>) () -> new shop.data.Author.Prize().text()).get()",
        '"prize"',
    ),
    ('new shop.data.Person("own") { public String name() { return "own"; } }.name()', '"own"'),
)


@contextlib.asynccontextmanager
async def _serving(jdk: Jdk, agent_kind: AgentKind, folder: Path) -> AsyncIterator[Frame]:
    """The program in a folder, stopped where it has a repository."""
    program = compiled("nested_jar", "launcher.Launcher", jdk)
    (classes,) = program.class_path
    shutil.copytree(classes / "launcher", folder / "launcher")
    shutil.copytree(classes / "shop", folder / "BOOT-INF" / "classes" / "shop")
    async with jvmdebug.launch(
        "launcher.Launcher",
        class_path=[folder],
        source_path=[program.source_dir],
        java=jdk.home,
        **process.launch_options(agent_kind),
    ) as session:
        yield await DebuggeeSession(session, program).frame_at("serving")


@pytest.mark.parametrize("has_loaded", [False, True], ids=["unloaded", "loaded"])
async def test_classes_come_from_the_loaders_of_the_program(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path, *, has_loaded: bool
) -> None:
    async with _serving(jdk, agent_kind, tmp_path) as frame:
        if has_loaded:
            await evaluator.evaluate(frame, 'repository.named("x")')
        for text, expected in TEXTS:
            value = await evaluator.evaluate(frame, text)
            assert await display.render(value) == expected, text


async def test_a_class_path_of_the_user_has_classes_that_the_program_cannot_give(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path
) -> None:
    text, expected = TEXTS[1]
    async with _serving(jdk, agent_kind, tmp_path / "deployed") as frame:
        (tmp_path / "deployed" / "BOOT-INF").rename(tmp_path / "elsewhere")
        if agent_kind == "stock":  # ours gives what the VM has
            with pytest.raises(EvaluationError, match="the compiler says"):
                await evaluator.evaluate(frame, text)
        evaluator.use_class_path(frame.thread.vm, (tmp_path / "elsewhere" / "classes",))
        assert await display.render(await evaluator.evaluate(frame, text)) == expected


async def test_a_lambda_in_a_class_that_only_the_vm_has(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = debuggee("generated_class", "generated.Generated")
    async with jvmdebug.launch(
        program.main_class,
        class_path=program.class_path,
        java=jdk.java,
        **process.launch_options(agent_kind),
    ) as session:
        line = program.marker("run")
        await session.break_at(f"{program.source('generated/Template.java')}:{line}")
        stop = await session.next_stop(timeout_s=20)
        assert stop is not None
        assert stop.frame.type_name == "generated.Produced"
        text = "java.util.stream.Stream.of(this).map(it -> it.kept + more).findFirst().get()"
        if agent_kind == "jvmdebug":
            assert await (await stop.frame.evaluate(text)).as_text() == "7"
        else:
            with pytest.raises(jvmdebug.EvaluationError):
                await stop.frame.evaluate(text)
        await session.kill()
