# SPDX-License-Identifier: Apache-2.0
"""What sampling costs the program that is sampled, and how far its stacks are off the truth.

The cost is how much less a thread of the program does in a second of its CPU time, by turns with
and without sampling in one VM. The truth about the bias are times that the program takes itself;
beside it is what was sampled at safepoints and by signals. The program is `java/SamplingCost.java`.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from typing import TYPE_CHECKING, Final

import jvmdebug

if TYPE_CHECKING:
    from jvmdebug.profiling import SampledAt
    from tests.bench.scenario import Program

_PARTS: Final = ("polled", "unpolled", "copied")
_WAYS: Final[tuple[SampledAt, ...]] = ("safepoints", "signals")
_UNREAD: Final = "(no Java frames)"
_RATES: Final = (100.0, 1000.0)
_SECONDS: Final = 3.0
_WARM_UP_S: Final = 3.0


async def _number(session: jvmdebug.Session, name: str) -> int:
    return int((await session.evaluate(f"SamplingCost.{name}")).text)


async def _rate(session: jvmdebug.Session, at: SampledAt | None, hz: float) -> tuple[float, float]:
    """How much is done in CPU time, and the share of a processor that sampling takes itself."""
    before, began = await _work(session), time.perf_counter()
    own = 0.0
    if at is None:
        await asyncio.sleep(_SECONDS)
    else:
        own = (await session.profile(_SECONDS, hz=hz, at=at)).sampler_cpu_s
    after, ended = await _work(session), time.perf_counter()
    return (after[0] - before[0]) / (after[1] - before[1]), own / (ended - began)


async def _work(session: jvmdebug.Session) -> tuple[int, int]:
    """What has been done, and the CPU time that it took."""
    return await _number(session, "done"), await _number(session, "cpuTime")


async def _cost(program: Program, rounds: int) -> dict[str, list[tuple[float, float]]]:
    found: dict[str, list[tuple[float, float]]] = {}
    async with jvmdebug.launch(
        "SamplingCost", class_path=[program.classes], java=program.jdk.java, args=["threads"]
    ) as session:
        await session.start()
        await asyncio.sleep(_WARM_UP_S)
        for _ in range(rounds):
            base, _ = await _rate(session, None, 0)
            for at in _WAYS:
                for hz in _RATES:
                    rate, own = await _rate(session, at, hz)
                    again, _ = await _rate(session, None, 0)
                    lost = 1 - rate / ((base + again) / 2)
                    base = again
                    found.setdefault(f"{at}, {hz:g} Hz", []).append((lost, own))
    return found


async def _bias(program: Program) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for exact in (False, True):
        options = ["-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints"] if exact else []
        async with jvmdebug.launch(
            "SamplingCost",
            class_path=[program.classes],
            java=program.jdk.java,
            vm_args=options,
            args=["parts"],
        ) as session:
            await session.start()
            await asyncio.sleep(_WARM_UP_S)
            for at in _WAYS:
                before = [await _number(session, f"{each}Time") for each in _PARTS]
                profile = await session.profile(_SECONDS * 2, hz=500, at=at)
                after = [await _number(session, f"{each}Time") for each in _PARTS]
                spent = [end - start for start, end in zip(before, after, strict=True)]
                true = {each: one / sum(spent) for each, one in zip(_PARTS, spent, strict=True)}
                seen = {
                    each.name.rpartition(".")[2]: each.self_value / profile.total
                    for each in profile.methods(100)
                }
                name = f"{at}{', DebugNonSafepoints' if exact else ''}"
                found[f"truth ({name})"] = true
                found[name] = seen
    return found


def measure(
    program: Program, rounds: int
) -> tuple[dict[str, list[tuple[float, float]]], dict[str, dict[str, float]]]:
    """The costs of each way, one for each round; and the shares of each part, true and seen."""
    return asyncio.run(_cost(program, rounds)), asyncio.run(_bias(program))


def table(
    version: int,
    found: tuple[dict[str, list[tuple[float, float]]], dict[str, dict[str, float]]],
) -> str:
    """The results as text: medians."""
    costs, shares = found
    lines = [f"JDK {version}, sampling: 502 threads, two of them work in 30 frames"]
    lines.append(f"{'':24}{'program slower':>16}{'of one processor':>20}")
    for way, values in costs.items():
        lost = statistics.median(each for each, _ in values)
        own = statistics.median(each for _, each in values)
        lines.append(f"{way:24}{lost:>16.1%}{own:>20.1%}")
    columns = (*_PARTS, "parts", _UNREAD)
    lines.append("")
    lines.append(f"{'shares of one thread':40}" + "".join(f"{each:>18}" for each in columns))
    for name, seen in shares.items():
        cells = "".join(f"{seen.get(each, 0):>18.1%}" for each in columns)
        lines.append(f"{name:40}{cells}")
    return "\n".join(lines)
