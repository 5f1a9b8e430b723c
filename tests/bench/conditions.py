# SPDX-License-Identifier: Apache-2.0
"""What a pass of a line costs whose breakpoint's condition does not hold, or that has a log point:
checked by the program (probes), by our debugger at each hit, by a plain JDI client, and by jdb.
What a breakpoint costs the method that has it and never comes there, and what one for exceptions of
another class costs a throw. And how long it takes to set a condition in a class that is loaded,
small or big, and to change it; and until the change stops a loop that runs.

Nanoseconds per pass, the least of some rounds; the program itself takes the time. The log point of
the probe writes 500 messages a second and counts the others. Without and with a probe are measured
in turns, the least of two VMs each. `python -m tests.bench --only probes` prints the table, with
`--only checks` its first rows alone, those of the README.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import jvmdebug
from tests.bench import field_writes, probe_uses
from tests.bench.conditions_peers import JDB_PRINTS, by_jdb, by_jdi
from tests.bench.scenario import compiled
from tests.support.jdks import newest_compiler

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmdebug.launch.agent_library import ModeChoice, ProbeChoice
    from tests.bench.scenario import Program
    from tests.support.jdks import Jdk

_MAIN: Final = "Conditions"
_COLUMNS: Final = (
    *(("none", 10), ("probe", 10), ("event", 13), ("plain JDI", 13), ("jdb", 13)),
    ("JDI / probe", 13),
)
_LEAST_NS: Final = 0.1
"""What a pass costs more than without a breakpoint is not known more exactly."""
_TURNS: Final = 2
_CHANGES: Final = 9
_THREADS: Final = 8
_BIG_METHODS: Final = 3_000
_HOT_AGAIN_S: Final = 0.3
"""After a stop, until the loop is compiled again."""


@dataclass(frozen=True, slots=True)
class Case:
    """One row. `rounds`: passes in a round, and rounds; `slow_rounds` where each is a stop."""

    name: str
    options: Mapping[str, str] = field(default_factory=dict)
    marker: str = "passed"
    """The line of the breakpoint; empty: one for exceptions of another class."""
    work: str = "pass"
    threads: int = 1
    rounds: tuple[int, int] = (50_000_000, 20)
    slow_rounds: tuple[int, int] = (1_000, 2)

    def arguments(self, *, is_slow: bool, threads: int | None = None) -> tuple[str, ...]:
        """The arguments of the program."""
        rounds, times = self.slow_rounds if is_slow else self.rounds
        return str(rounds), str(times), self.work, str(threads or self.threads)


_INT: Final = {"condition": "i < 0"}
_OBJECT: Final = {"condition": "item.price > most"}
"""Of each of many objects, whose fields change: nothing that a compiler could know before."""
_COUNT: Final = {"hit_condition": "2000000000"}
_LOG: Final = {"log_message": "i {i} limit {limit}"}
_FEW: Final = (200, 2)
_SEVERAL: Final = (5_000_000, 5)
_THROWS: Final = (20_000, 5)
CASES: Final = (
    Case("int", _INT),
    Case("private field", {"condition": "i < limit"}),
    Case("private method", {"condition": "isOver(i)"}),
    Case("object's field", _OBJECT, "item", "items"),
    Case("object's, counted", {"condition": "item.price > 500", **_COUNT}, "item", "items"),
    Case("three parts", {"condition": "i < 0 && sum > 3 || limit == i"}),
    Case("string equals", {"condition": '"x".equals(getClass().getName())'}),
    Case("hit count", _COUNT),
    Case("condition, hit count", {"condition": "i >= 0", **_COUNT}),
    Case("log point", _LOG, rounds=(5_000_000, 10)),
    Case("int, 8 threads", _INT, threads=_THREADS, rounds=_SEVERAL, slow_rounds=_FEW),
    Case("hit count, 8 threads", _COUNT, threads=_THREADS, rounds=_SEVERAL, slow_rounds=_FEW),
    Case("log point, 8 threads", _LOG, threads=_THREADS, rounds=(1_000_000, 3), slow_rounds=_FEW),
    Case("unhit, condition", _INT, "rare", "rare", slow_rounds=_SEVERAL),
    Case("unhit, no condition", {}, "rare", "rare", slow_rounds=_SEVERAL),
    Case("other exception", {}, "", "throw", rounds=_THROWS, slow_rounds=_THROWS),
)

SHOWN: Final = (
    *("int", "private field", "private method", "string equals"),
    *("object's field", "object's, counted", "log point"),
)
"""The names of the rows of the README."""


async def nanoseconds(
    program: Program,
    case: Case,
    *,
    probes: ProbeChoice = "auto",
    mode: ModeChoice = "fast",
    is_set: bool = True,
    is_slow: bool = False,
) -> tuple[float, str]:
    """Nanoseconds for one pass, and how the condition was checked."""
    printed: list[str] = []
    async with jvmdebug.launch(
        _MAIN,
        class_path=[program.classes],
        java=program.jdk.home,
        args=case.arguments(is_slow=is_slow),
        agent="jvmdebug",
        mode=mode,
        probes=probes,
        on_output=lambda output: printed.append(output.text),
    ) as session:
        found = None
        if is_set and case.marker:
            found = await session.break_at(
                f"{_MAIN}:{program.line(case.marker, _MAIN)}",
                condition=case.options.get("condition"),
                hit_condition=case.options.get("hit_condition"),
                log_message=case.options.get("log_message"),
            )
        elif is_set:
            await session.break_on_exception("java.lang.ArithmeticException")
        await session.start()
        await session.wait()
        how = found.locations[0].how if found is not None and found.locations else "none"
    return min(float(each) for each in "".join(printed).split()), how


async def store_ns(program: Program, *, is_watched: bool, probes: ProbeChoice = "auto") -> float:
    """Nanoseconds for one store into an array while another one is watched, or none."""
    printed: list[str] = []
    is_slow = probes == "off"
    rounds = "20000" if is_slow else "50000000"
    async with jvmdebug.launch(
        _MAIN,
        class_path=[program.classes],
        java=program.jdk.home,
        args=[rounds, "5", "store"],
        agent="jvmdebug",
        mode="fast",
        probes=probes,
        on_output=lambda output: printed.append(output.text),
    ) as session:
        await session.break_at(f"{_MAIN}:{program.line('main', _MAIN)}", once=True)
        stop = await anext(aiter(session.stops()))
        if is_watched:
            await session.watch(await stop.frame.data_target("WATCHED[*]"))
        await stop.resume()
        await session.wait()
    return min(float(each) for each in "".join(printed).split())


async def _side_by_side(program: Program, case: Case) -> tuple[float, float, str]:
    """Measures both in turns: a VM now and then compiles the same loop worse."""
    bare, fast, how = [], [], "none"
    for _ in range(_TURNS):
        bare.append((await nanoseconds(program, case, is_set=False))[0])
        took, how = await nanoseconds(program, case)
        fast.append(took)
    return min(bare), min(fast), how


async def _row(program: Program, case: Case) -> str:
    bare, fast, how = await _side_by_side(program, case)
    slow, _ = await nanoseconds(
        program, case, probes="off", mode="fast" if case.marker else "full", is_slow=True
    )
    line = program.line(case.marker, _MAIN) if case.marker else 0
    kind = case.name.partition(",")[0] if case.threads > 1 or not case.marker else case.name
    kind = "exception" if not case.marker else kind
    theirs = await by_jdi(program, kind, line, case.arguments(is_slow=True))
    typed = "-"
    if case.name in JDB_PRINTS:
        typed = f"{await by_jdb(program, case.name, line, ('200', '3')):,.0f}"
    ratio = (theirs - bare) / max(fast - bare, _LEAST_NS)
    shown = f"{'> ' if fast - bare < _LEAST_NS else ''}{max(ratio, 0):,.0f}"
    digits = 2 if bare < 100 else 0
    return (
        f"{case.name:22}{bare:10,.{digits}f}{fast:10,.{digits}f}{slow:13,.0f}{theirs:13,.0f}"
        f"{typed:>13}{shown:>13}  {how}"
    )


def _make_big(program: Program) -> str:
    """A class of many methods, of which one is called; its name."""
    lines = "".join(f"        x = x * 31 + {number};\n" for number in range(10))
    methods = "".join(
        f"    static long m{number}(long x) {{\n{lines}        return x;\n    }}\n"
        for number in range(_BIG_METHODS)
    )
    source = program.classes / "Big.java"
    source.write_text(
        f"public final class Big {{\n{methods}"
        "    public static void main(String[] args) {\n        m7(args.length);\n    }\n}\n"
    )
    release = str(program.jdk.version)
    javac = (str(newest_compiler().javac), "-g", "--release", release, "-d", str(program.classes))
    subprocess.run([*javac, str(source)], check=True, capture_output=True)
    return "Big"


async def to_set_and_change(
    program: Program, main: str, stop_at: int, line: int, name: str
) -> tuple[float, float]:
    """Milliseconds, medians, in a program that is stopped; `name`: a variable at the line."""
    setting: list[float] = []
    changing: list[float] = []
    args = ["10", "1", "never"]
    async with jvmdebug.launch(
        main, class_path=[program.classes], java=program.jdk.home, args=args
    ) as session:
        await session.break_at(f"{main}:{stop_at}")
        await anext(aiter(session.stops()))
        for number in range(_CHANGES):
            begun = time.perf_counter()
            hot = await session.break_at(f"{main}:{line}", condition=f"{name} < -{number}")
            set_ = time.perf_counter()
            await hot.set_condition(f"{name} < -1{number}")
            changing.append(time.perf_counter() - set_)
            setting.append(set_ - begun)
            assert hot.locations[0].how == "probe", hot.locations[0].why_event
            await hot.remove()
    return statistics.median(setting) * 1e3, statistics.median(changing) * 1e3


async def to_take_effect(program: Program) -> tuple[float, float]:
    """Milliseconds from asking for another condition, which holds at once, to the stop that it
    makes in a loop that runs compiled; the median and the most.
    """
    taken: list[float] = []
    args = ["2000000000", "1000", "pass"]
    async with jvmdebug.launch(
        _MAIN, class_path=[program.classes], java=program.jdk.home, args=args
    ) as session:
        line = program.line("passed", _MAIN)
        hot = await session.break_at(f"{_MAIN}:{line}", condition="i < 0")
        await session.start()
        for number in range(_CHANGES):
            await asyncio.sleep(_HOT_AGAIN_S)
            begun = time.perf_counter()
            await hot.set_condition(f"i > -{number + 1}")
            stop = await session.next_stop(timeout_s=20)
            taken.append(time.perf_counter() - begun)
            assert stop is not None
            await hot.set_condition(f"i < -{number + 1}")
            await stop.resume()
    return statistics.median(taken) * 1e3, max(taken) * 1e3


def _header(jdk: Jdk) -> list[str]:
    return [
        f"breakpoints that do not stop, ns per pass (JDK {jdk.version})",
        f"{'':22}" + "".join(f"{name:>{width}}" for name, width in _COLUMNS),
    ]


async def first_rows(jdk: Jdk) -> str:
    """The rows that the README shows, as text."""
    with compiled(jdk, f"*{_MAIN}.java") as program:
        shown = [each for each in CASES if each.name in SHOWN]
        return "\n".join(_header(jdk) + [await _row(program, each) for each in shown])


async def table(jdk: Jdk) -> str:
    """The rows, as text."""
    with compiled(jdk, f"*{_MAIN}.java") as program:
        lines = _header(jdk)
        lines += [await _row(program, case) for case in CASES]
        none, probe = [await store_ns(program, is_watched=each) for each in (False, True)]
        event = await store_ns(program, is_watched=True, probes="off")
        lines.append(f"{'array store, other':22}{none:10,.2f}{probe:10,.2f}{event:13,.0f}")
        lines += await probe_uses.rows(program)
        with compiled(jdk, "FieldWrites.java") as writing:
            lines += await field_writes.rows(writing)
        small = (program.line("never", _MAIN), program.line("passed", _MAIN), "i")
        for name, main, at in (
            ("small", _MAIN, small),
            ("big", _make_big(program), (13 * _BIG_METHODS + 3, 13 * 9 + 3, "x")),
        ):
            setting, changing = await to_set_and_change(program, main, *at)
            lines.append(
                f"{name} class: a condition set in {setting:.1f} ms, changed in {changing:.1f} ms"
            )
        # The first line of every tenth method.
        every = [2 + 13 * number + 1 for number in range(0, _BIG_METHODS, 10)]
        lines.append(await probe_uses.many(program, "Big", 13 * _BIG_METHODS + 3, every, "x"))
        usual, most = await to_take_effect(program)
        lines.append(
            f"another condition, asked for while the loop runs, stops it after {usual:.1f} ms"
            f" ({most:.1f} at most in {_CHANGES})"
        )
    return "\n".join(lines)
