# SPDX-License-Identifier: Apache-2.0
"""Disassembly of a real class, compared with what the JDK's javap makes of its class file."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.support.debuggees import debuggee
from tests.support.jdks import newest_compiler

if TYPE_CHECKING:
    from jvmdebug import ClassListing
    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

_Code = tuple[str, str]
_INSTRUCTION = re.compile(r"^\s+(?:=>|(?:\d+ )?\|)?\s*(\d+): (\S+)(.*)$")
_COMMENT = re.compile(r"\s*//.*$")


def _javap(program: Debuggee) -> str:
    javap = newest_compiler().home / "bin" / "javap"
    command = [str(javap), "-p", "-c", "-cp", str(program.class_path[0]), "evaluate.Overloads"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


async def _walk(session: jvmdebug.Session, listing: ClassListing, all_code: list[_Code]) -> None:
    """The instructions from every place in any direction are those of the whole class."""
    middle = listing.location_at(listing.lines[len(listing.lines) // 2])
    assert middle is not None
    address = await session.code.address_of(middle)
    assert address is not None
    assert await session.code.location_at(address) == middle
    at = len(listing.lines) // 2
    count = len(all_code)
    for offset, length in ((0, 1), (-3, 6), (-at - 2, count + 4), (5, 0), (count, 2), (-10, 3)):
        found = await session.code.lines(address, offset, length)
        assert len(found) == length
        wanted = [all_code[place] if 0 <= place < count else None
                  for place in range(at + offset, at + offset + length)]  # fmt: skip
        shown = [
            None if each is None else (str(each[1].location.index), each[1].text.split()[0])
            for each in found
        ]
        assert shown == wanted
    with pytest.raises(jvmdebug.SourceError, match="no code at the address 0x7"):
        await session.code.lines(7)
    with pytest.raises(jvmdebug.SourceError, match="no class Missing is loaded"):
        await session.code.listing("Missing")


async def test_a_class_reads_as_javap_shows_it(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = debuggee("evaluate", "evaluate.Main")
    expected = [_INSTRUCTION.match(each) for each in _javap(program).splitlines()]
    async with jvmdebug.launch(
        program.main_class, class_path=program.class_path, java=jdk.home, agent=agent_kind
    ) as session:
        source, line = program.marked("calls")
        await session.break_at(f"{source}:{line}")
        stop = await session.next_stop(timeout_s=30)
        assert stop is not None
        listing = await session.code.listing("evaluate.Overloads")
        lines = (await listing.as_text()).splitlines()
        found = [_INSTRUCTION.match(each) for each in lines]
        ours = [(each.group(1), each.group(2)) for each in found if each]
        theirs = [(each.group(1), each.group(2)) for each in expected if each]
        assert ours == theirs
        assert len(ours) > 20

        with_code = [number for number, each in enumerate(found, 1) if each]
        assert list(listing.lines) == with_code
        for number in with_code:
            location = listing.location_at(number)
            assert location is not None
            assert f" {location.index}: " in lines[number - 1]
            assert listing.line_of(location) == number
        assert listing.location_at(1) is None

        await _walk(session, listing, theirs)

        shown = await stop.frame.disassembly()
        (current,) = [each for each in shown.splitlines() if "=>" in each]
        assert _COMMENT.sub("", current).strip().startswith(f"=> {stop.frame.index:5}: ")
        assert "// text" in shown  # the variable that an aload uses
        assert "java.lang.String.substring(int) : java.lang.String" in shown
