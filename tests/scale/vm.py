# SPDX-License-Identifier: Apache-2.0
"""The debuggee `scale.Scale` under an agent: started, controlled, and measured from outside.

Owns the process. What the agent costs is read from /proc: processor time of the threads that work
for the debugger (its own and the VM's), memory and descriptors of the process. Times of the clock
are not used, since the machine may be busy.
"""

from __future__ import annotations

import contextlib
import os
import re
import socket
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.scale.wire import Wire
from tests.support import process
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

_TIMEOUT_S: Final = 300.0

THREADS = 1
VIRTUAL_THREADS = 2
CLASSES = 3
DEEP_STACK = 4
OBJECTS = 5
DROP_OBJECTS = 6
END_THREADS = 7
SHORT_THREADS = 8
TEXT = 9
ARRAYS = 10
VISIT = 11
LINGERING_THREADS = 12


class ScaleVm:
    """A running `scale.Scale` with a debugger connected to it."""

    def __init__(self, vm: subprocess.Popen[str], port: int) -> None:
        self._vm = vm
        self.port = port
        self.wire = Wire.connect_when_possible(port)
        self._orders = 0
        self._fields: dict[str, int] = {}
        self._type = 0
        self.meet()

    def meet(self) -> None:
        """Learn the ids of the program, which are new for each connection."""
        known = self.wire.ask("VirtualMachine.ClassesBySignature", signature="Lscale/Scale;")
        self._type = known["classes"][0]["type_id"]
        fields = self.wire.ask("ReferenceType.Fields", type_id=self._type)["fields"]
        self._fields = {field["name"]: field["field_id"] for field in fields}

    def reconnect(self) -> None:
        """Connect again after the connection before has ended."""
        self.wire = Wire.connect_when_possible(self.port)
        self.meet()

    @property
    def pid(self) -> int:
        return self._vm.pid

    @property
    def type_id(self) -> int:
        """The id of class Scale."""
        return self._type

    def method(self, name: str) -> int:
        """The id of a method of class Scale."""
        methods = self.wire.ask("ReferenceType.Methods", type_id=self._type)["methods"]
        return int(next(each["method_id"] for each in methods if each["name"] == name))

    def get(self, field: str) -> int:
        """A static field: a number, or the id of an object."""
        reply = self.wire.ask(
            "ReferenceType.GetValues", type_id=self._type, fields=[self._fields[field]]
        )
        return int(reply["values"][0]["value"])

    def set(self, field: str, value: int) -> None:
        """Set a static int field."""
        payload = b"".join(
            number.to_bytes(size, "big")
            for number, size in ((self._type, 8), (1, 4), (self._fields[field], 8), (value, 4))
        )
        assert self.wire.all("ClassType.SetValues", [payload]) == [(0, b"")]

    def begin(self, what: int, count: int) -> None:
        """Give an order and do not wait for it."""
        self._orders += 1
        self.set("argument", count)
        self.set("order", self._orders << 8 | what)

    def order(self, what: int, count: int = 0) -> int:
        """Have the program do something, and its `result`."""
        self.carry_out(what, count)
        return self.get("result")

    def carry_out(self, what: int, count: int) -> None:
        """Give an order and wait until it is done."""
        self.begin(what, count)
        self.finish()

    def finish(self) -> None:
        """Wait until the last order is done."""
        deadline = time.monotonic() + _TIMEOUT_S
        while self.get("done") >> 8 != self._orders:
            assert time.monotonic() < deadline, "the order was not carried out"
            time.sleep(0.002)

    # --- measured from outside ---------------------------------------------------------------

    def processor_us(self, *, all_threads: bool = False) -> float:
        """Processor time so far of the threads that serve the debugger, in microseconds."""
        total = 0
        for task in Path(f"/proc/{self.pid}/task").iterdir():
            with contextlib.suppress(OSError):
                name = (task / "comm").read_text()
                if all_threads or name.startswith(("JDWP", "VM Thread")):
                    total += int((task / "schedstat").read_text().split()[0])
        return total / 1000

    def resident_kib(self) -> int:
        """Memory of the process that is in use and in RAM, in KiB."""
        text = Path(f"/proc/{self.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+) kB", text)
        assert found is not None
        return int(found[1])

    def descriptors(self) -> int:
        """How many file descriptors the process has open."""
        return len(list(Path(f"/proc/{self.pid}/fd").iterdir()))

    def native_threads(self) -> int:
        """How many threads the process has."""
        return len(list(Path(f"/proc/{self.pid}/task").iterdir()))


@contextlib.contextmanager
def running(
    jdk: Jdk, agent: AgentKind, *, agent_options: str = "", vm_args: Sequence[str] = ()
) -> Iterator[ScaleVm]:
    """Start the program, connect, and end it afterwards."""
    program = debuggee("scale", "scale.Scale")
    # A port of its own: libjdwp chooses another one for each debugger when it is to choose.
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    options = f"transport=dt_socket,server=y,suspend=n,address=127.0.0.1:{port}"
    command = [
        str(jdk.java),
        process.agent_argument(agent, options + (f",{agent_options}" if agent_options else "")),
        *vm_args,
        *("-cp", os.pathsep.join(map(str, program.class_path)), program.main_class),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as vm:
        try:
            assert vm.stdout is not None
            while (line := vm.stdout.readline()) and line != "ready\n":
                pass
            assert line, "the program did not begin"
            # What it prints later is a line for each debugger: far less than a pipe holds.
            scale = ScaleVm(vm, port)
            try:
                yield scale
                assert vm.poll() is None, f"the VM has ended, exit code {vm.returncode}"
            finally:
                scale.wire.hang_up()
        finally:
            vm.kill()
