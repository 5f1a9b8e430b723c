# SPDX-License-Identifier: Apache-2.0
"""A launch that waits for a build: it can be cancelled, and leaves nothing of the build running."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from tests.support.dap_client import Refused, local_client
from tests.support.listening import ended

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.dap_client import DapClient

_WRAPPER = "#!/bin/sh\ntrap '' HUP\nsleep 600 &\necho $$ $! > pids.new\nmv pids.new pids\nwait\n"
_STUBBORN = _WRAPPER.replace("HUP", "HUP TERM").replace("wait\n", "wait; wait; sleep 600\n")


@pytest.fixture
def main(tmp_path: Path) -> Path:
    """A file of a Maven project whose build never ends."""
    (tmp_path / "pom.xml").write_text("<project/>")
    wrapper = tmp_path / "mvnw"
    wrapper.write_text(_WRAPPER)
    wrapper.chmod(0o755)
    file = tmp_path / "src/main/java/Main.java"
    file.parent.mkdir(parents=True)
    file.write_text("class Main { public static void main(String[] args) {} }\n")
    return file


async def building(client: DapClient, main: Path) -> tuple[int, list[int]]:
    """Launch; the request, and the processes of the build once they run."""
    await client.initialize(supportsProgressReporting=True)
    launched = client.begin("launch", {"program": str(main), "console": "internalConsole"})
    pids = main.parents[3] / "pids"
    async with asyncio.timeout(20):
        while not pids.exists():  # noqa: ASYNC110 - nothing reports it
            await asyncio.sleep(0.02)
    return launched, [int(each) for each in pids.read_text().split()]


async def test_the_build_ends_when_the_launch_is_cancelled(main: Path) -> None:
    async with local_client() as client:
        launched, pids = await building(client, main)
        begun = await client.event("progressStart", requestId=launched)
        assert begun["cancellable"] is True
        await client.request("cancel", {"progressId": begun["progressId"]})
        with pytest.raises(Refused, match="cancelled") as refused:
            await client.response(launched)
        assert not refused.value.error.get("showUser")  # whoever cancelled it knows
        for pid in pids:
            await ended(pid)

        (main.parents[3] / "mvnw").write_text("#!/bin/sh\necho no Java here; exit 1\n")
        with pytest.raises(Refused, match="no Java here"):
            await client.request("launch", {"program": str(main), "console": "internalConsole"})


@pytest.mark.parametrize("wrapper", [_WRAPPER, _STUBBORN], ids=["polite", "stubborn"])
async def test_the_build_ends_with_the_session(main: Path, wrapper: str) -> None:
    (main.parents[3] / "mvnw").write_text(wrapper)
    async with local_client() as client:
        _, pids = await building(client, main)
        await client.request("disconnect")
    for pid in pids:
        await ended(pid)
