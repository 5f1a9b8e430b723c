# SPDX-License-Identifier: Apache-2.0
"""`make demo`: a Java program debugged from a script, through our agent.

Compiles and runs `Basket.java`, stops in it, looks at variables, evaluates, changes a variable,
steps, pops a frame, forces a method to return, and lets the program end.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import jvmdebug

PROGRAM = Path(__file__).with_name("Basket.java")
STOP_TIMEOUT_S = 60.0


def marked(name: str) -> int:
    """The line of the program with the comment `// @name`."""
    lines = PROGRAM.read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.endswith(f"// @{name}"))


def say(action: str) -> None:
    """Print the next action."""
    print(f"\n▸ {action}", flush=True)


async def where(stop: jvmdebug.Stop) -> None:
    """Show why and where the program stopped, the lines around, and the variables."""
    frame = stop.frame
    print(f"  stopped ({stop.reason}) in {frame.location}, thread {stop.thread.name}")
    source = await frame.source()
    if source is not None and frame.line is not None:
        lines = source.as_text().splitlines()
        for number in range(max(1, frame.line - 2), min(len(lines), frame.line + 1) + 1):
            mark = "→" if number == frame.line else " "
            print(f"  {mark} {number:3}  {lines[number - 1]}")
    for variable in await frame.variables():
        print(f"      {variable.name} = {await variable.as_text()}")


async def following(session: jvmdebug.Session) -> jvmdebug.Stop:
    """The next stop."""
    stop = await session.next_stop(timeout_s=STOP_TIMEOUT_S)
    if stop is None:
        raise SystemExit("the program ended instead of stopping")
    return stop


async def main() -> None:
    """The demonstration."""
    async with jvmdebug.launch(program=PROGRAM, source_path=[PROGRAM.parent]) as session:
        agent = {"jvmdebug": "libjvmdebug.so, our own agent", "stock": "the JDK's own agent"}
        print(f"Basket.java runs as process {session.pid} with {agent[session.agent]}")
        session.subscribe(
            lambda event: (
                isinstance(event, jvmdebug.Output) and print(f"  program> {event.text}", end="")
            )
        )

        say(f'await session.break_at("Basket.java:{marked("sum")}", condition="price > 1000")')
        breakpoint_ = await session.break_at(
            f"Basket.java:{marked('sum')}", condition="price > 1000"
        )
        stop = await following(session)
        await where(stop)

        say("await stop.frame.evaluate('item.name + \" costs \" + price / 100.0')")
        value = await stop.frame.evaluate('item.name + " costs " + price / 100.0')
        print(f"  {await value.as_text()}")

        say('await stop.frame.set("price", "1")')
        await stop.frame.set("price", "1")
        say("await stop.step_over()")
        await stop.step_over()
        await where(await following(session))

        say('await breakpoint.remove(); await session.break_at("Basket#discounted")')
        await breakpoint_.remove()
        await session.break_at("Basket#discounted", once=True)
        await session.resume()
        stop = await following(session)
        await where(stop)

        say("await stop.pop_frame()        # as if discounted() had not been called yet")
        stop = await stop.pop_frame()
        print(f"  back in {stop.frame.location}")
        say("await stop.step_into()")
        await stop.step_into()
        stop = await following(session)
        print(f"  in {stop.frame.location} again")

        say('await stop.force_return("total - 100")')
        returned = await stop.force_return("total - 100")
        assert returned is not None, "discounted() has a caller"
        print(f"  back in {returned.frame.location}")
        say("await session.resume()")
        await session.resume()
        exit_code = await session.wait()
        print(f"\nThe program ended with exit code {exit_code}.")


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except jvmdebug.JvmDebugError as error:
        sys.exit(f"the demonstration failed: {error}")
