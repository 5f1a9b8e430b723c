# SPDX-License-Identifier: Apache-2.0
"""Running bound trees in a frame without a VM: values, control flow, what is read and when."""

from __future__ import annotations

import asyncio

import pytest

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.run.exceptions import JavaThrowsError
from jvmdebug.evaluator.run.interpreter import Plan
from jvmdebug.model.primitives import PrimitiveKind, PrimitiveValue
from jvmdebug.model.values import NULL, UnavailableValue
from tests.unit.evaluator.fake_frame import FakeFrame, integer


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2147483647 + 1", -2147483648),
        ("(byte) 200", -56),
        ("'a' + 1", 98),
        ("1 << 33", 2),
        ("-7 / 2 + -7 % 2", -4),
        ("7 >>> 1", 3),
        ("1.0 / 0 > 1e308", True),
        ('"a" + 1 + 2', "a12"),
        ("1 + 2 + \"a\" + 'b' + null + true", "3abnulltrue"),
        ('"abc".length() + "abc".charAt(1)', 101),
        ('"abc".equals("ab" + \'c\')', True),
        ('"abc" == "ab" + "c"', True),
        ('"abc".startsWith("ab") && !"abc".startsWith("b")', True),
        ("false && 1 / 0 == 0", False),
        ("true || 1 / 0 == 0", True),
        ("true ? 1 : 1 / 0", 1),
        ("int x = 5; x += 3.7; x", 8),
        ("byte x = 127; x++; x", -128),
        ("int x = 1; int y = x++ + ++x; x * 10 + y", 34),
        ("int x; if (1 < 2) { x = 3; } else { x = 4; } x", 3),
        ("int s = 0; for (int k = 0; k < 5; k++) { if (k == 3) continue; s += k; } s", 7),
        ("int s = 0; while (true) { if (++s > 4) break; } s", 5),
        ("int s = 0; do { s++; } while (s < 0); s", 1),
        ("int s = 0; o: for (;;) { for (;;) { s++; if (s > 2) break o; continue o; } } s", 3),
        ("for (int k = 0; ; k++) { if (k == 6) return k; }", 6),
        ("switch (3) { case 1, 3 -> 10; default -> 20; }", 10),
        ("switch (3) { default -> 20; case 4 -> 10; }", 20),
        ("int s = 0; switch (1) { case 1: s++; case 2: s++; break; case 3: s = 9; } s", 2),
        (
            'switch ("b") { case "a" -> 1; case "b" -> { int t = 4; yield t * 2; } default -> 0; }',
            8,
        ),
        (
            "int s = 0; for (int k = 0; k < 3; k++) { switch (k) { case 1: continue; } s += k; } s",
            2,
        ),
        ("int x = 4; { int y = 1; x += y; } int y = 7; x + y", 12),
        ("if (1 > 2) ;", None),
    ],
)
async def test_values(text: str, value: object) -> None:
    assert await FakeFrame().evaluate(text) == value


@pytest.mark.parametrize(
    ("text", "exception", "column"),
    [
        ("1 + 2 / (i - i)", "java.lang.ArithmeticException: / by zero", 9),
        ("i % 0", "java.lang.ArithmeticException: / by zero", 4),
        ("numbers[0]", "java.lang.NullPointerException: cannot", 0),
        ("1 + box", "java.lang.NullPointerException: cannot unbox", 4),
        ("text.length()", "java.lang.NullPointerException: cannot call length(): null", 0),
        ("switch (text) { default -> 1; }", "java.lang.NullPointerException: the selector", 8),
        ("new int[i - 8]", "java.lang.NegativeArraySizeException: -1", 8),
        ("throw null;", "java.lang.NullPointerException: cannot throw it", 6),
    ],
)
async def test_java_exceptions_have_a_column(text: str, exception: str, column: int) -> None:
    frame = FakeFrame({"i": integer(7), "numbers": NULL, "box": NULL, "text": NULL})
    with pytest.raises(JavaThrowsError) as caught:
        await frame.evaluate(text)
    assert str(caught.value).startswith(exception)
    assert caught.value.column == column


async def test_all_variables_are_read_in_one_round_trip() -> None:
    frame = FakeFrame({"i": integer(2), "l": PrimitiveValue(PrimitiveKind.LONG, 3)})
    assert await frame.evaluate("i * l + i - l") == 5
    assert frame.reads == [{"i", "l"}]


async def test_an_assigned_variable_is_written_and_not_read_again() -> None:
    frame = FakeFrame({"i": integer(2)})
    assert await frame.evaluate("i = 40; i += 2; i") == 42
    assert frame.variables == {"i": integer(42)}
    assert frame.reads == [{"i"}]


async def test_the_value_of_a_variable_that_the_vm_does_not_have() -> None:
    frame = FakeFrame({"i": UnavailableValue("not available here")})
    with pytest.raises(EvaluationError, match="i is not available here") as caught:
        await frame.evaluate("1 + i")
    assert caught.value.column == 4


async def test_a_variable_without_a_value() -> None:
    with pytest.raises(EvaluationError, match="x has no value yet"):
        await FakeFrame().evaluate("int x; x + 1")


async def test_a_variable_of_a_loop_body_is_new_in_each_iteration() -> None:
    with pytest.raises(EvaluationError, match="x has no value yet"):
        await FakeFrame().evaluate("for (int k = 0; k < 2; k++) { int x; if (k == 0) x = 1; x++; }")


async def test_strings_are_created_in_the_debuggee_only_when_it_needs_them() -> None:
    frame = FakeFrame({"i": integer(7)})
    assert await frame.evaluate('("a" + i).length() + ("b" + i).length()') == 4
    assert frame.strings == []
    assert await frame.evaluate('"a" + i') == "a7"
    assert [each.text for each in frame.strings] == ["a7"]


async def test_pinned_objects_are_unpinned_at_the_end() -> None:
    frame = FakeFrame({"i": integer(7), "text": NULL, "object": NULL})
    run = frame.run()
    await run.run(Plan.of(await frame.bind('text = "a" + i; object = "b" + i;')))
    assert [(each.text, each.pins) for each in frame.strings] == [("a7", 1), ("b7", 1)]
    await run.unpin_all()
    assert [each.pins for each in frame.strings] == [0, 0]


async def test_one_invocation_pins_nothing() -> None:
    frame = FakeFrame({"i": integer(7), "text": NULL})
    run = frame.run()
    await run.run(Plan.of(await frame.bind('text = "a" + i')))
    assert [each.pins for each in frame.strings] == [0]


@pytest.mark.parametrize("text", ["while (true) { }", "for (;;) ;", "do { } while (true);"])
async def test_an_endless_loop_can_be_cancelled(text: str) -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await FakeFrame().evaluate(text)


async def test_read_only_makes_no_string_and_calls_nothing_of_null() -> None:
    frame = FakeFrame({"text": NULL})
    assert await frame.evaluate('"" + text', is_read_only=True) == "null"
    assert not frame.strings
    with pytest.raises(JavaThrowsError, match=r"NullPointerException: cannot call length\(\)"):
        await frame.evaluate("text.length()", is_read_only=True)
