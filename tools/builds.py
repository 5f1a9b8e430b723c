# SPDX-License-Identifier: Apache-2.0
"""Tries the agent on a JVM: `python -m tools.builds JAVA_HOME [VM OPTION …]`.

For builds of HotSpot that are not among those of the tests: other vendors, other compilers, the
Zero interpreter. Each feature that depends on internals of HotSpot (docs/reference/hotspot.md) is
one line: what it gave, or the reason for which it is not there. The exit code is 1 if the VM ended
by itself or something gave a wrong result.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import jvmdebug
from tests.support.bare_program import bare_program
from tests.support.debuggees import debuggee
from tests.support.jdks import Jdk, jdk_at

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from jvmdebug import Session, Stop
    from jvmdebug.profiling import Profile

PROGRAM = debuggee("builds", "Builds")
FEATURE_TIMEOUT_S = 120.0
"""For one feature; an interpreter without a compiler is slow."""


class Wrong(Exception):  # noqa: N818 - it is what the line says
    """A feature gave another result than it has to."""


def at(marker: str) -> str:
    """The marked line, as a breakpoint takes it."""
    return f"Builds.java:{PROGRAM.marker(marker)}"


def right(found: object, wanted: object) -> str:
    """The text of a result; Wrong if it is not the wanted one."""
    if found != wanted:
        raise Wrong(f"{found} in place of {wanted}")
    return str(found)


def hottest(profile: Profile) -> str:
    """The method in which most samples are."""
    methods = profile.methods(1)
    if not methods:
        raise Wrong("no samples")
    return f"most in {methods[0].name}"


async def stop_of(session: Session) -> Stop:
    """The next stop, which has to come."""
    stop = await session.next_stop(timeout_s=FEATURE_TIMEOUT_S)
    if stop is None:
        raise Wrong("the program has ended")
    return stop


async def breakpoint_(session: Session) -> str:
    """Stops at a line, reads a variable, calls a method, and goes on."""
    line = await session.break_at(at("sum"))
    stop = await stop_of(session)
    found = await (await stop.frame.evaluate("ITEMS.get(21).twice()")).as_text()
    how = line.locations[0].how
    await line.remove()
    await stop.resume()
    return f"{how}, {right(found, '42')}"


async def condition(session: Session) -> str:
    """Has the program check a condition."""
    line = await session.break_at(at("twice"), condition="this.price == 21")
    stop = await stop_of(session)
    found = await (await stop.frame.evaluate("price")).as_text()
    how, why = line.locations[0].how, line.locations[0].why_event
    await line.remove()
    await stop.resume()
    return f"{how}{f' ({why})' if why else ''}, price {right(found, '21')}"


async def changes(session: Session) -> str:
    """Sets and removes conditions twenty times, in classes that run."""
    for _ in range(20):
        lines = [await session.break_at(at(each), condition="false") for each in ("twice", "throw")]
        await asyncio.sleep(0.05)
        for line in lines:
            await line.remove()
    return "20 rounds"


async def exception(session: Session) -> str:
    """Stops at an exception in the fast mode."""
    thrown = await session.break_on_exception("java.lang.IllegalStateException")
    stop = await stop_of(session)
    await thrown.remove()
    line = right(stop.frame.line, PROGRAM.marker("throw"))
    await stop.resume()
    return f"line {line}"


async def returned(session: Session) -> str:
    """Steps over a call, and shows what it returned."""
    line = await session.break_at(at("add"))
    stop = await stop_of(session)
    await line.remove()
    await stop.step_over()
    stop = await stop_of(session)
    value = None if stop.returned is None else await stop.returned.as_text()
    await stop.resume()
    return f"returned {value}"


async def watch(session: Session) -> str:
    """Stops where a field is written."""
    field = await session.watch("Builds.total")
    stop = await stop_of(session)
    await field.remove()
    await stop.resume()
    return f"line {stop.frame.line}"


async def histogram(session: Session) -> str:
    """Counts the objects of a class."""
    counted = {each.type_name: each.instances for each in await session.heap.histogram()}
    return f"{right(counted['Builds$Item'], 100)} objects"


async def dump(session: Session) -> str:
    """Writes a heap dump and reads it."""
    with tempfile.TemporaryDirectory() as folder:
        written = await session.heap.dump(Path(folder) / "builds.hprof")
        found = jvmdebug.heap.open(written.path).instances("Builds$Item", most=1000)
        return f"{right(len(found), 100)} objects"


async def threads(session: Session) -> str:
    """Reads all stacks at one moment."""
    dumped = await session.thread_dump()
    return f"{len(dumped.threads)} threads"


async def profile(session: Session) -> str:
    """Samples at safepoints."""
    return hottest(await session.profile(1.0, hz=100))


async def signals(session: Session) -> str:
    """Samples by signals, which need AsyncGetCallTrace."""
    return hottest(await session.profile(1.0, hz=100, at="signals"))


async def goes_on(session: Session) -> str:
    """Ends the program, which has to run until now."""
    before = (await session.evaluate("Builds.total")).text
    for _ in range(200):
        if (await session.evaluate("Builds.total")).text != before:
            return "the program runs"
        await asyncio.sleep(0.05)
    raise Wrong("the program stands")


FEATURES: tuple[Callable[[Session], Awaitable[str]], ...] = (
    breakpoint_,
    condition,
    changes,
    exception,
    returned,
    watch,
    histogram,
    dump,
    threads,
    profile,
    signals,
    goes_on,
)
LATE = (breakpoint_, condition, changes, exception, histogram, threads, goes_on)


async def tried(session: Session, features: Sequence[Callable[[Session], Awaitable[str]]]) -> bool:
    """Prints a line for each feature; whether all is right."""
    is_right = True
    for feature in features:
        name = feature.__name__.rstrip("_")
        try:
            result = await asyncio.wait_for(feature(session), FEATURE_TIMEOUT_S)
        except jvmdebug.UnsupportedError as reason:
            result = f"not there: {reason}"
        except (Wrong, jvmdebug.JvmDebugError, TimeoutError) as error:
            result, is_right = f"WRONG: {type(error).__name__} {error}", False
        print(f"  {name:12} {result}", flush=True)
    return is_right


async def tried_build(jdk: Jdk, options: Sequence[str]) -> bool:
    """Tries the agent, loaded with the VM and into a running one."""
    print("loaded with the VM")
    async with jvmdebug.launch(
        "Builds", class_path=PROGRAM.class_path, java=jdk.home, vm_args=options, mode="fast"
    ) as session:
        ready = await session.break_at(at("ready"))
        stop = await stop_of(session)
        await ready.remove()
        await stop.resume()
        is_right = await tried(session, FEATURES)
        await session.kill()
    print("loaded into the running VM")
    async with AsyncExitStack() as stack:
        running = await stack.enter_async_context(bare_program(jdk, *options, program=PROGRAM))
        async with jvmdebug.attach(pid=running.pid) as session:
            return await tried(session, LATE) and is_right


def main() -> None:
    """Parse the command line and try it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("home", type=Path, help="the home of a JVM")
    parser.add_argument("options", nargs=argparse.REMAINDER, help="options of the VM")
    arguments = parser.parse_args()
    jdk = jdk_at(arguments.home)
    if jdk is None:
        raise SystemExit(f"there is no JVM in {arguments.home}")
    if not asyncio.run(tried_build(jdk, arguments.options)):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
