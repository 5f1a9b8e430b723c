# SPDX-License-Identifier: Apache-2.0
"""Values of a recording as they are shown: collections, texts, what is not known."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug.recording.format import ObjectDefinition, ObjectKind
from tests.support.recordings import HandMade

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.debuggees import Debuggee

_KIND = ObjectKind
OBJECTS = (
    ObjectDefinition(1, "java.lang.String", _KIND.STRING, "a", 1),
    ObjectDefinition(2, "java.lang.Integer", _KIND.BOXED, "7"),
    ObjectDefinition(3, "java.util.LinkedList", _KIND.COLLECTION, length=2, elements=(1, 1)),
    ObjectDefinition(4, "java.util.TreeMap", _KIND.MAP, length=1, elements=(1, 2)),
    ObjectDefinition(5, "java.math.BigDecimal", _KIND.TEXT, "12.50"),
    ObjectDefinition(6, "shop.Shown$Colour", _KIND.ENUM, "GREEN"),
    ObjectDefinition(7, "shop.Till"),
    ObjectDefinition(8, "java.lang.IllegalStateException", _KIND.THROWABLE, "no", stack="at X"),
    ObjectDefinition(9, "java.lang.Class", _KIND.CLASS, "shop.Till"),
    ObjectDefinition(10, "[I", _KIND.ARRAY, length=4, elements=(5, 6)),
)
FLOAT = struct.unpack("<I", struct.pack("<f", 0.5))[0]
DOUBLE = struct.unpack("<Q", struct.pack("<d", 1.25))[0]
SLOTS = (
    *((0, 3, "L"), (1, 4, "L"), (2, 5, "L"), (3, 2, "L"), (4, 6, "L"), (5, 7, "L"), (6, 8, "L")),
    *((7, 9, "L"), (8, 10, "["), (9, -(1 << 40), "J"), (11, DOUBLE, "D"), (13, FLOAT, "F")),
    *((14, ord("x"), "C"),),
)


@pytest.fixture
def shown(till: Debuggee, tmp_path: Path) -> Path:
    """A recording of one call of `show`, in which nothing of `flag` is known."""
    path = tmp_path / "shown.jvmrec"
    with HandMade(path) as made:
        content = (till.class_path[0] / "shop" / "Shown.class").read_bytes()
        shown = made.class_("shop.Shown", content)
        shown.enter("show")
        for slot, value, type_ in SLOTS:
            shown.local("show", slot, value, 0, type_)
        shown.line("show", till.marker("shown"))
        made.objects(*OBJECTS)
    return path


async def test_values_are_shown_as_those_of_a_program(shown: Path) -> None:
    async with jvmdebug.replay(shown) as session:
        stop = await session.next_stop(10)
        assert stop is not None
        found = {each.name: each for each in await stop.frame.variables()}
        texts = {name: await each.as_text() for name, each in found.items()}
        assert texts == {
            "list": 'LinkedList(2) {"a", "a"}',
            "map": 'TreeMap(1) {"a"=7}',
            "price": "12.50",
            "boxed": "7",
            "colour": "GREEN",
            "plain": "Till@7",
            "thrown": 'IllegalStateException@8 "no"',
            "type": "class shop.Till",
            "numbers": "int[4] {5, 6, <not recorded>, <not recorded>}",
            "big": str(-(1 << 40)),
            "rate": "1.25",
            "ratio": "0.5",
            "letter": "'x'",
            "flag": "<not recorded>",
        }
        elements = [await each.as_text() for each in await found["list"].children()]
        assert elements == ['"a"', '"a"']
        assert await (await stop.frame.evaluate("boxed + numbers[1]")).as_text() == "13"


def test_the_same_from_a_script(shown: Path) -> None:
    with jvmdebug.recording.open(shown) as recording:
        end = recording.end
        assert end is not None
        texts = {each.name: each.text for each in end.frames[0].variables()}
        assert texts["price"] == "12.50"
        assert texts["list"] == "LinkedList(2)"
        assert texts["flag"] == "not recorded"
        assert texts["letter"] == "'x'"
        assert end.value("numbers[1]") == "6"  # as it was seen first
        assert end.value("numbers[2]") == "not recorded"
