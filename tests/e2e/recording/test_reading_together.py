# SPDX-License-Identifier: Apache-2.0
"""The reader's memory is bounded; threads may ask it together; counts are of what was come to."""

from __future__ import annotations

import json
import stat
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug.jdwp.generated import events
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy
from jvmdebug.jdwp.generated.event_request import Set
from jvmdebug.recording import exporting, reader
from jvmdebug.recording.errors import RecordingError
from jvmdebug.recording.format import ObjectDefinition, ObjectKind
from jvmdebug.recording.kept import Kept
from jvmdebug.recording.reader import RecordingReader
from jvmdebug.recording.replay.program import ReplayedProgram
from tests.support.recordings import HandMade

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.debuggees import Debuggee


def _content(till: Debuggee) -> bytes:
    return (till.class_path[0] / "shop" / "Till.class").read_bytes()


def test_what_is_kept_has_a_size() -> None:
    made: list[int] = []

    def value(key: int) -> bytes:
        made.append(key)
        return bytes(key)

    kept: Kept[int, bytes] = Kept(1000, len)
    for key in (400, 500, 400, 300):
        assert kept.get(key, lambda key=key: value(key)) == bytes(key)  # type: ignore[misc]
    assert made == [400, 500, 300]
    assert kept.size == 700  # 500 was used least recently
    assert len(kept.get(5000, lambda: value(5000))) == 5000
    assert (len(kept), kept.size) == (1, 5000)  # the last one is kept, however large


def test_chunks_that_are_kept_have_a_size(
    till: Debuggee, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "_MOST_OF_CHUNKS", 200_000)
    with HandMade(tmp_path / "long.jvmrec") as made:
        shop = made.class_("shop.Till", _content(till))
        for _ in range(20):
            for _ in range(1000):
                shop.enter("depth")
                shop.local("depth", 0, 1)
                shop.line("depth", till.marker("deepest"))
                shop.exit("depth")
            made.flush()
    with jvmdebug.recording.open(made.path) as past:
        assert len(list(past.calls())) == 20_000
        chunks = past.reader._chunks
        assert 0 < chunks.size < 1_000_000 + 200_000
        assert len(chunks) < 3


def test_threads_ask_together(recorded: Path) -> None:
    with jvmdebug.recording.open(recorded) as past:
        alone = [repr(each.frames) for each in past.lines()]
    with jvmdebug.recording.open(recorded) as past, ThreadPoolExecutor(8) as pool:
        moments = list(past.lines())
        found = list(pool.map(lambda each: repr(each.frames), moments * 4))
        assert found == alone * 4
        chunk = past.reader.chunk(past.reader.chunks_of(1)[0])
        chunk._followed = None
        ends = list(pool.map(chunk.run_after, range(5)))
        assert ends == sorted(ends)


def test_a_search_for_a_number_does_not_find_true(till: Debuggee, tmp_path: Path) -> None:
    with HandMade(tmp_path / "flag.jvmrec") as made:
        shop = made.class_("shop.Shown", _shown(till))
        shop.enter("show")
        shop.local("show", 15, 1, 0, "Z")
        shop.line("show", till.marker("shown"))
    with jvmdebug.recording.open(made.path) as past:
        assert [each.text for each in past.writes("flag", "true")] == ["true"]
        assert not list(past.writes("flag", "1"))


def _shown(till: Debuggee) -> bytes:
    return (till.class_path[0] / "shop" / "Shown.class").read_bytes()


@pytest.fixture
def two_threads(till: Debuggee, tmp_path: Path) -> Path:
    """Threads 1 and 2 call `depth` in turn, with 1, 2, 3 …"""
    with HandMade(tmp_path / "two.jvmrec") as made:
        made.begin_thread(2, "other")
        shop = made.class_("shop.Till", _content(till))
        for number in range(1, 9):
            made.thread = 2 - number % 2
            shop.enter("depth")
            shop.local("depth", 0, number)
            shop.line("depth", till.marker("deepest"))
            shop.exit("depth")
            made.flush()
    return made.path


def test_a_count_is_of_what_was_come_to(two_threads: Path) -> None:
    """Threads 1 and 2 are looked at alike, and only what comes first counts."""
    with RecordingReader(two_threads) as opened:
        program = ReplayedProgram(opened)
        first = program.moves.first(1)
        assert first is not None
        program.go_to(first)
        modifiers = (events.ClassMatchModifier("shop.*"), events.CountModifier(4))
        program.requests.add(Set(EventKind.METHOD_ENTRY, SuspendPolicy.ALL, modifiers))
        assert program.run() is not None
        # The call with 1 is where it began: those with 2, 3, 4 and 5 are counted.
        at = program.position
        site, value = opened.record(at.thread, at.index + 1)
        assert (at.thread, value) == (1, 5), site


def test_exports_are_private_whole_or_not_there(
    till: Debuggee, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = ObjectDefinition(1, "java.lang.String", ObjectKind.STRING, "a\ud800b", 3)
    with HandMade(tmp_path / "odd.jvmrec") as made:
        made.begin_thread(1, "odd\udc00")
        shop = made.class_("shop.Till", _content(till))
        shop.enter("<init>")
        shop.local("<init>", 0, 0, 0, "L")
        shop.local("<init>", 1, 1, 0, "L")
        shop.exit("<init>")
        made.objects(odd)
    trace, tables = tmp_path / "trace.json", tmp_path / "tables"
    with jvmdebug.recording.open(made.path) as past:
        past.to_perfetto(trace)
        found = json.loads(trace.read_text(encoding="utf-8"))["traceEvents"]
        assert found[-1]["args"]["arguments"] == ['"a\ufffdb"']
        assert stat.S_IMODE(trace.stat().st_mode) == 0o600
        pytest.importorskip("pyarrow")
        for each in past.to_parquet(tables):
            assert stat.S_IMODE(each.stat().st_mode) == 0o600

        def cut(*_: object) -> Iterator[object]:
            yield from ()
            raise RecordingError("a chunk is damaged")

        before = trace.read_bytes()
        monkeypatch.setattr(exporting, "_events", cut)
        with pytest.raises(RecordingError, match="damaged"):
            past.to_perfetto(trace)
        assert trace.read_bytes() == before
        monkeypatch.setattr(exporting, "_writes", cut)
        with pytest.raises(RecordingError, match="damaged"):
            past.to_parquet(tmp_path / "others")
    assert sorted(each.name for each in (tmp_path / "others").iterdir()) == []
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        *("odd.jvmrec", "others", "tables", "trace.json")
    ]
