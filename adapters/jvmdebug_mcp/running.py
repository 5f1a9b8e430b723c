# SPDX-License-Identifier: Apache-2.0
"""The tools that start, stop and change the program."""

from __future__ import annotations

import asyncio
from itertools import groupby
from pathlib import Path
from typing import Final, Literal

import jvmdebug
from jvmdebug.contained_places import PREFIXES
from jvmdebug_mcp.context import describe, recent
from jvmdebug_mcp.shared import Shared, point_text

Step = Literal["continue", "over", "into", "out"]
Suspend = Literal["all", "thread"]
Mode = Literal["auto", "full", "fast"]
_LONGEST_S: Final = 300.0
_LAST_PORT: Final = 65535
_MOST_FILES: Final = 20
_MOST_LINES: Final = 60
_OTHER_FORMS: Final = (
    "for exceptions `exception shop.NoStock`, `exception` alone for all, `uncaught` for those that"
    " nobody catches; for a field `field shop.Cart.total`"
)


class Running(Shared):
    """Each method is a tool."""

    async def launch(  # noqa: PLR0913, PLR0917 - the arguments of the tool
        self,
        program: str = "",
        main_class: str = "",
        class_path: list[str] | None = None,
        args: list[str] | None = None,
        vm_args: list[str] | None = None,
        cwd: str = "",
        source_path: list[str] | None = None,
        project: str = "",
        test: list[str] | None = None,
        mode: Mode = "auto",
    ) -> str:
        """Start a Java program or tests under the debugger, held before its first instruction.

        program: a .java or .jar file; or main_class with class_path. project: the folder of a
        Maven, Gradle or plain project, compiled first, alone or with main_class. test: its tests to
        run, `shop.CartTest`, `shop.CartTest#adds`, `shop.*`. mode: full to know what methods return
        (traces have all results then, exceptions are slow). Set stop points, then `run`. Uncaught
        exceptions stop it too.
        """
        opening = jvmdebug.open_launch(
            main_class or None,
            program=program or None,
            class_path=class_path or (),
            args=args or (),
            vm_args=vm_args or (),
            cwd=cwd or None,
            source_path=source_path or (),
            project=project or None,
            tests=test or (),
            mode=mode,
        )
        session = await self._it.open(opening)
        await session.breakpoints.stop_at_uncaught()
        return f"started {session.name}, process {session.pid}, held: set stop points, then `run`"

    async def coverage(
        self, include: list[str] | None = None, file: str = "", *, end: bool = False
    ) -> str:
        """Record which lines run, from the first call on; each later call shows what has run.

        First call: before `run` for a whole program or its tests. include: classes, `shop.*`; else
        the program's own. file: a source, `Cart.java`, whose lines that have not run are shown, and
        those with ways of branches that were not taken. end: stop recording.
        """
        recording = self._it.recording
        if recording is None:
            made = self._it.session.coverage(include=include or ())
            self._it.recording = await made.__aenter__()
            return "recording: let the program run, then call `coverage` again"
        if end:
            self._it.recording = None
        found = await (recording.stop() if end else recording.read())
        return _of_file(found, file) if file else _of_files(found)

    async def attach(
        self,
        target: str,
        source_path: list[str] | None = None,
        token_file: str = "",
        fingerprint: str = "",
    ) -> str:
        """Attach to a JVM, which goes on running: HOST:PORT or unix:PATH of its debug agent,
        tls://HOST:PORT/NAME of a relay (with token_file), or its process id; without an agent there
        are no stop points and no traces then.
        """
        host, port, pid = _target(target)
        opening = jvmdebug.open_attach(
            host,
            port,
            pid=pid,
            source_path=source_path or (),
            read_only=self._it.read_only,
            token_file=token_file or None,
            fingerprint=fingerprint or None,
            retry=False,
        )
        session = await self._it.open(opening)
        held = session.state is jvmdebug.SessionState.HELD
        java = f"Java {session.vm.version.feature_release}, through the {session.agent} agent"
        now = "it runs"
        if held:
            now = "it is held before its first instruction: set stop points, then `run`"
        return f"attached to {target}: {java}; {now}"

    async def stop_at(
        self,
        where: str,
        condition: str = "",
        hit_condition: str = "",
        log_message: str = "",
        suspend: Suspend = "all",
        after: int = 0,
    ) -> str:
        """Set a stop point; returns its number.

        where: `shop/Cart.java:42`, `shop.Cart#add`, `exception java.lang.NullPointerException`
        (`uncaught` and a type, or nothing, for those that nobody catches), `field shop.Cart.total`.
        condition: Java, true to stop; of a field `$old`, `$new`, of an exception `$exception`.
        hit_condition: `5`, `>= 5`, `% 3`. log_message: log `total={total}` and do not stop.
        suspend: all, or only the thread that gets there. after: the number of another stop point
        that has to stop or log before, to stop at B only once A was there.
        """
        session = self._it.session
        trigger = self._point(after) if after else None
        asked, pattern, message = condition or None, hit_condition or None, log_message or None
        kind, _, rest = where.strip().partition(" ")
        if kind in {"exception", "uncaught"}:
            point = await session.break_on_exception(
                rest.strip() or "java.lang.Throwable",
                caught=kind == "exception",
                condition=asked,
                hit_condition=pattern,
                log_message=message,
                suspend=suspend,
                after=trigger,
            )
        elif kind == "field":
            point = await session.watch(
                rest.strip(),
                condition=asked,
                hit_condition=pattern,
                log_message=message,
                suspend=suspend,
                after=trigger,
            )
        else:
            try:
                point = await session.break_at(
                    where,
                    condition=asked,
                    hit_condition=pattern,
                    log_message=message,
                    suspend=suspend,
                    after=trigger,
                )
            except jvmdebug.BreakpointError as error:
                raise jvmdebug.BreakpointError(f"{error}; {_OTHER_FORMS}") from error
        return point_text(point)

    async def remove_stop_point(self, number: int) -> str:
        """Remove a stop point by its number; 0 removes all that you have set."""
        session = self._it.session
        chosen = [self._point(number)] if number else self._own_points()
        await session.breakpoints.remove(chosen)
        return f"removed {len(chosen)}"

    async def run(
        self, step: Step = "continue", to: str = "", timeout_s: float = 30.0, thread: str = ""
    ) -> str:
        """Let the program go on until it stops, ends, or timeout_s seconds are over, and tell all
        about the stop in one answer.

        step: continue, over, into, out. to: run to a line, `shop/Cart.java:42`. thread: the name of
        the stopped thread to step, if several have stopped.
        """
        session = self._it.session
        deadline = min(max(timeout_s, 0.1), _LONGEST_S)
        if step != "continue" or to:
            stop = self._stop(thread)
            if to:
                await stop.run_to(to)
            elif step == "into":
                await stop.step_into()
            else:
                await (stop.step_over() if step == "over" else stop.step_out())
        elif session.current_stops:
            await session.resume()
        return await self._next(deadline)

    async def pause(self) -> str:
        """Stop all threads now, and tell where the first of them is."""
        return await describe(self._it, await self._it.session.suspend())

    async def set_value(self, target: str, value: str, thread: str = "", frame: int = 0) -> str:
        """Assign to a variable, field or element of a stopped frame: target = value, in Java."""
        chosen = await self._frame(thread, frame)
        changed = await chosen.assign(target, value)
        return f"{target} = {changed}"

    async def hot_swap(self, paths: list[str]) -> str:
        """Give loaded classes the code of class files, or of all class files in directories."""
        found = await self._it.session.redefine(*paths, changed_only=False)
        lines = [
            f"{each.type_name or each.path}: {each.outcome}"
            + (f": {each.reason}" if each.reason else "")
            for each in found
            if each.outcome is not jvmdebug.Outcome.NOT_LOADED or each.reason is not None
        ]
        return "\n".join(lines) or "none of these classes is loaded: nothing to do"

    async def panic(self) -> str:
        """Undo everything: remove all stop points that you have set, and let all threads run."""
        session = self._it.session
        points = self._own_points()
        await session.breakpoints.remove(points)
        if session.owner is None and session.breakpoints.stops_at_uncaught:
            await session.breakpoints.stop_at_uncaught(enabled=False)
        if session.state is not jvmdebug.SessionState.ENDED:
            await session.resume()
        return f"removed {len(points)} stop points; the program runs"

    async def end(self, program: Literal["ends", "goes on"] = "ends") -> str:
        """End the session. A launched program ends with it, or goes on; one that was attached to
        goes on in any case.
        """
        name = self._it.session.name
        await self._it.close(ends_program=program == "ends")
        return f"the session of {name} is over"

    def _own_points(self) -> list[jvmdebug.Breakpoint]:
        """The stop points that were set from here; of others in a shared session, none."""
        return [each for each in self._it.session.breakpoints if each.set_by is None]

    async def _next(self, seconds: float) -> str:
        session = self._it.session
        try:
            stop = await session.next_stop(seconds)
        except TimeoutError:
            lines = [f"still running after {seconds:g} s; `run` waits on, `pause` stops it"]
            waiting = [point_text(each) for each in session.breakpoints if not each.hits]
            return "\n".join([*lines, *waiting, *recent(self._it)])
        if stop is not None:
            return await describe(self._it, stop)
        await asyncio.sleep(0)
        unreached = [_unreached(each) for each in session.breakpoints if not each.was_reached]
        return "\n".join([self._it.ended(session), *unreached, *recent(self._it)])


def _unreached(point: jvmdebug.Breakpoint) -> str:
    """What is said at the end of a stop point that has neither stopped nor logged."""
    if point.locations:
        return f"stop point {point.id} was set, and never reached: {point.spec}"
    reason = point.message or "no class that it names was loaded"
    return jvmdebug.one_line(f"stop point {point.id} was never set: {point.spec}: {reason}", None)


def _target(text: str) -> tuple[str, int, int | None]:
    """Host, port, process id: a number alone is a port unless it is the id of a JVM."""
    if text.startswith("unix:"):
        path = text.removeprefix("unix:")
        if not Path(path).exists():
            raise jvmdebug.LaunchError(f"cannot attach to {text}: there is no file {path}")
        return text, 0, None
    if text.startswith(("tls://", *PREFIXES)):
        return text, 0, None
    host, colon, port = text.rpartition(":")
    if not port.isdigit():
        raise jvmdebug.LaunchError(
            f"{text!r} is neither HOST:PORT, unix:PATH, tls://HOST:PORT, container:NAME,"
            " pod:NAMESPACE/POD nor a process id"
        )
    if not colon and (int(port) > _LAST_PORT or jvmdebug.local_jvm(int(port)) is not None):
        return "", 0, int(port)
    return host or "127.0.0.1", int(port), None


def _of_files(found: jvmdebug.coverage.Coverage) -> str:
    total = found.counters
    rows = [f"{total.lines.ratio:.0%} of {total.lines.total} lines have run"]
    worst = sorted(found.files, key=lambda each: -each.counters.lines.missed)
    rows += [
        f"{each.counters.lines.ratio:.0%} {each.name}: {each.counters.lines.missed} lines missed,"
        f" {each.counters.branches.missed} ways of branches"
        for each in worst[:_MOST_FILES]
    ]
    if len(worst) > _MOST_FILES:
        rows.append(f"and {len(worst) - _MOST_FILES} other files")
    return "\n".join(rows)


def _of_file(found: jvmdebug.coverage.Coverage, name: str) -> str:
    file = found.of_file(name)
    if file is None:
        return f"no class of {name} counts; there is: {', '.join(e.name for e in found.files[:20])}"
    missed = _runs_of_missed(file)
    partial = [
        f"{n} ({each.branches_covered} of {each.branch_count} ways)"
        for n, each in file.lines.items()
        if each.status == "partial"
    ]
    return (
        f"{file.name}: {file.counters.lines.ratio:.0%} of its lines have run\n"
        f"not run: {_first_of(missed)}\n"
        f"run in part: {_first_of(partial)}"
    )


def _runs_of_missed(file: jvmdebug.coverage.CoveredFile) -> list[str]:
    """Lines without a line between them that has run and is code: `7`, `9-14`."""
    runs = []
    for is_missed, lines in groupby(
        sorted(file.lines), key=lambda number: file.lines[number].status == "none"
    ):
        first, *rest = lines
        if is_missed:
            runs.append(f"{first}-{rest[-1]}" if rest else str(first))
    return runs


def _first_of(lines: list[str]) -> str:
    more = f" and {len(lines) - _MOST_LINES} more" if len(lines) > _MOST_LINES else ""
    return (", ".join(lines[:_MOST_LINES]) or "none") + more
