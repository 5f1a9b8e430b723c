# SPDX-License-Identifier: Apache-2.0
"""What is swapped together is one step: no new code runs that needs code which was refused."""

from __future__ import annotations

import asyncio
import dataclasses
import re
import shutil
from typing import TYPE_CHECKING

import pytest

from jvmdebug import Outcome
from tests.support.sessions import compiled, launched, next_stop
from tests.support.warm_javac import javac

if TYPE_CHECKING:
    from pathlib import Path

    import jvmdebug
    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

Change = tuple[str, str]


@dataclasses.dataclass(frozen=True)
class Edit:
    """New code of several classes, and what is to come of it."""

    changes: tuple[Change, ...]
    refused: str
    left: dict[str, str]
    """Class name: a pattern of the reason."""
    replaced: tuple[str, ...] = ("Aside",)
    not_loaded: dict[str, str] = dataclasses.field(default_factory=dict)


_ASIDE: Change = ('return "old";', 'return "new";')
_WIDER: Change = ("record Price(int cents)", "record Price(long cents)")
EDITS = {
    "a record's component": Edit(
        (_ASIDE, _WIDER),
        "Price",
        {"Shop": r"it needs the new constructor \(long\) of together.Price, which was refused: "},
    ),
    "a method": Edit(
        (
            _ASIDE,
            ("String shown() {", "String asked() { return shown(); }\n    String shown() {"),
            ("new Price(5).shown()", "new Price(5).asked()"),
        ),
        "Price",
        {"Shop": r"needs the new java.lang.String asked\(\) of together.Price"},
    ),
    "a method for a reference": Edit(
        (
            ("String shown() {", "String asked() { return shown(); }\n    String shown() {"),
            (
                "        return new Flat()",
                "        new Price(5).shown();\n        return new Flat()",
            ),
            (
                "return new Price(5).shown()",
                (
                    "java.util.function.Supplier<String> it = new Price(5)::asked;\n"
                    "        return it.get()"
                ),
            ),
        ),
        "Price",
        {"Shop": r"asked\(\) of together.Price"},
        ("Area",),
    ),
    "an inherited method": Edit(
        (
            _ASIDE,
            ("class Base {}", 'class Base { String above() { return "above"; } }'),
            ("new Flat().getClass().getSimpleName()", "new Flat().above()"),
        ),
        "Base",
        {"Area": r"needs the new java.lang.String above\(\) of together.Base"},
    ),
    "other modifiers": Edit(
        (
            _ASIDE,
            ("private static String secret", "static String secret"),
            ("return new Price(5)", "Outer.secret();\n        return new Price(5)"),
        ),
        "Outer",
        {"Shop": r"needs the new java.lang.String secret\(\) of together.Outer"},
    ),
    "an interface": Edit(
        (
            _ASIDE,
            (
                "class Flat extends Base {}",
                "class Flat extends Base implements Runnable { public void run() {} }",
            ),
            (
                "return new Flat()",
                "((Runnable) (Object) new Flat()).run();\n        return new Flat()",
            ),
        ),
        "Flat",
        {"Area": r"needs the new interface java.lang.Runnable of together.Flat"},
    ),
    "by a class that is not loaded": Edit(
        (
            _ASIDE,
            _WIDER,
            (
                "return new Price(5).shown();\n    }\n}",
                (
                    "return Till.open();\n    }\n}\n\n"
                    "class Till { static String open() { return new Price(5L).shown(); } }"
                ),
            ),
        ),
        "Price",
        {"Shop": r"it needs the new code of together.Till, which would fail: it needs the new con"},
        not_loaded={"Till": r"it needs the new constructor \(long\) of together.Price"},
    ),
    "a permitted class": Edit(
        (
            _ASIDE,
            (
                "permits Round {}",
                "permits Round, Square {}\n\nfinal class Square implements Shape {}",
            ),
            ("return new Flat()", "new Square();\n        return new Flat()"),
        ),
        "Shape",
        {"Area": "it needs the new code of together.Square"},
        not_loaded={"Square": "it belongs to the new code of together.Shape"},
    ),
    "a nested class": Edit(
        (
            _ASIDE,
            (
                "    static class Inner {",
                (
                    "    static class Other { static String more() { return secret(); } }\n\n"
                    "    static class Inner {"
                ),
            ),
            ("            return secret();", "            return Other.more();"),
        ),
        "Outer",
        {"Outer$Inner": r"it needs the new code of together.Outer\$Other"},
        not_loaded={"Outer$Other": "it belongs to the new code of together.Outer"},
    ),
    "what nobody needs": Edit(
        (
            _ASIDE,
            (
                "    static String nested() {",
                "    static String more() { return secret(); }\n\n    static String nested() {",
            ),
            ("            return secret();", "            return secret() + 1;"),
            ("return new Price(5)", "Outer.nested();\n        return new Price(5)"),
        ),
        "Outer",
        {},
        ("Aside", "Shop", "Outer$Inner"),
    ),
}


def _compiled_with(program: Debuggee, folder: Path, changes: tuple[Change, ...]) -> Path:
    """The folder with the class files that differ."""
    text = program.source("together/Main.java").read_text()
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    folder.mkdir()
    (folder / "Main.java").write_text(text)
    made = folder / "made"
    javac([folder / "Main.java"], made, "--release", "17", "-g")
    for each in made.rglob("*.class"):
        before = program.class_path[0] / each.relative_to(made)
        if before.exists() and before.read_bytes() == each.read_bytes():
            each.unlink()
    return made


async def _swapped(session: jvmdebug.Session, made: Path) -> dict[str, jvmdebug.RedefinedClass]:
    found = await session.redefine(made, changed_only=False)
    return {str(each.type_name).removeprefix("together."): each for each in found}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS.keys())
async def test_none_of_those_that_need_a_refused_class(
    edit: Edit, jdk: Jdk, agent_kind: AgentKind, tmp_path: Path
) -> None:
    program = compiled("together", "together.Main", jdk)
    made = _compiled_with(program, tmp_path / "edit", edit.changes)
    classes = tmp_path / "classes"  # what is loaded later has the new code, as after a build
    shutil.copytree(program.class_path[0], classes)
    program = dataclasses.replace(program, class_path=(classes,))
    async with launched(program, jdk, agent_kind) as session:
        await session.break_at(f"Main.java:{program.marker('round')}")
        await session.start()
        stop = await next_stop(session)
        for each in sorted(made.rglob("*.class")):
            shutil.copy(each, classes / each.relative_to(made))
        found = await _swapped(session, made)
        refused = {name for name, each in found.items() if each.outcome is Outcome.REFUSED}
        assert refused == {edit.refused, *edit.left}
        for name, pattern in {**edit.left, **edit.not_loaded}.items():
            assert re.search(pattern, found[name].reason or ""), found[name].reason
        for name in edit.not_loaded:
            assert found[name].outcome is Outcome.NOT_LOADED
        for name in edit.replaced:
            assert found[name].outcome is Outcome.REDEFINED, found[name]
        for _ in range(3):
            await stop.resume()
            stop = await next_stop(session)
        await stop.frame.evaluate("isDone = true")
        await session.breakpoints.remove()
        await stop.resume()
        async with asyncio.timeout(20):
            await session.wait()
        assert session.exit_code == 0
