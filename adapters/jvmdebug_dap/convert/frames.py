# SPDX-License-Identifier: Apache-2.0
"""Frames, threads and sources in DAP's form."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import jvmdebug
from jvmdebug import JvmDebugError
from jvmdebug.together import together
from jvmdebug_dap.convert.frame_names import frame_name
from jvmdebug_dap.errors import ErrorId, RequestError
from jvmdebug_dap.models.generated import types as dap
from jvmdebug_dap.references import MissingSource

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jvmdebug import FrameHandle, SourceFile, ThreadHandle
    from jvmdebug_dap.session import AdapterSession


async def stack_frames(
    session: AdapterSession,
    frames: Sequence[FrameHandle],
    wanted: dap.StackFrameFormat | None = None,
    shown: tuple[int, FrameHandle] | None = None,
) -> list[dap.StackFrame]:
    """The frames with their sources, looked up once each and concurrently.

    `shown` is the frame that the client is to open, which is not greyed in any case: its index,
    which these frames may not have, and its handle.
    """
    every = [*frames, *(() if shown is None else shown[1:])]
    # Of several in one file the last line tells whether the source fits.
    last_of = {frame.source_path: frame for frame in sorted(every, key=lambda it: it.line or 0)}
    found = await together(frame.source() for frame in last_of.values())
    sources = dict(zip(last_of, found, strict=True))
    places = await together(place(session, each, sources) for each in frames)
    if shown is not None:
        where = await place(session, shown[1], sources)
        places = _with_one_shown(places, shown[0], where.source or _explained(session, shown[1]))
    addresses = await together(frame.code_address() for frame in frames)
    names = await together(frame_name(frame, wanted) for frame in frames)
    modules: Sequence[int | None] = [None] * len(frames)
    if session.modules.is_asked:
        found_modules = await together(frame.module() for frame in frames)
        modules = [None if each is None else session.modules.id_of(each) for each in found_modules]
    told = zip(frames, names, places, addresses, modules, strict=True)
    return [
        stack_frame(session, frame, name, where, address, module)
        for frame, name, where, address, module in told
    ]


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a frame, as the client shows it; the line is the VM's, or None."""

    source: dap.Source | None
    line: int | None
    is_subtle: bool


def stack_frame(
    session: AdapterSession,
    frame: FrameHandle,
    name: str,
    where: Place,
    address: int | None,
    module_id: int | None,
) -> dap.StackFrame:
    return dap.StackFrame(
        id=session.references.add_frame(frame),
        name=name,
        source=where.source,
        line=session.positions.to_client_line(where.line),
        column=session.positions.first_column if where.line is not None else 0,
        presentation_hint="subtle" if where.is_subtle else None,
        can_restart=frame.can_pop,
        instruction_pointer_reference=None if address is None else f"{address:#x}",
        module_id=module_id,
    )


async def place(
    session: AdapterSession, frame: FrameHandle, sources: Mapping[str | None, SourceFile | None]
) -> Place:
    """The line of the source file if it was found, else that of the class as disassembled text.

    A text that says why, greyed, if the VM does not provide the bytecode. Code that was replaced
    while it ran has no line: an editor that is given the file would show its first one.
    """
    source = sources[frame.source_path]
    is_library, is_by_chance = await frame.is_library(), _is_by_chance(frame)
    if source is not None and not frame.is_obsolete:
        file = source_file(session, source)
        if is_library and is_by_chance:
            file = _greyed(file)
        return Place(file, frame.line, is_subtle=is_library and (is_by_chance or frame.depth > 0))
    if (found := await listed(frame)) is not None:
        is_of_the_user = frame.depth == 0 and not (is_library and is_by_chance)
        original = None if source is not None else await frame.original_source()
        shown = listing(session, found[0], original)
        if not is_of_the_user:
            shown = _greyed(shown)
        return Place(shown, found[1], is_subtle=not is_of_the_user)
    if frame.source_name is None:
        return Place(None, frame.line, is_subtle=True)
    shown = _greyed(_explained(session, frame))
    return Place(shown, frame.line or 1, is_subtle=True)  # of the text, if it has no line


async def is_passed_over(frame: FrameHandle) -> bool:
    """Whether an editor passes over the frame, as it is in code of others."""
    return await frame.is_library() and (_is_by_chance(frame) or frame.depth > 0)


async def listed(frame: FrameHandle) -> tuple[jvmdebug.ClassListing, int] | None:
    """The class as disassembled text, with the line; None if the VM does not give the bytecode."""
    with contextlib.suppress(JvmDebugError):
        return await frame.listing()
    return None


def _explained(session: AdapterSession, frame: FrameHandle) -> dap.Source:
    """A text that says why there is neither source nor bytecode."""
    missing = MissingSource(frame.source_name, frame.type_name, frame.is_obsolete)
    return dap.Source(
        name=missing.name,
        source_reference=session.sources.number(missing),
        origin="old code" if missing.is_old_code else "source not found",
    )


def _with_one_shown(places: Sequence[Place], index: int, source: dap.Source) -> list[Place]:
    """The places, the one at `index` so that an editor opens it; its source is given.

    VS Code has one object for each source, whose hint is what the last frame says: no other frame
    may grey that source.
    """
    plain = source.model_copy(update={"presentation_hint": None})
    key = source.path, source.source_reference
    same = [
        replace(each, source=plain)
        if each.source is not None and (each.source.path, each.source.source_reference) == key
        else each
        for each in places
    ]
    if 0 <= index < len(same):
        same[index] = Place(plain, same[index].line or 1, is_subtle=False)
    return same


def _greyed(source: dap.Source) -> dap.Source:
    return source.model_copy(update={"presentation_hint": "deemphasize"})


def _is_by_chance(frame: FrameHandle) -> bool:
    """Whether nobody has gone to where this thread stands: editors then show the first frame that
    is not deemphasized.
    """
    reasons = (jvmdebug.StopReason.PAUSE, jvmdebug.StopReason.EXCEPTION)
    return frame.thread != frame.stop.thread or frame.stop.reason in reasons


def listing(
    session: AdapterSession, shown: jvmdebug.ClassListing, original: SourceFile | None = None
) -> dap.Source:
    """A class as disassembled text, which the client requests from us. `original`: the source that
    it may have been compiled from before it was relocated.
    """
    hint = ""
    if original is not None:
        inside = f"{original.entry} in {original.path.name}" if original.entry else original
        hint = f"; {inside} may be the original"
    return dap.Source(
        name=shown.name,
        path=shown.path,
        source_reference=session.sources.number(shown),
        origin=f"bytecode, no source{hint}",
    )


def source_file(session: AdapterSession, source: SourceFile) -> dap.Source:
    """A file that the client opens itself, or one in an archive, which it requests from us."""
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
    """The source of breakpoints for the core: a path on disk or inside an archive."""
    if source.source_reference:
        file = referred_source(session, source.source_reference)
        if isinstance(file, MissingSource):
            text = f"a breakpoint needs code: what is shown for {file.name} only says why it is not"
            raise RequestError(ErrorId.ILL_FORMED, text)
        if isinstance(file, jvmdebug.ClassListing):
            return file.path
        return str(file.path) if file.entry is None else file.entry
    if not source.path:
        text = "arguments.source: needs a `path` or a `sourceReference`"
        raise RequestError(ErrorId.ILL_FORMED, text)
    archive, mark, entry = source.path.rpartition("!/")
    if mark and Path(archive).suffix in {".jar", ".zip"}:
        return entry
    return str(session.positions.to_path(source.path))


def referred_listing(session: AdapterSession, source: dap.Source) -> jvmdebug.ClassListing | None:
    """The disassembled class that a source is, if it is one."""
    if not source.source_reference:
        return None
    file = referred_source(session, source.source_reference)
    return file if isinstance(file, jvmdebug.ClassListing) else None


def referred_source(
    session: AdapterSession, reference: int
) -> SourceFile | jvmdebug.ClassListing | MissingSource:
    file = session.sources.item(reference)
    if file is None:
        text = f"source reference {reference} was never given out in this session"
        raise RequestError(ErrorId.STALE_REFERENCE, text)
    return file


def thread(session: AdapterSession, handle: ThreadHandle) -> dap.Thread:
    return dap.Thread(id=session.threads.number(handle), name=handle.name or "(no name)")


def known_thread(session: AdapterSession, number: int) -> ThreadHandle:
    """Raises RequestError if the thread has ended or was never listed to the client."""
    handle = session.threads.item(number)
    if handle is None:
        text = f"there is no thread {number}: it has ended, or was never listed"
        raise RequestError(ErrorId.STALE_REFERENCE, text)
    return handle
