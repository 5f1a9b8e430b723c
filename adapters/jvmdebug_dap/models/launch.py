# SPDX-License-Identifier: Apache-2.0
"""The attributes of launch and attach configurations, by the names that java-debug uses; and what
the compiler says before a launch.

The DAP schema leaves them open. Strings and lists are both accepted where java-debug accepts both.
Unknown attributes are kept in `model_extra`, so that the user can be told.
"""

import codecs
import sys
from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, field_validator, model_validator

from jvmdebug_dap.models.base import Json, Model, wire_name

# Attributes that editors add to every configuration for their own use.
_OF_THE_EDITOR = frozenset(
    {
        "type",
        "request",
        "name",
        "presentation",
        "preLaunchTask",
        "postDebugTask",
        "internalConsoleOptions",
        "debugServer",
        "serverReadyAction",
        "suppressMultipleSessionWarning",
    }
)
_SYSTEMS = {"linux": "linux", "darwin": "osx", "win32": "windows"}
"""Attributes with attributes for one system, by Python's names of the systems."""


def _has_nul(value: Json) -> bool:
    if isinstance(value, dict):
        return any(map(_has_nul, [*value, *value.values()]))
    if isinstance(value, list):
        return any(map(_has_nul, value))
    return isinstance(value, str) and "\0" in value


class _Part(Model):
    """An attribute that has attributes."""

    model_config = ConfigDict(
        strict=True, alias_generator=wire_name, populate_by_name=True, extra="allow", frozen=True
    )


class StepFilterAttributes(_Part):
    skip_classes: list[str] | None = None
    class_name_filters: list[str] | None = None
    """The older name of the same in java-debug."""
    skip_synthetics: bool | None = None
    skip_static_initializers: bool | None = None
    skip_constructors: bool | None = None
    allow_classes: list[str] = Field(default=[])


class ValueAttributes(_Part):
    """How values are shown."""

    hex: bool | None = None
    qualified_names: bool | None = None
    max_length: int | None = Field(default=None, ge=10)
    to_string: bool | Literal["off", "join", "read", "call"] | None = None
    """True: `call`; false: `join`."""


def _extra(part: _Part | None) -> Iterable[str]:
    return () if part is None or part.model_extra is None else part.model_extra


class Configuration(Model):
    """What launch and attach have in common."""

    model_config = ConfigDict(
        strict=True, alias_generator=wire_name, populate_by_name=True, extra="allow", frozen=True
    )

    source_paths: list[str] = Field(default=[])
    project_name: str | None = None
    """What a project below the working directory is called, where `project` has its path."""
    step_filters: StepFilterAttributes | None = None
    just_my_code: bool = False
    suspend: Literal["all", "thread"] = "all"
    """Which threads a stop suspends, unless a breakpoint says otherwise."""
    rethrows: bool = False
    """Whether an exception stops each time that it is thrown on."""
    control_exceptions: list[str] = Field(default=[])
    """Exceptions that are thrown on purpose, at which the filters do not stop; see the settings."""
    probes: Literal["auto", "off"] = "auto"
    """Whether the program checks conditions of breakpoints itself."""
    log_messages_per_second: int = Field(default=1000, ge=0)
    """Lines of one log point, others are counted; 0: as many as there are."""
    stop_watchdog: float | None = Field(default=None, gt=0)
    """After so many seconds a stop is resumed if nobody has."""
    breakpoint_budget: int | None = Field(default=None, ge=0)
    """Milliseconds of a second in which a breakpoint may keep threads without a stop; 0: all."""
    total_breakpoint_budget: int | None = Field(default=None, ge=0)
    """The same for all breakpoints together."""
    inline_frames: bool = False
    """Whether an inline function of Kotlin has a frame of its own."""
    origins: bool = False
    """Whether stacks show where tasks were submitted."""
    values: ValueAttributes | None = None
    restart_data: Json = None

    @model_validator(mode="before")
    @classmethod
    def _null_is_absent(cls, given: Json) -> Json:
        """Editors written in Lua or Vim script send null for attributes that the user omitted."""
        if not isinstance(given, dict):
            return given
        for name, value in given.items():
            if _has_nul(value):
                raise ValueError(f"{name} has a NUL character, which no path or argument can have")
        own = given.get(_SYSTEMS.get(sys.platform, ""))
        merged = {**given, **own} if isinstance(own, dict) else given
        left = _SYSTEMS.values()
        return {k: value for k, value in merged.items() if value is not None and k not in left}

    def unknown_attributes(self) -> list[str]:
        """Names of attributes that are not read here, without those that belong to the editor."""
        extra = self.model_extra or {}
        own = (k for k in extra if k not in _OF_THE_EDITOR and not k.startswith("__"))
        parts = {"stepFilters": self.step_filters, "values": self.values}
        inner = (f"{name}.{k}" for name, part in parts.items() for k in _extra(part))
        return sorted([*own, *inner])


class LaunchArguments(Configuration):
    main_class: str | None = None
    program: str | None = None
    class_paths: list[str] = Field(default=[])
    module_paths: list[str] = Field(default=[])
    args: str | list[str] = Field(default=[])
    vm_args: str | list[str] = Field(default=[])
    cwd: str | None = None
    env: dict[str, str | None] = Field(default={})
    env_file: str | list[str] = Field(default=[])
    """`.env` files; `env` comes before them, later files before earlier ones."""
    shorten_command_line: str = "auto"
    stop_on_entry: bool = False
    console: str = "internalConsole"
    java_exec: str | None = None
    encoding: str | None = None
    launcher_script: str | None = None
    agent: str = "auto"
    mode: str = "auto"
    virtual_threads: bool = False
    project: str | None = None
    build: Literal["auto", "always", "never"] = "auto"
    test: list[str] = Field(default=[])
    """Tests of the project to run in place of a class; one may be written as a string."""
    coverage: bool | Literal["perTest"] = False
    """Whether to record what runs, and to tell it at the end; which test has run what, too."""
    recording: str | None = None
    """The file to record the program into, with all that it does."""
    recording_redact: list[str] | bool = True
    """Names of variables whose values are not recorded, beside those of passwords and the like;
    false: all values are.
    """
    recording_last: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    """The seconds that are kept; None: all is."""
    recording_share: Annotated[int, Field(ge=1, le=100)] | None = None
    """Percent of the processor time that the recording may take; None: without a limit."""
    no_debug: bool = False

    @property
    def has_view_of_tests(self) -> bool:
        """Whether the client shows results of tests, and why they do not start, by itself."""
        return "__testRun" in (self.model_extra or {})

    @field_validator("test", mode="before")
    @classmethod
    def _one_or_several(cls, test: Json) -> Json:
        return [test] if isinstance(test, str) else test

    @field_validator("console")
    @classmethod
    def _known_console(cls, console: str) -> str:
        return one_of(console, ("internalConsole", "integratedTerminal", "externalTerminal"))

    @field_validator("shorten_command_line")
    @classmethod
    def _known_way(cls, way: str) -> str:
        return one_of(way, ("auto", "none", "argfile", "jarmanifest"))

    @field_validator("agent")
    @classmethod
    def _known_agent(cls, agent: str) -> str:
        return one_of(agent, ("auto", "jvmdebug", "stock"))

    @field_validator("mode")
    @classmethod
    def _known_mode(cls, mode: str) -> str:
        return one_of(mode, ("auto", "full", "fast"))

    @field_validator("encoding")
    @classmethod
    def _known_encoding(cls, encoding: str | None) -> str | None:
        if encoding is None:
            return None
        try:
            codecs.lookup(encoding)
        except LookupError:
            raise ValueError("should be the name of a known encoding, for example UTF-8") from None
        return encoding


_WITHOUT_PORT = ("processId", "join", "container", "pod", "recording")
_WHOLE_HOSTS = ("unix:", "tls://", "container:", "pod:")


class AttachArguments(Configuration):
    host_name: str = "localhost"
    port: int | str
    process_id: int | str | None = None
    """Instead of a port: a JVM of this machine; with a container or a pod: its number there."""
    container: str | None = None
    """Instead of a port: the JVM in this container of this machine."""
    pod: str | None = None
    """Instead of a port: the JVM in this pod, `NAMESPACE/POD[/CONTAINER]`."""
    main_class: str | None = None
    """With a container or a pod: which of several JVMs."""
    debug_image: str | None = None
    """With a pod: an image with a JDK, for an ephemeral container."""
    source_map: dict[str, str] = Field(default={})
    """Folders of the program and where they are on this machine."""
    class_paths: list[str] = Field(default=[])
    timeout: float = 30_000
    take_over: bool = False
    token_file: str | None = None
    """Has the token of an agent with `token-file=`, or of a relay."""
    fingerprint: str | None = None
    """Of the certificate of a relay; without it that of the first time is expected."""
    on_disconnect: Literal["resume", "hold"] = "resume"
    """Whether a program that is stopped stays so while the link to it is lost."""
    reconnect: Annotated[float, Field(ge=0)] = 60
    """For how many seconds a lost link is tried again."""
    read_only: bool = False
    """Whether nothing of the program is run or changed."""
    recording: str | None = None
    """In place of a JVM: a recording, which is opened at its end."""
    failure: str | None = None
    """A test, `shop.CartTest#adds`: the recording is opened at the line that failed it."""
    join: str | None = None
    """The session of another front end, by its name, in place of a JVM; "" for the only one."""

    @model_validator(mode="before")
    @classmethod
    def _without_port(cls, arguments: object) -> object:
        """A process id or a recording needs none, nor `"hostName": "unix:PATH"`, a socket, or
        `tls://HOST:PORT/NAME`, the address of a relay, nor a container, a pod, or a session that is
        joined.
        """
        if isinstance(arguments, dict) and (
            any(arguments.get(each) is not None for each in _WITHOUT_PORT)
            or str(arguments.get("hostName")).startswith(_WHOLE_HOSTS)
        ):
            return {**arguments, "port": 1}
        return arguments

    @field_validator("port")
    @classmethod
    def _number(cls, port: int | str) -> int | str:
        if not str(port).isdecimal() or not 0 < int(port) < 65536:
            raise ValueError("should be a TCP port from 1 to 65535")
        return port


class RestartArguments(Model):
    """The newest configuration, if the client sends one; validated later, as launch or attach."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)
    arguments: dict[str, Json] | None = None


class ProblemBody(Model):
    path: str
    line: int
    """As the client counts lines; the first if unknown."""
    column: int
    message: str
    is_error: bool


class ProblemsBody(Model):
    """The body of `jvmdebug/problems`: all that the newest compilation says about sources."""

    problems: list[ProblemBody]


class JdkBody(Model):
    """What there is of Java on this machine, where it was none, or the wrong one."""

    tried: list[str]
    """The places that were looked at, a line each."""
    wanted: int | None = None
    """The oldest release of Java that would do; absent if any would."""


class NotStartedBody(Model):
    """The body of `jvmdebug/notStarted`: why; what a build tool said has several lines."""

    message: str
    is_restart: bool | None = None
    """Whether a program is debugged on that was to be started again."""
    jdk: JdkBody | None = None
    """Present if it is for lack of a JDK; the message is one sentence then."""
    asks_for_token: bool | None = None
    """Whether the agent has refused for lack of its token, or for another one."""


def one_of(word: str, words: tuple[str, ...]) -> str:
    if word not in words:
        raise ValueError(f"should be one of {', '.join(words)}")
    return word
