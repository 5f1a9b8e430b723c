# SPDX-License-Identifier: Apache-2.0
"""Sessions in a process that has nothing of POSIX (`tests.support.fake_windows`) and no compiled
module, on a real JVM.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.support import fake_windows
from tests.support.jdks import REPOSITORY, newest_compiler

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = """\
public class Greeting {
    public static void main(String[] args) throws Exception {
        String name = new java.util.Scanner(System.in).nextLine();
        System.out.println("Hello " + name);
    }
}
"""
SESSION = """\
import asyncio, json, sys
from tests.support import fake_windows
fake_windows.pretend()
import jvmdebug

async def main():
    written, seen = [], {}
    options = dict(program=sys.argv[1], java=sys.argv[2], agent="stock", stdin="pipe")
    options["on_output"] = lambda each: written.append(each.text)
    async with jvmdebug.launch(**options) as session:
        await session.break_at("Greeting.java:4")
        await session.start()
        await session.write_stdin("Ada\\n")
        stop = await session.next_stop()
        assert stop is not None and stop.frame is not None
        seen["line"] = stop.frame.line
        seen["name"] = str(await stop.frame.evaluate("name"))
        await session.resume()
        seen["code"] = await session.wait()
    seen["written"] = "".join(written)
    seen["jobs"] = [name for name, _ in fake_windows.kernel_calls]
    print(json.dumps(seen))

asyncio.run(main())
"""
IMPORTS = """\
import importlib, pkgutil
from tests.support import fake_windows
fake_windows.pretend()
for name in ("jvmdebug", "jvmdebug_dap", "jvmdebug_cli"):
    package = importlib.import_module(name)
    for each in pkgutil.walk_packages(package.__path__, f"{name}."):
        if not each.name.endswith("__main__"):
            importlib.import_module(each.name)
print("imported")
"""


def run(code: str, *arguments: str, folder: Path) -> str:
    """What this code prints, run in a process of its own."""
    ran = subprocess.run(
        [sys.executable, "-X", "utf8=0", "-c", code, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), "JVMDEBUG_CODEC": "python"},
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_everything_can_be_imported(tmp_path: Path) -> None:
    assert run(IMPORTS, folder=tmp_path) == "imported\n"


def test_a_program_is_launched_stopped_and_ended(tmp_path: Path) -> None:
    (tmp_path / "Greeting.java").write_text(PROGRAM, newline="\r\n")
    java = fake_windows.runtime(newest_compiler().home, tmp_path)
    told = run(SESSION, str(tmp_path / "Greeting.java"), str(java), folder=tmp_path)
    seen = json.loads(told.splitlines()[-1])
    assert seen["line"] == 4
    assert "Ada" in seen["name"]
    assert (seen["code"], seen["written"]) == (0, "Hello Ada\n")
    made = [
        "CreateJobObjectW",
        "SetInformationJobObject",
        "OpenProcess",
        "AssignProcessToJobObject",
    ]
    assert [each for each in seen["jobs"] if each in made][:4] == made
