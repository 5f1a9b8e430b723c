# SPDX-License-Identifier: Apache-2.0
"""Loaders beside each other, as in OSGi: names mean what the loader of the frame's class finds."""

from __future__ import annotations

import contextlib
import shutil
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug import display, evaluator
from jvmdebug.errors import EvaluationError
from tests.support import process
from tests.support.sessions import DebuggeeSession, compiled

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from jvmdebug.model.frame import Frame
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

SUPPLIER = "java.util.function.Supplier"
# The frame's bundle imports the package `dup` from one of two bundles that have it; a third has a
# copy of `framework.api`.
TEXTS = (
    ("kept.current()", "5"),
    ("Kept.FIRST.current()", "5"),
    ("dup.Kept.size(kept)", "5"),
    ("new Kept().isLike(kept)", "true"),
    ("List.of(kept).stream().map(k -> k.current()).findFirst().get()", "5"),
    ("List.of(kept).stream().map(Kept::current).findFirst().get()", "5"),
    (f"(({SUPPLIER}<String>) () -> context.name()).get()", '"own"'),
    (f"(({SUPPLIER}<String>) () -> new dup.Unused().text()).get()", '"unused"'),
    ("foreign instanceof Kept", "false"),
    ("copied instanceof Context", "false"),
    # Late, by the class of the object.
    ("foreign.earlier()", "5"),
    ("foreigners.get(0).twin().earlier() + kept.current()", "10"),
    ("foreign.isLike(foreign.twin())", "true"),
    ("copied.name()", '"copied"'),
    ("foreign.holder().kept.earlier()", "5"),
    ("((Object) foreign.holder().kept).earlier()", "5"),
)
REFUSED = (
    ("foreign.holder().kept.current()", "dup.Kept has no method current"),
    ("foreign.current()", "dup.Kept has no method current"),
    (
        "(Kept) foreign",
        "ClassCastException: class dup.Kept cannot be cast to class dup.Kept: another class loader",
    ),
    ("kept.isLike((Kept) foreign)", "ClassCastException"),
    (
        "foreign.isLike(kept)",
        "isLike() takes the class dup.Kept of another class loader than that of this dup.Kept",
    ),
)


@contextlib.asynccontextmanager
async def _serving(jdk: Jdk, agent_kind: AgentKind, folder: Path) -> AsyncIterator[Frame]:
    """The program in a folder, stopped in the bundle that imports."""
    program = compiled("bundles", "framework.Framework", jdk)
    (classes,) = program.class_path
    shutil.copytree(classes / "framework", folder / "framework")
    for package in ("dup", "shop", "framework/api"):
        shutil.copytree(classes / package, folder / "bundles" / package)
    async with jvmdebug.launch(
        program.main_class,
        class_path=[folder],
        source_path=[program.source_dir],
        java=jdk.home,
        **process.launch_options(agent_kind),
    ) as session:
        yield await DebuggeeSession(session, program).frame_at("serving")


async def test_names_are_those_of_the_bundle(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path
) -> None:
    async with _serving(jdk, agent_kind, tmp_path) as frame:
        for text, expected in TEXTS:
            assert await display.render(await evaluator.evaluate(frame, text)) == expected, text
        for text, message in REFUSED:
            with pytest.raises(EvaluationError) as refused:
                await evaluator.evaluate(frame, text)
            assert message in str(refused.value), text
