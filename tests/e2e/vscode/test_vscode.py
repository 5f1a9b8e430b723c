# SPDX-License-Identifier: Apache-2.0
"""Debugging a Java file in a real VS Code window (code-server in headless Chromium).

Owns the server, its profile and the packaged extension; `scenario.mjs` is the person. The
screenshots stay in `build/vscode/screenshots`, for looking at. Needs Node 20 or newer.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import shutil
import signal
import sys
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.jdks import jdks_to_test

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[2]
EXTENSION = REPOSITORY / "vscode-extension"
TOOLS = REPOSITORY / "build" / "vscode"
EXAMPLE = REPOSITORY / "examples" / "Basket.java"

PROVISION_TIMEOUT_S = 420.0
START_TIMEOUT_S = 60.0
SCENARIO_TIMEOUT_S = 240.0

pytestmark = [
    pytest.mark.vscode,
    pytest.mark.slow,
    pytest.mark.timeout(PROVISION_TIMEOUT_S + SCENARIO_TIMEOUT_S + 120),
    pytest.mark.skipif(shutil.which("node") is None, reason="VS Code needs Node.js"),
]


async def run(*command: str | Path, cwd: Path | None = None, timeout_s: float) -> str:
    """Run a command to its end; its output, or a failure that shows it."""
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=cwd,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        output, _ = await asyncio.wait_for(process.communicate(), timeout_s)
    except TimeoutError:
        os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
        raise
    text = output.decode(errors="replace")
    assert process.returncode == 0, f"{command}:\n{text}"
    return text


def healthy(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/healthz", timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


async def listening_url(server: asyncio.subprocess.Process) -> str:
    """The address that code-server prints once it listens."""
    assert server.stdout is not None
    printed = ""
    async for line in server.stdout:
        printed += line.decode(errors="replace")
        if found := re.search(r"HTTP server listening on (http://127\.0\.0\.1:\d+)", printed):
            return found[1]
    raise AssertionError(f"code-server ended:\n{printed}")


@pytest.fixture
async def window(tmp_path: Path) -> AsyncIterator[str]:
    """The URL of a VS Code with the extension installed and a folder with Basket.java open."""
    await run(HERE / "provision.sh", TOOLS, timeout_s=PROVISION_TIMEOUT_S)
    if not (EXTENSION / "node_modules").exists():
        await run("npm", "ci", "--silent", cwd=EXTENSION, timeout_s=PROVISION_TIMEOUT_S)
    await run("npm", "run", "--silent", "package", cwd=EXTENSION, timeout_s=120)

    folder = tmp_path / "workspace"
    folder.mkdir()
    shutil.copy(EXAMPLE, folder)
    settings = {
        "jvmdebug.command": str(Path(sys.executable).parent / "jvmdebug"),
        "workbench.startupEditor": "none",
        "debug.console.closeOnEnd": False,
    }
    user = tmp_path / "user"
    # A command's path is a setting of the machine, which a server keeps apart from the user's.
    for kind in ("User", "Machine"):
        (user / kind).mkdir(parents=True)
        (user / kind / "settings.json").write_text(json.dumps(settings))
    server = TOOLS / "code-server" / "node_modules" / "code-server" / "out" / "node" / "entry.js"
    profile = [
        *("--user-data-dir", str(user)),
        *("--extensions-dir", str(tmp_path / "extensions")),
        *("--config", str(tmp_path / "config.yaml")),
    ]
    vsix = EXTENSION / "jvmdebug.vsix"
    await run("node", server, *profile, "--install-extension", vsix, timeout_s=START_TIMEOUT_S)
    process = await asyncio.create_subprocess_exec(
        *("node", str(server), *profile, "--auth", "none", "--bind-addr", "127.0.0.1:0"),
        *("--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"),
        "--disable-getting-started-override",
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env=os.environ | {"JAVA_HOME": str(jdks_to_test()[0].home)},
        start_new_session=True,
    )
    try:
        url = await asyncio.wait_for(listening_url(process), START_TIMEOUT_S)
        assert await asyncio.to_thread(healthy, url)
        yield f"{url}/?folder={folder}"
    finally:
        # The extension host outlives the server unless the whole group ends.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


async def test_a_person_debugs_a_file(window: str) -> None:
    screenshots = TOOLS / "screenshots"
    screenshots.mkdir(parents=True, exist_ok=True)
    lines = EXAMPLE.read_text().splitlines()
    marked = next(number for number, line in enumerate(lines, 1) if "// @sum" in line)
    os.environ["JVMDEBUG_BREAKPOINT_LINE"] = str(marked)
    printed = await run(
        *("node", HERE / "scenario.mjs", window, TOOLS / "driver", screenshots),
        timeout_s=SCENARIO_TIMEOUT_S,
    )
    seen = json.loads(printed.splitlines()[-1])
    assert seen["stopped"].startswith("total += price")
    assert any("Basket.total" in row for row in seen["callStack"])
    assert any("price" in row and "900" in row for row in seen["variables"])
    assert any("price" in row and "0x384" in row for row in seen["hex"])
    assert any("iadd" in row for row in seen["disassembly"])
    assert any("total" in row for row in seen["disassembly"])
    assert seen["stepped"] == "}"
    assert any('"tea x 2"' in row for row in seen["console"])
    assert seen["ended"]
