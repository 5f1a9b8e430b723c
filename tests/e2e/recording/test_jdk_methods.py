# SPDX-License-Identifier: Apache-2.0
"""Expressions over the past that call methods of the JDK: computed from what was recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug.recording.format import ObjectDefinition, ObjectKind
from tests.support.recordings import HandMade

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.support.debuggees import Debuggee

_KIND = ObjectKind
OBJECTS = (
    ObjectDefinition(13, "java.lang.StringBuilder", _KIND.TEXT, "same", 4),
    ObjectDefinition(14, "java.lang.StringBuilder", _KIND.TEXT, "same", 4),
    ObjectDefinition(1, "java.lang.String", _KIND.STRING, "a", 1),
    ObjectDefinition(2, "java.lang.Integer", _KIND.BOXED, "7"),
    ObjectDefinition(3, "java.util.LinkedList", _KIND.COLLECTION, length=2, elements=(1, 11)),
    ObjectDefinition(4, "java.util.HashMap", _KIND.MAP, length=2, elements=(1, 2, 11, 0)),
    ObjectDefinition(5, "java.math.BigDecimal", _KIND.TEXT, "12.50"),
    ObjectDefinition(6, "shop.Shown$Colour", _KIND.ENUM, "GREEN"),
    ObjectDefinition(
        7, "java.util.ArrayList", _KIND.COLLECTION, length=200, elements=(1, 2, 12, 13, 14)
    ),
    ObjectDefinition(8, "java.lang.IllegalStateException", _KIND.THROWABLE, "no", stack="at X"),
    ObjectDefinition(9, "java.lang.Class", _KIND.CLASS, "shop.Till"),
    ObjectDefinition(10, "[I", _KIND.ARRAY, length=2, elements=(5, 6)),
    ObjectDefinition(11, "java.lang.String", _KIND.STRING, "b😀c", 4),
    ObjectDefinition(12, "java.lang.String", _KIND.STRING, "start", 20_000),
)
SLOTS = (
    *((0, 3, "L"), (1, 4, "L"), (2, 5, "L"), (3, 2, "L"), (4, 6, "L"), (5, 7, "L"), (6, 8, "L")),
    *((7, 9, "L"), (8, 10, "["), (9, -5, "J"), (14, ord("x"), "C"), (15, 1, "Z")),
)


@pytest.fixture
async def frame(till: Debuggee, tmp_path: Path) -> AsyncIterator[jvmdebug.FrameHandle]:
    """The frame of `show(list, map, price, boxed, colour, plain, thrown, type, numbers, big, …)`,
    whose `plain` is a list of which three elements are known.
    """
    path = tmp_path / "shown.jvmrec"
    with HandMade(path) as made:
        content = (till.class_path[0] / "shop" / "Shown.class").read_bytes()
        shown = made.class_("shop.Shown", content)
        shown.enter("show")
        for slot, value, type_ in SLOTS:
            shown.local("show", slot, value, 0, type_)
        shown.line("show", till.marker("shown"))
        made.objects(*OBJECTS)
    async with jvmdebug.replay(path) as session:
        stop = await session.next_stop(10)
        assert stop is not None
        yield stop.frame


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("list.size()", "2"),
        ("list.isEmpty()", "false"),
        ('list.contains("a")', "true"),
        ('list.contains("c")', "false"),
        ("list.contains(null)", "false"),
        ("list.get(0)", '"a"'),
        ("list.get(0).length() + list.get(1).length()", "5"),
        ("list.get(1).charAt(3)", "'c'"),
        ("list.get(1).indexOf('c')", "3"),
        ("list.get(1).indexOf('z')", "-1"),
        ('list.get(1).indexOf("c")', "3"),
        ('list.get(1).substring(1, 3).equals("😀")', "true"),
        ("plain.size()", "200"),
        ("plain.get(3).equals(plain.get(4))", "false"),
        ("plain.get(3).equals(plain.get(3))", "true"),
        ("plain.get(1)", "7"),
        ("plain.contains(7)", "true"),
        ("plain.get(2).length()", "20000"),
        ('plain.get(2).startsWith("sta")', "true"),
        ('plain.get(2).equals("start")', "false"),
        ("plain.get(2).charAt(1)", "'t'"),
        ("map.size()", "2"),
        ('map.get("a") + 1', "8"),
        ('map.get("none")', "null"),
        ('map.containsKey("a") && !map.containsKey("z")', "true"),
        ("map.containsValue(7)", "true"),
        ('"abc".length()', "3"),
        ('"abc".contains("b") ? "abc".hashCode() : 0', "96354"),
        ('"  x ".trim() + "!"', '"x!"'),
        ('"a".equals(list.get(0))', "true"),
        ('list.get(0).equals("b")', "false"),
        ("boxed.equals(7)", "true"),
        ("boxed.equals(7L)", "false"),
        ("price.toString()", '"12.50"'),
        ("price.equals(price)", "true"),
        ("colour.name()", '"GREEN"'),
        ("colour.equals(colour)", "true"),
        ("thrown.getMessage()", '"no"'),
        ("Math.max(boxed, numbers[1])", "7"),
        ("Math.min(big, 3)", "-5"),
        ("java.lang.Math.abs(big)", "5"),
        ("Math.max(0.0, -0.0)", "0.0"),
        ("Math.abs(-2147483648)", "-2147483648"),
    ],
)
async def test_computed(frame: jvmdebug.FrameHandle, expression: str, text: str) -> None:
    assert await (await frame.evaluate(expression)).as_text() == text


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        ("list.stream()", "a recording has no code of the JDK"),
        ("list.sizes()", "did you mean size"),
        ("price.scale()", "a recording has no code of the JDK"),
        ("price.length()", r"BigDecimal.length\(\) cannot be computed"),
        ("list.get(2)", "the list has no element 2: its size is 2"),
        ("plain.get(100)", "of the 200 elements not all were recorded"),
        ('plain.contains("none")', "of the 200 elements not all were recorded"),
        ("plain.get(2).charAt(10)", "of the text, of 20,000 characters, 5 were recorded"),
        ('"abc".charAt(3)', "no character 3"),
        ("map.get(list.get(0)).size()", r"Integer.size\(\) cannot be computed"),
        ("Math.sqrt(2)", "of Math only max, min, abs"),
        ("list.get(1).contains('c')", "another text"),
        ("list.get(0, 1)", "a recording has no code of the JDK"),
        ('map.get("none").length()', "null"),
        ("list.equals(plain)", r"LinkedList.equals\(\) cannot be computed"),
    ],
)
async def test_refused(frame: jvmdebug.FrameHandle, expression: str, why: str) -> None:
    with pytest.raises(jvmdebug.EvaluationError, match=why):
        await frame.evaluate(expression)
