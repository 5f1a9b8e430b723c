# SPDX-License-Identifier: Apache-2.0
"""The loop of `java/Conditions.java` under other debuggers: a plain JDI client, and jdb.

Neither has conditions. The client reads what the condition names at each hit and resumes; jdb is
told to print it and to go on, as a script or a person would.
"""

from __future__ import annotations

import asyncio
import re
import statistics
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tests.bench.scenario import Program

_MAIN: Final = "Conditions"
_TIMEOUT_S: Final = 120.0
_HIT: Final = re.compile(rb"Breakpoint hit:.*?main\[1\] ", re.DOTALL)
_SHOWN: Final = re.compile(rb" = .*?main\[1\] ", re.DOTALL)
_TIME: Final = re.compile(r"(?:^|\s)(\d+\.\d+(?:E\d+)?)$", re.MULTILINE)
JDB_PRINTS: Final = {
    "int": ("i < 0",),
    "private field": ("i < limit",),
    "private method": ("isOver(i)",),
    "three parts": ("i < 0", "limit == i"),  # what is left to ask where the first is false
    "string equals": ('getClass().getName().equals("x")',),
    "log point": ("i", "limit"),
}
"""Case → what jdb prints at each hit."""


async def by_jdi(program: Program, case: str, line: int, arguments: tuple[str, ...]) -> float:
    """Nanoseconds for one pass, by `java/JdiConditions.java`."""
    client = await asyncio.create_subprocess_exec(
        *(str(program.jdk.java), "-cp", str(program.classes), "--add-modules", "jdk.jdi"),
        *("JdiConditions", case, str(program.classes), str(line), *arguments),
        stdout=asyncio.subprocess.PIPE,
    )
    printed, _ = await client.communicate()
    return min(float(each) for each in printed.split())


async def by_jdb(program: Program, case: str, line: int, arguments: tuple[str, ...]) -> float:
    """Nanoseconds for one pass, by jdb, which is told what to print; of the median round, as jdb
    now and then loses a stop.
    """
    jdb = program.jdk.home / "bin" / "jdb"
    client = await asyncio.create_subprocess_exec(
        *(str(jdb), "-classpath", str(program.classes), _MAIN, *arguments),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        return await asyncio.wait_for(_typed(client, case, line), _TIMEOUT_S)
    finally:
        if client.returncode is None:
            client.kill()
            await client.wait()


async def _typed(client: asyncio.subprocess.Process, case: str, line: int) -> float:
    """One command after the other: jdb evaluates beside reading the next one."""
    assert client.stdin is not None
    assert client.stdout is not None
    client.stdin.write(f"stop at {_MAIN}:{line}\nrun\n".encode())
    prints = [(f"print {each}\n".encode(), _SHOWN) for each in JDB_PRINTS[case]]
    steps = [*prints, (b"cont\n", _HIT)]
    awaited, step = _HIT, 0
    printed, unread = bytearray(), b""
    while chunk := await client.stdout.read(65536):
        printed += chunk
        unread += chunk
        while found := awaited.search(unread):
            unread = unread[found.end() :]
            typed, awaited = steps[step]
            client.stdin.write(typed)
            step = (step + 1) % len(steps)
    return statistics.median(float(each) for each in _TIME.findall(printed.decode()))
