# SPDX-License-Identifier: Apache-2.0
"""Two programs at once

With the asynchronous API any number of sessions run beside each other: here the calls of both
programs, in the order in which they happen.
"""

import asyncio

import jvmdebug


async def trace(name: str, *args: str) -> None:
    """Show the calls of one program."""
    async with jvmdebug.launch("shop.Main", class_path=["build/classes"], args=args) as session:
        async for call in session.trace("shop.Cart#add"):
            print(f"{name}: {call.call_text}")


async def main() -> None:
    """Run both."""
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(trace("one", "sell", "0"))
        tasks.create_task(trace("two", "sell", "50"))


asyncio.run(main())
