// SPDX-License-Identifier: Apache-2.0
package known;

import static known.Said.say;
import static known.Said.text;

import java.nio.file.attribute.FileTime;
import java.sql.Timestamp;
import java.time.Clock;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.chrono.HijrahDate;
import java.time.chrono.JapaneseDate;
import java.time.chrono.MinguoDate;
import java.time.chrono.ThaiBuddhistDate;
import java.time.temporal.ValueRange;
import java.util.Calendar;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.SimpleTimeZone;
import java.util.TimeZone;

/** Dates, times and amounts of time. */
final class Times {
    private Times() {}

    static Date MOVED;

    static void make() {
        text(LocalDate.of(2024, 2, 29));
        text(LocalDate.of(-44, 3, 15));
        text(LocalDate.of(12024, 12, 31));
        text(LocalTime.of(10, 15));
        text(LocalTime.of(10, 15, 30));
        text(LocalTime.of(0, 0, 0, 1));
        text(LocalTime.of(23, 59, 59, 120_000_000));
        text(LocalTime.of(1, 2, 3, 4_000));
        text(LocalDateTime.of(2020, 1, 2, 3, 4, 5));
        text(OffsetDateTime.of(2020, 1, 2, 3, 4, 5, 6, ZoneOffset.ofHours(-3)));
        text(OffsetTime.of(1, 2, 3, 4, ZoneOffset.UTC));
        text(ZonedDateTime.of(2020, 7, 1, 12, 0, 0, 0, ZoneId.of("Europe/Berlin")));
        text(ZonedDateTime.of(2020, 7, 1, 12, 0, 0, 0, ZoneOffset.UTC));
        text(ZoneId.of("Asia/Tokyo"));
        text(ZoneOffset.ofHoursMinutes(5, 30));
        for (long seconds : new long[] {0, 1, -1, 951_782_400, 4_102_444_800L, -62_135_596_801L, 253_402_300_800L}) {
            text(Instant.ofEpochSecond(seconds));
        }
        text(Instant.ofEpochSecond(1, 1_000_000));
        text(Instant.ofEpochSecond(-1, 999_999_999));
        text(Year.of(2024));
        text(YearMonth.of(2024, 2));
        text(MonthDay.of(2, 29));
        for (Duration duration :
                new Duration[] {
                    Duration.ZERO,
                    Duration.ofSeconds(29_172, 345_000_000),
                    Duration.ofMillis(-500),
                    Duration.ofMillis(-1500),
                    Duration.ofHours(-3),
                    Duration.ofSeconds(-3600, 1),
                    Duration.ofNanos(1),
                    Duration.ofMinutes(90),
                }) {
            text(duration);
        }
        text(Period.ZERO);
        text(Period.of(1, -2, 3));
        Date date = new Date(1_709_251_200_123L);
        say(date, date.toInstant().toString());
        chronologies();
        old();
        clocks();
    }

    private static void chronologies() {
        LocalDate day = LocalDate.of(2024, 2, 9);
        text(MinguoDate.from(day));
        text(MinguoDate.of(-3, 1, 2));
        text(ThaiBuddhistDate.from(day));
        text(JapaneseDate.from(day));
        text(JapaneseDate.of(1926, 12, 31));
        text(HijrahDate.from(day));
        text(DayOfWeek.MONDAY);
        text(Month.MARCH);
        text(ValueRange.of(1, 28, 31));
        text(ValueRange.of(0, 9));
        text(ValueRange.of(1, 2, 3, 4));
        text(OffsetDateTime.MAX);
        text(LocalDateTime.MIN);
        text(Instant.MAX);
        text(Instant.MIN);
        text(Duration.ofSeconds(Long.MIN_VALUE));
        text(Duration.ofSeconds(Long.MAX_VALUE, 999_999_999));
        text(Year.of(-5));
        text(YearMonth.of(-12345, 6));
        text(YearMonth.of(12345, 6));
    }

    private static void old() {
        Timestamp stamp = new Timestamp(1_709_251_200_123L);
        stamp.setNanos(123_456_789);
        say(stamp, stamp.toInstant().toString());
        say(new java.sql.Date(0), "1970-01-01T00:00:00Z");
        Date moved = new Date(100, 0, 31);
        moved.setMonth(4);
        // Its fields have changed, its time has not yet been computed: none is shown.
        MOVED = moved;
        Calendar calendar = new GregorianCalendar(TimeZone.getTimeZone("Europe/Berlin"));
        calendar.setTimeInMillis(1_709_251_200_123L);
        say(calendar, "2024-03-01T00:00:00.123Z[Europe/Berlin]");
        text(ZoneId.of("UTC+01:30"));
        say(TimeZone.getTimeZone("Asia/Tokyo"), "Asia/Tokyo");
        say(new SimpleTimeZone(3_600_000, "Mine"), "Mine");
        text(FileTime.fromMillis(1_709_251_200_123L).toInstant());
    }

    private static void clocks() {
        text(Clock.systemUTC());
        text(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));
        text(Clock.offset(Clock.systemUTC(), Duration.ofHours(2)));
    }
}
