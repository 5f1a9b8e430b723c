# SPDX-License-Identifier: Apache-2.0
"""Messages for frequent mistakes: what to write instead. The limits of texts."""

from __future__ import annotations

import re
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from jvmdebug import evaluator
from jvmdebug.errors import EvaluationError
from tests.support.jdks import newest_compiler

if TYPE_CHECKING:
    from pathlib import Path

    from tests.e2e.evaluate.conftest import StartEvaluating

# Expression, the column (from 0) at which the error is, what the message says.
MISTAKES = (
    ("ints.lenght", 5, "int[] has no field lenght; an array has length"),
    ("ints.size()", 5, "the length of an array is .length"),
    ("ints.length()", 5, "the length of an array is .length, without ()"),
    ("(List<int>) null", 6, "a type argument is a class: Integer, not int"),
    ("new int[2] {1, 2}", 11, "an array with elements takes its length from them"),
    ("synchronised (ints) { }", 20, "is no statement; did you mean synchronized?"),
    ("whlie (true) { }", 13, "did you mean while?"),
    ("Level.LOW.foo()", 10, "precise.Messages.Level has no method foo"),
    ("True", 0, "did you mean true?"),
    ("fib(2L)", 0, "fib(int); a cast to int would do, and truncate"),
    ("java.utl.List", 0, "there is no package java.utl; did you mean java.util"),
    ("(java.utl.List) null", 1, "there is no package java.utl; did you mean java.util"),
    ("java.util.Lst", 0, "there is no class java.util.Lst"),
    ("$return", 0, "there is no $return here: it is the value of a method"),
    ("$exception.getMessage()", 0, "there is no $exception here: it is the exception"),
    (
        "object == 1",
        7,
        "defined for java.lang.Object and int; cast the object to Integer",
    ),
    ("boxed += 1.0", 0, "double cannot be cast to java.lang.Integer"),
    ("small += 1", 0, "int cannot be cast to java.lang.Byte"),
    ("number == 1", 7, "not defined for java.lang.Number and int"),
    ("ints instanceof int" + "[]" * 500, 16, "255 dimensions at most, not 500"),
    ("new int" + "[]" * 500 + "{}", 0, "255 dimensions at most"),
    ("ints" + "[0]" * 500, 0, "nested more than 400 levels"),
    ('"' + "x" * 100_000 + '"', 0, "the text has 100,002 characters; 100,000 are the most"),
)


async def test_frequent_mistakes_say_what_to_write(evaluating: StartEvaluating) -> None:
    async with evaluating("precise", "precise.Main") as program:
        frame = await program.frame_at("messages")
        for text, column, message in MISTAKES:
            with pytest.raises(EvaluationError) as failure:
                await evaluator.evaluate(frame, text)
            assert message in str(failure.value), text
            assert failure.value.column == column, text


def test_javac_refuses_what_is_said_to_be_no_java(tmp_path: Path) -> None:
    lines = (
        "boolean first = object == 1;",
        "boolean second = number == 1;",
        "boxed += 1.0;",
        "small += 1;",
    )
    assert {each.split(" ", 3)[-1] for each in lines[:2]} <= {f"{each[0]};" for each in MISTAKES}
    assert {each.rstrip(";") for each in lines[2:]} <= {each[0] for each in MISTAKES}
    source = tmp_path / "Refused.java"
    parameters = "Object object, Number number, Integer boxed, Byte small"
    source.write_text("\n".join([f"class Refused {{ void all({parameters}) {{", *lines, "} }"]))
    javac = [str(newest_compiler().javac), "-d", str(tmp_path), str(source)]
    said = subprocess.run(javac, capture_output=True, text=True, timeout=60, check=False).stderr
    assert re.findall(r"Refused\.java:(\d+): error", said) == ["2", "3", "4", "5"]


async def test_deeply_nested_types_are_bound_in_no_time(evaluating: StartEvaluating) -> None:
    async with evaluating("precise", "precise.Main") as program:
        frame = await program.frame_at("messages")
        deep = "[]" * 255
        began = time.process_time()
        await evaluator.evaluate(frame, f"(Integer{deep}) null == (Number{deep}) null")
        await evaluator.evaluate(frame, f"object instanceof int{deep}")
        assert time.process_time() - began < 1.0
