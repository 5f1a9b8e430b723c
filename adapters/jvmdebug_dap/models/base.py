# SPDX-License-Identifier: Apache-2.0
"""The base of every DAP model: camelCase on the wire, snake_case in the code.

Incoming values are validated strictly ("5" is not a number), but unknown attributes are accepted,
as the protocol asks; outgoing bodies omit attributes that are None.
"""

from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

# What JSON can hold. Any, because pydantic reads a recursive alias an order of magnitude slower.
Json = Any
# The protocol counts in 32 bits; a greater number would fail somewhere deeper, less clearly.
Integer = Annotated[int, Field(ge=-(2**31), le=2**31 - 1)]

IRREGULAR: Final = {
    "adapter_id": "adapterID",
    "client_id": "clientID",
    "supports_ansi_styling": "supportsANSIStyling",
    "restart_data": "__restart",
    "menu_context": "__vscodeVariableMenuContext",
}


def wire_name(field: str) -> str:
    return IRREGULAR.get(field) or to_camel(field)


class Model(BaseModel):
    """A DAP object: created by pydantic's validation, serialized by `to_wire`."""

    model_config = ConfigDict(
        strict=True,
        alias_generator=wire_name,
        populate_by_name=True,
        extra="ignore",
        frozen=True,
        defer_build=True,  # until it is first used: an editor sends a third of the requests
    )

    def to_wire(self) -> dict[str, Json]:
        wire: dict[str, Json] = self.model_dump(by_alias=True, exclude_none=True)
        for name, field in type(self).model_fields.items():
            if field.is_required() and getattr(self, name) is None:
                wire[field.alias or name] = None  # null says something there: no `dataId`
        return wire


class NoArguments(Model):
    """The model of requests without arguments, or with arguments that are ignored."""
