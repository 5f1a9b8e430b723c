# SPDX-License-Identifier: Apache-2.0
"""Instructions and their addresses, in DAP's form."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from jvmdebug_dap.convert.frames import source_file
from jvmdebug_dap.errors import ErrorId, RequestError
from jvmdebug_dap.models.generated.types import DisassembledInstruction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug import CodeLine, SourceFile
    from jvmdebug_dap.session import AdapterSession


def address_text(address: int) -> str:
    """An address as editors parse it; before the first instruction it is 0."""
    return f"{max(address, 0):#x}"


def address_of(text: str, argument: str) -> int:
    """Parse an address, `0x100004` or decimal. Raises RequestError."""
    try:
        address = int(text, 0)
    except ValueError:
        address = -1
    if address < 0:
        wrong = f"arguments.{argument}: {text!r} is not an address that was given out (0x100004)"
        raise RequestError(ErrorId.ILL_FORMED, wrong)
    return address


async def instructions(
    session: AdapterSession,
    address: int,
    found: Sequence[tuple[int, CodeLine] | None],
    *,
    with_symbols: bool,
) -> list[DisassembledInstruction]:
    """The instructions, with the method's name where one begins and the source where a line does.

    Positions outside of the class have no code, but an address each, which editors need.
    """
    known = [each for each in found if each is not None]
    sources = await _sources(session, [line for _, line in known])
    shown: list[DisassembledInstruction] = []
    at = known[0][0] - found.index(known[0]) if known else address
    place: tuple[SourceFile | None, int | None] = (None, None)
    for each in found:
        if each is None:
            shown.append(
                DisassembledInstruction(
                    address=address_text(at), instruction="", presentation_hint="invalid"
                )
            )
            at += 1
            continue
        at, line = each
        method = line.location.method
        source = sources.get(line.location.type.name)
        is_new = source is not None and line.line is not None and place != (source, line.line)
        place = (source, line.line)
        shown.append(
            DisassembledInstruction(
                address=address_text(at),
                instruction_bytes=line.code.hex(" "),
                instruction=line.text,
                symbol=str(method) if with_symbols and line.location.index == 0 else None,
                location=source_file(session, source) if is_new and source is not None else None,
                line=session.positions.to_client_line(line.line) if is_new else None,
            )
        )
        at += len(line.code)
    return shown


async def _sources(
    session: AdapterSession, lines: Sequence[CodeLine]
) -> dict[str, SourceFile | None]:
    """The source file of each class; the instructions are of one class in practice."""
    types = {line.location.type.name: line.location.type for line in lines}
    paths = await asyncio.gather(*(session.core.code.source_path(each) for each in types.values()))
    found = await asyncio.gather(*(session.core.find_source(path) for path in paths))
    return dict(zip(types, found, strict=True))
