# SPDX-License-Identifier: Apache-2.0
"""Lambdas, method references and anonymous classes: compiled by javac, run in the debuggee."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from jvmdebug import display, evaluator
from jvmdebug.errors import DebuggeeException, EvaluationError
from jvmdebug.evaluator import CompiledExpression
from jvmdebug.evaluator.compiling import javac

if TYPE_CHECKING:
    from jvmdebug.model.frame import Frame
    from tests.e2e.evaluate.conftest import StartEvaluating

pytestmark = pytest.mark.timeout(240)  # each text is a run of the compiler

# A context of the debuggee, and texts with what they are there.
VALUES = (
    (
        "calls",
        (
            ("list.stream().map(x -> x + count).toList()", '{"one7", "three7"}'),
            ("list.stream().mapToInt(String::length).sum() + 0L", "8"),
            ("list.forEach(x -> { count++; })", "void"),
            ("new Object() { int a = 5; int b() { return a + count; } }.b()", "14"),
            ("try { ignore(1 / 0); } catch (ArithmeticException e) { count = 7; } count", "7"),
            ('text = ((Supplier<String>) () -> "new").get()', '"new"'),
            ("text", '"new"'),
        ),
    ),
    (
        "instance",
        (
            ("UnaryOperator<Integer> f = z -> z + counter; f.andThen(z -> z * 2).apply(4)", "28"),
            ('Stream.of("").map(z -> z + secret() + this.who()).toList().get(0)', None),
        ),
    ),
    (
        "inner",
        (
            (
                (
                    "((IntSupplier) () -> counter + Contexts.this.counter + number).getAsInt()"
                    " == counter + Contexts.this.counter + number"
                ),
                "true",
            ),
        ),
    ),
)


async def test_compiled_code_has_the_values_of_java(evaluating: StartEvaluating) -> None:
    async with evaluating() as program:
        wrong: list[str] = []
        for context, texts in VALUES:
            frame = await program.stop_at(context)
            for text, expected in texts:
                shown = await _shown(frame, text)
                if expected is None:
                    is_right = not shown.startswith("EvaluationError")
                else:
                    is_right = shown.endswith(expected)
                if not is_right:
                    wrong.append(f"[{context}] {text}: {shown}, should be {expected}")
        assert not wrong, "\n".join(wrong)


async def test_what_the_compiler_refuses_is_told_at_its_column(
    evaluating: StartEvaluating,
) -> None:
    async with evaluating() as program:
        frame = await program.stop_at("calls")
        for text, column, message in (
            ("list.stream().filter(x -> missing > 1).count()", 26, "cannot find symbol"),
            ("x -> x", 0, "has no type"),
            ("Runnable r = () -> { text = null; }; text = null; r", 21, "effectively final"),
        ):
            with pytest.raises(EvaluationError) as caught:
                await evaluator.evaluate(frame, text)
            assert message in str(caught.value)
            assert caught.value.column == column, text
        with pytest.raises(EvaluationError, match="only reading is allowed"):
            await evaluator.evaluate(frame, "list.forEach(x -> { })", read_only=True)


async def test_an_exception_of_compiled_code_is_told_as_one(evaluating: StartEvaluating) -> None:
    async with evaluating() as program:
        frame = await program.stop_at("calls")
        with pytest.raises(DebuggeeException, match="the evaluated code threw") as caught:
            await evaluator.evaluate(
                frame, 'Runnable r = () -> { throw new IllegalStateException("x"); }; r.run()'
            )
        assert (await caught.value.exception.type()).name == "java.lang.IllegalStateException"
        assert await _shown(frame, "twice(2)") == "4"


async def test_code_that_is_given_up_assigns_nothing(evaluating: StartEvaluating) -> None:
    async with evaluating() as program:
        frame = await program.stop_at("calls")
        text = (
            'text = "lost"; Runnable r = () -> { try { Thread.sleep(60000); } '
            "catch (InterruptedException e) { } }; r.run();"
        )
        with pytest.raises(EvaluationError, match="not done"):
            await evaluator.evaluate(frame, text, deadline_s=6.0)
        async with asyncio.timeout(20):
            while frame.thread.vm.invocations.any_running:  # noqa: ASYNC110 - there is no event
                await asyncio.sleep(0.01)
        assert await _shown(frame, "text") == '"text"'


async def test_a_condition_is_compiled_once(
    evaluating: StartEvaluating, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with evaluating() as program:
        frame = await program.stop_at("calls")
        condition = CompiledExpression("list.stream().anyMatch(x -> x.length() > 3)")
        assert await condition.test(frame)

        def refuse(release: int) -> None:
            raise AssertionError(f"a second look for a compiler for {release}")

        monkeypatch.setattr(javac, "find_compiler", refuse)
        assert await condition.test(frame)
        await condition.release()
        with pytest.raises(AssertionError, match="second look"):
            await condition.test(frame)


async def test_without_a_compiler_the_error_says_what_to_install(
    evaluating: StartEvaluating, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(javac, "all_jdks", list)
    async with evaluating() as program:
        frame = await program.stop_at("calls")
        with pytest.raises(EvaluationError, match="need the compiler of a JDK"):
            await evaluator.evaluate(frame, "list.forEach(x -> { })")
        assert await _shown(frame, "twice(2)") == "4"


async def _shown(frame: Frame, text: str) -> str:
    try:
        return await display.render(await evaluator.evaluate(frame, text))
    except EvaluationError as error:
        return f"{type(error).__name__}: {error} (column {error.column})"
