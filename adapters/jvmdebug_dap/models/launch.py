# SPDX-License-Identifier: Apache-2.0
"""The attributes of launch and attach configurations, by the names that java-debug uses.

The DAP schema leaves them open. Strings and lists are both accepted where java-debug accepts both.
Unknown attributes are kept in `other_attributes`, so that the user can be told.
"""

import codecs
from typing import Annotated, Literal, Self

import msgspec
from msgspec import field

from jvmdebug_dap.models.base import Json, Model, wire_name

Console = Literal["internalConsole", "integratedTerminal", "externalTerminal"]
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
        "linux",
        "osx",
        "windows",
    }
)


def _has_nul(value: Json) -> bool:
    if isinstance(value, dict):
        return any(map(_has_nul, [*value, *value.values()]))
    if isinstance(value, list):
        return any(map(_has_nul, value))
    return isinstance(value, str) and "\0" in value


class StepFilterAttributes(Model, frozen=True):
    skip_classes: list[str] | None = None
    skip_synthetics: bool | None = None
    skip_static_initializers: bool | None = None
    skip_constructors: bool | None = None


class ValueAttributes(Model, frozen=True):
    """How values are shown."""

    hex: bool | None = None
    qualified_names: bool | None = None
    max_length: Annotated[int, msgspec.Meta(ge=10)] | None = None
    to_string: bool | None = None


class Configuration(Model, frozen=True):
    """What launch and attach have in common."""

    source_paths: list[str] = field(default_factory=list)
    step_filters: StepFilterAttributes | None = None
    just_my_code: bool = False
    suspend: Literal["all", "thread"] = "all"
    """Which threads a stop suspends, unless a breakpoint says otherwise."""
    rethrows: bool = False
    """Whether an exception stops each time that it is thrown on."""
    probes: Literal["auto", "off"] = "off"
    """Whether the program checks conditions of breakpoints itself."""
    inline_frames: bool = False
    """Whether an inline function of Kotlin has a frame of its own."""
    values: ValueAttributes | None = None
    restart_data: Json = None
    other_attributes: dict[str, Json] = field(default_factory=dict)
    """Those that are not read here."""

    @classmethod
    def from_wire(cls, given: dict[str, Json]) -> Self:
        made = super().from_wire(cls.prepared(given))
        made.check()
        return made

    @classmethod
    def prepared(cls, given: dict[str, Json]) -> dict[str, Json]:
        """The attributes as their types have them. Editors written in Lua or Vim script send null
        for those that the user omitted.
        """
        for name, value in given.items():
            if _has_nul(value):
                text = f"{name} has a NUL character, which no path or argument can have"
                raise msgspec.ValidationError(text)
        known = msgspec.structs.fields(cls)
        others = given.keys() - {each.encode_name for each in known}
        found = {name: value for name, value in given.items() if value is not None}
        return {**found, wire_name("other_attributes"): {name: given[name] for name in others}}

    def check(self) -> None:
        """Raises msgspec.ValidationError for values that types do not describe."""

    def unknown_attributes(self) -> list[str]:
        """Names of attributes that are not read here, without those that belong to the editor."""
        extra = self.other_attributes
        return sorted(k for k in extra if k not in _OF_THE_EDITOR and not k.startswith("__"))


class LaunchArguments(Configuration, frozen=True):
    main_class: str | None = None
    program: str | None = None
    class_paths: list[str] = field(default_factory=list)
    module_paths: list[str] = field(default_factory=list)
    args: str | list[str] = field(default_factory=list)
    vm_args: str | list[str] = field(default_factory=list)
    cwd: str | None = None
    env: dict[str, str | None] = field(default_factory=dict)
    env_file: str | list[str] = field(default_factory=list)
    """`.env` files; `env` comes before them, later files before earlier ones."""
    shorten_command_line: Literal["auto", "none", "argfile", "jarmanifest"] = "auto"
    stop_on_entry: bool = False
    console: Literal["internalConsole", "integratedTerminal", "externalTerminal"] = (
        "internalConsole"
    )
    java_exec: str | None = None
    encoding: str | None = None
    agent: Literal["auto", "jvmdebug", "stock"] = "auto"
    mode: Literal["auto", "full", "fast"] = "auto"
    virtual_threads: bool = False
    project: str | None = None
    build: Literal["auto", "always", "never"] = "auto"
    test: list[str] = field(default_factory=list)
    """Tests of the project to run in place of a class; one may be written as a string."""
    no_debug: bool = False

    @property
    def has_view_of_tests(self) -> bool:
        """Whether the client shows results of tests, and why they do not start, by itself."""
        return "__testRun" in self.other_attributes

    @classmethod
    def prepared(cls, given: dict[str, Json]) -> dict[str, Json]:
        found = super().prepared(given)
        if isinstance(test := found.get("test"), str):
            found["test"] = [test]
        return found

    def check(self) -> None:
        if self.encoding is not None:
            try:
                codecs.lookup(self.encoding)
            except LookupError:
                text = "should be the name of a known encoding, for example UTF-8"
                raise msgspec.ValidationError(f"{text} - at `$.encoding`") from None


class AttachArguments(Configuration, frozen=True, kw_only=True):
    host_name: str = "localhost"
    port: int | str
    process_id: int | str | None = None
    """Instead of a port: a JVM of this machine."""
    class_paths: list[str] = field(default_factory=list)
    timeout: float = 30_000
    take_over: bool = False

    @classmethod
    def prepared(cls, given: dict[str, Json]) -> dict[str, Json]:
        """A process id needs no port, nor does `"hostName": "unix:PATH"`, a UNIX-domain socket."""
        found = super().prepared(given)
        if "processId" in found or str(found.get("hostName")).startswith("unix:"):
            found["port"] = 1
        return found

    def check(self) -> None:
        if not str(self.port).isdecimal() or not 0 < int(self.port) < 65536:
            text = "should be a TCP port from 1 to 65535 - at `$.port`"
            raise msgspec.ValidationError(text)
