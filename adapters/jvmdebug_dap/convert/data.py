# SPDX-License-Identifier: Apache-2.0
"""Converts watched fields between the core's targets and the `dataId`s that the client keeps.

`shop.Cart.total` is the field in every object, and `shop.Cart#add(int).sum` a local variable of a
method, valid in any session. `shop.Cart.total@7` is the field of one object, and `[*]@8` are
elements of an array, valid in this session. A `!thread` at the end is the breakpoint mode.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import jvmdebug
from jvmdebug_dap.convert.breakpoints import EVERY_OBJECT, suspended_by

if TYPE_CHECKING:
    from jvmdebug import DataTarget, Suspend
    from jvmdebug_dap.models.generated.types import DataBreakpoint
    from jvmdebug_dap.references import Numbering


def data_id(target: DataTarget, mode: str | None, watched: Numbering[DataTarget]) -> str:
    """The id by which the client refers to this field."""
    suspend = suspended_by(mode)
    if mode == EVERY_OBJECT:
        target = target.of_all_instances
    what, one = str(target), ""
    if target.array is not None:  # whose name may be any expression
        what, one = what[len(target.field_name) :], f"@{watched.number(target)}"
    elif target.instance is not None:
        one = f"@{watched.number(target)}"
    return f"{what}{one}{'' if suspend is None else f'!{suspend}'}"


def data_request(
    asked: DataBreakpoint, watched: Numbering[DataTarget]
) -> jvmdebug.BreakpointRequest:
    """The core's request for a watch; with an error if the id is not valid."""
    field, _, mode = asked.data_id.partition("!")
    suspend: Suspend | None = "thread" if mode == "thread" else "all" if mode == "all" else None
    options = jvmdebug.BreakpointOptions(
        asked.condition or None, asked.hit_condition or None, suspend=suspend
    )
    if "#" in field:
        request = jvmdebug.BreakpointRequest.of_local(field, options)
        if asked.access_type not in (None, "write"):
            return replace(request, error="of a local variable only writing can be watched")
        return request
    name, at, number = field.partition("@")
    target = watched.item(int(number)) if number.isdecimal() else None
    if name.startswith("["):
        return _of_elements(asked, target, options)
    type_name, dot, field_name = name.rpartition(".")
    error = None
    if not dot or mode not in ("", "all", "thread"):
        error = f"{asked.data_id!r} is no data id: dataBreakpointInfo gives them"
    elif at and target is None:
        error = f"the object whose {field_name} was watched is not known in this session"
    access = asked.access_type or "write"
    spec = jvmdebug.FieldSpec(
        type_name,
        field_name,
        read=access != "write",
        write=access != "read",
        instance=None if target is None else target.instance,
    )
    return jvmdebug.BreakpointRequest(spec, options, error)


def _of_elements(
    asked: DataBreakpoint, target: DataTarget | None, options: jvmdebug.BreakpointOptions
) -> jvmdebug.BreakpointRequest:
    if target is None or target.array is None:
        error = "the array whose elements were watched is not known in this session"
        return jvmdebug.BreakpointRequest(jvmdebug.FieldSpec("", asked.data_id), options, error)
    spec = jvmdebug.ElementSpec(target.array, target.type_name, target.field_name, target.index)
    if asked.access_type in (None, "write"):
        return jvmdebug.BreakpointRequest(spec, options)
    error = "of elements of an array only writing can be watched"
    return jvmdebug.BreakpointRequest(spec, options, error)
