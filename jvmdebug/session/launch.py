# SPDX-License-Identifier: Apache-2.0
"""Opening and closing sessions: `launch`, `attach`, `listen` as async context managers.

Owns their parameters and guarantees, and that nothing is left behind on failure. A launch has two
parts: `prepare`, which does all that can fail before the program is started, and `launch_prepared`.
The VM starts while most of the core is imported, which takes longer: this module imports little of
it. How a VM is started is `program`'s. Called by users and front ends.
"""

from __future__ import annotations

import asyncio
import codecs
import functools
import importlib
import os
import re
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, ParamSpec

from jvmdebug import entry_points, warning
from jvmdebug.errors import (
    AgentBusy,
    ConnectionFailed,
    HandshakeFailed,
    LaunchError,
    TokenError,
)
from jvmdebug.jdwp import link, silence, tokens, transport
from jvmdebug.launch.agent_library import launch_agent_path
from jvmdebug.launch.command_line import ProgramRequest
from jvmdebug.launch.project_command import program_command
from jvmdebug.session.attach_places import NamedPlace, found_place
from jvmdebug.session.output import OutputLog
from jvmdebug.session.program import Begun, InTerminal, Launching, OwnProcess

if TYPE_CHECKING:
    from collections.abc import (
        AsyncIterator,
        Awaitable,
        Callable,
        Coroutine,
        Mapping,
        Sequence,
    )
    from contextlib import AbstractAsyncContextManager

    from jvmdebug.breakpoints import Suspend
    from jvmdebug.jdwp.connection import Connection
    from jvmdebug.launch.agent_library import AgentChoice, ModeChoice, ProbeChoice
    from jvmdebug.launch.command_line import JavaCommand
    from jvmdebug.launch.debuggee_process import StdinChoice
    from jvmdebug.projects import BuildChoice
    from jvmdebug.session.events import Output
    from jvmdebug.session.program import VmStart
    from jvmdebug.session.session import Session

LOOPBACK = "127.0.0.1"
OnDisconnect = Literal["resume", "hold"]
_LATE_S = 1.0
"""For an agent that listens already."""

P = ParamSpec("P")


@asynccontextmanager
async def launch(  # noqa: PLR0913 - what a program can be started with
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
    mode: ModeChoice = "auto",
    virtual_threads: bool = False,
    suspend: Suspend = "all",
    probes: ProbeChoice = "auto",
    stop_on_entry: bool = False,
    encoding: str | None = None,
    stdin: StdinChoice = "null",
    project: str | Path | None = None,
    build: BuildChoice = "auto",
    tests: Sequence[str] = (),
    launcher: Sequence[str] = (),
    timeout_s: float = 30.0,
    on_output: Callable[[Output], object] | None = None,
    on_progress: Callable[[str], object] | None = None,
) -> AsyncIterator[Session]:
    """Start a Java program under the debugger; the VM is held until `start`, `stops` or `resume`.

    Leaving the context terminates the program if it still runs; it ends as well when this process
    is killed, but not after `session.detach()`. Raises LaunchError if an argument cannot be used or
    the program does not come up, with what it wrote to stderr; a BuildError, which is one, if the
    project does not compile. Relative paths of the program, its project and its class path are
    those of `cwd`.

    What to run: exactly one of these, or a project with one main class, or `tests`.

    - `main_class`: its binary name, `shop.Main`; a path that ends with `.java` or `.jar` is taken
      for `program`.
    - `program`: a `.java` file, which is compiled first (alone, or by the project it is in), or a
      `.jar` file with a Main-Class. Beside a `.java` file `main_class` says which of its classes.
    - `module`: `m` or `m/main.Class`.
    - `tests`: tests of the project in place of a class: `shop.CartTest`, `shop.CartTest#adds`,
      `shop.CartTest#prices[2]`, `shop.*`, `*`. Subscribers get their results as `TestEvent`s, and
      the exit code is 0 if all have passed. ProjectError if they are in several modules.

    The project: a Maven or Gradle build, or a folder of sources.

    - `project`: its folder or build file. It gives class path and source path, and what has changed
      is compiled first; what to run may be left out if only one class has a `main` method, else
      MainClassNeeded has the candidates. Default: the project that a `.java` file is in, or, for a
      class, the working directory if it has a build file or the source of the class; none if
      `class_path` or `module_path` is given.
    - `build`: how that is compiled: `"auto"`: by javac where that is enough, else by the build
      tool; `"always"`: by the build tool; `"never"`: not at all.
    - `on_progress`: gets lines that say what the build does, on the event loop.

    The java command.

    - `class_path`, `module_path`: directories and jars, in order; default: java's own, or the
      project's. `$Auto` is where the project's path belongs (without it, at the end), `$Runtime`
      that of its module without tests, `$Test` with them. `!PATH` leaves out a file, or a directory
      and what is in it; `!*/old-*.jar` what fits the pattern.
    - `args`: the program's arguments; no shell reads them.
    - `vm_args`: options of java: `-Xmx1g`, `-Dname=value`.
    - `cwd`: the working directory; default: this process's, or the folder of the project.
    - `env`: laid over this process's environment; None removes a name.
    - `java`: a java executable or a JDK's home; default: the project's, then JAVA_HOME, PATH, the
      usual directories.
    - `launcher`: a program with its first arguments, `["nice"]`, that gets the java command as its
      others and runs it.
    - `encoding`: that of the output, `"utf-8"`; the VM is told to use it too. Default: the
      locale's, and the VM is told nothing.
    - `stdin`: `"null"`: end of file; `"pipe"`: what `session.write_stdin` writes; `"inherit"`: this
      process's.

    The agent.

    - `agent`: `"jvmdebug"`, ours; `"stock"`, the JDK's own; `"auto"`: ours where it can be loaded.
    - `mode`: that of our agent (docs/how-to/modes.md). `"fast"` adds no overhead, but exception
      breakpoints miss what the VM throws without making it anew; `"full"` has all, and makes
      exceptions in compiled code many times slower for the whole run. `"auto"` is fast where our
      agent is and `probes` is not `"off"`, and full, with a warning, for a training run
      (`-XX:AOTCacheOutput`, `-XX:AOTMode=record`).
    - `probes`: `"auto"`: the program checks conditions of breakpoints itself, where that is
      possible (docs/how-to/probes.md); `"off"`: the debugger does.
    - `virtual_threads`: whether all virtual threads are known, parked ones too, for which each
      start of one costs some microseconds; without it, those that have stopped or were reported to
      the debugger. From JDK 21 on.

    The session.

    - `source_path`: directories and jars of sources, searched before those of the project and those
      beside the class path.
    - `suspend`: what a stop suspends by default: `"all"` threads or the one `"thread"`.
    - `stop_on_entry`: whether to stop at the first line of `main`.
    - `timeout_s`: seconds in which the VM must come up, else LaunchError; building does not count.
    - `on_output`: called on the event loop with each piece of output, from the first on.
    """
    if main_class is not None and program is None and main_class.endswith((".java", ".jar")):
        main_class, program = None, main_class
    request = ProgramRequest(
        main_class=main_class,
        program=program,
        module=module,
        class_path=class_path,
        module_path=module_path,
        args=args,
        vm_args=vm_args,
        cwd=cwd,
        env=env,
        java=java,
        agent=agent,
        encoding=encoding,
        mode=mode,
        probes=probes,
        virtual_threads=virtual_threads,
        project=project,
        build=build,
        tests=tests,
        launcher=launcher,
    )
    command = await prepare(request, on_progress)
    if command.notice is not None:
        warning.warn(command.notice)
    opening = launch_prepared(
        command,
        source_path=source_path,
        suspend=suspend,
        stop_on_entry=stop_on_entry,
        stdin=stdin,
        timeout_s=timeout_s,
        on_output=on_output,
    )
    async with opening as session:
        session.settings.probes = probes
        yield session


async def prepare(
    request: ProgramRequest, on_progress: Callable[[str], object] | None = None
) -> JavaCommand:
    """All of a launch that can be done without starting the program: find the java and the agent,
    compile a `.java` file or the project. `launch_prepared` starts it, or
    `remove_temporary_files()` drops it. `on_progress` gets lines of the build.

    Raises LaunchError that names what cannot be used, or has the compiler's messages.
    """
    return await program_command(request, on_progress)


@asynccontextmanager
async def launch_prepared(
    command: JavaCommand,
    *,
    source_path: Sequence[str | Path] = (),
    suspend: Suspend = "all",
    stop_on_entry: bool = False,
    stdin: StdinChoice = "null",
    timeout_s: float = 30.0,
    on_output: Callable[[Output], object] | None = None,
    run: Callable[[list[str]], Awaitable[None]] | None = None,
) -> AsyncIterator[Session]:
    """Start what `prepare` has made; otherwise as `launch`.

    With `run` the program is started elsewhere, for example in a terminal: `run` gets the command,
    once more if the VM is to be started again. Directory, environment, input and output are the
    caller's then; the session has no `pid` and no exit code.
    """
    start: VmStart = OwnProcess(OutputLog(on_output), stdin, timeout_s)
    if run is not None:
        start = InTerminal(run, timeout_s)
    async with AsyncExitStack() as stack:
        stack.callback(command.remove_temporary_files)
        begun = Begun(start, command)
        stack.push_async_callback(begun.close)
        await asyncio.to_thread(_import_session)
        _import_for_stops_soon(stack)
        from jvmdebug.session.session import Session  # noqa: PLC0415 - see above

        launching = Launching(
            begun, command, source_path=source_path, suspend=suspend, stop_on_entry=stop_on_entry
        )
        stack.push_async_callback(launching.close)
        yield Session(await launching.open(), launching, close=launching.close)


_FOR_STOPS: Final = (
    *("probes.probe", "probes.step_points", "probes.check_watch", "probes.codegen.check"),
    *("session.stop", "session.variable", "session.scopes", "session.steps"),
    *("display.rendering", "display.child_pages", "display.renderers", "display.shared_variables"),
    *("evaluator.plans.texts", "stepping.stepper", "stepping.libraries"),
)
"""The modules that a first breakpoint and a first stop use; each imports others."""


def _import_session() -> None:
    for name in ("session", "services"):
        importlib.import_module(f"jvmdebug.session.{name}")


def _import_for_stops_soon(stack: AsyncExitStack) -> None:
    """Import what the first breakpoint and the first stop use while the program starts, so that
    they need not. What attaches is often a single question, such as `jvmdebug threads PID`, and
    needs none of it.
    """
    importing = asyncio.create_task(asyncio.to_thread(_import_for_stops), name="import for stops")
    stack.push_async_callback(asyncio.wait, (importing,))


def _import_for_stops() -> None:
    for name in _FOR_STOPS:
        importlib.import_module(f"jvmdebug.{name}")
    codecs.lookup("utf-16-le")  # of strings
    entry_points.of_group(entry_points.RENDERERS)


@asynccontextmanager
async def attach(  # noqa: PLR0913 - how a program can be attached to
    host: str = LOOPBACK,
    port: int = 5005,
    *,
    pid: int | None = None,
    container: str | None = None,
    pod: str | None = None,
    main_class: str | None = None,
    debug_image: str | None = None,
    class_path: Sequence[str | Path] = (),
    source_path: Sequence[str | Path] = (),
    source_map: Mapping[str, str | Path] | None = None,
    suspend: Suspend = "all",
    probes: ProbeChoice = "auto",
    read_only: bool = False,
    timeout_s: float = 30.0,
    retry: bool = True,
    take_over: bool = False,
    token_file: str | Path | None = None,
    fingerprint: str | None = None,
    on_disconnect: OnDisconnect = "resume",
    reconnect_s: float = link.RECONNECT_S,
    on_wait: Callable[[str], None] | None = None,
) -> AsyncIterator[Session]:
    """Connect to a VM whose agent listens. Leaving the context resumes everything and detaches.

    With `pid` to that process of this machine, in a container too, instead of `host` and `port`.
    If it was started without an agent, ours is loaded into it (HotSpot, 11 or later) and ends when
    the session does. Such an agent has no steps, exception breakpoints and watches on fields, and
    of variables those of the topmost frame at a breakpoint, as HotSpot gives them only to one that
    is there at its start: what needs them raises UnsupportedError.

    With `container` to the JVM in that container of this machine (Docker, Podman, and others by
    the name of their control group); with `pod`, `NAMESPACE/POD` or `NAMESPACE/POD/CONTAINER`, to
    that in a pod, by kubectl. Where several JVMs run there, `main_class` or `pid`, the number in
    the container, says which. `debug_image` is run as an ephemeral container in a pod whose own
    has no shell or no jcmd. `host` may also be `container:NAME[/PROGRAM]` or
    `pod:NAMESPACE/POD[/CONTAINER[/PROGRAM]]`.

    `class_path` has directories and jars with classes of the program, for sources and for lambdas
    in expressions; the VM's own class path need not be named if it is on this machine, in a
    container too, or where `source_map` says that its folders are: `{"/app": "build"}`. LaunchError
    when it is given and nothing of it exists.
    `host` may be `unix:PATH`, for an agent with `transport=unix`, or `tls://HOST:PORT[/NAME]`, for
    what `jvmdebug relay` has in front of it; `port` is not used then. It may have the port as well:
    `localhost:5005`. A relay is known by the `fingerprint` of its certificate, `SHA256:…`, or
    without one by that of the first time. What its token does not permit raises ReadOnlyError. The
    VM
    may still be starting: if nothing listens yet, `on_wait` gets a sentence that says so, once, and
    it is tried again, unless `retry` is False. With `read_only` nothing of the program is run or
    changed (`Session.forbid_changes`). `probes` is as in `launch`. With `take_over` the session of
    another debugger is ended first if our agent serves one: what that one held runs again.
    `token_file` has the token of an agent with `token-file=`; without it that of the environment
    variable JVMDEBUG_TOKEN_FILE is offered to agents that ask for one. If the link to our agent is
    lost, it is tried for `reconnect_s` seconds to find it again, at the same name: the session goes
    on then (`LinkChanged`), and until then the program runs, or stays stopped if it is and
    `on_disconnect` is `"hold"`. Raises LaunchError if
    nothing answers the handshake within `timeout_s`, and at once if our agent serves another
    debugger, or the token is missing or wrong.
    """
    await _check_exists(class_path)
    named = NamedPlace(host, port, pid, container, pod, main_class, debug_image)
    async with AsyncExitStack() as stack:
        place = await found_place(named, stack, timeout_s)
        host, port, pid = place.host, place.port, place.pid
        try:
            token = place.token or await tokens.token_of(token_file)
            connect = functools.partial(
                transport.connect,
                retry=retry,
                take_over=take_over,
                token=token,
                role="read-only" if read_only else "debug",
                fingerprint=fingerprint,
                on_wait=on_wait,
            )
            if pid is None:
                connection = await connect(host, port, timeout_s=timeout_s)
            else:
                connection = await _connected_to_process(pid, connect, timeout_s)
        except (ConnectionFailed, HandshakeFailed) as error:
            why = str(error).removeprefix(f"cannot connect to {transport.Address(host, port)}: ")
            if pid is not None and silence.is_stopped_by_signal(pid):
                why = f"it is stopped by a signal; `kill -CONT {pid}` lets it run"
            why += await asyncio.to_thread(_way_to_join, why)
            raise LaunchError(f"cannot attach to {place.shown}: {why}") from error
        connection.is_read_only = read_only or connection.role != "debug"
        from jvmdebug.session.services import connected_services  # noqa: PLC0415 - see above
        from jvmdebug.session.session import Session  # noqa: PLC0415

        watched = None
        if place.has_beats:
            terms = link.terms(reconnect_s, holds=on_disconnect == "hold")
            watched = place.reaching(token), terms
        services, _ = await asyncio.gather(
            connected_services(
                connection,
                stack,
                class_path=class_path,
                source_path=source_path,
                source_map=source_map,
                suspend=suspend,
                link=watched,
            ),
            asyncio.to_thread(lambda: connection.peer_process),
        )
        session = Session(services, close=stack.aclose)
        session.settings.probes = probes
        yield session


def _way_to_join(why: str) -> str:
    """How to join the session of the debugger that holds the agent, if `why` names the process of
    one that shares it; else nothing.
    """
    from jvmdebug import rendezvous  # noqa: PLC0415 - seldom needed

    holder = re.search(r"\bprocess (\d+)\b", why)
    name = None if holder is None else rendezvous.name_of_process(int(holder.group(1)))
    return "" if name is None else f"; `jvmdebug join {name}` joins that session"


async def _check_exists(class_path: Sequence[str | Path]) -> None:
    named = [Path(each) for each in class_path]
    if named and not await asyncio.to_thread(lambda: any(each.exists() for each in named)):
        shown = os.pathsep.join(map(str, named))
        raise LaunchError(f"cannot attach with the class path {shown}: nothing of it exists here")


async def load_agent(pid: int, address: str | None = None, *, timeout_s: float = 30.0) -> str:
    """Load our agent into a process of this machine that runs without one, and return where it
    listens, as `attach` takes it: for a debugger that comes within 20 seconds, and those that take
    over from it. Then it ends.

    Without an `address` (`HOST:PORT`; port 0 takes a free one) it listens on a UNIX-domain socket
    that its user alone can connect to. LaunchError that says why it cannot be loaded.
    """
    from jvmdebug import attaching  # noqa: PLC0415 - a launch needs none of it

    return await asyncio.to_thread(
        attaching.load_agent, pid, launch_agent_path, address, timeout_s=timeout_s
    )


async def _connected_to_process(
    pid: int, connect: Callable[..., Awaitable[Connection]], timeout_s: float
) -> Connection:
    """An agent that was loaded late may be about to end: then it is loaded once more."""
    from jvmdebug import attaching  # noqa: PLC0415 - a launch needs none of it

    until = asyncio.get_running_loop().time() + timeout_s
    while True:
        left = max(1.0, until - asyncio.get_running_loop().time())
        found = await asyncio.to_thread(
            attaching.address_of_process, pid, launch_agent_path, timeout_s=left
        )
        if not attaching.is_late(found):
            host, _, port = found.rpartition(":")
            if found.startswith(transport.UNIX_PREFIX):
                host, port = found, "0"
            return await connect(host.strip("[]") or LOOPBACK, int(port), timeout_s=left)
        try:
            return await connect(found, 0, timeout_s=min(left, _LATE_S))
        except (AgentBusy, TokenError):
            raise
        except (ConnectionFailed, HandshakeFailed):
            if asyncio.get_running_loop().time() > until:
                raise


def kept_open(
    opening: Callable[P, AbstractAsyncContextManager[Session]],
) -> Callable[P, Coroutine[Any, Any, Session]]:
    """The same without a context: the session is open until `session.close()`."""

    @functools.wraps(opening)
    async def opened(*args: P.args, **kwargs: P.kwargs) -> Session:
        stack = AsyncExitStack()
        session = await stack.enter_async_context(opening(*args, **kwargs))
        session.close_by(stack.aclose)
        return session

    opened.__doc__ = (
        f"As `{opening.__name__}`, without a context: the session is open until it is closed, by\n"
        "`await session.close()`, or by `async with session:`."
    )
    return opened


open_launch = kept_open(launch)
open_attach = kept_open(attach)
