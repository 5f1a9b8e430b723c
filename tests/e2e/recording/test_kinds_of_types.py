# SPDX-License-Identifier: Apache-2.0
"""Types that are no recorded classes: what their objects are decides what they have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug.recording.format import ObjectDefinition, ObjectKind
from jvmdebug.recording.replay.type_table import ReplayTypes
from tests.support.debuggees import debuggee
from tests.support.recordings import HandMade

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.debuggees import Debuggee

OBJECTS = (
    ObjectDefinition(1, "java.lang.Integer", ObjectKind.BOXED, "7"),
    ObjectDefinition(2, "Catching$Problem", ObjectKind.THROWABLE, "too much"),
    ObjectDefinition(3, "known.Lists$Own", ObjectKind.COLLECTION, length=1, elements=(1,)),
    ObjectDefinition(4, "java.util.ArrayList", ObjectKind.COLLECTION, length=2, elements=(1, 1)),
)


@pytest.fixture
def kinds(till: Debuggee, tmp_path: Path) -> Path:
    """An exception and a list whose classes were recorded, and those above them were not."""
    (tills,) = till.class_path
    (lists,) = debuggee("known", "known.Lists").class_path
    (catching,) = debuggee("catching", "Catching").class_path
    with HandMade(tmp_path / "kinds.jvmrec") as made:
        shop = made.class_("shop.Till", (tills / "shop" / "Till.class").read_bytes())
        for folder, name in ((catching, "Catching$Problem"), (lists, "known.Lists$Own")):
            content = (folder / f"{name.replace('.', '/')}.class").read_bytes()
            made.class_(name, content)
        shop.enter("check")
        shop.line("check", till.marker("thrown"))
        made.record(shop.site(14, "check", 7, 0, "L"), 2)
        shop.thrown("check", 2)
        made.objects(*OBJECTS)
    return made.path


def test_the_kind_of_an_object_is_that_of_the_types_above(kinds: Path) -> None:
    with jvmdebug.recording.open(kinds) as past:
        types = ReplayTypes(past.past)
        problem = types.named("Catching$Problem")
        names = [each.name for each in types.above(problem)]
        assert names[1:] == [
            "java.lang.RuntimeException",
            "java.lang.Throwable",
            "java.lang.Object",
        ]
        own = types.named("known.Lists$Own")
        assert [each.fields for each in types.above(own)][1] == ()
        known = types.named("java.util.ArrayList", ObjectKind.COLLECTION)
        assert [each.name for each in known.fields][1:] == ["size"]
        own = types.named("known.Lists$Own", ObjectKind.COLLECTION)
        assert types.above(own)[1] is known
        assert types.named("java.lang.Object", ObjectKind.TEXT).fields == ()


@pytest.mark.parametrize("name", ["java.lang.Throwable", "java.lang.RuntimeException"])
async def test_a_breakpoint_of_exceptions_meets_those_of_recorded_classes(
    kinds: Path, name: str
) -> None:
    async with jvmdebug.replay(kinds) as session:
        assert await session.next_stop(5) is not None
        await session.break_on_exception(name)
        await session.resume()  # it opens at the last line, which throws it
        stop = await session.next_stop(5)
        assert stop is not None
        assert stop.reason is jvmdebug.StopReason.EXCEPTION
        assert stop.exception is not None
        assert "too much" in await stop.exception.as_text()
