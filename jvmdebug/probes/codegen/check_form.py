# SPDX-License-Identifier: Apache-2.0
"""The form of a check before it is made, and the class that comes of it. See `check`."""

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
    """The static fields in which it keeps something; None if no other check can take them over. A
    check that keeps the same fields can replace it and go on with their objects, if it is given the
    same: see `given_later`.
    """
    format: LogFormat | None = None
    """The format of the records that it writes, if it writes any."""
    given: tuple[Given, ...] = ()
    """What its class requests from the agent while it is initialized."""
    leaves: frozenset[Method] = frozenset()
    """The methods that it calls without a guard, because their code only computes."""


@dataclass(frozen=True, slots=True)
class CheckForm:
    """The form of a check."""

    has_this: bool = True
    """Whether `this` is an argument."""
    stays: bool = False
    """Whether it hands its arguments over where it holds, and the thread stays inside it."""
    has_log: bool = False
    """Whether a check that writes a log message may replace it."""
    is_watched: Callable[[Method], bool] = lambda _: False
    """Whether there is a breakpoint in a method; then calls of it need a guard."""
    leaves_it_open: bool = False
    """Whether the debugger has to decide where it holds."""
    only: HitFilter = EVERY_HIT
    only_thread: int | None = None
    """The only thread in which it holds, by its Java id; NEVER for none."""
    later: tuple[bound.Bound, ...] = ()
    """What a check that replaces it will evaluate; this one is given the objects for that."""
    written: Written | WrittenLocal | None = None
    """The field or variable that the instruction writes, for a watch of it."""
