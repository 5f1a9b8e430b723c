# SPDX-License-Identifier: Apache-2.0
"""Expressions in frames of native methods, of the JDK, and of replaced code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug import display, evaluator
from jvmdebug.errors import EvaluationError
from tests.support.warm_javac import javac

if TYPE_CHECKING:
    from pathlib import Path

    from jvmdebug.model.frame import Frame
    from tests.e2e.evaluate.conftest import StartEvaluating

_LAMBDA = "java.util.stream.Stream.of(1).map(x -> x + 1).findFirst().get()"


async def test_frames_of_the_platform(evaluating: StartEvaluating) -> None:
    async with evaluating("safety", "Safety") as program:
        initializer = await program.frame_at("initializer")
        assert await _shown(initializer, "value + Late.value") == "4"
        frames = await initializer.thread.frames(1, 10)
        native = frames[0]
        assert native.location.method.is_native
        for text, expected in (
            ("1 + 1", "2"),
            ("Thread.currentThread().getName()", '"main"'),
            ("this", "there is no this: the method is static or native (0)"),
            ("name", "name is a field of an instance, and there is no instance (0)"),
            ("value", "there is no variable or class value here (0)"),
            (_LAMBDA, "cannot be evaluated in a frame of a module (java.base) (0)"),
        ):
            _assert_like(await _shown(native, text), expected)
        argument = (await frames[1].variables())[0].name  # `arg0` before JDK 17
        assert await _shown(frames[1], argument) == '"Safety$Late"'
        assert await _shown(frames[-1], "number") == "5"


async def test_frames_of_replaced_code(evaluating: StartEvaluating, tmp_path: Path) -> None:
    async with evaluating("swap", "Swap") as program:
        frame = await program.frame_at("word")
        assert await _shown(frame, "text.length() + price") == "9"
        await program.session.redefine(_new_classes(program.program.source("Swap.java"), tmp_path))
        (stop,) = program.session.current_stops
        assert stop.frame.is_obsolete
        old = await stop.frame.frame()
        for text, expected in (
            ("1 + price", "2"),
            ("word()", '"new text"'),
            ("Swap.word().length() + unused()", "9"),
            ("text", "there is no variable or class text here (0)"),
            ("this", "there is no this in this frame (0)"),
            (_LAMBDA, "2"),
        ):
            _assert_like(await _shown(old, text), expected)


def _new_classes(source: Path, folder: Path) -> Path:
    changed = folder / source.name
    changed.write_text(source.read_text(encoding="utf-8").replace("old text", "new text"))
    classes = folder / "classes"
    javac([changed], classes, "-g", "--release", "11")
    return classes


def _assert_like(shown: str, expected: str) -> None:
    message, _, column = expected.rpartition(" (")
    assert shown == expected or (message in shown and shown.endswith(f"({column}"))


async def _shown(frame: Frame, text: str) -> str:
    """The value, or the error with its column."""
    try:
        return await display.render(await evaluator.evaluate(frame, text, deadline_s=20.0))
    except EvaluationError as error:
        return f"{error} ({error.column})"
