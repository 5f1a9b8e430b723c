# SPDX-License-Identifier: Apache-2.0
"""Questions to a recording from a script: who wrote, when, which values, calls, exports."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import jvmdebug

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.debuggees import Debuggee

Recording = jvmdebug.recording.Recording


@pytest.fixture
def past(recorded: Path) -> Iterator[Recording]:
    """The recording, open."""
    with jvmdebug.recording.open(recorded) as found:
        yield found


def test_a_moment_has_frames_and_values(past: Recording, till: Debuggee) -> None:
    end = past.end
    assert end is not None
    assert end.frames[0].place == f"shop.Till.main(Till.java:{till.marker('end')})"
    values = {each.name: each.text for each in end.frames[0].variables()}
    assert (values["sum"], values["deep"]) == ("4", "4")
    assert end.value("till.total") == "30"
    assert end.value("till.name") == "null"
    assert end.value("till.prices[0]") == "20"
    assert end.value("Till.made") == "1"
    with pytest.raises(jvmdebug.recording.RecordingError, match="'nothing' is no variable"):
        end.value("nothing")
    with pytest.raises(jvmdebug.recording.RecordingError, match="is no name of a variable"):
        end.value("till.add(1)")


def test_who_wrote_and_all_values(past: Recording, till: Debuggee) -> None:
    end = past.end
    assert end is not None
    found = end.who_wrote("till.total")
    assert found is not None
    assert (found.text, found.where) == ("30", f"shop.Till.add(Till.java:{till.marker('added')})")
    before = found.moment.step_back("out")  # in the caller, before it was called
    assert before is not None
    assert before.value("till.total") == "10"
    assert [each.text for each in end.values("till.total")] == ["0", "10", "30"]
    assert [each.text for each in end.values("sum")] == ["0", "0", "10", "30", "4"]
    assert [each.text for each in end.values("till.prices[0]")] == ["0", "10", "20"]
    cleared = end.when("till.name == null")
    assert cleared is not None
    assert cleared.where == f"shop.Till.main(Till.java:{till.marker('cleared')})"
    assert end.when("sum == 31") is None
    ten = end.when("sum == 10")
    assert ten is not None
    later = ten.moment.when("sum > 10", back=False)
    assert later is not None
    assert later.text == "30"
    with pytest.raises(jvmdebug.recording.RecordingError, match="is no comparison"):
        end.when("sum")


def test_search_by_value(past: Recording) -> None:
    assert [each.text for each in past.writes("total", "30")] == ["30"]
    assert len(list(past.writes("price"))) == 3
    assert [each.where.partition("(")[0] for each in past.writes("name", '"a"')] == [
        "shop.Till.<init>",
        "shop.Till.<init>",
    ]


def test_calls_in_order_and_as_a_tree(past: Recording) -> None:
    calls = list(past.calls())
    names = [each.name.removeprefix("shop.Till.") for each in calls]
    assert names == ["<init>", *["add"] * 3, *["depth"] * 5, "check", "main"]
    assert [(each.arguments, each.result) for each in calls[1:4]] == [
        (("0",), "0"),
        (("10",), "10"),
        (("20",), "30"),
    ]
    assert "too much" in calls[-2].exception
    from jvmdebug.recording.calls import calls_in  # noqa: PLC0415 - internal

    (main,) = calls_in(past.past, 1, None)
    inside = calls_in(past.past, 1, main.index)
    assert [each.name.removeprefix("shop.Till.") for each in inside] == [
        *("<init>", "add", "add", "add", "depth", "check")
    ]
    assert [each.result for each in calls_in(past.past, 1, inside[4].index)] == ["3"]


def test_exports(past: Recording, tmp_path: Path) -> None:
    past.to_perfetto(tmp_path / "trace.json")
    trace = json.loads((tmp_path / "trace.json").read_text(encoding="utf-8"))
    named = [each["name"] for each in trace["traceEvents"] if each["ph"] == "X"]
    assert named.count("shop.Till.depth") == 5
    duckdb = pytest.importorskip("duckdb")
    calls, lines, writes = past.to_parquet(tmp_path / "tables")
    query = f"select max(value::int) from '{writes}' where name = 'total'"
    assert duckdb.sql(query).fetchall() == [(30,)]
    query = f"select count(*) from '{calls}' where name like '%.add'"
    assert duckdb.sql(query).fetchall() == [(3,)]
    assert duckdb.sql(f"select count(*) from '{lines}'").fetchall()[0][0] == len(list(past.lines()))
