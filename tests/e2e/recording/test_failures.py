# SPDX-License-Identifier: Apache-2.0
"""The place where a test failed: the line of recorded code at which the exception came up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.support.recordings import HandMade

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.debuggees import Debuggee


def test_the_line_that_threw(recorded: Path, till: Debuggee) -> None:
    with jvmdebug.recording.open(recorded) as opened:
        ids = "[engine:junit-jupiter]/[class:shop.Till]/[test-template:check(int)]/[invocation:#2]"
        names = ("shop.Till#check", "Till#check[2]", "shop.Other#check", "shop.Till", ids)
        for test in names:
            found = opened.failure(test)
            assert found is not None, test
            assert found.frames[0].place == f"shop.Till.check(Till.java:{till.marker('thrown')})"
            assert found.value("sum") == "30"
        assert opened.failure() is None, "it is caught"
        assert opened.failure("shop.Till#add") is not None, "that of the class"
        assert opened.failure("shop.Other") is None


@pytest.mark.parametrize("library", ["org.junit.jupiter.api.Assertions", "shop.Checks"])
def test_an_exception_that_a_library_has_thrown(
    tmp_path: Path, till: Debuggee, library: str
) -> None:
    content = (till.class_path[0] / "shop" / "Till.class").read_bytes()
    with HandMade(tmp_path / "test.jvmrec") as made:
        shop = made.class_("shop.Till", content)
        other = made.class_(library, content)
        shop.enter("main")
        shop.line("main", till.marker("checked"))
        for exception in (7, 8):  # the first is caught
            other.enter("check")
            other.line("check", till.marker("thrown"))
            other.enter("depth")
            other.line("depth", till.marker("deepest"))
            other.thrown("depth", exception)
            other.thrown("check", exception)
            if exception == 7:
                shop.caught("main", shop.bci("main", till.marker("caught")), exception)
                shop.line("main", till.marker("last"))
        shop.thrown("main", 8)
    with jvmdebug.recording.open(made.path) as opened:
        for test in (None, "shop.Till#main"):
            found = opened.failure(test)
            assert found is not None
            expected = f"shop.Till.main(Till.java:{till.marker('last')})"
            if library == "shop.Checks":
                expected = f"shop.Checks.depth(Till.java:{till.marker('deepest')})"
            assert found.frames[0].place == expected


async def test_a_session_goes_there(recorded: Path, till: Debuggee) -> None:
    async with jvmdebug.replay(recorded, source_path=[till.source_dir]) as session:
        past = session.past
        assert past is not None
        assert await session.next_stop() is not None
        await past.go_to_failure("shop.Till#check")
        stop = await session.next_stop()
        assert stop is not None
        assert str(stop.frame.location).endswith(f"(Till.java:{till.marker('thrown')})")
        for test, why in (
            (None, "no recorded test ended by an exception"),
            ("shop.Other", "shop.Other is not recorded, or has not ended by an exception"),
        ):
            with pytest.raises(jvmdebug.recording.RecordingError, match=why):
                await past.go_to_failure(test)
