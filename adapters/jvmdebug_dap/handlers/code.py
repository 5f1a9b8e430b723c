# SPDX-License-Identifier: Apache-2.0
"""The code itself: source and disassemble."""

import asyncio
from typing import Final

import jvmdebug
from jvmdebug_dap.convert import code as convert
from jvmdebug_dap.convert.frames import referred_source
from jvmdebug_dap.errors import ErrorId, RequestError
from jvmdebug_dap.lanes import Lane
from jvmdebug_dap.models.generated.arguments import DisassembleArguments, SourceArguments
from jvmdebug_dap.models.generated.bodies import DisassembleBody, SourceBody
from jvmdebug_dap.models.generated.types import Capabilities
from jvmdebug_dap.references import MissingSource
from jvmdebug_dap.requests import request
from jvmdebug_dap.session import AdapterSession
from jvmdebug_dap.states import LIVE

_MAX_INSTRUCTIONS: Final = 100_000


@request("source", when=LIVE, lane=Lane.ASK, progress="Reading the source")
async def source(session: AdapterSession, arguments: SourceArguments) -> SourceBody:
    """The text of a source in an archive, or of a disassembled class, by its reference."""
    reference = arguments.source_reference
    if not reference and arguments.source is not None:
        reference = arguments.source.source_reference or 0
    file = referred_source(session, reference)
    if isinstance(file, jvmdebug.ClassListing):
        return SourceBody(content=await file.as_text())
    if isinstance(file, MissingSource):
        return SourceBody(content=file.text, mime_type="text/x-java")
    text = await asyncio.to_thread(file.as_text)
    is_java = file.name.endswith(".java")
    return SourceBody(content=text, mime_type="text/x-java" if is_java else None)


@request(
    "disassemble",
    when=LIVE,
    lane=Lane.ASK,
    supports=Capabilities(supports_disassemble_request=True),
    progress="Disassembling",
)
async def disassemble(session: AdapterSession, arguments: DisassembleArguments) -> DisassembleBody:
    """The instructions around an `instructionPointerReference`, exactly as many as asked for."""
    count = arguments.instruction_count
    if not 0 <= count <= _MAX_INSTRUCTIONS:
        text = f"arguments.instructionCount: should be 0 to {_MAX_INSTRUCTIONS}, got {count}"
        raise RequestError(ErrorId.ILL_FORMED, text)
    address = convert.address_of(arguments.memory_reference, "memoryReference")
    address += arguments.offset or 0
    first = arguments.instruction_offset or 0
    found = await session.core.code.lines(address, first, count)
    return DisassembleBody(
        instructions=await convert.instructions(
            session, address, found, with_symbols=arguments.resolve_symbols is not False
        )
    )
