# SPDX-License-Identifier: Apache-2.0
"""Variables and scopes of the stub program (see stub_core)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import jvmdebug
from jvmdebug import errors

if TYPE_CHECKING:
    from tests.support.stub_core import StubFrame, StubStop


@dataclass(eq=False)
class StubVariable:
    name: str
    stop: StubStop
    shown: str = "1"
    declared_type: str = "int"
    inside: list[StubVariable] = field(default_factory=list)
    elements: int = 0
    other: list[StubVariable] = field(default_factory=list)
    kind: jvmdebug.VariableKind = jvmdebug.VariableKind.LOCAL
    can_be_set: bool = True
    is_argument: bool = False
    is_static: bool = False
    is_final: bool = False
    visibility: str | None = None

    @property
    def evaluate_name(self) -> str:
        return self.name

    async def type_name(self) -> str:
        return self.declared_type

    async def as_text(
        self,
        *,
        max_length: int | None = None,
        in_hex: bool | None = None,
        plans_later: bool = False,
    ) -> str:
        del plans_later
        shown = f"0x{int(self.shown):x}" if in_hex and self.shown.isdecimal() else self.shown
        return shown[:max_length]

    async def full_text(self, *, in_hex: bool | None = None) -> str:
        del in_hex
        return self.shown.strip('"')

    async def child_count(self) -> int:
        return self.elements or len(self.inside)

    async def is_indexed(self) -> bool:
        return self.elements > 0

    async def children(
        self, start: int = 0, count: int | None = None, *, raw: bool = False
    ) -> list[StubVariable]:
        del raw
        end = None if count is None else start + count
        if not self.elements:
            return self.inside[start:end]
        places = range(self.elements)[start:end]
        return [StubVariable(f"[{place}]", self.stop, str(place)) for place in places]

    may_be_declared: bool = True

    async def declaration(self) -> jvmdebug.Definition | None:
        if self.name == "nowhere":
            return None
        return jvmdebug.Definition(cast("Any", self.stop.session.archive), 2)

    async def memory(self) -> None:
        return None

    async def has_definition(self) -> bool:
        return False

    async def has_views(self) -> bool:
        return bool(self.other)

    async def views(self) -> list[StubVariable]:
        return self.other

    async def call(self) -> StubVariable:
        self.stop.session.calls.append(("call", self.name))
        return StubVariable(self.name, self.stop, '"called"', "java.lang.String")

    async def set(self, text: str, *, deadline_s: float) -> StubVariable:
        assert deadline_s > 0
        if text == "wrong":
            raise errors.EvaluationError("there is no variable `wrong`", 0)
        self.stop.session.calls.append(("set", self.name, text))
        self.shown = text
        return self


@dataclass(eq=False)
class StubScope:
    frame: StubFrame
    kind: jvmdebug.ScopeKind
    name: str
    shown: list[StubVariable]

    async def variables(self) -> list[StubVariable]:
        return self.shown
