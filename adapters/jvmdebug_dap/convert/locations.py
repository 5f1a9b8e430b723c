# SPDX-License-Identifier: Apache-2.0
"""Location references of variables and of their values, and the locations themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jvmdebug
from jvmdebug_dap.convert.frames import listing, source_file
from jvmdebug_dap.models.generated.bodies import LocationsBody
from jvmdebug_dap.references import DeclarationOf, DefinitionOf

if TYPE_CHECKING:
    from jvmdebug import Definition, Variable
    from jvmdebug_dap.session import AdapterSession


def declaration_reference(session: AdapterSession, variable: Variable) -> int | None:
    """Only if the declaration is likely to be found; does not ask the VM."""
    if not variable.may_be_declared:
        return None
    return session.references.add_place(DeclarationOf(variable))


async def value_reference(session: AdapterSession, variable: Variable) -> int | None:
    if not await variable.has_definition():
        return None
    return session.references.add_place(DefinitionOf(variable))


def body(session: AdapterSession, found: Definition) -> LocationsBody:
    if isinstance(found.source, jvmdebug.ClassListing):
        source = listing(session, found.source)
    else:
        source = source_file(session, found.source)
    return LocationsBody(source=source, line=session.positions.to_client_line(found.line))
