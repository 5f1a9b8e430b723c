# SPDX-License-Identifier: Apache-2.0
"""Fields and elements where there are several threads, and where there is no object."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug.recording.errors import RecordingError
from jvmdebug.recording.format import ObjectDefinition, ObjectKind
from jvmdebug.recording.questions import ElementTarget
from jvmdebug.recording.states import Position
from tests.support.recordings import HandMade

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.debuggees import Debuggee

ARRAY = 3


@pytest.fixture
def two_threads(till: Debuggee, tmp_path: Path) -> Path:
    """Element 0 is set by thread 1, then by thread 2; 1 by thread 2, then by thread 1."""
    content = (till.class_path[0] / "shop" / "Till.class").read_bytes()
    with HandMade(tmp_path / "two.jvmrec") as made:
        made.begin_thread(2, "other")
        shop = made.class_("shop.Till", content)
        for thread, index, value in ((1, 0, 10), (2, 0, 20), (2, 1, 21), (1, 1, 11)):
            made.thread = thread
            shop.enter("depth")
            shop.element("depth", 0, ARRAY, index, value)
            shop.line("depth", till.marker("deepest"))
            shop.exit("depth")
            made.flush()
        made.objects(ObjectDefinition(ARRAY, "[I", ObjectKind.ARRAY, length=2, elements=(0, 0)))
    return made.path


def test_the_last_write_of_an_element_is_that_of_any_thread(two_threads: Path) -> None:
    with jvmdebug.recording.open(two_threads) as past:
        reader = past.reader
        at = Position(1, reader.length(1) - 1)
        all_of = past.past.elements(at, ARRAY)
        assert {index: each.value for index, each in all_of.items()} == {0: 20, 1: 11}
        for index, written in all_of.items():
            assert past.past.element(at, ARRAY, index) == written


def test_a_field_without_an_object_is_no_static_one(recorded: Path) -> None:
    with jvmdebug.recording.open(recorded) as past:
        end = past.end  # in `main`, which is static
        assert end is not None
        assert end.value("Till.made") == "1"
        for name in ("total", "this.total", "Till.total"):
            with pytest.raises(RecordingError, match="no variable or field"):
                end.value(name)


def test_writes_whose_order_is_not_known_are_named(till: Debuggee, tmp_path: Path) -> None:
    """Thread 2 sets element 0 while thread 1 does, element 1 before it, element 2 by itself."""
    content = (till.class_path[0] / "shop" / "Till.class").read_bytes()
    clock = 1
    with HandMade(tmp_path / "beside.jvmrec") as made:
        made.begin_thread(2, "other")
        shop = made.class_("shop.Till", content)
        for thread in (2, 1):
            made.thread = thread
            made.record(clock, made.now_ns)
            shop.enter("depth")
        shop.element("depth", 0, ARRAY, 0, 10)
        made.thread = 2
        shop.element("depth", 0, ARRAY, 0, 20)
        shop.element("depth", 0, ARRAY, 1, 21)
        shop.element("depth", 0, ARRAY, 2, 22)
        made.record(clock, made.now_ns)
        made.thread = 1
        made.record(clock, made.now_ns)
        shop.element("depth", 0, ARRAY, 1, 11)
        shop.exit("depth")
        made.flush()
        made.objects(ObjectDefinition(ARRAY, "[I", ObjectKind.ARRAY, length=3, elements=(0, 0, 0)))
    with jvmdebug.recording.open(made.path) as past:
        at = Position(1, past.reader.length(1) - 1)

        def asked(index: int) -> tuple[int, list[int]]:
            target = ElementTarget(ARRAY, index, "I")
            last, *others = past.questions.last_writes(at, target)
            return last.value, [each.value for each in others]

        assert asked(1) == (11, [])
        assert asked(2) == (22, [])
        last, others = asked(0)
        assert sorted([last, *others]) == [10, 20]
