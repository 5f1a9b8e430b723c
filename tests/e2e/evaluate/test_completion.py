# SPDX-License-Identifier: Apache-2.0
"""Completion in frames of a real VM: what is offered, where it begins, and that nothing runs."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from jvmdebug import evaluator

if TYPE_CHECKING:
    from tests.e2e.evaluate.conftest import StartEvaluating

# Text with `|` for the cursor; labels that must be there; labels that must not.
OFFERED = (
    ("tex|", ("text",), ("twice(int)",)),
    ("tw|", ("twice(int)",), ("text",)),
    ("text.subs|", ("substring(int)", "substring(int, int)"), ("length()",)),
    ("text.|", ("length()", "charAt(int)", "hashCode()", "getClass()"), ("twice(int)",)),
    ("list.get(0).len|", ("length()",), ()),
    ("longs.l|", ("length",), ()),
    ("twice(count) + on.|", ("equals(java.lang.Object)",), ()),
    ("Color.R|", ("RED",), ()),
    ("Color.val|", ("values()", "valueOf(java.lang.String)"), ()),
    ("java.util.HashM|", ("HashMap",), ()),
    ("java.ut|", ("util",), ()),
    ('new String("a.b").tri|', ("trim()",), ()),
    ('"te".conc|', ("concat(java.lang.String)",), ()),
    ("ins|", ("instanceof",), ()),
    ("new Tex|", (), ("text",)),
    ("new Strin|", ("String", "StringBuilder"), ()),
    ("text.equals(na|", ("name",), ()),
    ("list.stream().map(q -> q.|", ("length()", "charAt(int)"), ("stream()",)),
    ("list.stream().map(q -> q.len|", ("length()",), ()),
    ("list.stream().filter(q -> q.isEmpty()).map(q -> q.|", ("length()",), ()),
    ("list.stream().map(q -> text.|", ("length()",), ()),
    ("list.forEach(que|", (), ("length()",)),
    ("list.forEach(each -> eac|", ("each",), ()),
    ("list.forEach((each) -> each.|", ("length()",), ()),
    ("list.stream().reduce((one, other) -> other.|", ("length()",), ()),
    ("list.stream().reduce(text, (one, other) -> one.|", ("length()",), ()),
    ("list.stream().map(p -> list.stream().map(q -> q.|", ("length()",), ()),
    ("list.stream().map(q -> q.length()).|", ("count()",), ("length()",)),
    ("list.forEach(q -> { text.|", ("length()",), ()),
    ('"text.|', (), ("length()",)),
    ("missing.|", (), ("length()",)),
    ("1.|", (), ("length()",)),
)  # fmt: skip


async def test_completions(evaluating: StartEvaluating) -> None:
    async with evaluating() as program:
        frame = await program.frame_at("calls")
        wrong: list[str] = []
        for marked, wanted, unwanted in OFFERED:
            cursor = marked.index("|")
            text = marked.replace("|", "")
            found = await evaluator.completions(frame, text, cursor)
            labels = [each.label for each in found]
            if len(set(labels)) != len({(each.label, each.kind) for each in found}):
                wrong.append(f"{marked}: twice in {labels}")
            missing = [each for each in wanted if each not in labels]
            too_many = [each for each in unwanted if each in labels]
            if missing or too_many:
                wrong.append(f"{marked}: lacks {missing}, has {too_many}: {labels[:10]}")
        assert not wrong, "\n".join(wrong)


async def test_the_inserted_text_completes_the_expression(evaluating: StartEvaluating) -> None:
    async with evaluating() as program:
        frame = await program.frame_at("calls")
        text = "count + text.toUpp"
        (found,) = [
            each
            for each in await evaluator.completions(frame, text, len(text))
            if each.label == "toUpperCase()"
        ]
        assert text[: found.start] + found.text == "count + text.toUpperCase()"
        assert found.detail == "java.lang.String"
        (first, *_) = await evaluator.completions(frame, "tex", 3)
        assert (first.text, first.kind, first.detail) == ("text", "variable", "java.lang.String")


async def test_completion_invokes_nothing(evaluating: StartEvaluating) -> None:
    async with evaluating() as program:
        frame = await program.frame_at("calls")
        before = await evaluator.evaluate(frame, "count")
        found = await evaluator.completions(frame, "twice(count++).", 15)
        assert not found
        assert await evaluator.completions(frame, "(text + count++).le", 19)
        assert await evaluator.evaluate(frame, "count") == before


async def test_likely_names_come_first(evaluating: StartEvaluating) -> None:
    async with evaluating() as program:
        frame = await program.frame_at("calls")

        async def labels(text: str) -> list[str]:
            return [each.label for each in await evaluator.completions(frame, text, len(text))]

        assert "String" in (await labels("Str"))[:2]
        assert "Main" in (await labels("new Mai"))[:2]
        members = await labels("list.")
        # Declared, then inherited, then those of Object, then what Java code may not use.
        order = ["add(E)", "stream()", "hashCode()", "finalize()"]
        assert [each for each in members if each in order] == order
        text = await labels("text.")
        assert text.index("length()") < text.index("getClass()") < text.index("value")
        began = time.perf_counter()
        await labels("Str")
        assert time.perf_counter() - began < 2.0  # 0.01 s on a quiet machine
