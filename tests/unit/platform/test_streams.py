# SPDX-License-Identifier: Apache-2.0
"""Pipes pumped by threads, as Windows needs it, and signals and jobs without the event loop's."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from typing import Any

import pytest

from jvmdebug.platform import signals, streams, system
from jvmdebug.platform.jobs import Job


@pytest.fixture(autouse=True)
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "NAME", "win32")


async def test_what_is_written_is_read_and_the_end_is_seen() -> None:
    reading, writing = os.pipe()
    reader, close = await streams.reader_of(os.fdopen(reading, "rb"))
    writer = await streams.writer_of(os.fdopen(writing, "wb"))
    content = bytes(range(256)) * 40_000  # more than a pipe, a reader and the queue hold

    async def write() -> None:
        for at in range(0, len(content), 100_000):
            writer.write(content[at : at + 100_000])
            await writer.drain()
        writer.close()
        await writer.wait_closed()

    _, read = await asyncio.gather(write(), reader.read(-1))
    assert read == content
    close()


async def test_a_reader_that_takes_nothing_stops_the_thread() -> None:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    reader, close = await streams.reader_of(os.fdopen(reading, "rb"), 1000)
    written = 0
    with contextlib.suppress(BlockingIOError):
        while written < 100 << 20:
            written += os.write(writing, bytes(1000))
            await asyncio.sleep(0)
    assert written < 100 << 20, "nobody takes it, so the pipe is full at some time"
    os.close(writing)
    assert len(await reader.read(-1)) == written
    close()


async def test_writing_to_a_pipe_that_nobody_reads_is_a_broken_pipe() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    writer = await streams.writer_of(os.fdopen(writing, "wb"))
    writer.write(b"lost")
    with pytest.raises(BrokenPipeError):
        await writer.wait_closed()
    assert writer.is_closing()


async def test_a_signal_comes_to_the_loop_and_what_was_before_is_restored() -> None:
    came = asyncio.Event()
    before = signal.getsignal(signal.SIGINT)
    with signals.handled(signals.INTERRUPT, came.set) as undo:
        signal.raise_signal(signal.SIGINT)
        await came.wait()
        undo()
        assert signal.getsignal(signal.SIGINT) is before
    assert signal.getsignal(signal.SIGINT) is before


class Kernel:
    """Records what is asked of it; `refuses` names functions that fail."""

    def __init__(self, *refuses: str) -> None:
        self.calls: list[str] = []
        self._refuses = refuses

    def __getattr__(self, name: str) -> Any:
        def call(*_arguments: Any) -> int:
            self.calls.append(name)
            return 0 if name in self._refuses else 7

        return call


def test_a_job_takes_processes_and_lets_them_go() -> None:
    kernel = Kernel()
    job = Job(kernel)
    assert job.add(4711)
    job.let_go()
    job.let_go()
    assert kernel.calls == [
        *("CreateJobObjectW", "SetInformationJobObject"),
        *("OpenProcess", "AssignProcessToJobObject", "CloseHandle"),
        *("SetInformationJobObject", "CloseHandle"),
    ]


def test_a_job_that_cannot_be_made_and_a_process_that_has_ended() -> None:
    with pytest.raises(OSError, match="makes no job"):
        Job(Kernel("CreateJobObjectW"))
    assert not Job(Kernel("OpenProcess")).add(1)
