# SPDX-License-Identifier: Apache-2.0
"""What all threads do, hold and wait for: jvmdebug/threadDump."""

from typing import TYPE_CHECKING

from jvmdebug_dap.lanes import Lane
from jvmdebug_dap.models.custom import (
    DumpedMonitor,
    DumpedOrigin,
    DumpedThread,
    ThreadDumpArguments,
    ThreadDumpBody,
)
from jvmdebug_dap.requests import request
from jvmdebug_dap.session import AdapterSession
from jvmdebug_dap.states import STARTED

if TYPE_CHECKING:
    import jvmdebug


@request("jvmdebug/threadDump", when=STARTED, lane=Lane.CHANGE, progress="Looking at the threads")
async def thread_dump(session: AdapterSession, arguments: ThreadDumpArguments) -> ThreadDumpBody:
    """A program that runs is suspended for a moment."""
    found = await session.core.thread_dump(
        frames=arguments.frames,
        virtual_threads=arguments.virtual_threads,
        consistency=arguments.consistency,
        origins=session.shows_origins and arguments.consistency == "all",
    )
    handles = {each.id: each for each in await session.core.threads()}
    threads = []
    for each in found.threads:
        handle = handles.get(each.id)
        number = None if handle is None else session.threads.number(handle)
        threads.append(dumped(each, number))
    return ThreadDumpBody(
        threads=threads,
        deadlocks=[list(each) for each in found.deadlocks],
        held_ms=None if found.held_s is None else found.held_s * 1e3,
        left_out=found.left_out,
        monitors_unknown=found.monitors_unknown,
    )


def dumped(thread: "jvmdebug.ThreadSnapshot", number: int | None) -> DumpedThread:
    """A thread, with its number for the client."""
    wanted = thread.waits_for
    return DumpedThread(
        thread_id=number,
        name=thread.name,
        status=thread.status,
        is_virtual=thread.is_virtual,
        is_of_vm=thread.is_of_vm,
        cpu_ms=None if thread.cpu_s is None else thread.cpu_s * 1e3,
        frames=[str(each.at) for each in thread.frames],
        frame_count=thread.frame_count,
        origins=[
            DumpedOrigin(label=each.label, frames=list(map(str, each.frames)))
            for each in thread.origins
        ],
        holds=[DumpedMonitor(text=each.text) for each in thread.holds],
        waits_for=None if wanted is None else DumpedMonitor(text=wanted.text, owner=wanted.owner),
    )
