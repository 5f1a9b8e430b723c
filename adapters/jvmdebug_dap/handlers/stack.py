# SPDX-License-Identifier: Apache-2.0
"""Tells where the program is: threads, stackTrace, exceptionInfo, terminateThreads."""

import asyncio
import functools
from typing import TYPE_CHECKING, Final

from jvmdebug.together import in_parts
from jvmdebug_dap import origins
from jvmdebug_dap.convert import frames as convert
from jvmdebug_dap.convert.exceptions import exception_info
from jvmdebug_dap.convert.first_shown import PAGE, REACH, ReadFrames, first_shown
from jvmdebug_dap.errors import ErrorId, RequestError
from jvmdebug_dap.lanes import Lane
from jvmdebug_dap.models.base import NoArguments
from jvmdebug_dap.models.generated.arguments import (
    ExceptionInfoArguments,
    StackTraceArguments,
    TerminateThreadsArguments,
)
from jvmdebug_dap.models.generated.bodies import (
    ExceptionInfoBody,
    StackTraceBody,
    ThreadsBody,
)
from jvmdebug_dap.models.generated.types import Capabilities, Thread
from jvmdebug_dap.requests import request
from jvmdebug_dap.session import AdapterSession
from jvmdebug_dap.states import LIVE, STARTED, STOPPED

if TYPE_CHECKING:
    import jvmdebug

_MANY_ENDED: Final = 500
"""So many numbers of ended threads are kept: nothing tells of the end of a virtual one."""


@request(
    "threads",
    when=LIVE,
    lane=Lane.ASK,
    progress="Looking at the threads",
    at_end=lambda _: ThreadsBody(threads=[]),
)
async def threads(session: AdapterSession, _arguments: NoArguments) -> ThreadsBody:
    """Lists those that have stopped first, then the program's others, then the VM's own."""
    shown: list[Thread] = []
    stopped = stopped_threads(session)
    live = sorted(await session.core.threads(), key=lambda each: each not in stopped)
    async for some in in_parts(live):
        shown += [convert.thread(session, each) for each in some]
    if len(session.threads) > 2 * len(live) + _MANY_ENDED:  # the ends of virtual threads
        session.threads.forget_others(
            {*live, *(each.thread for each in session.core.current_stops)}
        )
    return ThreadsBody(threads=shown)


def stopped_threads(session: AdapterSession) -> "set[jvmdebug.ThreadHandle]":
    """The threads that the client was told have stopped; the others that a stop holds are not."""
    told = [session.told_stops.get(each) for each in session.core.current_stops]
    named = [session.threads.item(each.thread_id or 0) for each in told if each is not None]
    return {each for each in named if each is not None}


@request(
    "stackTrace",
    when=STOPPED,
    lane=Lane.LOOK,
    supports=Capabilities(supports_delayed_stack_trace_loading=True),
    progress="Reading the stack",
    at_end=lambda _: StackTraceBody(stack_frames=[], total_frames=0),
)
async def stack_trace(session: AdapterSession, arguments: StackTraceArguments) -> StackTraceBody:
    """`levels` 0 or absent: all frames from `startFrame` on.

    VS Code gets more than `levels` frames if the first of the user's own code is below them: it
    reads no more by itself, takes what it gets, and otherwise shows nothing of the stop.
    """
    thread = convert.known_thread(session, arguments.thread_id)
    start, count = page(arguments.start_frame, arguments.levels, "startFrame", "levels")
    read: ReadFrames = thread.frames
    has_inlined = session.core.settings.inline_frames
    if has_inlined and thread.stop is not None:
        read = functools.partial(thread.stop.frames_with_inlined, thread=thread)
    takes_more = session.is_vscode
    end = None if count is None else max(start + count, REACH if takes_more else PAGE)
    first = await first_shown(read, end)
    if takes_more and first is not None and count is not None and count > 1 and start <= first[0]:
        count = max(count, first[0] + 1 - start)
    found, total = await asyncio.gather(read(start, count), thread.frame_count())
    if has_inlined:
        # How many there are in all is known when all are read: more than the VM's own, at least.
        own = sum(not each.is_inlined for each in found)
        deepest = max((each.depth for each in found), default=-1)
        total = start + len(found) + max(total - deepest - 1, 0) if own else total
    first_here = None if first is None else (first[0] - start, first[1])
    shown = await convert.stack_frames(session, found, arguments.format, first_here)
    if start + len(found) >= total:
        below = await origins.shown_below(session, thread)
        left = None if count is None else count - len(shown)
        shown += below[max(start - total, 0) :][:left]
        total += len(below)
    return StackTraceBody(stack_frames=shown, total_frames=total)


@request(
    "exceptionInfo",
    when=STOPPED,
    lane=Lane.CALL,
    supports=Capabilities(supports_exception_info_request=True),
    progress="Reading the exception",
)
async def exception(
    session: AdapterSession, arguments: ExceptionInfoArguments
) -> ExceptionInfoBody:
    handle = convert.known_thread(session, arguments.thread_id)
    for stop in session.core.current_stops:
        if stop.thread == handle and stop.exception is not None:
            thrown = await stop.thrown(with_stacks=True)
            if thrown is not None:
                is_vscode = session.is_vscode
                submitted = await origins.as_text(session, stop)
                return await exception_info(stop, thrown, submitted, shows_parts=is_vscode)
    text = f"thread {arguments.thread_id} (`{handle.name}`) did not stop at an exception"
    raise RequestError(ErrorId.NOT_POSSIBLE, text)


@request(
    "terminateThreads",
    when=STARTED,
    supports=Capabilities(supports_terminate_threads_request=True),
    progress="Ending threads",
)
async def terminate_threads(session: AdapterSession, arguments: TerminateThreadsArguments) -> None:
    """Makes the threads throw ThreadDeath; stopped threads do so when they are resumed."""
    numbers = arguments.thread_ids
    if not numbers:
        text = "arguments.threadIds: should name at least one thread"
        raise RequestError(ErrorId.ILL_FORMED, text)
    handles = [convert.known_thread(session, each) for each in numbers]
    for handle in handles:
        await handle.terminate()


def page(
    start: int | None, count: int | None, start_name: str, count_name: str
) -> tuple[int, int | None]:
    """The requested page; count 0 or absent is all. Raises RequestError for negative numbers."""
    for name, number in ((start_name, start), (count_name, count)):
        if number is not None and number < 0:
            text = f"arguments.{name}: should not be negative, got {number}"
            raise RequestError(ErrorId.ILL_FORMED, text)
    return start or 0, count or None
