# SPDX-License-Identifier: Apache-2.0
"""Lambdas, method references and anonymous classes: compiled by javac, run in the debuggee."""

from __future__ import annotations

import asyncio
from typing import IO, TYPE_CHECKING, Any

import pytest

from jvmdebug import display, evaluator
from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator import CompiledExpression
from jvmdebug.evaluator.compiling import javac
from jvmdebug.evaluator.compiling.defining import HIDDEN_CLASSES_SINCE
from jvmdebug.javac import server, starting
from jvmdebug.jdk import all_jdks
from jvmdebug.model import DebuggeeException
from tests.e2e.evaluate.conftest import needs_interrupt

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

    from jvmdebug.model.frame import Frame
    from tests.e2e.evaluate.conftest import StartEvaluating
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

pytestmark = pytest.mark.timeout(240)  # each text is a run of the compiler

# A context of the debuggee, and texts with what they are there.
VALUES = (
    (
        "calls",
        (
            (
                "list.stream().map(x -> x + count).collect(Collectors.toList())",
                '{"one7", "three7"}',
            ),
            ("list.stream().mapToInt(String::length).sum() + 0L", "8"),
            ("list.forEach(x -> { count++; })", "void"),
            ("new Object() { int a = 5; int b() { return a + count; } }.b()", "14"),
            ("try { ignore(1 / 0); } catch (ArithmeticException e) { count = 7; } count", "7"),
            ('text = ((Supplier<String>) () -> "new").get()', '"new"'),
            ("text", '"new"'),
            (  # no proxy: a call takes nanoseconds
                "java.lang.reflect.Proxy.isProxyClass(((IntSupplier) () -> count).getClass())",
                "false",
            ),
            (
                "((LongBinaryOperator) (a, b) -> a * count + b).applyAsLong(6000000000L, 2)",
                "42000000002",
            ),
            ("((Predicate<String>) String::isEmpty).negate().test(text)", "true"),
            ("((ToDoubleFunction<Integer>) x -> x).applyAsDouble(3)", "3.0"),
            ("((Function<Integer, Object>) x -> x + 1).apply(count)", "8"),
            ("((Supplier<List<String>>) ArrayList::new).get().size()", "0"),
            (  # two places with the same descriptors, and one that captures a receiver
                (
                    "((IntSupplier) () -> count).getAsInt() * 100"
                    " + ((IntSupplier) () -> count + 1).getAsInt() * 10"
                    " + ((IntSupplier) text::length).getAsInt()"
                ),
                "783",
            ),
        ),
    ),
    (
        "instance",
        (
            ("UnaryOperator<Integer> f = z -> z + counter; f.andThen(z -> z * 2).apply(4)", "28"),
            (
                'Stream.of("").map(z -> z + who() + this.who()).findFirst().get()',
                '"contextscontexts"',
            ),
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


async def test_compiled_code_has_the_values_of_java(evaluating: StartEvaluating, jdk: Jdk) -> None:
    async with evaluating() as program:
        wrong: list[str] = []
        for context, texts in VALUES:
            frame = await program.frame_at(context)
            for text, expected in texts:
                if jdk.version < HIDDEN_CLASSES_SINCE and "counter" in text:
                    continue  # which is private
                shown = await _shown(frame, text)
                if not shown.endswith(expected):
                    wrong.append(f"[{context}] {text}: {shown}, should be {expected}")
        assert not wrong, "\n".join(wrong)


async def test_compiler_errors_have_a_column(
    evaluating: StartEvaluating,
) -> None:
    async with evaluating() as program:
        frame = await program.frame_at("calls")
        for text, column, message in (
            ("list.stream().map(list -> list).count() + list.size()", 18, "in this method"),
            ("list.stream().filter(x -> missing > 1).count()", 26, "cannot find symbol"),
            ("x -> x", 0, "has no type"),
            ("Runnable r = () -> { text = null; }; text = null; r", 21, "effectively final"),
        ):
            with pytest.raises(EvaluationError) as caught:
                await evaluator.evaluate(frame, text)
            assert message in str(caught.value)
            assert caught.value.column == column, text
        with pytest.raises(EvaluationError, match="only reading is allowed"):
            await evaluator.evaluate(
                frame, "list.forEach(x -> System.out.println(x))", read_only=True
            )


async def test_exceptions_of_compiled_code(evaluating: StartEvaluating) -> None:
    async with evaluating() as program:
        frame = await program.frame_at("calls")
        with pytest.raises(DebuggeeException, match="the evaluated code threw") as caught:
            await evaluator.evaluate(
                frame, 'Runnable r = () -> { throw new IllegalStateException("x"); }; r.run()'
            )
        assert (await caught.value.exception.type()).name == "java.lang.IllegalStateException"
        assert await _shown(frame, "twice(2)") == "4"


async def test_abandoned_code_assigns_nothing(
    evaluating: StartEvaluating, jdk: Jdk, agent_kind: AgentKind
) -> None:
    needs_interrupt(jdk, agent_kind)
    async with evaluating() as program:
        frame = await program.frame_at("calls")
        text = (
            'text = "lost"; Runnable r = () -> { try { Thread.sleep(60000); } '
            "catch (InterruptedException e) { } }; r.run();"
        )
        assert await _shown(frame, "list.forEach(x -> { })") == "void"  # the compiler is warm now
        with pytest.raises(EvaluationError, match="not done"):
            await evaluator.evaluate(frame, text, deadline_s=2.0)
        async with asyncio.timeout(20):
            while frame.thread.vm.invocations.any_running:  # noqa: ASYNC110 - there is no event
                await asyncio.sleep(0.01)
        assert await _shown(frame, "text") == '"text"'


async def test_a_condition_is_compiled_once(
    evaluating: StartEvaluating, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with evaluating() as program:
        frame = await program.frame_at("calls")
        condition = CompiledExpression("list.stream().anyMatch(x -> x.length() > 3)")
        assert await condition.test(frame)

        def refuse(release: int) -> None:
            raise AssertionError(f"a second look for a compiler for {release}")

        monkeypatch.setattr(javac, "find_compiler", refuse)
        assert await condition.test(frame)
        await condition.release()
        with pytest.raises(AssertionError, match="second look"):
            await condition.test(frame)


async def test_a_compilation_that_is_cancelled_leaves_a_compiler_that_works(
    evaluating_with_ours: StartEvaluating, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = asyncio.Event()
    loop = asyncio.get_running_loop()
    number = server._number  # the first thing that is read of an answer

    def read_number(answers: IO[bytes]) -> int:
        loop.call_soon_threadsafe(asked.set)
        return number(answers)

    async with evaluating_with_ours() as program:
        frame = await program.frame_at("calls")
        monkeypatch.setattr(server, "_number", read_number)
        task = asyncio.create_task(evaluator.evaluate(frame, "list.forEach(x -> { count = 1; })"))
        async with asyncio.timeout(40):
            await asked.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not frame.thread.vm.invocations.any_running
        assert await _shown(frame, "count") == "7"
        assert await _shown(frame, "list.stream().mapToInt(x -> 2).max().getAsInt()") == "2"


async def test_private_members_in_classes_of_a_text(evaluating_with_ours: StartEvaluating) -> None:
    async with evaluating_with_ours() as program:
        frame = await program.frame_at("instance")
        for text, expected in (
            ("new Object() { int twice() { return 2 * counter; } }.twice()", "20"),
            ("new Object() { int get() { return Contexts.this.counter; } }.get()", "10"),
            ("new Object() { int more() { return counter += 1; } }.more()", "11"),
        ):
            assert await _shown(frame, text) == expected


async def test_void_code_is_compiled_once(
    evaluating_with_ours: StartEvaluating, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = 0
    compile_class = javac.compile_class

    async def counted(*arguments: Any, **options: Any) -> dict[str, bytes]:
        nonlocal runs
        runs += 1
        return await compile_class(*arguments, **options)

    async with evaluating_with_ours() as program:
        frame = await program.frame_at("calls")
        monkeypatch.setattr(javac, "compile_class", counted)
        for text, expected in (
            ("list.forEach(x -> { count++; })", "void"),
            ("list.stream().map(x -> x + 1).peek(x -> { }).forEachOrdered(x -> { })", "void"),
            ("Runnable r = () -> { }; list.forEach(x -> { });", "void"),
            ("java.util.Arrays.setAll(new int[2], i -> i)", "void"),
            ("list.removeIf(x -> x == null)", "false"),
        ):
            runs = 0
            assert await _shown(frame, text) == expected
            assert runs == 1, text
        await evaluator.evaluate(frame, "count = 7")


async def test_a_text_is_compiled_once_per_location(
    evaluating: StartEvaluating, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with evaluating() as program:
        frame = await program.frame_at("calls")
        text = "list.stream().anyMatch(x -> x.length() > 3)"
        assert await _shown(frame, text) == "true"
        compiled = len(await _evaluated_classes(frame))

        def refuse(release: int) -> None:
            raise AssertionError(f"a second look for a compiler for {release}")

        monkeypatch.setattr(javac, "find_compiler", refuse)
        connection = frame.thread.vm.connection
        before = connection.round_trips
        assert await _shown(frame, text) == "true"
        assert connection.round_trips - before <= 20
        assert len(await _evaluated_classes(frame)) == compiled


@pytest.mark.usefixtures("own_javac")
async def test_one_compiler_serves_a_session_and_ends_with_it(
    evaluating: StartEvaluating, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[subprocess.Popen[bytes]] = []
    start = starting.started

    def counted(*arguments: Any) -> subprocess.Popen[bytes]:
        started.append(start(*arguments))
        return started[-1]

    async with evaluating() as program:
        frame = await program.frame_at("calls")
        monkeypatch.setattr(starting, "started", counted)
        # What the user gives to programs must not reach the compiler.
        monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-agentlib:nothing-of-that-name")
        for number in range(3):
            text = f"list.stream().mapToInt(x -> x.length() + {number}).max().getAsInt()"
            assert await _shown(frame, text) == str(number + 5)
        assert "cannot find symbol" in await _shown(frame, "list.stream().map(x -> y)")
        assert len(started) == 1
        assert started[0].returncode is None
    assert started[0].returncode is not None


@pytest.mark.usefixtures("own_javac")
async def test_warming_up_leaves_little_to_the_first_evaluation(
    evaluating: StartEvaluating, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with evaluating() as program:
        frame = await program.frame_at("calls")
        (stop,) = program.session.current_stops
        before = await _evaluated_classes(frame)
        await stop.warm_up()
        assert await _evaluated_classes(frame) == before
        asked = frame.thread.vm.connection.round_trips
        assert await _shown(frame, "twice(2)") == "4"
        assert frame.thread.vm.connection.round_trips - asked <= 8

        def refused(*_: Any) -> None:
            raise AssertionError("a compiler is started by the evaluation")

        monkeypatch.setattr(starting, "started", refused)
        assert await _shown(frame, "list.stream().map(x -> x + 1).findFirst().get()") == '"one1"'


@pytest.mark.usefixtures("own_javac")
async def test_a_compile_server_that_fails_is_started_again(
    evaluating: StartEvaluating, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "JavacServer.java"
    broken.write_text("class JavacServer { public static void main(String[] a) { } }")
    async with evaluating() as program:
        frame = await program.frame_at("calls")
        with monkeypatch.context() as patch:
            patch.setattr(starting, "PROGRAM", broken)
            said = await _shown(frame, "list.stream().mapToInt(x -> 2).max().getAsInt()")
            assert "cannot compile: the compiler of" in said
        assert await _shown(frame, "list.stream().mapToInt(x -> 2).max().getAsInt()") == "2"


async def test_a_newer_compiler_compiles_for_the_release_of_the_debuggee(
    evaluating: StartEvaluating, monkeypatch: pytest.MonkeyPatch, jdk: Jdk
) -> None:
    newest = max(all_jdks(), key=lambda each: each.feature_version or 0)
    if newest.feature_version == jdk.version:
        pytest.skip("this JDK is the newest one here")
    monkeypatch.setattr(javac, "jdk_to_compile", lambda _: newest)
    async with evaluating() as program:
        frame = await program.frame_at("instance")
        text = 'Stream.of("").map(z -> z + who()).findFirst().get()'
        assert await _shown(frame, text) == '"contexts"'


async def test_without_a_compiler_the_error_says_what_to_install(
    evaluating: StartEvaluating, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(javac, "jdk_to_compile", lambda _: None)
    async with evaluating() as program:
        frame = await program.frame_at("calls")
        with pytest.raises(EvaluationError, match="need the compiler of a JDK"):
            await evaluator.evaluate(frame, "list.forEach(x -> { })")
        assert await _shown(frame, "twice(2)") == "4"


async def _evaluated_classes(frame: Frame) -> list[str]:
    loaded = await frame.thread.vm.all_classes()
    return [each.name for each in loaded if "$JvmdebugCode" in each.name]


async def _shown(frame: Frame, text: str) -> str:
    try:
        return await display.render(await evaluator.evaluate(frame, text))
    except EvaluationError as error:
        return f"{type(error).__name__}: {error} (column {error.column})"
