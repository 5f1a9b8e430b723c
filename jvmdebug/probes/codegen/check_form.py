# SPDX-License-Identifier: Apache-2.0
"""How a check is made, and what comes of it. See `check`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmdebug.probes.question import EVERY_HIT, HitFilter

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmdebug.evaluator.bind import bound
    from jvmdebug.model.method import Method
    from jvmdebug.probes.codegen.given import Given
    from jvmdebug.probes.codegen.loads import Load
    from jvmdebug.probes.codegen.log_code import LogFormat
    from jvmdebug.probes.codegen.written_code import Written
    from jvmdebug.probes.codegen.written_local import WrittenLocal


@dataclass(frozen=True, slots=True)
class Check:
    """A class to install."""

    name: str
    number: int
    class_file: bytes
    descriptor: str
    loads: tuple[Load, ...]
    calls_methods: bool
    keeps: frozenset[str] | None
    """The static fields in which it keeps something; None if they are its own. Another that keeps
    the same can take its place, and goes on with it, if it is given the same: see `given_later`.
    """
    format: LogFormat | None = None
    """Of the records that it writes, if it does."""
    given: tuple[Given, ...] = ()
    """What its class asks for while it is initialized."""
    leaves: frozenset[Method] = frozenset()
    """What it calls without a guard, as their code only computes."""


@dataclass(frozen=True, slots=True)
class CheckForm:
    """How a check is made."""

    has_this: bool = True
    """Whether `this` is an argument."""
    stays: bool = False
    """Where it holds it hands its arguments over, and the thread stays inside it."""
    has_log: bool = False
    """One that writes a log message may take its place."""
    is_watched: Callable[[Method], bool] = lambda _: False
    """Whether there is a breakpoint in a method: what it calls is guarded then."""
    leaves_it_open: bool = False
    """Where it holds, the debugger has to look."""
    only: HitFilter = EVERY_HIT
    only_thread: int | None = None
    """Holds in the thread with this id of Java only; NEVER: in none."""
    later: tuple[bound.Bound, ...] = ()
    """What one that takes its place will evaluate: this one is given what that needs."""
    written: Written | WrittenLocal | None = None
    """The field or variable that the instruction writes, for a watch of it."""
