# SPDX-License-Identifier: Apache-2.0
"""Calls that are computed by reading have the results that running them has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmdebug import evaluator
from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.run.exceptions import JavaThrowsError
from jvmdebug.model.debuggee_exception import DebuggeeException
from jvmdebug.model.values import (
    NullValue,
    ObjectReference,
    PrimitiveValue,
    StringReference,
)

if TYPE_CHECKING:
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.values import Value
    from tests.e2e.evaluate.conftest import StartEvaluating

MAPS = ("sorted", "backwards", "by", "linked", "concurrent", "skipping", "table", "weak")
MORE_MAPS = ("unmodifiable", "synced", "fixed")
LISTS = ("list", "links", "copying", "vector", "part", "asList", "immutable", "two")
SETS = ("set", "linkedSet", "tree", "keys", "fixedSet")
QUEUES = ("deque", "queue", "free", "blocking", "bounded")
EXPRESSIONS = (
    *(
        f"{each}.{call}"
        for each in (*MAPS, *MORE_MAPS, "single")
        for call in (
            *('get("one")', 'get("none")', 'containsKey("two")', "size()", "isEmpty()"),
            *('getOrDefault("five", 5)', "containsValue(300)", "keySet().size()"),
            *('keySet().contains("three")', "values().contains(200)"),
            "entrySet().iterator().next().getValue()",
        )
        if not (each == "single" and "three" in call)
    ),
    *(
        f"{each}.{call}"
        for each in LISTS
        for call in (
            *("get(1)", "size()", 'contains("two")', 'indexOf("b")', "isEmpty()"),
            *("iterator().next()", 'lastIndexOf("three")', "hashCode()"),
        )
    ),
    *(
        f"{each}.{call}"
        for each in SETS
        for call in ('contains("two")', "size()", "iterator().next()", "isEmpty()", "hashCode()")
    ),
    *(
        f"{each}.{call}"
        for each in QUEUES
        for call in ("peek()", "size()", 'contains("two")', "isEmpty()")
    ),
    *("decks.get(Deck.LOWER)", "decks.containsKey(Deck.UPPER)", "decks.size()"),
    *("some.contains(Deck.LOWER)", "some.contains(Deck.UPPER)", "some.size()"),
    *("identity.get(words[0])", "large.get(1234)", "large.get(77_777)", "large.containsKey(5)"),
    *("tree.first()", "tree.last()", 'tree.ceiling("p")', 'tree.headSet("p").size()'),
    *("deque.peekLast()", "list.subList(1, 3).get(1)", "Collections.max(list)"),
    *("bits.get(0)", "bits.get(1)", "bits.cardinality()", "bits.nextSetBit(1)"),
    *('properties.getProperty("key")', 'properties.getProperty("none", "else")'),
    *("present.get()", "present.isPresent()", "absent.isPresent()", 'absent.orElse("other")'),
    *("number.getAsInt()", "counter.get()", "counter.intValue()", "longs.get()", "flag.get()"),
    *("reference.get()", "numbers.get(2)", "numbers.length()", "adder.sum()", "adder.intValue()"),
    *("turns.get()", "big.signum()", "big.bitLength()", "big.equals(big)", "big.hashCode()"),
    *("big.intValue()", "decimal.scale()", "decimal.precision()", "decimal.intValue()"),
    *("big.compareTo(BigInteger.TEN)", "decimal.compareTo(BigDecimal.ONE)"),
    *("id.version()", "id.getMostSignificantBits()", "id.toString()", "id.hashCode()"),
    *("duration.toMinutes()", "duration.getSeconds()", "duration.toString()"),
    *("instant.getEpochSecond()", "instant.toEpochMilli()", "date.getYear()", "date.isLeapYear()"),
    *("date.getDayOfWeek()", "date.plusDays(1).getMonthValue()", "date.toString()"),
    *("date.isBefore(time.toLocalDate())", "time.getHour()", "time.toString()"),
    *("date.lengthOfMonth()", "date.toEpochDay()", "time.getMonth().name()"),
    *("builder.length()", "builder.charAt(1)", "builder.toString()", 'builder.indexOf("12")'),
    *("text.length()", "text.hashCode()", "text.charAt(4)", 'text.indexOf("World")'),
    *('text.contains("lo, W")', 'text.replace("l", "L")', "text.substring(3, 5)"),
    *("text.toUpperCase()", "text.trim()", "text.isBlank()", 'text.split(",").length'),
    *('text.compareTo("Hello")', 'text.equalsIgnoreCase("HELLO, world")', "text.repeat(2)"),
    *("wide.length()", "wide.hashCode()", "wide.codePointAt(3)", 'wide.indexOf("本")'),
    *('wide.startsWith("日")', "wide.substring(1)", 'wide + "!"', 'wide.equals("日本")'),
    *(
        "String.valueOf(12)",
        "String.valueOf(true)",
        'String.join("-", list)',
        "text.toCharArray()[1]",
    ),
    *(
        "boxed.intValue()",
        "boxed.equals(1000)",
        "boxed.hashCode()",
        "boxed + 1",
        "boxedLong + boxed",
    ),
    *(
        "boxed.compareTo(5)",
        "boxed.toString()",
        "ratio.intValue()",
        "ratio.toString()",
        "ratio * 2",
    ),
    *(
        "letter.charValue()",
        "Character.isLetter(letter)",
        "truth.toString()",
        "truth && flag.get()",
    ),
    *(
        'Integer.parseInt("77")',
        "Integer.toHexString(255)",
        "Long.bitCount(255L)",
        "Math.max(3, 4)",
    ),
    *("Math.floorMod(-3, 5)", "Math.sqrt(half)", "Math.round(2.5)", "Double.compare(half, 0.25)"),
    *("Double.isNaN(half)", 'Long.parseLong("-12")', "Integer.MAX_VALUE + Math.abs(-1)"),
    *("Float.intBitsToFloat(1065353216)", "Double.doubleToLongBits(half)", "Integer.bitCount(77)"),
    *("TimeUnit.MILLISECONDS.toHours(millis)", "Deck.UPPER.isDry()", "Deck.LOWER.name()"),
    *("Deck.values().length", "Deck.values()[1]", "Deck.LOWER.compareTo(Deck.UPPER)"),
    *("Deck.UPPER.toString()", "Deck.LOWER.ordinal()", "Deck.UPPER.getDeclaringClass().getName()"),
    *("point.x()", "point.y()", "point.hashCode()", "point.toString()", "named.toString()"),
    *("point.equals(new Point(3, 1L << 33))", "point.equals(null)", "point.moved(4).x()"),
    *("named.at().y()", "named.equals(named)", 'new Named("n", point, Deck.UPPER).equals(named)'),
    *("cargo.isHeavy()", "cargo.price(4)", "cargo.guarded()", "cargo.squares(5)[4]"),
    *(
        "cargo.label()",
        "cargo.toString()",
        "cargo.hashCode()",
        '"it is " + cargo',
        "box.get().get()",
    ),
    *('cargo.equals(new Cargo("ore", 1))', 'holds.containsValue(new Cargo("grain", 0))'),
    *('holds.get("aft").weight', 'holds.get("aft").isHeavy()', "total()", "joined(list)"),
    *("cargo.checked(1)", "cargo.checked(99)", "cargo.failing()", "nothing.label()", "list.get(9)"),
    *("absent.get()", "immutable.get(3)", "ints.clone()[1]", "Arrays.toString(ints)"),
    *("Arrays.hashCode(ints)", "Arrays.equals(ints, new int[] {4, 5, 6})", "list.equals(asList)"),
    *("linked.equals(sorted)", "linked.toString()", "list.toString()", "set.containsAll(list)"),
    *(
        'unknown.get("one")',
        "unknown.toString()",
        "Optional.of(text).get()",
        "List.of(1, 2).get(1)",
    ),
    *('Map.of("a", 1).get("a")', "Objects.hash(1, 2, 3)", "Objects.equals(text, wide)"),
    *('String.format("%d-%s", 5, text)', "((Object) list).getClass().getName()"),
    *("list.getClass() == ArrayList.class", "list instanceof Map", "unknown instanceof Map"),
    *("new StringBuilder(text).reverse().toString()", "new ArrayList<>(list).size()"),
)
STATEMENTS = (
    "int sum = 0; for (String each : list) { if (each.length() > 3) return each; } return null;",
)


async def test_results_are_those_of_running(evaluating: StartEvaluating) -> None:
    async with evaluating("reading", "reading.Main") as program:
        frame = await program.frame_at("filled")
        differences = []
        for text in (*EXPRESSIONS, *STATEMENTS):
            # Read before it is run: running may load and initialize classes.
            read = await _outcome(frame, text, read_only=True)
            run = await _outcome(frame, text, read_only=False)
            again = await _outcome(frame, text, read_only=True)
            if run not in (read, again):
                differences.append(f"{text}: reading gives {read} and {again}, running {run}")
        assert not differences, "\n".join(differences)


async def _outcome(frame: Frame, text: str, *, read_only: bool) -> object:
    try:
        value = await evaluator.evaluate(frame, text, deadline_s=20, read_only=read_only)
    except DebuggeeException as error:
        return f"throws {(await error.exception.type()).name}"
    except JavaThrowsError as error:
        return f"throws {error.exception}"
    except EvaluationError as error:
        return f"error {error}"
    return await _described(value)


async def _described(value: Value) -> object:
    match value:
        case PrimitiveValue():
            return value
        case NullValue():
            return "null"
        case StringReference():
            return repr(await value.text())
        case ObjectReference():
            return value.id
        case _:
            pytest.fail(f"no value: {value}")
