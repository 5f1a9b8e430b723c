# SPDX-License-Identifier: Apache-2.0
"""Evaluation in a real VM: side effects, read-only, deadlines, errors."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

import pytest

from jvmdebug import display, evaluator
from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator import CompiledExpression
from jvmdebug.model import DebuggeeException
from tests.e2e.evaluate.conftest import needs_interrupt

if TYPE_CHECKING:
    from jvmdebug.model.frame import Frame
    from tests.e2e.evaluate.conftest import StartEvaluating
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

# Expression, the column (from 0) at which the error is, what the message has in it.
REFUSED = (
    ("ite", 0, "did you mean item"),
    ("nothing.at.all", 0, "there is no variable or class nothing"),
    ("item.lenth()", 5, "has no method lenth"),
    ("argument.lenth()", 9, "did you mean length"),
    ('argument.substring("a")', 9, "substring(int), substring(int, int)"),
    ("argument.size", 9, "has no field size"),
    ("counter + ", 9, "expected an expression after"),
    ("counter * argument", 8, "* is not defined for int and java.lang.String"),
    ("argument = 5", 11, "int cannot be converted to java.lang.String"),
    ("counter = 5L", 10, "a cast (int) would truncate it"),
    ("(Integer) argument", 10, "cannot be cast"),
    ("argument instanceof Integer", 20, "can never be"),
    ("Contexts", 0, "is a class, not a value"),
    ("Base.inherited", 5, "inherited is not static"),
    ("new Greeter()", 4, "is an interface"),
    ("new Unheard(1)", 4, "there is no class Unheard"),
    ("counter ? 1 : 2", 0, "expected boolean, found int"),
    ("switch (counter) { case 1 -> 1; }", 0, "needs a default"),
    ('switch (counter) { case "a" -> 1; default -> 2; }', 24, "int is never equal to"),
    ("int argument = 5;", 4, "there is a variable argument here already"),
    ("int z = counter; z = argument;", 21, "cannot be converted to int"),
    ("for (int z : counter) { }", 13, "expected an array or an Iterable"),
    ("while (counter) { }", 7, "expected boolean, found int"),
    ("int z; z + 1", 7, "z has no value yet"),
    ("if (counter > 0) { break; }", 19, "is outside of any loop"),
    ("return 1; counter++;", 10, "can never be reached"),
    ("throw argument;", 6, "expected an exception to throw"),
    ("items instanceof String(var a)", 17, "is not a record"),
    ("argument instanceof Integer z", 20, "can never be"),
    ("(argument instanceof String z || z.isEmpty())", 33, "no variable or class z"),
    ("{ int z = 1; } z", 15, "no variable or class z"),
    ("counter[0]", 0, "expected an array, found int"),
    ("argument.isEmpty", 9, "has no field isEmpty"),
    ('GREETING = "x"', 0, "GREETING is static final"),
    ("items.get(0).missing", 13, "has no field missing"),
    ("Main.twice()", 5, "candidates: twice(int)"),
    ("System.exit", 7, "no static field or class exit; there is a method exit()"),
    ("evaluate.Nothing", 0, "there is no class evaluate.Nothing"),
    ("final int z = 1; z = 2", 17, "z is final"),
    ("Integer.MAX_VALUE = 1", 0, "MAX_VALUE is static final"),
    ("byte z = Integer.MAX_VALUE;", 9, "a cast (byte) would truncate it"),
    ("null.x", 5, "null has no fields"),
    ('argument.length() + "\U0001f600" + nothing', 26, "no variable or class nothing"),
    ("if (counter > 0)", 16, "expected a statement here"),
    ("argument = throw null", 11, "throw begins a statement"),
    ("new Runnable() { }", 15, "the anonymous class is not abstract and does not override"),
    (
        "class Z { int z() { return q; } }",
        27,
        "cannot find symbol; symbol: variable q; location: class Z",
    ),
)


async def test_errors_name_the_column_and_the_candidates(
    evaluating: StartEvaluating,
) -> None:
    async with evaluating() as program:
        frame = await program.frame_at("instance")
        wrong: list[str] = []
        for text, column, message in REFUSED:
            try:
                value = await evaluator.evaluate(frame, text)
            except EvaluationError as error:
                if error.column != column or message not in str(error):
                    wrong.append(f"{text!r}: {error} (column {error.column})")
            else:
                wrong.append(f"{text!r} gives {value}")
        assert not wrong, "\n".join(wrong)


async def test_an_exception_of_the_program_is_never_a_value(evaluating: StartEvaluating) -> None:
    async with evaluating() as program:
        frame = await program.frame_at("calls")
        with pytest.raises(DebuggeeException) as caught:
            await evaluator.evaluate(frame, "1 + list.get(99).length()")
        type_ = await caught.value.exception.type()
        assert type_.name == "java.lang.IndexOutOfBoundsException"
        assert caught.value.column == 4
        # The frame is as good as before.
        assert await _shown(frame, "text") == '"text"'


async def test_read_only_rejects_side_effects(
    evaluating: StartEvaluating,
) -> None:
    async with evaluating() as program:
        frame = await program.frame_at("calls")
        for text in (
            *("count = 1", "count++", "count += 1", "--count", "longs[0] = 1L", "int z = 1; z = 2"),
            *(
                "list.forEach(z -> System.out.println(z))",
                "try { } finally { System.out.println(1); }",
            ),
            *('text == "text"', "list.add(text)", "twice(count = 1)"),
        ):
            with pytest.raises(EvaluationError, match="only reading is allowed"):
                await evaluator.evaluate(frame, text, read_only=True)
        for text, expected in (
            ("count + longs[1] * 2", "11"),
            ("text + count + box", '"text73"'),
            ("on.which == null", "false"),
            ("(Object) list instanceof java.util.Collection", "true"),
            ("box + 1", "4"),
            ('text.length() > 3 && text.equals("text")', "true"),
            ("color.name().charAt(0)", "'G'"),
            ("int z = count; z * 2", "14"),
            ("long z = 0; for (long each : longs) { } z", "0"),
            ("switch (count) { case 7 -> 'y'; default -> 'n'; }", "'y'"),
            ("object.getClass() == Object.class", "true"),
            ("twice(count)", "14"),
            ("long z = 0; for (Object each : list) { return each; } z", '"one"'),
            ("list.get(0)", '"one"'),
            ("text.getClass().getName()", '"java.lang.String"'),
            ("new int[] {1, count}[1]", "7"),
        ):
            value = await evaluator.evaluate(frame, text, read_only=True)
            assert await display.render(value) == expected


async def test_a_debugger_may_do_what_java_rejects(evaluating: StartEvaluating) -> None:
    async with evaluating("everyday", "everyday.Main") as program:
        frame = await program.frame_at("record")
        # Final fields of objects can be changed; those of classes are constants of the program.
        assert await _shown(frame, "x = 9; x + y()") == "13"
        assert await _shown(frame, "toString()") == '"Point[x=9, y=4]"'
        with pytest.raises(EvaluationError, match="ORIGIN is static final"):
            await evaluator.evaluate(frame, "ORIGIN = null")
        assert await _shown(frame, "null == null") == "true"


async def test_a_deadline_ends_an_evaluation(
    evaluating: StartEvaluating, jdk: Jdk, agent_kind: AgentKind
) -> None:
    needs_interrupt(jdk, agent_kind)
    async with evaluating() as program:
        frame = await program.frame_at("calls")
        loop = asyncio.get_running_loop()
        before = loop.time()
        with pytest.raises(EvaluationError, match="not done"):
            await evaluator.evaluate(
                frame, "java.util.concurrent.TimeUnit.SECONDS.sleep(30)", deadline_s=0.5
            )
        assert loop.time() - before < 10
        # It was interrupted, so the thread is usable again.
        async with asyncio.timeout(20):
            while frame.thread.vm.invocations.any_running:  # noqa: ASYNC110 - there is no event
                await asyncio.sleep(0.01)
        assert await _shown(frame, "twice(count)") == "14"


async def test_an_endless_loop_ends_at_its_deadline(evaluating: StartEvaluating) -> None:
    async with evaluating() as program:
        frame = await program.frame_at("calls")
        with pytest.raises(EvaluationError, match=r"not done within 0\.3 s"):
            await evaluator.evaluate(frame, "while (true) { }", deadline_s=0.3)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await evaluator.evaluate(frame, "for (;;) { int x = 1; }")
        assert await _shown(frame, "twice(count)") == "14"


async def test_statements_give_their_last_value_and_change_the_frame(
    evaluating: StartEvaluating,
) -> None:
    async with evaluating() as program:
        frame = await program.frame_at("calls")
        assert await _shown(frame, "int a = 3; a * count") == "21"
        assert await _shown(frame, "int a = 3; a * count;") == "21"
        assert await _shown(frame, "for (int i = 0; i < 3; i++) count++; count") == "10"
        assert await _shown(frame, "count = 7;") == "7"
        with pytest.raises(DebuggeeException) as caught:
            await evaluator.evaluate(
                frame, 'if (count == 7) throw new IllegalStateException("told");'
            )
        assert (await caught.value.exception.type()).name == "java.lang.IllegalStateException"
        condition = CompiledExpression(
            "for (Object o : list) { if (o == null) return true; } return false;"
        )
        assert not await condition.test(frame)


async def test_patterns_test_run_time_types(evaluating: StartEvaluating) -> None:
    async with evaluating() as program:
        frame = await program.frame_at("elsewhere")
        text = "untyped.shared > 0 && untyped instanceof Object o && o == untyped"
        assert await _shown(frame, text) == "true"
        assert (
            await _shown(frame, "(untyped instanceof Elsewhere e && untyped.own() > 1) ? 5 : 6")
            == "5"
        )


async def test_members_are_bound_late_by_run_time_types(evaluating: StartEvaluating) -> None:
    async with evaluating() as program:
        frame = await program.frame_at("elsewhere")
        assert await _shown(frame, "untyped.shared") == "31"
        assert await _shown(frame, "untyped.own() + 1") == "33"
        assert await _shown(frame, "untyped != null && untyped.own() > untyped.shared") == "true"
        assert await _shown(frame, "untyped == null || untyped.missing") is None
        assert await _shown(frame, "false ? untyped.missing : untyped.own()") == "32"
        assert await _shown(frame, "untyped.shared = 40") == "40"
        assert await _shown(frame, "hits + untyped.own()") == "46"
        assert await _shown(frame, '"" + untyped.own() + untyped.shared') == '"4140"'


async def test_classes_are_found_and_loaded_by_name(evaluating: StartEvaluating) -> None:
    async with evaluating() as program:
        frame = await program.frame_at("elsewhere")
        assert await _shown(frame, "Unused.loadedLate") == "5"
        assert await _shown(frame, "Elsewhere.hits") == "5"
        assert await _shown(frame, "evaluate.Main.twice(hits)") == "10"
        assert await _shown(frame, "evaluate.Main.Color.RED") == "RED"
        assert await _shown(frame, "new java.util.concurrent.atomic.LongAdder().sum()") == "0"
        assert await _shown(frame, "java.util.concurrent.TimeUnit.DAYS.toHours(2)") == "48"


async def test_a_compiled_condition_is_cheap_to_run_again(evaluating: StartEvaluating) -> None:
    async with evaluating() as program:
        frame = await program.frame_at("recursion")
        condition = CompiledExpression("depth == 0 && product > 5")
        assert await condition.test(frame)
        connection = frame.thread.vm.connection
        frames = await frame.thread.frames(0, 3)
        assert not await CompiledExpression("depth == 0").test(frames[1])
        before = connection.round_trips
        assert await condition.test(frame)
        assert connection.round_trips - before <= 1  # 0 if it was prefetched


async def test_a_text_is_bound_once_per_location(evaluating: StartEvaluating) -> None:
    async with evaluating() as program:
        frame = await program.frame_at("calls")
        assert await _shown(frame, "twice(count) + Math.max(count, 2)") == "21"
        connection = frame.thread.vm.connection
        before = connection.round_trips
        assert await _shown(frame, "twice(count) + Math.max(count, 2)") == "21"
        assert connection.round_trips - before == 4  # the static field twice, and two calls


async def test_strings_are_compared_without_running_code(evaluating: StartEvaluating) -> None:
    async with evaluating() as program:
        frame = await program.frame_at("calls")
        condition = CompiledExpression('text.equals("something else")')
        assert not await condition.test(frame)
        connection = frame.thread.vm.connection
        before = connection.round_trips
        assert not await condition.test(frame)
        assert connection.round_trips == before  # the variable and its characters stay


async def test_a_condition_must_be_boolean(evaluating: StartEvaluating) -> None:
    async with evaluating() as program:
        frame = await program.frame_at("boxes")
        assert await CompiledExpression("yes").test(frame)
        with pytest.raises(EvaluationError, match="expected a boolean condition, 'five' is of"):
            await CompiledExpression("five").test(frame)


async def test_assign_converts_as_java_does(evaluating: StartEvaluating) -> None:
    async with evaluating() as program:
        frame = await program.frame_at("assignments")
        for target, text, expected in (
            ("i", "l > 5 ? 40 + 2 : 0", "42"),
            ("l", "i", "42"),
            ("b", "12", "12"),
            ("d", "'a'", "97.0"),
            ("box", "i + 1", "43"),
            ("s", '"new" + i', '"new42"'),
            ("a[1]", "i * 2", "84"),
            ("p.next", "new Point(i, 1)", None),
            ("p.next.x", "7", "7"),
            ("words[0]", "null", "null"),
        ):
            value = await evaluator.assign(frame, target, text)
            if expected is not None:
                assert await display.render(value) == expected
                assert await _shown(frame, target) == expected
        for target, text, message in (
            ("b", "300", "int cannot be converted to byte"),
            ("i", '"x"', "cannot be converted to int"),
            ("i + 1", "2", "only a variable, a field or an array element"),
            ("twice(1)", "2", "only a variable, a field or an array element"),
            ("missing", "2", "no variable or class missing"),
        ):
            with pytest.raises(EvaluationError, match=re.escape(message)):
                await evaluator.assign(frame, target, text)


async def _shown(frame: Frame, text: str) -> str | None:
    """The value on one line; None when there is an error."""
    try:
        return await display.render(await evaluator.evaluate(frame, text))
    except EvaluationError:
        return None


async def test_a_class_whose_initializer_fails_throws_what_java_throws(
    evaluating: StartEvaluating,
) -> None:
    async with evaluating("precise", "precise.Main") as program:
        frame = await program.frame_at("names")
        for text, thrown in (
            ("Bad.value", "java.lang.ExceptionInInitializerError"),
            ("Bad.value", "java.lang.NoClassDefFoundError"),
            ("Bad.go()", "java.lang.NoClassDefFoundError"),
            ("Bad.value = 3", "java.lang.NoClassDefFoundError"),
            ("new Worse()", "java.lang.ExceptionInInitializerError"),
            ("new Worse()", "java.lang.NoClassDefFoundError"),
            ("Worse.MADE", "java.lang.NoClassDefFoundError"),
            ("Worst.MADE", "java.lang.NoClassDefFoundError"),
        ):
            with pytest.raises(DebuggeeException) as failure:
                await evaluator.evaluate(frame, text)
            assert (await failure.value.exception.type()).name == thrown, text
            assert "Class.forName" not in str(failure.value), "how it is initialized is our affair"


async def test_a_name_initializes_no_class(evaluating: StartEvaluating) -> None:
    async with evaluating("precise", "precise.Main") as program:
        frame = await program.frame_at("names")
        for text in (
            "Bad.class.getName()",
            "Worst.CONSTANT + 1",
            "((Object) null) instanceof Worse",
        ):
            await evaluator.evaluate(frame, text)
        with pytest.raises(DebuggeeException, match="ExceptionInInitializerError"):
            await evaluator.evaluate(frame, "Bad.go()")
