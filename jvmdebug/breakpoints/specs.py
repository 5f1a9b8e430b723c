# SPDX-License-Identifier: Apache-2.0
"""What a breakpoint was asked for, as frozen values: where, and with which options.

Owns no VM object and nothing that changes: `Breakpoint` holds one of these and what became of it.
Adding a kind: (1) its dataclass with `__str__` and `class_patterns`, (2) its case in `arming`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Suspend: TypeAlias = Literal["all", "thread"]
"""Which threads a hit suspends."""


@dataclass(frozen=True, slots=True)
class SourceLineSpec:
    """A line of a source file: every type whose debug tables name that file and line."""

    source: str
    """A path, absolute or with as many leading directories as wanted: `shop/Cart.java`."""
    line: int

    def __str__(self) -> str:
        return f"{self.source}:{self.line}"


@dataclass(frozen=True, slots=True)
class TypeLineSpec:
    """A line in the source of a type and of the types nested in it."""

    type_name: str
    line: int

    def __str__(self) -> str:
        return f"{self.type_name}:{self.line}"


@dataclass(frozen=True, slots=True)
class MethodSpec:
    """The entry of a method; all overloads unless parameter types are given."""

    type_name: str
    """`shop.Cart`, `shop.Cart$Item`; `*` at the start or the end matches anything."""
    method_name: str
    """`add`, `<init>`"""
    parameter_types: tuple[str, ...] | None = None
    """Java names, `int`, `java.lang.String`, or simple names, `String`."""

    def __str__(self) -> str:
        types = "" if self.parameter_types is None else f"({','.join(self.parameter_types)})"
        return f"{self.type_name}#{self.method_name}{types}"


@dataclass(frozen=True, slots=True)
class ExceptionSpec:
    """The throwing of an exception of a type or of a subtype."""

    type_name: str = "java.lang.Throwable"
    caught: bool = True
    uncaught: bool = True

    def __str__(self) -> str:
        which = {(True, True): "", (True, False): " caught", (False, True): " uncaught"}
        return self.type_name + which.get((self.caught, self.uncaught), " never")


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """Reading or writing of a field, static or of any instance."""

    type_name: str
    field_name: str
    read: bool = False
    write: bool = True

    def __str__(self) -> str:
        which = " ".join(w for w, on in (("read", self.read), ("write", self.write)) if on)
        return f"{self.type_name}.{self.field_name} {which}".rstrip()


BreakpointSpec: TypeAlias = SourceLineSpec | TypeLineSpec | MethodSpec | ExceptionSpec | FieldSpec


@dataclass(frozen=True, slots=True)
class LineRequest:
    """One wanted breakpoint of a source file, for `Session.set_source_breakpoints`."""

    line: int
    condition: str | None = None
    hit_condition: str | None = None
    log_message: str | None = None
    suspend: Suspend | None = None


@dataclass(frozen=True, slots=True)
class MethodRequest:
    """One wanted function breakpoint, for `Session.set_function_breakpoints`."""

    method: str
    """`shop.Cart#add`, `shop.Cart#add(int,java.lang.String)`; `shop.Cart.add` is taken too."""
    condition: str | None = None
    hit_condition: str | None = None
    suspend: Suspend | None = None


@dataclass(frozen=True, slots=True)
class ExceptionRequest:
    """One wanted exception breakpoint, for `Session.set_exception_breakpoints`."""

    type_name: str = "java.lang.Throwable"
    caught: bool = True
    uncaught: bool = True
    condition: str | None = None
    suspend: Suspend | None = None
