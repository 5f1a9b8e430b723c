# SPDX-License-Identifier: Apache-2.0
"""The core's events as DAP events. Called by the pump only, in the order of the core."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, TypeAlias

import jvmdebug
from jvmdebug import JvmDebugError, several_lines
from jvmdebug_dap.convert import breakpoints, frames, guests, invalid, modules
from jvmdebug_dap.models.generated import events

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug_dap.models.base import Model
    from jvmdebug_dap.models.custom import RedefineClassesBody
    from jvmdebug_dap.models.generated.types import Breakpoint, Source
    from jvmdebug_dap.session import AdapterSession

Announcement: TypeAlias = "tuple[str, Model | None]"


@cache
def _reasons() -> dict[jvmdebug.StopReason, str]:
    return {
        jvmdebug.StopReason.ENTRY: "entry",
        jvmdebug.StopReason.BREAKPOINT: "breakpoint",
        jvmdebug.StopReason.FUNCTION_BREAKPOINT: "function breakpoint",
        jvmdebug.StopReason.STEP: "step",
        jvmdebug.StopReason.EXCEPTION: "exception",
        jvmdebug.StopReason.INSTRUCTION_BREAKPOINT: "instruction breakpoint",
        jvmdebug.StopReason.WATCHPOINT: "data breakpoint",
        jvmdebug.StopReason.PAUSE: "pause",
        jvmdebug.StopReason.RUN_TO: "goto",
        jvmdebug.StopReason.POP_FRAME: "restart",
        jvmdebug.StopReason.FORCE_RETURN: "step",
        jvmdebug.StopReason.GOTO: "goto",
        jvmdebug.StopReason.RECORDING_END: "pause",
        jvmdebug.StopReason.RECORDING_BEGINNING: "pause",
    }


@cache
def _descriptions() -> dict[jvmdebug.StopReason, str]:
    return {
        jvmdebug.StopReason.RUN_TO: "Ran to the cursor",
        jvmdebug.StopReason.POP_FRAME: "Frame dropped",
        jvmdebug.StopReason.FORCE_RETURN: "Returned early",
        jvmdebug.StopReason.GOTO: "Jumped",
        jvmdebug.StopReason.RECORDING_END: "End of the recording",
        jvmdebug.StopReason.RECORDING_BEGINNING: "Beginning of the recording",
    }


async def announcements(  # noqa: C901 - one case for each kind of event
    session: AdapterSession, event: jvmdebug.SessionEvent
) -> list[Announcement]:
    """The DAP events, if any, that tell the client about `event`."""
    told: list[Announcement]
    match event:
        case jvmdebug.Output():
            body = events.OutputEventBody(category=event.stream, output=event.text)
            told = [("output", body)]
        case jvmdebug.Stopped():
            told = [*await stopped(session, event.stop), *await modules.changes(session)]
        case jvmdebug.Continued():
            told = continued(session, event)
        case jvmdebug.ThreadStarted() | jvmdebug.ThreadEnded():
            told = [("thread", thread(session, event))]
        case jvmdebug.BreakpointChanged() if _is_of_another(session, event):
            told = await guests.breakpoint_changed(session, event)
        case jvmdebug.BreakpointChanged():
            told = breakpoint_changed(session, event)
        case jvmdebug.GuestChanged():
            told = guests.guest_changed(session, event)
        case jvmdebug.BreakpointLogged():
            told = [("output", await logged(session, event))]
        case jvmdebug.SourceLoaded() | jvmdebug.CodeReplaced():
            told = of_code(session, event)
        case (
            jvmdebug.AnsweringChanged()
            | jvmdebug.LinkChanged()
            | jvmdebug.ObjectCollected()
            | jvmdebug.Exited()
            | jvmdebug.Ended()
        ):
            told = of_life(session, event)
            if isinstance(event, jvmdebug.Ended):
                told = [*await _of_what_was_noted(session), *told]
        case jvmdebug.projects.TestEvent():
            from jvmdebug_dap.convert import test_results  # noqa: PLC0415 - slow to import

            told = test_results.announcements(session, event)
    return told


async def _of_what_was_noted(session: AdapterSession) -> list[Announcement]:
    """Ends coverage and recording with the program; what is told of them before its end is."""
    told: list[Announcement] = []
    if session.recording is not None:
        from jvmdebug_dap import covering  # noqa: PLC0415 - seldom needed

        told = [*await covering.told_at_end(session)]
    if session.recorder is not None:
        from jvmdebug_dap import recorded  # noqa: PLC0415 - seldom needed

        await recorded.end(session)
    return told


def thread(
    session: AdapterSession, event: jvmdebug.ThreadStarted | jvmdebug.ThreadEnded
) -> events.ThreadEventBody:
    number = session.threads.number(event.thread)
    if isinstance(event, jvmdebug.ThreadStarted):
        return events.ThreadEventBody(reason="started", thread_id=number)
    session.threads.forget(event.thread)
    return events.ThreadEventBody(reason="exited", thread_id=number)


async def stopped(session: AdapterSession, stop: jvmdebug.Stop) -> list[Announcement]:
    """Nothing for a stop that is over already: the client would ask about it in vain."""
    text, description = None, _descriptions().get(stop.reason)
    if stop.exception is not None:
        from jvmdebug_dap.convert import exceptions  # noqa: PLC0415 - slow to import

        try:
            thrown = await stop.thrown()
            text = None if thrown is None else exceptions.thrown_text(stop, thrown)
        except JvmDebugError as error:  # the stop must be told all the same
            text = f"(the exception cannot be shown: {error})"
    elif stop.change is not None:
        try:
            text = await stop.change.as_text()
        except JvmDebugError as error:
            text = f"(the values cannot be shown: {error})"
        if stop.reason is jvmdebug.StopReason.WATCHPOINT:
            description = f"Data breakpoint: {text}"  # VS Code shows no `text` beside the thread
    elif stop.why_not_returned is not None:
        text = jvmdebug.one_line(stop.why_not_returned)
    if not stop.is_current:
        return []
    hit = stop.breakpoints
    if session.visit is not None:
        hit = tuple(session.visit.original_of(each) for each in hit)
    ids = [session.breakpoints.id_of(each) for each in hit]
    thread_id = session.threads.number(stop.thread)
    if stop.reason is jvmdebug.StopReason.PAUSE and session.paused_thread is not None:
        thread_id, session.paused_thread = session.paused_thread, None
    body = events.StoppedEventBody(
        reason=_reasons()[stop.reason],
        description=description,
        thread_id=thread_id,
        text=text,
        all_threads_stopped=stop.all_threads,
        hit_breakpoint_ids=[each for each in ids if each is not None] or None,
    )
    session.told_stops[stop] = body
    return [("stopped", body)]


def stopped_as_before(session: AdapterSession) -> list[Announcement]:
    """The current stops again: the client reads their stacks, and opens nothing."""
    again = {"preserve_focus_hint": True, "hit_breakpoint_ids": None}
    return [
        ("stopped", session.told_stops[stop].model_copy(update=again))
        for stop in session.core.current_stops
        if stop in session.told_stops
    ]


def continued(session: AdapterSession, event: jvmdebug.Continued) -> list[Announcement]:
    """The protocol wants a thread even if all go on; then which one does not matter."""
    number = 1 if event.thread is None else session.threads.number(event.thread)
    told: list[Announcement] = [
        (
            "continued",
            events.ContinuedEventBody(thread_id=number, all_threads_continued=event.all_threads),
        )
    ]
    if event.by is not None:
        told.append(guests.line(session, f"The {event.by} has resumed the program."))
    if event.notice is not None:
        text = session.styled(f"{event.notice[0].upper()}{event.notice[1:]}.", "console")
        told.append(("output", events.OutputEventBody(category="console", output=text + "\n")))
    return told


def _is_of_another(session: AdapterSession, event: jvmdebug.BreakpointChanged) -> bool:
    """Whether another front end has done it, or has set the breakpoint, which the client is told
    of as soon as its place is known.
    """
    if event.by is not None or event.change == "new":
        return True
    is_unknown = session.breakpoints.id_of(event.breakpoint) is None
    return is_unknown and event.breakpoint.set_by is not None


def breakpoint_changed(
    session: AdapterSession, event: jvmdebug.BreakpointChanged
) -> list[Announcement]:
    """Only about breakpoints that the client set: others (run to cursor) it does not know."""
    if session.breakpoints.id_of(event.breakpoint) is None:
        return []
    known = session.breakpoints.told.get(event.breakpoint)
    now = breakpoints.to_dap(session, event.breakpoint)
    if event.change == "changed" and now == known:
        return []  # one more place of it, which clients are not told
    body = events.BreakpointEventBody(reason=event.change, breakpoint=now)
    told: list[Announcement] = [("breakpoint", body)]
    is_new = known is None or known.message != now.message
    if is_new and breakpoints.is_wrong(event.breakpoint, now):
        told += why_wrong(session, [now], more=True)
    return told


def why_wrong(
    session: AdapterSession, shown: Sequence[Breakpoint], *, more: bool = False
) -> list[Announcement]:
    """The messages of the wrong breakpoints of a source as lines in the console: clients show them
    only below the mouse. Each is told once while it is wrong; `more`: those before stay wrong.
    """
    new = session.breakpoints.newly_wrong(shown, more=more)
    return [
        (
            "output",
            events.OutputEventBody(
                category="console",
                output=session.styled(several_lines(each.message or ""), "console") + "\n",
                source=each.source,
                line=each.line,
            ),
        )
        for each in new
    ]


async def logged(
    session: AdapterSession, event: jvmdebug.BreakpointLogged
) -> events.OutputEventBody:
    source: Source | None = session.breakpoints.source_of(event.breakpoint)
    if source is None and event.source_path is not None:
        file = await session.core.find_source(event.source_path, event.line)
        source = None if file is None else frames.source_file(session, file)
    line = None if event.line is None else session.positions.to_client_line(event.line)
    # VS Code writes `console` in the color of warnings.
    category = "stdout" if session.is_vscode else "console"
    return events.OutputEventBody(
        category=category, output=event.text + "\n", source=source, line=line
    )


def of_code(
    session: AdapterSession, event: jvmdebug.SourceLoaded | jvmdebug.CodeReplaced
) -> list[Announcement]:
    if isinstance(event, jvmdebug.SourceLoaded):
        source = frames.source_file(session, event.source)
        return [("loadedSource", events.LoadedSourceEventBody(reason="new", source=source))]
    told: list[Announcement] = [
        ("jvmdebug/classesRedefined", redefined_classes(session, event.classes))
    ]
    if session.is_vscode:
        told += stopped_as_before(session)
    return [*told, *invalid.code(session)]


def redefined_classes(
    session: AdapterSession, classes: Sequence[jvmdebug.RedefinedClass]
) -> RedefineClassesBody:
    from jvmdebug_dap.models.custom import (  # noqa: PLC0415 - slow to import
        RedefineClassesBody,
        RedefinedClassBody,
    )

    return RedefineClassesBody(
        classes=[
            RedefinedClassBody(
                path=session.positions.to_client_path(each.path),
                outcome=each.outcome.value,
                name=each.type_name,
                reason=each.reason,
            )
            for each in classes
        ]
    )


def of_life(
    session: AdapterSession,
    event: jvmdebug.AnsweringChanged
    | jvmdebug.LinkChanged
    | jvmdebug.ObjectCollected
    | jvmdebug.Exited
    | jvmdebug.Ended,
) -> list[Announcement]:
    if isinstance(event, jvmdebug.Exited):
        return [("exited", events.ExitedEventBody(exit_code=event.exit_code))]
    if isinstance(event, jvmdebug.Ended):
        return [*link_progress(session, None), *ended(event)]
    if isinstance(event, jvmdebug.LinkChanged):
        return link_changed(session, event)
    if isinstance(event, jvmdebug.ObjectCollected):
        text = session.styled(f"{event.mark.text} has been collected", "console")
        return [("output", events.OutputEventBody(category="console", output=text + "\n"))]
    category = "console" if event.is_answering else "important"
    text = session.styled(event.message, category)
    return [("output", events.OutputEventBody(category=category, output=text + "\n"))]


_LINK_PROGRESS: Final = "link"


def link_changed(session: AdapterSession, event: jvmdebug.LinkChanged) -> list[Announcement]:
    """A message, and a progress for as long as the link is lost."""
    category = "console" if event.is_up else "important"
    text = session.styled(event.message, category)
    body = events.OutputEventBody(category=category, output=text + "\n")
    return [("output", body), *link_progress(session, None if event.is_up else event.message)]


def link_progress(session: AdapterSession, message: str | None) -> list[Announcement]:
    """The one progress of the lost link begins, or ends if it is shown."""
    was_shown, session.shows_lost_link = session.shows_lost_link, message is not None
    if not session.client.supports_progress_reporting or was_shown == session.shows_lost_link:
        return []
    if message is None:
        return [("progressEnd", events.ProgressEndEventBody(progress_id=_LINK_PROGRESS))]
    start = events.ProgressStartEventBody(
        progress_id=_LINK_PROGRESS, title="Looking for the program again", message=message
    )
    return [("progressStart", start)]


def ended(event: jvmdebug.Ended) -> list[Announcement]:
    told: list[Announcement] = []
    if event.message:
        body = events.OutputEventBody(
            category="important", output=several_lines(event.message) + "\n"
        )
        told.append(("output", body))
    told.append(("terminated", None))
    return told
