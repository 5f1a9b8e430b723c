# SPDX-License-Identifier: Apache-2.0
"""What all classes of one class file have in common: source, source map, methods and their lines.

A program may load a class file again and again, each time by another class loader, and with a
breakpoint in it waits for the debugger each time. Our agent sends all of it in one reply, which is
read once for all these classes. Called by `reference_type`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from jvmdebug.classfile import LineTable
from jvmdebug.jdwp.generated import agent as agent_set
from jvmdebug.jdwp.generated.method import LineTableReply
from jvmdebug.jdwp.generated.reference_type import MethodsWithGenericReply
from jvmdebug.model.method import KnownCode, Method
from jvmdebug.model.recent import Recent

if TYPE_CHECKING:
    from jvmdebug.jdwp.connection import Connection
    from jvmdebug.jdwp.ids import MethodId, ReferenceTypeId
    from jvmdebug.model.lifetimes import Memo
    from jvmdebug.model.reference_type import ReferenceType

_MOST: Final = 200
_Content: TypeAlias = tuple[str, str, bytes, tuple[bytes, ...], tuple[bytes, ...], int]


class DeclaredMethod(Protocol):
    """A method as the VM describes it."""

    @property
    def name(self) -> str: ...
    @property
    def signature(self) -> str: ...
    @property
    def generic_signature(self) -> str: ...
    @property
    def modifiers(self) -> int: ...


@dataclass(frozen=True, slots=True)
class ClassOutline:
    """The methods of a class file, each with its line table, and its source. The code is there of
    methods in which a line begins several times, else empty.
    """

    source_file: str | None
    source_map: str | None
    methods: tuple[DeclaredMethod, ...]
    line_tables: tuple[LineTable, ...]
    codes: tuple[bytes, ...]
    derived: tuple[dict[str, object], ...] = field(compare=False)
    """What was found out about the code of each method; it is equal in all classes."""


async def outlined_methods(type_: ReferenceType, facts: Memo) -> tuple[Method, ...]:
    """The methods of a type, with their lines. Notes in `facts` what else came with them."""
    outlines = type_.vm.companion(_ClassOutlines)
    outline, ids = await outlines.request(type_.vm.connection, type_.id)
    facts.put("source_file", outline.source_file)
    facts.put("source_debug_extension", outline.source_map)
    return tuple(
        Method(
            type_,
            method_id,
            each.name,
            each.signature,
            each.generic_signature or None,
            each.modifiers,
            known=KnownCode(lines, code, derived) if code else KnownCode(lines),
        )
        for method_id, each, lines, code, derived in zip(
            ids,
            outline.methods,
            outline.line_tables,
            outline.codes,
            outline.derived,
            strict=True,
        )
    )


class _ClassOutlines:
    """The outlines of the class files that were loaded last in one VM."""

    def __init__(self) -> None:
        self._known: Recent[_Content, ClassOutline] = Recent(_MOST)

    async def request(
        self, connection: Connection, type_id: ReferenceTypeId
    ) -> tuple[ClassOutline, tuple[MethodId, ...]]:
        """The outline of a class, and the ids that its methods have in this class. Only our agent
        knows the command.
        """
        reply = await connection.request(agent_set.ClassOutline(type_id))
        lines = tuple(each.lines for each in reply.methods)
        codes = tuple(each.code for each in reply.methods)
        content = reply.source_file, reply.source_map, reply.declared, lines, codes, reply.constants
        outline = self._known.get(content, lambda: _read(connection, *content))
        return outline, tuple(each.id for each in reply.methods)

    async def close(self) -> None:
        """There is nothing to end."""


def _read(
    connection: Connection,
    source_file: str,
    source_map: str,
    declared: bytes,
    lines: tuple[bytes, ...],
    codes: tuple[bytes, ...],
    _: int,
) -> ClassOutline:
    methods = connection.decoded(MethodsWithGenericReply, declared).methods
    tables = [connection.decoded(LineTableReply, each).lines if each else () for each in lines]
    return ClassOutline(
        source_file=source_file or None,
        source_map=source_map or None,
        methods=methods,
        line_tables=tuple(
            LineTable(tuple(sorted((each.index, each.line) for each in table))) for table in tables
        ),
        codes=codes,
        derived=tuple({} for _ in codes),
    )
