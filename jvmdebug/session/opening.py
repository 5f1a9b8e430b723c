# SPDX-License-Identifier: Apache-2.0
"""How a session comes to be and goes: `launch`, `attach`, `listen` as async context managers.

Owns the order of opening and closing. Processes are `jvmdebug.launch`'s, the wire `jdwp`'s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from jvmdebug.breakpoints import Suspend
    from jvmdebug.session.events import Output
    from jvmdebug.session.session import Session

AgentChoice: TypeAlias = Literal["auto", "jvmdebug", "stock"]
StdinChoice: TypeAlias = Literal["null", "pipe", "inherit"]


def launch(
    main_class: str | None = None,
    *,
    program: str | Path | None = None,
    module: str | None = None,
    class_path: Sequence[str | Path] = (),
    module_path: Sequence[str | Path] = (),
    args: Sequence[str] = (),
    vm_args: Sequence[str] = (),
    cwd: str | Path | None = None,
    env: Mapping[str, str | None] | None = None,
    java: str | Path | None = None,
    source_path: Sequence[str | Path] = (),
    agent: AgentChoice = "auto",
    suspend: Suspend = "all",
    stop_on_entry: bool = False,
    encoding: str | None = None,
    stdin: StdinChoice = "null",
    timeout_s: float = 30.0,
    on_output: Callable[[Output], None] | None = None,
) -> AbstractAsyncContextManager[Session]:
    """Start a Java program under the debugger; the VM is held until `start`, `stops` or `resume`.

    Exactly one of `main_class`, `program` (a `.java` or `.jar` file) and `module` (`m` or
    `m/main.Class`) says what to run. `env` is laid over this process's environment (None removes a
    name). `java` is a java executable or a JDK's home; otherwise JAVA_HOME, then PATH, then the
    usual places. `encoding` is that of the output; given, it is also set in the VM. Raises
    LaunchError with the program's stderr if the VM does not come up within `timeout_s`. Leaving
    the context terminates the program if it still runs.
    """
    raise NotImplementedError


def attach(
    host: str = "127.0.0.1",
    port: int = 5005,
    *,
    source_path: Sequence[str | Path] = (),
    suspend: Suspend = "all",
    timeout_s: float = 30.0,
) -> AbstractAsyncContextManager[Session]:
    """Connect to a VM whose agent listens. Leaving the context resumes everything and detaches.

    Raises LaunchError if nothing answers the handshake within `timeout_s`.
    """
    raise NotImplementedError


class Listener:
    """A port of ours where a VM started with `server=n` reports; see `listen`."""

    host: str
    port: int

    async def session(self) -> Session:
        """Wait for the VM to connect; raises LaunchError after the listener's time limit."""
        raise NotImplementedError


def listen(
    host: str = "127.0.0.1",
    port: int = 0,
    *,
    source_path: Sequence[str | Path] = (),
    suspend: Suspend = "all",
    timeout_s: float = 60.0,
) -> AbstractAsyncContextManager[Listener]:
    """Wait for a VM that connects to us, e.g. one that runs in a terminal of its own.

    The VM is started by others with the command of `terminal_command`. Leaving the context
    resumes everything and detaches.
    """
    raise NotImplementedError
