# SPDX-License-Identifier: Apache-2.0
"""Disassembly of a real class, compared with what the JDK's javap makes of its class file."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import jvmdebug
from jvmdebug.sources import class_text
from tests.support.debuggees import debuggee
from tests.support.jdks import newest_compiler

if TYPE_CHECKING:
    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

_INSTRUCTION = re.compile(r"^\s+(?:=>)?\s*(\d+): (\S+)(.*)$")
_COMMENT = re.compile(r"\s*//.*$")


def _javap(program: Debuggee) -> str:
    javap = newest_compiler().home / "bin" / "javap"
    command = [str(javap), "-p", "-c", "-cp", str(program.class_path[0]), "evaluate.Overloads"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


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
        (type_,) = await stop.vm.classes_by_signature("Levaluate/Overloads;")
        text = await class_text(type_)
        found = [_INSTRUCTION.match(each) for each in text.splitlines()]
        ours = [(each.group(1), each.group(2)) for each in found if each]
        theirs = [(each.group(1), each.group(2)) for each in expected if each]
        assert ours == theirs
        assert len(ours) > 20

        shown = await stop.frame.disassembly()
        (current,) = [each for each in shown.splitlines() if "=>" in each]
        assert _COMMENT.sub("", current).strip().startswith(f"=> {stop.frame.index:5}: ")
        assert "// text" in shown  # the variable that an aload uses
        assert "java.lang.String.substring(int) : java.lang.String" in shown
