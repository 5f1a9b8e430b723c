# SPDX-License-Identifier: Apache-2.0
"""The base of every DAP model: camelCase on the wire, snake_case in the code.

Incoming values are validated strictly ("5" is not a number), but unknown attributes are accepted,
as the protocol asks; outgoing bodies omit attributes that have their default, which is None. What
is wrong with incoming values is told by `mistakes`.
"""

from typing import Annotated, Any, Final, Self

import msgspec

# What JSON can hold.
Json = Any
# The protocol counts in 32 bits; a greater number would fail somewhere deeper, less clearly.
Integer = Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31 - 1)]

IRREGULAR: Final = {
    "adapter_id": "adapterID",
    "client_id": "clientID",
    "supports_ansi_styling": "supportsANSIStyling",
    "restart_data": "__restart",
    "other_attributes": "__otherAttributes",
}


def wire_name(field: str) -> str:
    head, *words = field.split("_")
    return IRREGULAR.get(field) or head + "".join(map(str.capitalize, words))


class Model(msgspec.Struct, frozen=True, rename=wire_name, omit_defaults=True):
    """A DAP object: made from a message by `from_wire`, and sent as `to_wire` gives it."""

    @classmethod
    def from_wire(cls, given: dict[str, Json]) -> Self:
        """The object that `given` describes. Raises msgspec.ValidationError."""
        return msgspec.convert(given, cls)

    def to_wire(self) -> dict[str, Json]:
        wire: dict[str, Json] = msgspec.to_builtins(self)
        return wire

    def with_changes(self, **changes: Json) -> Self:
        """A copy with other values for some fields."""
        return msgspec.structs.replace(self, **changes)
