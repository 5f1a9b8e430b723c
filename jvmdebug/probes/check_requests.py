# SPDX-License-Identifier: Apache-2.0
"""The requests to the agent for a check: to install it, or to put it in place of another one, in
all frames at once. Called by `probe`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.jdwp.generated import probes as wire
from jvmdebug.probes.codegen.handles import given_later, places_taken, to_wire

if TYPE_CHECKING:
    from jvmdebug.jdwp.ids import RequestId
    from jvmdebug.probes.codegen.check_form import Check


def install(
    request_id: RequestId, check: Check, shares: int, *, writes_log: bool, waits: bool
) -> wire.Install:
    """Request the installation of a check. `shares`: see `SharedCounts`. `waits`: the check is put
    in later, together with others.
    """
    return wire.Install(
        request_id=int(request_id),
        number=check.number,
        name=check.name,
        descriptor=check.descriptor,
        class_file=check.class_file,
        loads=tuple(wire.Install.Load(ord(each.kind), each.slot) for each in check.loads),
        calls_methods=check.calls_methods,
        writes_log=writes_log,
        deferred=waits,
        shares=shares,
        given=tuple(to_wire(each, wire.Install.Given) for each in check.given),
        companions=(),
    )


def change_to(request_id: RequestId, old: Check, check: Check) -> wire.Change | None:
    """The request that puts `check` in place of `old`. None unless it can go on with what `old`
    keeps.
    """
    later = given_later(old.given, check.given)
    goes_on = old.keeps == check.keeps is not None and old.descriptor == check.descriptor
    if later is None or not goes_on:
        return None
    return wire.Change(
        request_id=int(request_id),
        class_file=check.class_file,
        calls_methods=check.calls_methods,
        kept=places_taken(check.given, later),
        given=tuple(to_wire(each, wire.Change.Given) for each in later),
    )
