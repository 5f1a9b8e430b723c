# SPDX-License-Identifier: Apache-2.0
"""`watch` at the prompt: local variables and elements of arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.debuggees import debuggee
from tests.support.prompt import jvmdebug_command, launch_options

if TYPE_CHECKING:
    from tests.support.jdks import Jdk


async def test_watches_of_variables_and_elements(jdk: Jdk) -> None:
    program = debuggee("stores", "Stores")
    async with jvmdebug_command(*launch_options(jdk, "jvmdebug", "stores", "Stores")) as shell:
        shell.type("watch array[0]")
        await shell.see("^the program has not been started")
        shell.type(f"tbreak Stores.java:{program.marker('loop')}")
        shell.type("run")
        await shell.see(r"Stores\.loop\(Stores\.java:\d+\), thread main")
        shell.type("watch passes if $new == 3")
        await shell.see(r"^Breakpoint 2: Stores#loop\(int\[\]\)\.passes write -> Stores\.loop")
        shell.type("watch array[*] if $index == 1 && $new > 2")
        await shell.see(r"^Breakpoint 3: array\[\*\] write of array @\w+ -> ")
        shell.type("watch array[7]")
        await shell.see(r"^error: array has 6 elements: there is no array\[7\]$")
        shell.type("watch absent.count")
        await shell.see(r"^error: there is no variable or class absent here")
        shell.type("watch ((Thread)null).tid")
        await shell.see(r"^error: \(\(Thread\)null\) is null: tid can be watched in an object, or ")
        shell.type("watch absent[0]")
        await shell.see(r"^error: there is no variable or class absent here")
        shell.type("continue")
        await shell.see(r"Breakpoint 2, Stores#loop\.passes: 2 -> 3, Stores\.loop")
        shell.type("continue")
        await shell.see(r"Breakpoint 3, array\[1\]: 1 -> 3, Stores\.loop")
        shell.type("print $index + $new")
        await shell.see(r"^4 ")
        shell.type("unwatch 2 3")
        shell.type("kill")
        shell.type("quit")
        await shell.end()
