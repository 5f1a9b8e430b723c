# SPDX-License-Identifier: Apache-2.0
"""Java expressions in code of other compilers: inside Kotlin's and Scala's own classes.

Companions, properties behind fields and getters, mangled names, objects in `MODULE$`: the values
are those that a Java program gets from the same calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

import jvmdebug
from tests.support.debuggees import debuggee
from tests.support.libraries import library, maven

if TYPE_CHECKING:
    from tests.support.jdks import Jdk

pytestmark = [
    pytest.mark.network,
    pytest.mark.skipif(maven() is None, reason="the libraries are fetched by Maven; no mvn here"),
]

_STOP_TIMEOUT_S: Final = 60.0

PLACES: Final = {
    "kotlin.collections.ArrayDeque#addFirst": (
        ("element", '"zero"'),
        ("head + size", "2"),
        ("size() == size", "true"),
        ("elementData.length", "2"),
        ("get(0)", '"one"'),
        ("((String) this.get(1)).length()", "5"),
        ("this.get(0).length()", "3"),
        ("super.isEmpty() || isEmpty()", "false"),
        ("ArrayDeque.Companion == Companion", "true"),
        ("emptyElementData.length + defaultMinCapacity", "10"),
        ("indexOf(element)", "-1"),
        ("internalIndex(1) + incremented(0)", "2"),
        ("head = head + 1 - 1", "0"),
        ('kotlin.text.StringsKt.repeat("ab", 2)', '"abab"'),
        ("kotlin.collections.CollectionsKt.getLastIndex(this)", "1"),
        ("new ArrayDeque(this).get(0)", '"one"'),
    ),
    "kotlin.ranges.IntProgression$Companion#fromClosedRange": (
        ("rangeEnd + step", "13"),
        ("new IntProgression(rangeStart, rangeEnd, step).getLast()", "10"),
        ("IntProgression.Companion == this", "true"),
    ),
    "kotlin.ranges.IntRange#contains": (
        ("first + value", "7"),
        ("value >= getFirst() && value <= super.getLast()", "true"),
        ("IntRange.Companion.getEMPTY().isEmpty()", "true"),
        ("this.equals(new IntRange(2, 9))", "true"),
        ("getStart() + value", "7"),
    ),
    "scala.collection.immutable.Range#contains": (
        ("start + this.end() * step()", "19"),
        ("isEmpty() ? 0 : length()", "5"),
        ("apply$mcII$sp(1) + head()", "4"),
        ("scala.Predef$.MODULE$.identity(this) == this", "true"),
        ("scala$collection$immutable$Range$$numRangeElements", "5"),
        ("Range$.MODULE$.count(1, 4, 1, isInclusive())", "4"),
        ("take(2).length()", "2"),
    ),
    "scala.util.Either#contains": (
        ("elem", "4"),
        ("((scala.util.Right) this).value()", "4"),
        ("this instanceof Right && !isLeft()", "true"),
    ),
}
"""Where to stop; expressions and what they are there."""


async def check_lines(session: jvmdebug.Session, frame: jvmdebug.FrameHandle) -> None:
    """A frame's own line, by the path of its source, leads back to the same place."""
    found = await session.break_at(f"{frame.source_path}:{frame.line}")
    places = {(each.type_name, each.method_name, each.index) for each in found.locations}
    assert (frame.type_name, frame.method_name, frame.index) in places, f"{found} at {frame}"
    assert frame.line in await session.breakpoints.breakable_lines(str(frame.source_path))
    await found.remove()


async def test_java_expressions_inside_kotlin_and_scala(jdk: Jdk) -> None:
    libraries = (library("kotlin-stdlib"), library("scala-library"))
    program = debuggee("languages", "Languages", libraries=libraries)
    wrong: list[str] = []
    async with jvmdebug.launch(
        program.main_class,
        class_path=program.class_path,
        source_path=[program.source_dir],
        java=jdk.home,
    ) as session:
        for place, texts in PLACES.items():
            await session.break_at(place, once=True)
            if session.current_stops:
                await session.resume()
            stop = await session.next_stop(timeout_s=_STOP_TIMEOUT_S)
            assert stop is not None, f"the program ended before {place}"
            await check_lines(session, stop.frame)
            for text, expected in texts:
                try:
                    found = await (await stop.frame.evaluate(text)).as_text()
                except jvmdebug.JvmDebugError as error:
                    found = f"{type(error).__name__}: {error}"
                if found != expected:
                    wrong.append(f"[{place}] {text}: {found}, should be {expected}")
    assert not wrong, "\n".join(wrong)
