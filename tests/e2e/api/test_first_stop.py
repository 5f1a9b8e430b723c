# SPDX-License-Identifier: Apache-2.0
"""The first breakpoint, stop and step of a new process: what they import, as a person waits for
them. Modules are counted, which no other load of the machine changes.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from tests.support.jdks import Jdk

_SCRIPT = """
import asyncio, json, sys
import jvmdebug

async def main(java, class_path, main_class, place):
    launched = jvmdebug.launch(main_class, class_path=[class_path], java=java)
    async with launched as session:
        await session.break_at(place)
        before = set(sys.modules)
        stop = await anext(aiter(session.stops()))
        await stop.thread.frames()
        texts = [await each.as_text() for each in await stop.frame.variables()]
        await stop.step_over()
        stop = await anext(aiter(session.stops()))
        print(json.dumps([sorted(set(sys.modules) - before), sorted(sys.modules), texts]))
        await stop.resume()

asyncio.run(main(*sys.argv[1:]))
"""
_BESIDE = """
import json, sys
from jvmdebug.session import launch

launch._import_session()
launch._import_for_stops()
print(json.dumps(sorted(sys.modules)))
"""


def printed(script: str, *arguments: str) -> list[list[str]]:
    command = [sys.executable, "-c", script, *arguments]
    ran = subprocess.run(command, check=True, capture_output=True, text=True)
    found: list[list[str]] = json.loads(ran.stdout.splitlines()[0])
    return found


def test_what_writes_values_is_imported_beside_the_start(jdk: Jdk) -> None:
    program = debuggee("values", "values.Main")
    place = f"Main.java:{program.marker('shown')}"
    arguments = (str(jdk.java), str(program.class_path[0]), program.main_class, place)
    late, imported, texts = printed(_SCRIPT, *arguments)
    beside = printed(_BESIDE)
    # The thread that imports them beside the start may be late: then the stop waits for it.
    assert set(late) <= set(map(str, beside))
    assert "importlib.metadata" not in imported
    assert [each for each in imported if each.startswith("jvmdebug.display.libraries.")] == [
        f"jvmdebug.display.libraries.{name}" for name in ("annotations", "stand_in", "stand_ins")
    ]
    assert len(texts) > 1
