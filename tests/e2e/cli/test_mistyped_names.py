# SPDX-License-Identifier: Apache-2.0
"""A mistyped class at the prompt and in a pattern: the one that may be meant is named."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from tests.support.debuggees import debuggee
from tests.support.prompt import JVMDEBUG, TIMEOUT_S, jvmdebug_command, launch_options

if TYPE_CHECKING:
    from tests.support.jdks import Jdk


async def test_at_the_prompt(jdk: Jdk) -> None:
    async with jvmdebug_command(*launch_options(jdk, "jvmdebug", "basics", "Loop")) as shell:
        shell.type("break Lopp#square")
        await shell.see("^    did you mean Loop[?]$")
        shell.type("watch loop.calls")
        await shell.see("^    did you mean Loop[?]$")
        shell.type("break Loop#square")
        await shell.see("^Breakpoint 3: .*pending")
        shell.type("run")
        await shell.see("^Breakpoint 3, ")
        shell.type("whatis number")
        await shell.see("^int$")
        shell.type("contineu")
        await shell.see("^there is no command 'contineu'; did you mean `continue`[?]$")
        shell.type("quit")
        await shell.end()


@pytest.mark.parametrize(
    "words", [("trace", "Endng#*"), ("who-sets", "ending.KEPT"), ("sample", "1", "--in", "Endin#x")]
)
async def test_in_what_is_observed(jdk: Jdk, words: tuple[str, ...]) -> None:
    program = debuggee("heap", "Ending")
    process = await asyncio.create_subprocess_exec(
        *(JVMDEBUG, *words, "--class-path", str(program.class_path[0]), "--java", str(jdk.home)),
        *("--vm-arg=-Xmx64m", "--", "Ending"),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    _, errors = await asyncio.wait_for(process.communicate(), TIMEOUT_S)
    assert "is loaded; did you mean Ending?\n" in errors.decode().replace("is not", "is")
