# SPDX-License-Identifier: Apache-2.0
"""`jdb`, unchanged, prints the same with our agent as with the JDK's own."""

from __future__ import annotations

import os
import re
import socket
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tests.e2e.dropin.jdb import BREAKPOINT, COMPUTED, PROMPT, STOPPED, Jdb, lines_of
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.e2e.dropin.conftest import DropIn
    from tests.support.jdks import Jdk

_TIMEOUT_S = 60.0
PRINTED = r"[\s\S]*?".join("unloaded\n")
"""The program's last line. jdb passes it on while it prints, so its own text may come in between:
`unlo`, `Step completed:`, `aded`. That text has no u.
"""
PRINTED_AND_STEPPED = rf"(?s)\A(?=.*{PRINTED})(?=.*Step completed.*main\[1\] )"
"""That line and the end of the step."""
_LISTENING = re.compile(r"Listening for transport dt_socket at address: (\d+)")

# What is typed at the start of the VM, and what the program comes to if it lets it run.
_CONVERSATION = (
    ("stop in dropin.Program.chain", None),
    ("run", STOPPED),
    ("where", None),
    ("locals", None),
    ("print value", COMPUTED),
    ("dump value", COMPUTED),
    ("step", STOPPED),
    ("where all", None),
    ("step up", STOPPED),
    ("next", STOPPED),
    ("threads", None),
    ("methods dropin.Program", None),
    ("class dropin.Program", None),
    ("fields dropin.Program", None),
    ("set doubled = 100", COMPUTED),
    ("print doubled", COMPUTED),
    ("eval dropin.Program.twice(4)", COMPUTED),
    ("print dropin.Program.KEPT", COMPUTED),
    ("dump dropin.Program.KEPT", COMPUTED),
    ("lines dropin.Program", None),
    ("watch all dropin.Program.watched", None),
    ("cont", STOPPED),
    ("locals", None),
    ("print this.watched", COMPUTED),
    ("unwatch all dropin.Program.watched", None),
    ("stop in dropin.Program.popped", None),
    ("cont", STOPPED),
    ("pop", None),
    ("where", None),
    ("cont", STOPPED),
    ("step out", STOPPED),
    ("threadgroups", None),
    ("clear", None),
    ("clear dropin.Program.popped", None),
    ("lock dropin.Program.KEPT", rf"No waiters{PROMPT}"),
    ("disablegc dropin.Program.KEPT", rf"GC Disabled.*:{PROMPT}"),
    ("enablegc dropin.Program.KEPT", rf"GC Enabled.*:{PROMPT}"),
)


@contextmanager
def program(jdk: Jdk, options: str) -> Iterator[subprocess.Popen[str]]:
    """The debuggee under that JDK's `-agentlib:jdwp`."""
    debugged = debuggee("dropin", "dropin.Program")
    class_path = os.pathsep.join(map(str, debugged.class_path))
    agent = f"-agentlib:jdwp=transport=dt_socket,{options}"
    command = [str(jdk.java), agent, "-cp", class_path, debugged.main_class]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as vm:
        try:
            yield vm
        finally:
            vm.kill()


def converse(tools: Jdk, jdk: Jdk) -> str:
    """The whole conversation, command by command, with a VM that jdb attaches to."""
    output: list[str] = []
    with program(jdk, "server=y,suspend=y,address=127.0.0.1:0") as vm:
        assert vm.stdout is not None
        listening = _LISTENING.search(vm.stdout.readline())
        assert listening
        with Jdb(tools, ["-attach", f"127.0.0.1:{listening.group(1)}"]) as jdb:
            output += lines_of(jdb.until(STOPPED))
            for command, end in _CONVERSATION:
                output += [f"<< {command}", *lines_of(jdb.do(command, end))]
            output += lines_of(jdb.ends("cont"))
            output.append(vm.stdout.read())
        output.append(f"exit code {vm.wait(_TIMEOUT_S)}")
    return "\n".join(output)


def test_a_long_conversation(dropin: DropIn) -> None:
    stock, ours = dropin.both(lambda jdk: converse(dropin.tools_for(jdk), jdk))
    if stock is not None:
        assert ours.splitlines() == stock.splitlines()
    for seen in ('Breakpoint hit: "thread=main", dropin.Program.popped()', "chain 101"):
        assert seen in ours
    assert "exit code 0" in ours


def test_jdb_launches_and_catches_exceptions(dropin: DropIn) -> None:
    debugged = debuggee("dropin", "dropin.Program")
    class_path = os.pathsep.join(map(str, debugged.class_path))
    launch = ["-classpath", class_path, debugged.main_class]
    if dropin.tools:
        with_home = f"home={dropin.ours.home},options=-cp {class_path},main={debugged.main_class}"
        launch = ["-connect", f"com.sun.jdi.CommandLineLaunch:{with_home}"]

    with Jdb(dropin.tools_for(dropin.ours), launch) as jdb:
        jdb.do("catch all java.lang.IllegalStateException")
        jdb.do("stop in dropin.Program.main")
        jdb.do("run", BREAKPOINT)
        output = jdb.do("cont", STOPPED) + jdb.do("where")
        jdb.do(f"stop at dropin.Program:{debugged.marker('unloaded')}")
        jdb.do("cont", STOPPED)
        # While the VM lives: at its end jdb may close the pipe before it has read all of it.
        stepped = jdb.do("step", PRINTED_AND_STEPPED)
        output += stepped + jdb.ends("cont")
    assert "Exception occurred: java.lang.IllegalStateException" in output
    assert "[1] dropin.Program.thrower (Program.java:" in output
    assert re.search(PRINTED, stepped)


def test_jdb_listens(dropin: DropIn) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with Jdb(dropin.tools_for(dropin.ours), ["-listen", str(port)]) as jdb:
        jdb.until("Listening at address")
        with program(dropin.ours, f"server=n,suspend=y,address=127.0.0.1:{port}") as vm:
            jdb.until(STOPPED)
            jdb.do("stop in dropin.Program.twice")
            assert "dropin.Program.twice()" in jdb.do("cont", STOPPED)
            jdb.ends("cont")
            assert vm.wait(_TIMEOUT_S) == 0
