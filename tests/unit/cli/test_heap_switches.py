# SPDX-License-Identifier: Apache-2.0
"""What `jvmdebug heap` asks of a program for its switches."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from jvmdebug.heap import HeapError
from jvmdebug_cli.command_line import parsers
from jvmdebug_cli.subcommands.heap import _ask_vm


class _Heap:
    """Records with which switches it is asked, and has nothing to tell."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, bool]] = []

    async def _ask(self, what: str, **switches: Any) -> Any:
        self.asked.append((what, switches.get("with_debugger", False)))
        raise HeapError("asked")

    async def histogram(self, **switches: Any) -> Any:
        return await self._ask("histogram", **switches)

    async def dump(self, _path: str, **switches: Any) -> Any:
        return await self._ask("dump", **switches)

    async def snapshot(self, **switches: Any) -> Any:
        return await self._ask("snapshot", **switches)


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        (["histogram"], "histogram"),
        (["dump", "app.hprof"], "dump"),
        (["diff"], "snapshot"),
        (["dominators"], "snapshot"),
        (["retained", "shop.Cart"], "snapshot"),
    ],
)
@pytest.mark.parametrize("own", [True, False])
def test_what_the_debugger_keeps_is_asked_for(question: list[str], asks: str, own: bool) -> None:  # noqa: FBT001
    words = ["heap", "localhost:5005", *question, *(["--with-debugger"] if own else [])]
    heap = _Heap()

    async def begin(**_options: bool) -> None:
        """The program runs already."""

    run = SimpleNamespace(session=SimpleNamespace(heap=heap), is_ours=False, begin=begin)
    parsed = parsers()[0].parse_args(words)
    with pytest.raises(HeapError):
        asyncio.run(_ask_vm(run, parsed))  # type: ignore[arg-type]  # what of it is used
    assert heap.asked == [(asks, own)]
