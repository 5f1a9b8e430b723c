# SPDX-License-Identifier: Apache-2.0
"""Names in Kotlin that class files do not have: of value classes, in accessors, of other parts of a
file's class.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

import jvmdebug
from tests.support.libraries import maven
from tests.support.other_languages import kotlin_debuggee
from tests.support.sessions import launched, stop_at

if TYPE_CHECKING:
    from tests.support.jdks import Jdk

pytestmark = [
    pytest.mark.network,
    pytest.mark.skipif(maven() is None, reason="the compiler is fetched by Maven; no mvn here"),
]

PLACES: Final = {
    "outside": (
        ("lighter(5) + lighter(5, 1)", "7"),
        ("limit", "42"),
        ('outside("q")', '"q 100"'),
        ("secret(2)", "200"),
        ("kept", "8"),
        ("kept + 1", "9"),
        # Private in another part, where the compiler would refuse them.
        ("deeper(1)", "7"),
        ("deeper(1, 2) + deepest()", "22"),
        ("depth * 2", "10"),
        ("draught", "4"),
        ("draught = 6", "6"),
        ("draught", "6"),
        ("4.doubled", "8"),
    ),
    "plus": (
        ("heavy", "1.5"),
        ("heavy + more", "3.5"),
        ("this", "Tons"),
        ("this.heavy", "1.5"),
        ("sum * 2", "7.0"),
        ("half", "0.75"),
        ("plus(1.0) + half", "3.25"),
    ),
    "half": (("heavy", "3.0"), ("this.heavy * 2", "6.0")),
    "setter": (
        ("field", "1"),
        ("field + value", "10"),
        ("lifted", "1"),
        ("field = 5", "5"),
        ("this.lifted", "5"),
    ),
    "getter": (("field", "true"), ("!field", "false")),
    "limits": (
        ("deeper(1)", "7"),
        ("depth + draught", "9"),
        ("draught.doubled", "8"),
        ("secret(1)", "100"),
        ("kept", "8"),
        ("lighter(9)", "7"),
    ),
}
"""Where to stop; expressions and what they are there, or begin with."""


async def test_names_mean_what_they_mean_in_the_source(jdk: Jdk) -> None:
    program = kotlin_debuggee("kotlin_names", "names.Loads")
    wrong: list[str] = []
    async with launched(program, jdk, "jvmdebug") as session:
        for marker, texts in PLACES.items():
            stop = await stop_at(session, program, marker)
            for text, expected in texts:
                try:
                    found = await (await stop.frame.evaluate(text)).as_text()
                except jvmdebug.JvmDebugError as error:
                    found = str(error)
                if not found.startswith(expected):
                    wrong.append(f"[{marker}] {text}: {found}, should be {expected}")
            shown = {each.name: await each.as_text() for each in await stop.frame.locals()}
            if marker == "plus":
                assert shown == {"heavy": "1.5", "more": "2.0", "sum": "3.5"}
        await session.resume()
        assert await session.wait() == 0
    assert not wrong, "\n".join(wrong)
