# SPDX-License-Identifier: Apache-2.0
"""Results of tests: as our own event, for a view of tests, and as output that any client shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug import one_line, several_lines
from jvmdebug_dap.models.custom import TestFailureBody, TestResultBody
from jvmdebug_dap.models.generated.events import OutputEventBody
from jvmdebug_dap.models.generated.types import Source

if TYPE_CHECKING:
    from pathlib import Path

    import jvmdebug
    from jvmdebug_dap.models.base import Model
    from jvmdebug_dap.session import AdapterSession

_MOST_OF_A_MESSAGE = 2_000


def announcements(
    session: AdapterSession, event: jvmdebug.projects.TestEvent
) -> list[tuple[str, Model | None]]:
    """What the client is told of an event."""
    told: list[tuple[str, Model | None]] = [("jvmdebug/testResult", body(session, event))]
    is_test = event.kind in ("method", "call")
    if event.event == "finished" and (is_test or event.status == "failed"):
        told.append(("output", output(session, event)))
    elif event.event == "end" and event.counts is not None:
        parts = [f"{count} {status}" for status, count in sorted(event.counts.items()) if count]
        text = session.styled(f"Tests: {', '.join(parts) or 'none was run'}", "console")
        told.append(("output", OutputEventBody(category="console", output=text + "\n")))
    return told


def body(session: AdapterSession, event: jvmdebug.projects.TestEvent) -> TestResultBody:
    """The body of `jvmdebug/testResult`."""
    if event.event in ("begin", "end"):
        counts = event.counts
        if counts is None:
            return TestResultBody(event=event.event)
        passed, failed, skipped = (counts[each] for each in ("passed", "failed", "skipped"))
        return TestResultBody(event="end", passed=passed, failed=failed, skipped=skipped)
    is_finished = event.event == "finished"
    return TestResultBody(
        event=event.event,
        id=event.id,
        parent_id=event.parent,
        kind=event.kind,
        name=event.name,
        class_name=event.class_name,
        method_name=event.method,
        call=event.call,
        selector=event.selector,
        path=_path(session, event.file),
        line=_line(session, event.line),
        status=event.status,
        duration_ms=event.seconds * 1000 if is_finished else None,
        reason=event.reason,
        failure=None if event.failure is None else failure(session, event.failure),
    )


def failure(session: AdapterSession, failed: jvmdebug.projects.TestFailure) -> TestFailureBody:
    """Why a test failed, with the place in the sources."""
    return TestFailureBody(
        type=failed.type,
        message=failed.message,
        trace=failed.trace,
        expected=failed.expected,
        actual=failed.actual,
        path=_path(session, failed.file),
        line=_line(session, failed.line),
    )


def output(session: AdapterSession, event: jvmdebug.projects.TestEvent) -> OutputEventBody:
    """A line of the console; that of a failure has a link to its place, or to that of the test."""
    name = one_line(event.selector or event.name)
    if event.status != "failed":
        if event.status == "skipped":
            text = f"skipped {name}" + (f": {one_line(event.reason)}" if event.reason else "")
        else:
            text = f"passed  {name}, {event.seconds:.3f} s"
        return OutputEventBody(category="stdout", output=f"{text}\n")
    text, file, line = f"failed  {name}", event.file, event.line
    if event.failure is not None:
        kind = event.failure.type.rpartition(".")[2]
        why = several_lines((event.failure.message or "")[:_MOST_OF_A_MESSAGE])
        text += f": {kind}" + (f": {why}" if why else "")
        if event.failure.file is not None:
            file, line = event.failure.file, event.failure.line
    source = None
    if file is not None:
        source = Source(name=file.name, path=session.positions.to_client_path(file))
    return OutputEventBody(
        category="stderr", output=f"{text}\n", source=source, line=_line(session, line)
    )


def _path(session: AdapterSession, file: Path | None) -> str | None:
    return None if file is None else session.positions.to_client_path(file)


def _line(session: AdapterSession, line: int | None) -> int | None:
    return None if line is None else session.positions.to_client_line(line)
