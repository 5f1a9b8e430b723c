# SPDX-License-Identifier: Apache-2.0
"""Starting to debug: launch, attach, restart; in a terminal of the client if requested."""

import asyncio
import contextlib
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import jvmdebug
from jvmdebug.errors import JvmDebugError, TokenError
from jvmdebug_dap import covering, origins, progress, recorded, sharing, visit
from jvmdebug_dap.convert import configurations
from jvmdebug_dap.convert.errors import request_error
from jvmdebug_dap.convert.events import breakpoint_changed
from jvmdebug_dap.convert.guests import adopt
from jvmdebug_dap.convert.problems import problems, problems_of
from jvmdebug_dap.errors import RequestError
from jvmdebug_dap.models.generated.arguments import RunInTerminalRequestArguments
from jvmdebug_dap.models.generated.events import (
    CapabilitiesEventBody,
    ProcessEventBody,
    ThreadEventBody,
)
from jvmdebug_dap.models.generated.types import Capabilities
from jvmdebug_dap.models.launch import (
    AttachArguments,
    Configuration,
    JdkBody,
    LaunchArguments,
    NotStartedBody,
    RestartArguments,
)
from jvmdebug_dap.requests import Later, request
from jvmdebug_dap.router import parse_arguments
from jvmdebug_dap.session import AdapterSession
from jvmdebug_dap.states import IDLE, STARTED, StateEvent

if TYPE_CHECKING:
    from collections.abc import Sequence

Opening: TypeAlias = "AbstractAsyncContextManager[jvmdebug.Session]"

_TERMINAL_TIMEOUT_S = 60.0
"""A person may have to allow the terminal first."""


@request(
    "launch", when=IDLE, holds_events=True, progress="Starting the program", can_be_undone=True
)
async def launch(session: AdapterSession, arguments: LaunchArguments) -> Later:
    return await begin(session, arguments)


@request(
    "attach", when=IDLE, holds_events=True, progress="Connecting to the program", can_be_undone=True
)
async def attach(session: AdapterSession, arguments: AttachArguments) -> Later:
    return await begin(session, arguments)


@request(
    "restart",
    when=STARTED,
    holds_events=True,
    supports=Capabilities(supports_restart_request=True),
    progress="Starting the program again",
)
async def restart(session: AdapterSession, arguments: RestartArguments) -> None:
    """Ends (or detaches from) the program and launches (or attaches to) it again, with the same
    breakpoints. If the new one cannot be prepared, it does not compile for example, the old one is
    debugged on; VS Code, which takes a refused restart for the end of the session, is told by an
    event of ours instead.
    """
    configuration = newest_configuration(session, arguments)
    session.pump.expect_restart()
    try:
        opening = await opener(session, configuration)
    except BaseException as error:
        session.pump.forget_restart()
        if not marks_problems(session) or not isinstance(error, JvmDebugError | RequestError):
            raise
        if not isinstance(error, JvmDebugError) or not problems_of(error):
            told = request_error(error) if isinstance(error, JvmDebugError) else error
            why = not_started(error, str(told), is_restart=True)
            session.channel.send_event("jvmdebug/notStarted", why)
        return
    session.state.move(StateEvent.START_BEGUN)
    await visit.drop(session)
    old = session.debuggee
    await recorded.end(session)
    if old is not None:
        with contextlib.suppress(JvmDebugError):  # it may have ended meanwhile
            await (old.core.kill() if old.is_ours else old.core.detach())
        await old.leave()
    session.memory.clear()
    for number in session.threads.clear():
        body = ThreadEventBody(reason="exited", thread_id=number)
        session.channel.send_event("thread", body)
    try:
        core = await reach(session, configuration, opening)
        if old is not None:
            await session.breakpoints.set_again(core, old.core)
            _tell_of_breakpoints(session)
    except BaseException:
        session.state.move(StateEvent.ENDED)
        session.channel.send_event("terminated")
        raise
    session.state.move(StateEvent.CONNECTED)
    session.state.move(StateEvent.CONFIGURED)
    if core.current_stops:  # a breakpoint was hit while the others were set
        session.state.move(StateEvent.STOPPED)
    session.recording = None  # it was of the old program
    await covering.begin(session)
    await recorded.begin(session)
    await core.start()


def _tell_of_breakpoints(session: AdapterSession) -> None:
    """What has become of them in the new program: a watched object is gone, for example."""
    for each in tuple(session.breakpoints.told):
        event = jvmdebug.BreakpointChanged(each, "changed")
        for name, body in breakpoint_changed(session, event):
            session.channel.send_event(name, body)


async def begin(session: AdapterSession, configuration: Configuration) -> Later:
    """Launch or attach, with the program held; the response follows `configurationDone`."""
    session.state.move(StateEvent.START_BEGUN)
    try:
        await reach(session, configuration, await opener(session, configuration))
    except BaseException as error:
        session.state.move(StateEvent.START_FAILED)
        if not isinstance(error, JvmDebugError):
            raise
        told = request_error(error)
        is_shown = shown_by_extension(session, configuration, error, str(told))
        raise RequestError(told.error_id, str(told), show_user=not is_shown) from error
    session.state.move(StateEvent.CONNECTED)
    if session.core.owner is not None:
        for each in session.core.breakpoints:  # before the client sends its own in the same lines
            await adopt(session, each)
    session.channel.send_event("initialized")
    return Later(session.until_configured())


def newest_configuration(session: AdapterSession, arguments: RestartArguments) -> Configuration:
    """The configuration in the request, else that of the running program."""
    current = session.configuration
    if current is None:
        raise RuntimeError("a started session has a configuration")
    if arguments.arguments is None:
        return current
    newest = parse_arguments(type(current), arguments.arguments)
    return newest if isinstance(newest, Configuration) else current


async def reach(
    session: AdapterSession, configuration: Configuration, opening: Opening
) -> "jvmdebug.Session":
    """Open the core session that `configuration` describes and tell the client about it."""
    is_launch = isinstance(configuration, LaunchArguments)
    core = await session.open(lambda: opening, is_ours=is_launch)
    session.configuration = configuration
    if core.owner is None:
        _apply_settings(session, configuration, core)
    if core.owner is None and core.past is None:
        session.run_beside(sharing.share(session, core), "share")
    await origins.begin(session)
    for note in configurations.notes(configuration):
        session.tell(note)
    tell_process(session, configuration)
    if core.past is not None:
        from jvmdebug_dap import past  # noqa: PLC0415 - most sessions need none of it

        past.greet(session, core.past)
    elif not core.vm.capabilities.can_pop_frames:
        missing = CapabilitiesEventBody(capabilities=Capabilities(supports_restart_frame=False))
        session.channel.send_event("capabilities", missing)
    return core


def _apply_settings(
    session: AdapterSession, configuration: Configuration, core: "jvmdebug.Session"
) -> None:
    """Give the session the settings of the configuration; those of a session that was joined are
    its owner's.
    """
    core.settings.suspend = configuration.suspend
    core.settings.rethrows = configuration.rethrows
    core.settings.control_exceptions = tuple(configuration.control_exceptions)
    core.settings.probes = configuration.probes
    core.settings.log_messages_per_second = configuration.log_messages_per_second or None
    core.settings.stop_watchdog_s = configuration.stop_watchdog
    core.settings.budget_ms = configuration.breakpoint_budget
    core.settings.total_budget_ms = configuration.total_breakpoint_budget
    core.settings.inline_frames = configuration.inline_frames
    configurations.apply_filters(session)
    if configuration.values is not None:
        configurations.apply_values(configuration.values, core.settings)


def tell_process(session: AdapterSession, configuration: Configuration) -> None:
    """Tell the client which process is debugged."""
    is_launch = isinstance(configuration, LaunchArguments)
    body = ProcessEventBody(
        name=program_name(configuration),
        system_process_id=session.core.pid,
        is_local_process=is_launch or None,
        start_method="launch" if is_launch else "attach",
    )
    session.channel.send_event("process", body)


def program_name(configuration: Configuration) -> str:
    match configuration:
        case LaunchArguments(test=[first, *_]):
            return first
        case LaunchArguments():
            named = configuration.program or configuration.main_class or configuration.project
            return Path(named or "").name
        case AttachArguments(recording=str(path)):
            return Path(path).name
        case AttachArguments(join=str(joined)):
            return joined or "session"
        case AttachArguments():
            if configuration.process_id is not None:
                return f"process {configuration.process_id}"
            host = configuration.host_name
            is_whole = host.startswith(("unix:", "tls://"))
            return host if is_whole else f"{host}:{configuration.port}"
        case _:
            raise TypeError(f"neither launch nor attach: {configuration!r}")


async def opener(session: AdapterSession, configuration: Configuration) -> Opening:
    """The context manager of the core session, with all done that can fail before the program is
    started. Raises RequestError for invalid attributes.
    """
    configuration = await with_named_project(session, configuration)
    for each in configuration.source_paths:
        session.positions.named.remember(Path(each))
    match configuration:
        case LaunchArguments():
            return await _launched(session, configuration)
        case AttachArguments(recording=str(path)):
            paths = configurations.usable_paths(configuration.source_paths)
            return jvmdebug.replay(path, source_path=paths, failure=configuration.failure)
        case AttachArguments(join=str(name)):
            return sharing.joined(name or None, read_only=configuration.read_only)
        case AttachArguments():
            options = configurations.attach_options(configuration)
            return jvmdebug.attach(**options, on_wait=partial(tell_waiting, session))
        case _:
            raise TypeError(f"neither launch nor attach: {configuration!r}")


async def _launched(session: AdapterSession, configuration: LaunchArguments) -> Opening:
    for name in (configuration.project, configuration.cwd, configuration.program):
        session.positions.named.remember(Path(name or ""))
    program = configurations.launch_options(configuration)
    options = {name: program.pop(name) for name in ("source_path", "stop_on_entry")}
    options["stdin"] = "pipe"  # of what is typed in the debug console, see `evaluate`
    if configuration.console != "internalConsole":
        if session.client.supports_run_in_terminal_request:
            options |= in_terminal(session, configuration)
        else:
            text = f"the client has no terminal: `{configuration.console}` is not used"
            session.tell(text)
    asked = jvmdebug.ProgramRequest(**program)
    try:
        prepared = await jvmdebug.prepare(asked, progress.say)
    except jvmdebug.LaunchError as error:
        tell_problems(session, problems_of(error))
        raise
    tell_problems(session, ())
    if prepared.notice is not None:
        session.tell(prepared.notice)
    return jvmdebug.launch_prepared(prepared, **options)


def tell_waiting(session: AdapterSession, why: str) -> None:
    """Tell that nothing listens yet, in the console and by the progress, which stays meanwhile."""
    session.tell(why)
    progress.say_now(why)


async def with_named_project(
    session: AdapterSession, configuration: Configuration
) -> Configuration:
    """The configuration with the folder that `projectName` calls by its name; as it is, and told
    so, without one.
    """
    if not configuration.project_name:
        return configuration
    folder = await asyncio.to_thread(configurations.named_folder, configuration)
    if folder is None:
        session.tell(f"`projectName`: no project called {configuration.project_name} was found")
        return configuration
    return configurations.in_project(configuration, folder)


def marks_problems(session: AdapterSession) -> bool:
    """Whether the client shows the errors of compilers: VS Code, by our extension."""
    return session.is_vscode


def shown_by_extension(
    session: AdapterSession, configuration: Configuration, error: JvmDebugError, why: str
) -> bool:
    """Whether our extension shows why nothing was started, where VS Code would show a dialog."""
    if isinstance(configuration, LaunchArguments) and configuration.has_view_of_tests:
        return True
    if not marks_problems(session):
        return False
    if not problems_of(error):
        session.channel.send_event("jvmdebug/notStarted", not_started(error, why))
    return True


def not_started(
    error: Exception, message: str, *, is_restart: bool | None = None
) -> NotStartedBody:
    """Why nothing was started, with what VS Code needs to offer another JDK, or to ask for a
    token.
    """
    if not isinstance(error, jvmdebug.JdkError):
        asks = isinstance(error.__cause__, TokenError) or None
        return NotStartedBody(message=message, is_restart=is_restart, asks_for_token=asks)
    jdk = JdkBody(tried=list(error.tried), wanted=error.wanted)
    return NotStartedBody(message=error.summary, is_restart=is_restart, jdk=jdk)


def tell_problems(
    session: AdapterSession, found: "Sequence[jvmdebug.projects.SourceProblem]"
) -> None:
    """Tell VS Code what the compiler says about sources now, so that it marks the places."""
    if marks_problems(session):
        body = problems(session, found)
        session.channel.send_event("jvmdebug/problems", body)


def in_terminal(session: AdapterSession, configuration: LaunchArguments) -> dict[str, Any]:
    """Options of the launch in a terminal of the client."""

    async def run(command: list[str]) -> None:
        external = configuration.console == "externalTerminal"
        asked = RunInTerminalRequestArguments(
            kind="external" if external else "integrated",
            title=f"Java: {program_name(configuration)}",
            cwd=configuration.cwd or str(Path.cwd()),
            args=command,
            env=configuration.env or None,
        )
        await session.terminal.until_idle()
        started = await session.channel.ask("runInTerminal", asked)
        session.terminal.started(started.get("shellProcessId"))

    return {"run": run, "timeout_s": _TERMINAL_TIMEOUT_S}
