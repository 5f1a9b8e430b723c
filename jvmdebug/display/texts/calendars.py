# SPDX-License-Identifier: Apache-2.0
"""One line for dates of other calendars, java.util.Date and Calendar, time zones, clocks, ranges.

java.util.Date and Calendar are written as instants: Date's own text depends on the time zone,
Calendar's is all of its fields.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.display import layout
from jvmdebug.display.layout import UnknownLayoutError
from jvmdebug.display.texts.times import instant_text

if TYPE_CHECKING:
    from jvmdebug.display.line import Line, TextOf
    from jvmdebug.model.values import ObjectReference

_OF_JAPAN: Final = {-1: "Meiji", 0: "Taisho", 1: "Showa", 2: "Heisei", 3: "Reiwa"}


def _shifted(name: str, before: str, since: str, years: int) -> TextOf:
    async def text(reference: ObjectReference, _line: Line) -> str:
        """`Minguo ROC 113-02-29`: the ISO date with other years."""
        date = await _part(reference, "isoDate")
        year, month, day = await layout.read_integers(date, "year", "month", "day")
        proleptic = year + years
        era, shown = (since, proleptic) if proleptic >= 1 else (before, 1 - proleptic)
        return _date(f"{name} {era}", shown, month, day)

    return text


async def _japanese(reference: ObjectReference, _line: Line) -> str:
    date, era = await _part(reference, "isoDate"), await _part(reference, "era")
    month, day = await layout.read_integers(date, "month", "day")
    name = _OF_JAPAN.get(await layout.read_int(era, "eraValue"))
    if name is None:
        raise UnknownLayoutError("an era that is newer than this")
    return _date(f"Japanese {name}", await layout.read_int(reference, "yearOfEra"), month, day)


async def _hijrah(reference: ObjectReference, _line: Line) -> str:
    names = ("prolepticYear", "monthOfYear", "dayOfMonth")
    year, month, day = await layout.read_integers(reference, *names)
    chronology = await layout.read_text(await _part(reference, "chrono"), "typeId")
    return _date(f"{chronology} AH", year, month, day)


def _date(era: str, year: int, month: int, day: int) -> str:
    return f"{era} {year}-{month:02}-{day:02}"


async def _util_date(reference: ObjectReference, _line: Line) -> str:
    """`2024-03-01T00:00:00.123Z`; a date whose fields were set computes its time when asked."""
    (milliseconds,) = await layout.read_integers(reference, "fastTime")
    fields = await layout.read_object(reference, "cdate")
    if fields is not None and not await layout.read_int(fields, "normalized"):
        raise UnknownLayoutError("a date whose time is not computed yet")
    seconds, rest = divmod(milliseconds, 1000)
    return instant_text(seconds, rest * 1_000_000)


async def _timestamp(reference: ObjectReference, _line: Line) -> str:
    """java.sql.Timestamp keeps the fraction of the second apart."""
    milliseconds, nanos = await layout.read_integers(reference, "fastTime", "nanos")
    return instant_text(milliseconds // 1000, nanos)


async def _calendar(reference: ObjectReference, _line: Line) -> str:
    """`2024-03-01T00:00:00.123Z[Europe/Berlin]`"""
    milliseconds, is_computed = await layout.read_integers(reference, "time", "isTimeSet")
    if not is_computed:
        raise UnknownLayoutError("a calendar whose time is not computed yet")
    seconds, rest = divmod(milliseconds, 1000)
    zone = await layout.read_text(await _part(reference, "zone"), "ID")
    return f"{instant_text(seconds, rest * 1_000_000)}[{zone}]"


async def _time_zone(reference: ObjectReference, _line: Line) -> str:
    return await layout.read_text(reference, "ID")


def _clock(*names: str) -> TextOf:
    async def text(reference: ObjectReference, line: Line) -> str:
        """`FixedClock[1970-01-01T00:00:00Z,Z]`, as `toString` writes it."""
        parts = [await line.write(await _part(reference, each), line) for each in names]
        return f"{(await reference.type()).simple_name}[{','.join(parts)}]"

    return text


async def _value_range(reference: ObjectReference, _line: Line) -> str:
    """`1 - 28/31`"""
    names = ("minSmallest", "minLargest", "maxSmallest", "maxLargest")
    least, less, more, most = await layout.read_integers(reference, *names)
    low = str(least) if least == less else f"{least}/{less}"
    return f"{low} - {more}" + ("" if more == most else f"/{most}")


async def _part(reference: ObjectReference, name: str) -> ObjectReference:
    found = await layout.read_object(reference, name)
    if found is None:
        raise UnknownLayoutError("a part of a date is missing")
    return found


CALENDAR_TEXTS: Final[dict[str, TextOf]] = {
    "java.sql.Timestamp": _timestamp,
    "java.time.Clock$FixedClock": _clock("instant", "zone"),
    "java.time.Clock$OffsetClock": _clock("baseClock", "offset"),
    "java.time.Clock$SystemClock": _clock("zone"),
    "java.time.chrono.HijrahDate": _hijrah,
    "java.time.chrono.JapaneseDate": _japanese,
    "java.time.chrono.MinguoDate": _shifted("Minguo", "BEFORE_ROC", "ROC", -1911),
    "java.time.chrono.ThaiBuddhistDate": _shifted("ThaiBuddhist", "BEFORE_BE", "BE", 543),
    "java.time.temporal.ValueRange": _value_range,
    "java.util.Calendar": _calendar,
    "java.util.Date": _util_date,
    "java.util.TimeZone": _time_zone,
}
