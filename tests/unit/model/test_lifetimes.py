# SPDX-License-Identifier: Apache-2.0
"""Tests which facts are cached, and for how long."""

from __future__ import annotations

import asyncio

import pytest

from jvmdebug.model.lifetimes import Memo


class Question:
    """A query that the test answers, and that counts its calls."""

    def __init__(self) -> None:
        self.asked = 0
        self.answers: asyncio.Queue[str] = asyncio.Queue()

    async def __call__(self) -> str:
        self.asked += 1
        return await self.answers.get()


async def test_concurrent_callers_share_one_query() -> None:
    memo, question = Memo(), Question()
    asking = [asyncio.create_task(memo.get("name", question)) for _ in range(5)]
    await asyncio.sleep(0)
    question.answers.put_nowait("main")
    assert await asyncio.gather(*asking) == ["main"] * 5
    assert question.asked == 1
    assert await memo.get("name", question) == "main"
    assert memo.peek("name") == "main"


async def test_a_cancelled_caller_leaves_the_query_to_the_next() -> None:
    memo, question = Memo(), Question()
    first = asyncio.create_task(memo.get("name", question))
    second = asyncio.create_task(memo.get("name", question))
    await asyncio.sleep(0)
    first.cancel()
    question.answers.put_nowait("main")
    assert await second == "main"
    assert question.asked == 2


async def test_a_failure_is_not_remembered() -> None:
    memo = Memo()

    async def fail() -> str:
        raise LookupError

    with pytest.raises(LookupError):
        await memo.get("name", fail)
    question = Question()
    question.answers.put_nowait("main")
    assert await memo.get("name", question) == "main"


async def test_a_result_requested_before_forget_is_not_cached() -> None:
    memo, question = Memo(), Question()
    asking = asyncio.create_task(memo.get("name", question))
    await asyncio.sleep(0)
    memo.forget()
    question.answers.put_nowait("old")
    assert await asking == "old"
    question.answers.put_nowait("new")
    assert await memo.get("name", question) == "new"


async def test_dropping_one_fact() -> None:
    memo = Memo()
    memo.put(1, "one")
    memo.put(2, "two")
    memo.drop(1)
    memo.drop(1)
    assert (memo.peek(1), memo.peek(2)) == (None, "two")
