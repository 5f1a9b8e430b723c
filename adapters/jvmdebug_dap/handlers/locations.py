# SPDX-License-Identifier: Apache-2.0
"""Tells where things are declared: locations."""

from jvmdebug_dap.convert import locations as convert
from jvmdebug_dap.errors import ErrorId, RequestError
from jvmdebug_dap.lanes import Lane
from jvmdebug_dap.models.generated.arguments import LocationsArguments
from jvmdebug_dap.models.generated.bodies import LocationsBody
from jvmdebug_dap.references import DeclarationOf
from jvmdebug_dap.requests import request
from jvmdebug_dap.session import AdapterSession
from jvmdebug_dap.states import STOPPED


@request("locations", when=STOPPED, lane=Lane.CALL, progress="Looking for the declaration")
async def locations(session: AdapterSession, arguments: LocationsArguments) -> LocationsBody:
    """Resolves a location reference of a variable or a value."""
    place = session.references.place(arguments.location_reference)
    variable = place.variable
    if isinstance(place, DeclarationOf):
        found = await variable.declaration()
    else:
        found = await variable.definition()
    if found is None:
        text = f"no source that was found declares `{variable.name}`"
        raise RequestError(ErrorId.NOT_POSSIBLE, text)
    return convert.body(session, found)
