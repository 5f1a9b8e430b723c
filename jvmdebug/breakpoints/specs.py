# SPDX-License-Identifier: Apache-2.0
"""The user's requests, as frozen values: a BreakpointRequest says where, and with which options.

Owns no VM object and nothing that changes: `Breakpoint` holds a request and what became of it.
Lines and methods are written as `jvmdebug.sources.spec` reads them. Adding a kind: (1) its
dataclass with `__str__`, in `BreakpointSpec`, (2) its `BreakpointKind`, (3) its case in `resolver`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, Protocol, TypeAlias

from jvmdebug.errors import BreakpointError
from jvmdebug.sources import (
    InstructionSpec,
    LineSpec,
    MethodSpec,
    parse_function,
    parse_method,
    parse_spec,
)

if TYPE_CHECKING:
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.values import ArrayReference, ObjectReference
    from jvmdebug.sources import ClassListing

Suspend: TypeAlias = Literal["all", "thread"]
"""The threads that a hit suspends."""

THROWABLE: Final = "java.lang.Throwable"


@dataclass(frozen=True, slots=True)
class ExceptionSpec:
    """The throwing of an exception of certain types or of their subtypes.

    `type_name` is a name or a pattern, or several with commas between them; those with `!` before
    are left out: `com.acme.*, !com.acme.ExpectedException`.
    """

    type_name: str = THROWABLE
    caught: bool = True
    uncaught: bool = True

    @property
    def included(self) -> tuple[str, ...]:
        """The names and patterns of exceptions that are included."""
        return tuple(each for each in self._names if not each.startswith("!")) or (THROWABLE,)

    @property
    def names_none(self) -> bool:
        """Whether it is for all exceptions, except those that are excluded."""
        return self.included == (THROWABLE,)

    @property
    def excluded(self) -> tuple[str, ...]:
        """The names and patterns of exceptions that are excluded, with their subtypes."""
        return tuple(each[1:].strip() for each in self._names if each.startswith("!"))

    @property
    def _names(self) -> tuple[str, ...]:
        return tuple(each.strip() for each in self.type_name.split(",") if each.strip())

    def __str__(self) -> str:
        which = {(True, True): "", (True, False): " caught", (False, True): " uncaught"}
        return self.type_name + which.get((self.caught, self.uncaught), " never")


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """The reading or writing of a field, static or of any object."""

    type_name: str
    field_name: str
    read: bool = False
    write: bool = True
    instance: ObjectReference | None = None
    """The only object whose field counts; None for every object, and always for a static field."""

    def __str__(self) -> str:
        which = " ".join(w for w, on in (("read", self.read), ("write", self.write)) if on)
        one = "" if self.instance is None else f" of object @{self.instance.id:x}"
        return f"{self.type_name}.{self.field_name} {which}{one}".rstrip()


@dataclass(frozen=True, slots=True)
class FieldStoreSpec:
    """The instructions that write a field, which the program checks in place of the VM's watch."""

    field: FieldSpec

    def __str__(self) -> str:
        return str(self.field)


@dataclass(frozen=True, slots=True)
class LocalSpec:
    """The writing of a local variable by its method, in any thread and frame."""

    method: MethodSpec
    variable: str
    """The name of the variable; each variable of the method with that name is meant."""

    def __str__(self) -> str:
        return f"{self.method}.{self.variable} write"


@dataclass(frozen=True, slots=True)
class ElementSpec:
    """The storing into one array, by code that is not the JDK's."""

    array: ArrayReference
    signature: str
    """The descriptor of the array: `[I`."""
    name: str
    """The expression by which it was named: `prices`."""
    index: int | None = None
    """The only element that counts; None for every element."""

    def __str__(self) -> str:
        which = "*" if self.index is None else self.index
        return f"{self.name}[{which}] write of array @{self.array.id:x}"


@dataclass(frozen=True, slots=True)
class AllocationSpec:
    """The allocation of objects of a class by certain methods."""

    type_name: str
    """The class of the objects, exactly: `shop.Cart`, `byte[]`; or a pattern with `*`."""
    at: MethodSpec

    def __str__(self) -> str:
        return f"new {self.type_name} in {self.at}"


BreakpointSpec: TypeAlias = (
    LineSpec
    | MethodSpec
    | InstructionSpec
    | ExceptionSpec
    | FieldSpec
    | LocalSpec
    | ElementSpec
    | AllocationSpec
)

_LOCAL: Final = re.compile(r"([^#]+#[^#(]+(?:\([^)]*\))?)\.([^.()#]+)")


def parse_field(text: str) -> tuple[str, str]:
    """The type and the field of `shop.Cart.total`; `shop.Cart#total` is taken too."""
    type_name, dot, field_name = text.strip().replace("#", ".").rpartition(".")
    if not dot or not field_name.replace("$", "_").isidentifier():
        raise BreakpointError(f"{text!r} is not a field: write shop.Cart.total")
    return type_name, field_name


def parse_local(text: str) -> LocalSpec | None:
    """The method and the variable of `shop.Cart#add.total`, `shop.Cart#add(int).total`. None for a
    text of another form.
    """
    found = _LOCAL.fullmatch(text.strip())
    return None if found is None else LocalSpec(parse_method(found[1]), found[2])


class Trigger(Protocol):
    """A breakpoint after which another one counts."""

    was_reached: bool
    is_removed: bool

    @property
    def log_message(self) -> str | None:
        """The message that it logs in place of stopping; None if it stops."""


@dataclass(frozen=True, slots=True)
class BreakpointOptions:
    """All options of a breakpoint; its location is in the spec."""

    condition: str | None = None
    hit_condition: str | None = None
    log_message: str | None = None
    once: bool = False
    suspend: Suspend | None = None
    after: Trigger | None = None
    """The breakpoint that has to stop or log before; hits until then are not counted."""
    only_thread: Thread | None = None
    """The only thread whose hits count."""
    only_object: ObjectReference | None = None
    """The only object in whose methods hits count."""


@dataclass(frozen=True, slots=True)
class BreakpointRequest:
    """One breakpoint as the user requests it, for `session.breakpoints.replace`."""

    spec: BreakpointSpec
    options: BreakpointOptions = BreakpointOptions()
    error: str | None = None
    """Why it cannot work, if that is known before the VM is asked."""

    @classmethod
    def of_method(cls, text: str, options: BreakpointOptions) -> BreakpointRequest:
        """`shop.Cart#add`, `shop.Cart.add(int)`, `add`; with an `error` for a text that is none."""
        try:
            return cls(parse_function(text), options)
        except BreakpointError as error:
            return cls(MethodSpec("", text), options, str(error))

    @classmethod
    def of_local(cls, text: str, options: BreakpointOptions) -> BreakpointRequest:
        """`shop.Cart#add.sum`; with an `error` for a text that is no local variable."""
        try:
            spec = parse_local(text)
        except BreakpointError as error:
            return cls(MethodSpec("", text), options, str(error))
        if spec is not None:
            return cls(spec, options)
        message = f"{text!r} is no local variable: write shop.Cart#add.sum"
        return cls(MethodSpec("", text), options, message)

    @classmethod
    def of_instruction(cls, text: str, options: BreakpointOptions) -> BreakpointRequest:
        """`shop.Cart#add#12`; with an `error` for a text that is no instruction."""
        try:
            spec = parse_spec(text)
        except BreakpointError as error:
            return cls(InstructionSpec("", text, 0), options, str(error))
        if isinstance(spec, InstructionSpec):
            return cls(spec, options)
        return cls(spec, options, f"{text!r} is no instruction: write shop.Cart#add#12")

    @classmethod
    def in_listing(
        cls, listing: ClassListing, line: int, options: BreakpointOptions
    ) -> BreakpointRequest:
        """The instruction on a line of a class without source, or the next one behind it."""
        spec = listing.spec_at(line)
        if spec is not None:
            return cls(spec, options)
        error = f"no instruction at line {line} or behind it"
        return cls(LineSpec(line, path=listing.path), options, error)
