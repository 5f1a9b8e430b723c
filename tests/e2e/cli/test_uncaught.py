# SPDX-License-Identifier: Apache-2.0
"""An exception at the prompt of a launched program: one that nothing catches, and where the user's
own code is at such a stop and after a pause.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.prompt import jvmdebug_command, launch_options

if TYPE_CHECKING:
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

_OWN = r"^#\d Dies\.parsed\(Dies\.java:10\)\n10\s+return Integer\.parseInt\(text\); // @dies$"


async def test_a_batch_shows_where_the_program_dies(jdk: Jdk, agent_kind: AgentKind) -> None:
    """The place of each thread that dies; the program goes on, and its exit code is that of the
    batch.
    """
    options = launch_options(jdk, agent_kind, "script", "Dies")
    async with jvmdebug_command(*options, "--batch") as shell:
        await shell.see(r'^Exception \(uncaught\) IllegalStateException@\w+ "first", .*worker$')
        await shell.see(r"^\* #0 +Dies\.lambda\$main\$0")
        await shell.see(r"^Exception \(uncaught\) NumberFormatException@.*, thread main$")
        await shell.see(_OWN)
        await shell.see(r"^\* #\d +Dies\.parsed.*\n +#\d +Dies\.main")
        await shell.see(r'^index = 1\ntext = "x"$')
        await shell.see(r"^Exception in thread \"main\" ")
        await shell.see(r"^The program has ended with exit code 1\.$")
        assert await shell.end() == 1


async def test_a_batch_passes_what_is_thrown_on_purpose(jdk: Jdk, agent_kind: AgentKind) -> None:
    options = launch_options(jdk, agent_kind, "script", "Dies")
    words = ["--batch", "--control-exception", "IllegalState*"]
    async with jvmdebug_command(*options, *words) as shell:
        stop = await shell.see(r"^Exception \(uncaught\) NumberFormatException@.*, thread main$")
        assert "(uncaught) IllegalState" not in stop.string
        assert await shell.end() == 1


async def test_commands_of_a_batch_are_for_its_own_stops(jdk: Jdk) -> None:
    options = launch_options(jdk, "jvmdebug", "script", "Dies")
    words = ["--batch", "-c", "break Dies#parsed", "-c", "run", "-c", "print index + 41"]
    async with jvmdebug_command(*options, *words) as shell:
        await shell.see(r"^Exception \(uncaught\) IllegalStateException")
        await shell.see(r"^Breakpoint 1, Dies\.parsed")
        await shell.see(r"^42 ")
        assert await shell.end() == 0


async def test_an_uncaught_exception_stops_at_the_prompt(jdk: Jdk) -> None:
    """Stops without `catch`, also when the program is run again; until `catch` says otherwise."""
    async with jvmdebug_command(*launch_options(jdk, "jvmdebug", "script", "Dies")) as shell:
        shell.type("breakpoints")
        await shell.see(r"^no breakpoints\nUncaught exceptions stop too; `catch none` changes that")
        shell.type("run")
        await shell.see(r"^Exception \(uncaught\) IllegalStateException.*, thread worker$")
        shell.type("continue")
        await shell.see(r"^Exception \(uncaught\) NumberFormatException")
        await shell.see(_OWN)
        shell.type("print text + index")
        await shell.see(r'^"x1"')
        shell.type("next")  # nothing of the program is left to run
        await shell.see(r"^The program has ended with exit code 1\.$")
        shell.type("run")
        await shell.see(r"^Exception \(uncaught\) IllegalStateException")
        shell.type("catch uncaught java.io.IOException")
        await shell.see(r"^Breakpoint 1: java\.io\.IOException uncaught")
        shell.type("continue")
        await shell.see(
            r"\) continue\n((?!Exception \().*\n)+The program has ended with exit code 1"
        )
        shell.type("run")
        await shell.see(r"^The program has ended with exit code 1\.$")
        shell.type("quit")
        assert await shell.end() == 0


async def test_catch_none_lets_the_program_end(jdk: Jdk) -> None:
    async with jvmdebug_command(*launch_options(jdk, "jvmdebug", "script", "Dies")) as shell:
        shell.type("catch none")
        await shell.see(r"^An exception that nothing catches does not stop the program\.$")
        shell.type("run")
        await shell.see(r"\) run\nException in thread \"worker\"")
        await shell.see(r"^The program has ended with exit code 1\.$")
        shell.type("quit")
        assert await shell.end() == 0


async def test_a_pause_shows_the_users_own_code(jdk: Jdk, agent_kind: AgentKind) -> None:
    """A step then goes on from there, not through the JDK's code above it."""
    options = launch_options(jdk, agent_kind, "script", "Dies")
    async with jvmdebug_command(*options, "--", "wait") as shell:
        shell.type("catch none")
        shell.type("run")
        await shell.see(r"^goes on$")
        while True:
            await shell.interrupt(r"^Paused, ")
            found = await shell.see(r"^(#\d+) Dies\.waits\(Dies\.java:\d+\)$|^\d+\s+\w.*$")
            if found[1] is not None:
                break
            shell.type("continue")
        shell.type("print next - round")
        await shell.see(r"^1 ")
        shell.type("next")
        await shell.see(r"^Dies\.waits\(.*\n16\s.* // @behind$")
        shell.type("quit")
        assert await shell.end() == 0
