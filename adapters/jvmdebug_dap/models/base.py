# SPDX-License-Identifier: Apache-2.0
"""The base of every DAP model: camelCase on the wire, snake_case in the code.

Incoming values are checked strictly ("5" is not a number) but unknown attributes are let through,
as the protocol asks; outgoing bodies leave out what is None.
"""

from typing import Any, Final

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

# What JSON can hold. Any, because pydantic reads a recursive alias an order of magnitude slower.
Json = Any

IRREGULAR: Final = {
    "supports_ansi_styling": "supportsANSIStyling",
    "restart_data": "__restart",
}


def wire_name(field: str) -> str:
    return IRREGULAR.get(field) or to_camel(field)


class Model(BaseModel):
    """A DAP object. `to_wire` is the only way out, pydantic's validation the only way in."""

    model_config = ConfigDict(
        strict=True,
        alias_generator=wire_name,
        populate_by_name=True,
        extra="ignore",
        frozen=True,
    )

    def to_wire(self) -> dict[str, Json]:
        return self.model_dump(by_alias=True, exclude_none=True)
