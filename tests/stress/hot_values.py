# SPDX-License-Identifier: Apache-2.0
"""Whatever the debugger does, the program computes what it would compute without it.

Random conditions, breakpoints, watches, log points, steps, traces and hot swaps in small classes
(tests/debuggees/kept_values, and kept_records from JDK 17 on), whose threads compare each value
with the one that they have stored. Owns the deeds; what is wrong the program says itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import jvmdebug
from tests.stress.patience import patiently
from tests.stress.session_end import exit_code
from tests.support.debuggees import debuggee
from tests.support.logged_errors import collected_errors
from tests.support.warm_javac import javac

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk

_LINES: Final = (
    *("point", "side", "twice", "lone", "more", "begun", "begin", "value", "last", "sum", "pass"),
    *("wide", "name", "zero", "two", "back", "check", "made", "passes"),
)
_RECORD_LINES: Final = ("coin", "purse", "owner", "strike")
_FIELDS: Final = (
    *("Kept$Point.x", "Kept$Point.y", "Kept$Shuttle.last", "Kept$Shuttle.wide"),
    *("Kept$Shuttle.name", "Kept$Lambdas.last", "Kept$Held.value", "Kept$Begun.next"),
)
_TRACED: Final = ("Kept$Point#*", "Kept$Shuttle#*", "Kept$Lone#*", "Kept$Side#*", "Kept$Held#*")
_CONDITIONS: Final = (
    "false",
    'Thread.currentThread().getName().equals("nobody")',
    "Kept.passes == -3",
)
_MOST: Final = 8
_ENDLESS: Final = "run"
"""The method that a thread leaves at the end only."""
_DEED_S: Final = 120.0
"""Of processor time."""


@dataclass
class HotOutcome:
    """What was done in a run."""

    deeds: Counter[str] = field(default_factory=Counter)
    how: Counter[str] = field(default_factory=Counter)
    """Locations by how they were checked, and deeds that were refused."""
    stops: int = 0
    said: list[str] = field(default_factory=list)
    """The deeds one after the other, with what they were about."""

    def last(self) -> str:
        """The last of them."""
        return "\n  ".join(("the last deeds:", *self.said[-30:]))

    def __str__(self) -> str:
        return f"{self.stops} stops, {dict(self.deeds)}, {dict(self.how)}"


def longer(program: Debuggee, folder: Path) -> Path:
    """The classes of the program with other code in all methods."""
    sources = [
        program.source_dir / "Kept.java",
        program.source_dir.parent / "kept_values" / "Kept.java",
    ]
    text = next(each for each in sources if each.exists()).read_text(encoding="utf-8")
    (folder / "Kept.java").write_text(text.replace("/*+*/", "if (passes == -9) { passes++; }"))
    classes = folder / "longer"
    javac([folder / "Kept.java"], classes, "-g", "--release", "11")
    return classes


class HotValues:
    """The random work of one session."""

    def __init__(
        self,
        session: jvmdebug.Session,
        program: Debuggee,
        longer_classes: Path,
        chance: random.Random,
        outcome: HotOutcome,
    ) -> None:
        self._session = session
        self._program = program
        self._swapped = [program.class_path[0], longer_classes]
        self._chance = chance
        self._outcome = outcome
        self._set: list[jvmdebug.Breakpoint] = []
        has_records = program.release >= 17
        self._lines = _LINES + (_RECORD_LINES if has_records else ())

    async def go_on(self, seconds: float) -> None:
        """Random deeds for so long."""
        deeds: list[tuple[int, Callable[[], Awaitable[None]]]] = [
            (12, self._condition),
            (4, self._log),
            (8, self._watch),
            (10, self._forget),
            (4, self._stop),
            (2, self._run_to),
            (2, self._trace),
            (3, self._swap),
            (3, self._whole_class),
            (1, self._exceptions),
        ]
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while loop.time() < until:
            weights = [weight for weight, _ in deeds]
            deed = self._chance.choices([each for _, each in deeds], weights)[0]
            self._outcome.deeds[deed.__name__.strip("_")] += 1
            self._outcome.said.append(deed.__name__.strip("_"))
            try:
                await patiently(deed(), self._session.pid or 0, _DEED_S)
            except TimeoutError as error:
                error.add_note(await self._state())
                raise
            except jvmdebug.UnsupportedError:
                self._outcome.how["refused"] += 1
            except jvmdebug.StateError:
                # A condition needs the other threads for a moment.
                assert not self._session.is_disconnected
                self._outcome.how["running"] += 1
                await self._session.resume()
            assert self._session.exit_code is None, self._session.exit_code
            await asyncio.sleep(self._chance.random() * 0.05)

    async def _state(self) -> str:
        """What the threads do."""
        stops = [f"{each.thread.name} {each.reason}" for each in self._session.current_stops]
        said = [f"{self._session.state}, stops {stops}"]
        said += [
            f"{each.spec}: verified {each.verified}, {each.hits} hits, {each.message}, {where}"
            for each in self._session.breakpoints
            for where in [[(str(at), at.how, at.why_event) for at in each.locations]]
        ]
        said += [
            f"{each.name}: {[str(frame.at) for frame in each.frames]}"
            for each in (await self._session.thread_dump(frames=6)).threads
            if each.name.startswith(("kept", "coins"))
        ]
        return "\n".join(said)

    async def rest(self) -> None:
        """Take everything back."""
        while self._set:
            await self._set.pop().remove()

    async def end(self) -> None:
        """Have the program end."""
        if self._session.current_stops:  # which nobody has waited for
            await self._session.resume()
        at = await self._session.break_at(self._spec("passes"))
        stop = await self._next()
        await at.remove()
        await stop.frame.evaluate("Kept.over = true")
        await self._session.resume()

    def _say(self, what: object) -> None:
        self._outcome.said[-1] += f" {what}"

    def _spec(self, marker: str) -> str:
        self._say(marker)
        ((source, line),) = self._marked(marker)
        return f"{source}:{line}"

    def _marked(self, marker: str) -> list[tuple[str, int]]:
        folders = (self._program.source_dir, self._program.source_dir.parent / "kept_values")
        return [
            (path.name, number)
            for folder in dict.fromkeys(folders)
            for path in sorted(folder.glob("*.java"))
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
            if line.endswith(f"// @{marker}")
        ]

    def _keep(self, added: jvmdebug.Breakpoint) -> None:
        for location in added.locations:
            self._outcome.how[location.why_event or location.how] += 1
            self._say(f"({location.how})")
        self._set.append(added)

    async def _make_room(self) -> None:
        if len(self._set) >= _MOST:
            await self._forget()

    async def _condition(self) -> None:
        await self._make_room()
        spec = self._spec(self._chance.choice(self._lines))
        condition = self._chance.choice(_CONDITIONS)
        self._keep(await self._session.break_at(spec, condition=condition))

    async def _whole_class(self) -> None:
        """Conditions in all methods of a class."""
        markers = self._chance.choice(
            (("point",), ("side",), ("begun", "begin"), ("lone", "more"), ("value",), ("twice",))
        )
        added = [
            await self._session.break_at(self._spec(marker), condition="false")
            for marker in markers
        ]
        await asyncio.sleep(self._chance.random() * 0.1)
        for each in added:
            await each.remove()

    async def _log(self) -> None:
        await self._make_room()
        spec = self._spec(self._chance.choice(self._lines))
        self._keep(
            await self._session.break_at(
                spec, condition="Kept.passes % 1000 == 0", log_message="{Kept.passes}"
            )
        )

    async def _watch(self) -> None:
        await self._make_room()
        name = self._chance.choice(_FIELDS)
        condition = self._chance.choice(("$new == null", "$new == $old"))
        if name != "Kept$Shuttle.name":
            condition = self._chance.choice(("$new == -5 && $old == 3", "$new < -7"))
        self._say(name)
        self._keep(await self._session.watch(name, condition=condition))

    async def _forget(self) -> None:
        if self._set:
            one = self._set.pop(self._chance.randrange(len(self._set)))
            self._say(f"forget {one.spec}")
            await one.remove()

    async def _stop(self) -> None:
        """A plain breakpoint, some steps."""
        marker = self._chance.choice(
            ("pass", "wide", "name", "back", "sum", "made", "value", "more")
        )
        at = await self._session.break_at(
            self._spec(marker), suspend=self._chance.choice(("all", "thread"))
        )
        stop = await self._next()
        await at.remove()
        for _ in range(self._chance.randrange(4)):
            step = self._chance.choice((stop.step_over, stop.step_into, stop.step_out))
            if step == stop.step_out and stop.frame.method.name == _ENDLESS:
                step = stop.step_over
            name = stop.thread.name
            self._say(f"{name} at {stop.frame.location} {step.__name__}")
            await step()
            stop = await self._next(name)
            if stop.thread.name != name:
                break
        with contextlib.suppress(jvmdebug.EvaluationError):
            await stop.frame.evaluate("this")
        await self._session.resume()

    async def _next(self, thread: str | None = None) -> jvmdebug.Stop:
        """The next stop (of that thread, or of all: it ends a step); others go on."""
        while True:
            stop = await self._session.next_stop()
            assert stop is not None
            self._outcome.stops += 1
            if thread is None or stop.thread.name == thread or stop.all_threads:
                return stop
            await stop.resume()

    async def _run_to(self) -> None:
        at = await self._session.break_at(self._spec("passes"), suspend="all")
        stop = await self._next()
        await at.remove()
        marker = self._chance.choice(("wide", "name", "back", "sum", "last", "value", "lone"))
        await stop.run_to(self._spec(marker))
        await self._next()
        await self._session.resume()

    async def _trace(self) -> None:
        methods = self._chance.choice(_TRACED)
        self._say(methods)
        async with self._session.trace(methods):
            await asyncio.sleep(self._chance.random() * 0.1)

    async def _swap(self) -> None:
        """Other code in one or some classes, or the same once more."""
        names = ("Kept$Point", "Kept$Lone", "Kept$Shuttle", "Kept$Side", "Kept$Held", "Kept$Begun")
        folder = self._chance.choice(self._swapped)
        some = self._chance.sample(names, self._chance.randrange(1, 4))
        self._say(f"{folder.name} {some}")
        for outcome in await self._session.redefine(*(folder / f"{each}.class" for each in some)):
            if outcome.reason is not None:
                self._outcome.how[f"swap: {outcome.reason}"] += 1

    async def _exceptions(self) -> None:
        self._keep(
            await self._session.break_on_exception(
                "java.lang.IllegalArgumentException", caught=True, condition="$exception == null"
            )
        )


def _stories(folder: str) -> str:
    """What the VM has written about its end."""
    found = sorted(Path(folder).glob("hs_err*"))
    return "".join(each.read_text(errors="replace")[:6_000] for each in found)


async def _session(
    jdk: Jdk, seed: int, seconds: float, mode: Literal["auto", "full"], outcome: HotOutcome
) -> None:
    chance = random.Random(seed)
    has_records = jdk.version >= 17
    program = debuggee(*(("kept_records", "Coins") if has_records else ("kept_values", "Kept")))
    said: list[str] = []
    with tempfile.TemporaryDirectory(prefix="kept-") as folder:
        other = longer(program, Path(folder))
        try:
            async with jvmdebug.launch(
                program.main_class,
                class_path=program.class_path,
                source_path=[program.source_dir, program.source_dir.parent / "kept_values"],
                java=jdk.home,
                vm_args=["-Xmx256m"],
                cwd=folder,
                agent="jvmdebug",
                mode=mode,
                on_output=lambda piece: said.append(piece.text),
            ) as session:
                session.settings.condition_deadline_s = _DEED_S  # the machine may be busy
                await session.start()
                work = HotValues(session, program, other, chance, outcome)
                await work.go_on(seconds)
                await work.rest()
                await work.end()
                pid = session.pid or 0
                assert await patiently(exit_code(session), pid, _DEED_S) == 0
        except Exception as error:
            error.add_note("".join(said)[-3_000:] + await asyncio.to_thread(_stories, folder))
            raise
    assert "all values are right" in "".join(said), said


def compute_under_stress(
    jdk: Jdk, *, seed: int, seconds: float, mode: Literal["auto", "full"] = "auto"
) -> HotOutcome:
    """One run; AssertionError when a value was wrong or the VM has ended, with the seed in it."""
    outcome = HotOutcome()
    try:
        with collected_errors() as found:
            asyncio.run(_session(jdk, seed, seconds, mode, outcome))
        assert not found, "\n".join(found)
    except BaseException as error:
        error.add_note(f"seed {seed}, JDK {jdk.version}, mode={mode}: {outcome}")
        error.add_note(outcome.last())
        raise
    return outcome
