# SPDX-License-Identifier: Apache-2.0
"""Frames, threads and sources of the core as DAP shows them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from jvmdebug_dap.errors import ErrorId, RequestError
from jvmdebug_dap.models.generated import types as dap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug import FrameHandle, SourceFile, ThreadHandle
    from jvmdebug_dap.session import AdapterSession


async def stack_frames(
    session: AdapterSession, frames: Sequence[FrameHandle]
) -> list[dap.StackFrame]:
    """The frames with their sources, each looked up once and side by side."""
    first_of = {frame.source_path: frame for frame in reversed(frames)}
    found = await asyncio.gather(*(frame.source() for frame in first_of.values()))
    sources = dict(zip(first_of, found, strict=True))
    return [stack_frame(session, frame, sources[frame.source_path]) for frame in frames]


def stack_frame(
    session: AdapterSession, frame: FrameHandle, source: SourceFile | None
) -> dap.StackFrame:
    return dap.StackFrame(
        id=session.references.add_frame(frame),
        name=frame.function,
        source=source_of_frame(session, frame, source),
        line=session.positions.to_client_line(frame.line),
        column=session.positions.first_column if frame.line is not None else 0,
        presentation_hint=None if source is not None else "subtle",
        can_restart=frame.can_pop,
    )


def source_of_frame(
    session: AdapterSession, frame: FrameHandle, source: SourceFile | None
) -> dap.Source | None:
    """The source file if it was found, else its bare name, greyed."""
    if source is not None:
        return source_file(session, source)
    if frame.source_name is None:
        return None
    return dap.Source(
        name=frame.source_name, presentation_hint="deemphasize", origin="source not found"
    )


def source_file(session: AdapterSession, source: SourceFile) -> dap.Source:
    """A file that the client opens itself, or one in an archive that it asks us for."""
    if source.is_on_disk:
        path = session.positions.to_client_path(source.path)
        return dap.Source(name=source.name, path=path)
    return dap.Source(
        name=source.name,
        path=str(source),
        source_reference=session.sources.number(source),
        origin=source.path.name,
    )


def breakpoint_key(session: AdapterSession, source: dap.Source) -> str:
    """What the core is told as the source of breakpoints: a path on disk or inside an archive."""
    if source.source_reference:
        file = referred_source(session, source.source_reference)
        return str(file.path) if file.entry is None else file.entry
    if not source.path:
        text = "arguments.source: needs a `path` or a `sourceReference`"
        raise RequestError(ErrorId.ILL_FORMED, text)
    archive, mark, entry = source.path.rpartition("!/")
    if mark and Path(archive).suffix in {".jar", ".zip"}:
        return entry
    return str(session.positions.to_path(source.path))


def referred_source(session: AdapterSession, reference: int) -> SourceFile:
    file = session.sources.item(reference)
    if file is None:
        text = f"source reference {reference} was never given out in this session"
        raise RequestError(ErrorId.STALE_REFERENCE, text)
    return file


def thread(session: AdapterSession, handle: ThreadHandle) -> dap.Thread:
    return dap.Thread(id=session.threads.number(handle), name=handle.name or "(no name)")


def known_thread(session: AdapterSession, number: int) -> ThreadHandle:
    """RequestError if the client was never told of such a thread, or it has ended."""
    handle = session.threads.item(number)
    if handle is None:
        text = f"there is no thread {number}: it has ended, or was never listed"
        raise RequestError(ErrorId.STALE_REFERENCE, text)
    return handle
