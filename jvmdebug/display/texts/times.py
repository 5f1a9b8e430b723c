# SPDX-License-Identifier: Apache-2.0
"""One line for dates, times and durations, as `toString` of java.time writes them (ISO 8601).

What is not of the ISO calendar, or older than java.time, is in `calendars`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.display import layout
from jvmdebug.display.layout import UnknownLayoutError
from jvmdebug.model.values import ObjectReference

if TYPE_CHECKING:
    from jvmdebug.display.line import Line, TextOf
    from jvmdebug.model.values import Value

_DAY_S: Final = 86_400


# --- dates and times ------------------------------------------------------------------------------


async def _local_date(reference: ObjectReference, _line: Line) -> str:
    return date_text(*await layout.read_integers(reference, "year", "month", "day"))


async def _local_time(reference: ObjectReference, _line: Line) -> str:
    return time_text(*await layout.read_integers(reference, "hour", "minute", "second", "nano"))


async def _local_date_time(reference: ObjectReference, line: Line) -> str:
    date, time = await layout.read(reference, "date", "time")
    return f"{await _local_date(_object(date), line)}T{await _local_time(_object(time), line)}"


async def _offset_date_time(reference: ObjectReference, line: Line) -> str:
    date_time, offset = await layout.read(reference, "dateTime", "offset")
    return await _local_date_time(_object(date_time), line) + await _zone(_object(offset), line)


async def _offset_time(reference: ObjectReference, line: Line) -> str:
    time, offset = await layout.read(reference, "time", "offset")
    return await _local_time(_object(time), line) + await _zone(_object(offset), line)


async def _zoned_date_time(reference: ObjectReference, line: Line) -> str:
    offset, zone = await layout.read(reference, "offset", "zone")
    text = await _offset_date_time(reference, line)
    return text if offset == zone else f"{text}[{await _zone(_object(zone), line)}]"


async def _zone(reference: ObjectReference, _line: Line) -> str:
    return await layout.read_text(reference, "id")


async def _instant(reference: ObjectReference, _line: Line) -> str:
    return instant_text(*await layout.read_integers(reference, "seconds", "nanos"))


async def _year(reference: ObjectReference, _line: Line) -> str:
    return str((await layout.read_integers(reference, "year"))[0])


async def _year_month(reference: ObjectReference, _line: Line) -> str:
    year, month = await layout.read_integers(reference, "year", "month")
    return f"{_year_text(year, signed=False)}-{month:02}"


async def _month_day(reference: ObjectReference, _line: Line) -> str:
    month, day = await layout.read_integers(reference, "month", "day")
    return f"--{month:02}-{day:02}"


def _object(value: Value) -> ObjectReference:
    if isinstance(value, ObjectReference):
        return value
    raise UnknownLayoutError("a part of a date is missing")


def _year_text(year: int, *, signed: bool = True) -> str:
    if abs(year) < 1000:
        return f"{'-' if year < 0 else ''}{abs(year):04}"
    return f"+{year}" if signed and year > 9999 else str(year)


def date_text(year: int, month: int, day: int) -> str:
    """The text of LocalDate.toString: `2024-02-29`, `-0044-03-15`, `+12024-01-01`."""
    return f"{_year_text(year)}-{month:02}-{day:02}"


def time_text(hour: int, minute: int, second: int, nano: int) -> str:
    """The text of LocalTime.toString: `10:15`, `10:15:30`, `10:15:30.001`."""
    text = f"{hour:02}:{minute:02}"
    return text if not second and not nano else f"{text}:{second:02}{_fraction(nano)}"


def _fraction(nano: int) -> str:
    """Nothing, or three, six or nine digits."""
    if not nano:
        return ""
    if nano % 1_000_000 == 0:
        return f".{nano // 1_000_000:03}"
    return f".{nano // 1000:06}" if nano % 1000 == 0 else f".{nano:09}"


def instant_text(seconds: int, nano: int) -> str:
    """The text of Instant.toString: `2024-02-29T10:15:30.001Z`."""
    days, rest = divmod(seconds, _DAY_S)
    year, month, day = _civil(days)
    sign = "+" if year > 9999 else ""
    date = f"{sign}{year}" if abs(year) >= 1000 else _year_text(year)
    clock = f"{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"
    return f"{date}-{month:02}-{day:02}T{clock}{_fraction(nano)}Z"


def _civil(days: int) -> tuple[int, int, int]:
    """Year, month and day of a number of days since 1970, in the proleptic Gregorian calendar.

    Years begin in March here, so that the leap day is the last one.
    """
    era, day_of_era = divmod(days + 719_468, 146_097)
    year_of_era = (
        day_of_era - day_of_era // 1460 + day_of_era // 36_524 - day_of_era // 146_096
    ) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    month = (5 * day_of_year + 2) // 153
    day = day_of_year - (153 * month + 2) // 5 + 1
    month = month + 3 if month < 10 else month - 9
    return year_of_era + era * 400 + (month <= 2), month, day


# --- amounts --------------------------------------------------------------------------------------


async def _duration(reference: ObjectReference, _line: Line) -> str:
    return duration_text(*await layout.read_integers(reference, "seconds", "nanos"))


def duration_text(seconds: int, nano: int) -> str:
    """The text of Duration.toString: `PT0S`, `PT8H6M12.345S`, `PT-0.5S`."""
    total = seconds * 1_000_000_000 + nano
    sign = "-" if total < 0 else ""
    whole, fraction = divmod(abs(total), 1_000_000_000)
    hours, minutes, second = whole // 3600, whole // 60 % 60, whole % 60
    text = f"{sign}{hours}H" if hours else ""
    text += f"{sign}{minutes}M" if minutes else ""
    if second or fraction or not text:
        digits = f".{fraction:09}".rstrip("0") if fraction else ""
        text += f"{sign if second or fraction else ''}{second}{digits}S"
    return f"PT{text}"


async def _period(reference: ObjectReference, _line: Line) -> str:
    years, months, days = await layout.read_integers(reference, "years", "months", "days")
    parts = ((years, "Y"), (months, "M"), (days, "D"))
    return "P" + ("".join(f"{count}{unit}" for count, unit in parts if count) or "0D")


TIME_TEXTS: Final[dict[str, TextOf]] = {
    "java.time.LocalDate": _local_date,
    "java.time.LocalTime": _local_time,
    "java.time.LocalDateTime": _local_date_time,
    "java.time.OffsetDateTime": _offset_date_time,
    "java.time.OffsetTime": _offset_time,
    "java.time.ZonedDateTime": _zoned_date_time,
    "java.time.ZoneOffset": _zone,
    "java.time.ZoneRegion": _zone,
    "java.time.Instant": _instant,
    "java.time.Year": _year,
    "java.time.YearMonth": _year_month,
    "java.time.MonthDay": _month_day,
    "java.time.Duration": _duration,
    "java.time.Period": _period,
}
