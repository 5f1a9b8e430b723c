# SPDX-License-Identifier: Apache-2.0
"""Calls that are computed by reading have the results that running them has."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug import evaluator
from jvmdebug.errors import EvaluationError, ReadOnlyError, UnsupportedError
from jvmdebug.evaluator.run.exceptions import JavaThrowsError
from jvmdebug.model.debuggee_exception import DebuggeeException
from jvmdebug.model.values import (
    NullValue,
    ObjectReference,
    PrimitiveKind,
    PrimitiveValue,
    StringReference,
)
from tests.e2e.evaluate.expected import difference, expectations
from tests.e2e.evaluate.test_differential import CONSTRUCTS, CONTEXTS, EVERYDAY, PRECISE, half_of
from tests.support.bare_program import bare_program
from tests.support.matrix import has_all_sets
from tests.support.sessions import compiled, launched, next_stop, stop_at

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from jvmdebug.model.frame import Frame
    from jvmdebug.model.values import Value
    from tests.e2e.evaluate.conftest import StartEvaluating
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

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


COMPUTED = (
    *("Mixed.ints()", "Mixed.longs()", "Mixed.doubles()", "Mixed.grid()", "Mixed.fibonacci(15)"),
    *('Mixed.named("two")', 'Mixed.named("")', "Mixed.sparse(7)", "Mixed.sparse(2)"),
    *("Mixed.sparse(9)", 'Mixed.caught(" text ")', "Mixed.caught(null)", "Mixed.caught(list)"),
    *("Mixed.streamed(list)", "Mixed.applied(list)"),
)
HASHED = (
    *("identity.get(words[0])", "hashed.get(Deck.UPPER)", "Objects.hash(Deck.LOWER)"),
    'String.format("%d-%s", 5, text)',
)
"""They use the identity hash code of an object, which the JDK's agent does not tell."""
LATER = re.compile(
    r"the class \S+ is not (loaded|initialized)|there is no variable or class "
    r"|java\.time\.Month has no method|the value is a new java\.time\.DayOfWeek"
    r"|Unsafe\.compareAndSetInt\(\) writes memory"
)
"""Running loads classes; reading does not, and says so."""
REFUSED = {
    "cargo.look()": r"look\(\) does more than read: reading\.Main\$Cargo\.look\(\) writes the "
    r"field reading\.Main\$Cargo\.looks, and only reading is allowed here",
    "cargo.nestedLook()": r"nestedLook\(\) does more than read: \S+\.look\(\) writes",
    'list.add("five")': r"writes the field java\.util\.(ArrayList|AbstractList)\.",
    'ordered.get("one")': r"get\(\) does more than read: java\.util\.LinkedHashMap\.\S+ writes",
    "turns.incrementAndGet()": r"more than read: \S+\.Unsafe\.getAndAddInt\(\) writes memory",
    "System.nanoTime()": r"java\.lang\.System\.nanoTime\(\) is native",
    "Thread.currentThread()": r"java\.lang\.Thread\.currentThread\(\) is native",
    'System.out.println("x")': "println",
    "Arrays.fill(ints, 9)": r"java\.util\.Arrays\.fill\(\) writes to an array of the program",
    "System.arraycopy(ints, 0, ints, 1, 2)": r"arraycopy\(\) writes to an array of the program",
    "Unused.size()": r"the class reading\.Main\.Unused is not loaded yet",
    "cargo.endless()": r"it takes more than 1,000,000 instructions, the last in reading\.Main",
    "cargo.deep(0)": "it calls more than 1000 methods inside of each other",
    "cargo.squares(2_000_000)": "it makes more than 1,000,000 objects and elements",
    'holds.computeIfAbsent("x", z -> new Cargo(z, 1))': r"computeIfAbsent\(\) does more than read: "
    r"java\.util\.HashMap\.computeIfAbsent\(\) writes ",
    "list.forEach(z -> turns.incrementAndGet())": r"incrementAndGet\(\) does more than read: \S+",
    "list.stream().map(z -> cargo.look()).toList()": r"look\(\) does more than read: "
    r"reading\.Main\$Cargo\.look\(\) writes the field reading\.Main\$Cargo\.looks",
    "list.forEach(z -> { text = z; })": "an assignment may change|the compiler says",
    "ints[0] = 1": "an assignment may change",
}


LAMBDAS = (
    "list.stream().filter(z -> z.length() > 3).count()",
    "list.stream().map(z -> z.length() * cargo.weight).reduce(0, (a, b) -> a + b).intValue()",
    "list.stream().map(String::toUpperCase).sorted(Comparator.comparing(z -> z.length())).toList()",
    "holds.values().stream().collect(Collectors.partitioningBy(z -> z.isHeavy()))",
    'IntStream.range(0, 9).filter(z -> z % 3 == 1).mapToObj(z -> "n" + z + text).toList()',
    "Optional.of(text).map(z -> z.length() + half).get().doubleValue()",
    "(list.stream().anyMatch(z -> z.equals(text)) || list.stream().noneMatch(String::isEmpty))",
)
SHOWN = {
    "list.stream().map(z -> z + cargo.weight).toList()": ("ListN(4)", ['"one9"', '"two9"']),
    "List.of(1, 2)": ("List12(2)", ["1", "2"]),
    'Map.of("a", point)': ("Map1(1)", ["Point[x=3"]),
    "point.moved(4)": ("x=7", ["7", "8589934592"]),
    "new int[] {4, 5}": ("{4, 5}", ["4", "5"]),
    "Integer.valueOf(70_000)": ("70000", []),
    'text + "!"': ("!", []),
}
"""Values that the evaluation makes: a part of the text, and of the first children."""


@pytest.mark.timeout(240)
async def test_lambdas_are_computed(evaluating: StartEvaluating) -> None:
    """Nothing is compiled into the program, and classes of the JDK that it lacks are read."""
    async with evaluating("reading", "reading.Main") as program:
        frame = await program.frame_at("filled")
        imports = ("java.util.*", "java.util.stream.*")
        loaded = {each.name for each in await program.session.vm.all_classes()}
        read = []
        for text in LAMBDAS:
            found = await evaluator.evaluate(frame, f'"" + {text}', read_only=True, imports=imports)
            assert isinstance(found, StringReference)
            read.append(await found.as_text())
        now = {each.name for each in await program.session.vm.all_classes()}
        assert not {each for each in now - loaded if "stream" in each or "Code" in each}
        run = []
        for text in LAMBDAS:
            found = await evaluator.evaluate(frame, f'"" + {text}', imports=imports)
            assert isinstance(found, StringReference)
            run.append(await found.as_text())
        assert read == run


async def test_new_objects_are_shown(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = compiled("reading", "reading.Main", jdk)
    async with launched(program, jdk, agent_kind) as session:
        stop = await stop_at(session, program, "filled")
        session.forbid_changes()
        for text, (shown, children) in SHOWN.items():
            value = await stop.frame.evaluate(text)
            assert shown in await value.as_text(), text
            first = [await each.as_text() for each in (await value.children())[: len(children)]]
            assert all(wanted in each for wanted, each in zip(children, first, strict=True)), first


@pytest.mark.timeout(240)
async def test_results_are_those_of_running(
    evaluating: StartEvaluating, agent_kind: AgentKind
) -> None:
    async with evaluating("reading", "reading.Main") as program:
        frame = await program.frame_at("filled")
        differences = []
        for text in _of_this_run((*EXPRESSIONS, *COMPUTED, *HASHED, *STATEMENTS)):
            # Read before it is run: running may load and initialize classes.
            read = await _outcome(frame, text, read_only=True)
            run = await _outcome(frame, text, read_only=False)
            again = await _outcome(frame, text, read_only=True)
            if text in HASHED and agent_kind == "stock":
                assert "only jvmdebug's agent tells" in str(again) or run == again, again
            elif again != run or not (read == run or LATER.search(str(read))):
                differences.append(f"{text}: reading gives {read} and {again}, running {run}")
        assert not differences, "\n".join(differences)


def _of_this_run(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Each third; all in `make matrix`."""
    return texts if has_all_sets() else texts[::3]


async def test_what_is_more_than_reading_is_refused_and_changes_nothing(
    evaluating: StartEvaluating,
) -> None:
    async with evaluating("reading", "reading.Main") as program:
        frame = await program.frame_at("filled")
        before = [await _outcome(frame, each, read_only=False) for each in STATE]
        program.session.forbid_changes()
        for text, message in REFUSED.items():
            with pytest.raises(EvaluationError, match=message) as caught:
                await evaluator.evaluate(frame, text, read_only=True)
            assert caught.value.column is not None, text
        assert before == [await _outcome(frame, each, read_only=True) for each in STATE]


STATE = ("cargo.looks", "ordered.toString()", "ints[0]", "list.size()", "sorted.keySet == null")


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
            return repr(await value.as_text())
        case ObjectReference():
            return value.id
        case _:
            pytest.fail(f"no value: {value}")


async def test_reads_are_batched(evaluating: StartEvaluating, agent_kind: AgentKind) -> None:
    """No command for each field: one for an object and what it refers to with our agent, two for an
    object or a block of elements with the JDK's.
    """
    budgets = {
        'holds.get("aft").weight': (4, 14),
        "large.get(1234)": (8, 16),
        'sorted.get("three")': (4, 16),
        "total()": (6, 28),
        "joined(list)": (6, 24),
        'concurrent.get("two")': (6, 20),
        "cargo.price(1000)": (3, 6),
    }
    async with evaluating("reading", "reading.Main") as program:
        frame = await program.frame_at("filled")
        connection = program.session.vm.connection
        for text, (ours, stock) in budgets.items():
            # Its classes are loaded, its code is read, and nothing is kept of objects.
            await evaluator.evaluate(frame, text)
            await evaluator.evaluate(frame, text, read_only=True)
            await evaluator.evaluate(frame, "new Object()")
            before = connection.round_trips
            await evaluator.evaluate(frame, text, read_only=True)
            taken = connection.round_trips - before
            assert taken <= (ours if agent_kind == "jvmdebug" else stock), f"{text}: {taken}"


RUNNING = {
    'reading.Main.holds.get("aft").weight': "9",
    'reading.Main.holds.get("aft").label()': '"ore:9!"',
    "reading.Main.large.get(1234)": '"number 1234"',
    "reading.Main.holds.size() + reading.Main.large.size()": "2002",
    'reading.Main.holds.containsKey("fore")': "true",
    "reading.Main.turns.get() > 0": "true",
    "reading.Main.Deck.UPPER.isDry()": "true",
}


async def test_a_running_program_is_read(jdk: Jdk, agent_kind: AgentKind) -> None:
    """Nothing is stopped or run, and no thread has to come by."""
    program = compiled("reading", "reading.Main", jdk)
    async with launched(program, jdk, agent_kind, args=["spin"]) as session:
        await stop_at(session, program, "filled")
        await session.resume()
        session.forbid_changes()
        before = session.vm.connection.events_received
        for text, value in RUNNING.items():
            assert (await session.evaluate(text)).text == value, text
            (sample,) = await session.sample(text, every=0.02, limit=1).collect()
            assert str(sample.value) == value, text
        with pytest.raises(EvaluationError, match=r"does more than read: .*look.* writes"):
            await session.sample('reading.Main.holds.get("aft").look()', limit=1).collect()
        assert (await session.evaluate('reading.Main.holds.get("aft").looks')).text == "0"
        assert session.vm.connection.events_received == before


@pytest.mark.agent
async def test_a_program_without_an_agent_is_read(jdk: Jdk) -> None:
    """The agent is loaded into it, and can run no method there."""
    program = compiled("reading", "reading.Main", jdk)
    async with (
        bare_program(jdk, program=program, args=["spin"]) as running,
        jvmdebug.attach(pid=running.pid) as session,
    ):
        for text, value in RUNNING.items():
            assert (await session.evaluate(text)).text == value, text
        looking = 'reading.Main.holds.get("aft").look()'
        with pytest.raises(UnsupportedError, match=r"writes the field .*\.looks"):
            await session.evaluate(looking)
        session.forbid_changes()
        with pytest.raises(ReadOnlyError, match=r"looks.*: this session is read-only"):
            await session.evaluate(looking)


async def test_stop_points_of_a_read_only_session_compute(jdk: Jdk, agent_kind: AgentKind) -> None:
    """Conditions and messages call what only reads."""
    program = compiled("reading", "reading.Main", jdk)
    async with launched(program, jdk, agent_kind, args=["spin"]) as session:
        session.forbid_changes()
        source, line = program.marked("filled")
        condition = 'turns.get() == 3 && holds.get("aft").isHeavy() && list.contains("two")'
        await session.break_at(f"{source.name}:{line}", condition=condition)
        message = "{turns.get()} {cargo.label()} {decks.get(Deck.LOWER)}"
        await session.break_at(f"{source.name}:{line}", log_message=message)
        written: list[str] = []
        session.subscribe(lambda event: _collect(event, written))
        stop = await next_stop(session)
        assert (await stop.frame.evaluate("turns.get()")).value == _int(3)
        assert written[:3] == [f"{turn} ore:9! wet" for turn in range(3)]
        with pytest.raises(ReadOnlyError, match=r"writes the field .*: this session is read-only"):
            await stop.frame.evaluate("cargo.look()")


def _int(number: int) -> PrimitiveValue:
    return PrimitiveValue(PrimitiveKind.INT, number)


def _collect(event: object, written: list[str]) -> None:
    if isinstance(event, jvmdebug.BreakpointLogged):
        written.append(event.text)


@pytest.mark.parametrize(
    "topic",
    [
        *("evaluate", "everyday", "statements"),
        *(pytest.param(each, marks=pytest.mark.slow) for each in ("constructs", "precise")),
    ],
)
@pytest.mark.timeout(240)
async def test_what_can_be_read_has_the_value_of_javac(
    evaluating_with_ours: StartEvaluating, topic: str
) -> None:
    """The texts of the differential tests, read before they are run."""
    differences: list[str] = []
    read = seen = 0
    async with evaluating_with_ours(topic, f"{topic}.Main") as program:
        for context in half_of(DIFFERENTIAL[topic], 1):
            async for frame, text, kind, value in expectations(program, context):
                seen += 1
                asked = evaluator.evaluate(frame, text, deadline_s=20, read_only=True)
                try:
                    wrong = await difference(frame, _unless_refused(asked, kind), kind, value)
                    read += 1
                except _RefusedError:
                    wrong = None
                if wrong:
                    differences.append(f"[{context}] {text}: {wrong}")
                await difference(frame, evaluator.evaluate(frame, text, deadline_s=20), kind, value)
    assert not differences, "\n".join(differences)
    assert read > seen * LEAST_READ, f"{read} of {seen}"


DIFFERENTIAL = {
    "evaluate": CONTEXTS,
    "constructs": CONSTRUCTS,
    "everyday": EVERYDAY,
    "statements": ("flow", "switches", "patterns"),
    "precise": PRECISE,
}
LEAST_READ = 0.6
"""Of the texts; the others assign, or need a class that is not loaded."""


class _RefusedError(Exception):
    """The text does more than read, or needs what is not loaded."""


async def _unless_refused(asked: Awaitable[Value], kind: str) -> Value:
    try:
        value = await asked
    except EvaluationError as error:
        is_refused = isinstance(error, evaluator.ReadOnlyError | evaluator.NotLoadedError)
        if is_refused or "nothing may be loaded here" in str(error):
            raise _RefusedError from error
        raise
    if isinstance(value, PrimitiveValue) and kind in ("new", "object"):
        raise _RefusedError  # a new box is given as what is in it
    return value
