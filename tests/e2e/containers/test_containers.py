# SPDX-License-Identifier: Apache-2.0
"""A JVM in a container of this machine is attached to by the name of the container."""

from __future__ import annotations

import asyncio
import json
from contextlib import ExitStack
from typing import TYPE_CHECKING, TypeAlias

import pytest

import jvmdebug
from tests.support.container_engine import engine
from tests.support.containers import AGENT, Container, container
from tests.support.debuggees import debuggee
from tests.support.prompt import JVMDEBUG

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

Run: TypeAlias = "Callable[..., Container]"


@pytest.fixture
def run(one_jdk: Jdk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """Starts the container `shop`, as DOCKER_HOST knows it."""
    with ExitStack() as stack:

        def begin(**how: object) -> Container:
            found = stack.enter_context(container(one_jdk, **how))  # type: ignore[arg-type]
            states = {
                "shop": {"Running": True, "Pid": found.first, "Status": "running"},
                "old": {"Running": False, "Pid": 0, "Status": "exited"},
            }
            path = stack.enter_context(engine(tmp_path / "docker.sock", states))
            monkeypatch.setenv("DOCKER_HOST", f"unix://{path}")
            return found

        yield begin


async def test_the_agent_is_loaded_by_the_name_of_the_container(run: Run) -> None:
    shop = run()
    async with jvmdebug.attach(container="shop") as session:
        assert session.mode == "late"
        assert (await session.evaluate("Spin.rounds")).text
    async with jvmdebug.attach("container:shop/Spin") as session:
        assert (await session.evaluate("Spin.rounds")).text
    assert not [each for each in shop.left_behind() if each.endswith(".so")]


async def test_an_agent_that_listens_in_the_network_of_the_container(run: Run) -> None:
    agent = f"-agentpath:{AGENT}=transport=dt_socket,server=y,suspend=n,address=5005"
    run(options=(agent,))
    source = str(debuggee("script", "Spin").class_path[0])
    async with jvmdebug.attach(container="shop", source_path=[source]) as session:
        assert session.mode != "late"
        await session.break_at("Spin#round")
        async with asyncio.timeout(20):
            stop = await anext(aiter(session.stops()))
        assert "Spin.round" in str((await stop.frames())[0].location)


async def test_the_command_line_asks_which_of_several(run: Run) -> None:
    run(programs=("Spin", "Spin"))
    with pytest.raises(jvmdebug.LaunchError, match=r"several JVMs run .* \(Spin\).*--pid NUMBER"):
        await jvmdebug.open_attach(container="shop")
    with pytest.raises(jvmdebug.LaunchError, match=r"several JVMs .* run Spin: .*--pid NUMBER"):
        await jvmdebug.open_attach(container="shop", main_class="Spin")
    with pytest.raises(jvmdebug.LaunchError, match="no JVM in the container 'shop' is 'Other'"):
        await jvmdebug.open_attach(container="shop", main_class="Other")


async def test_what_is_no_container(run: Run) -> None:
    run()
    for name, why in (
        ("nothing", r"no container 'nothing' on this machine \(running: shop, old\)"),
        ("old", r"container 'old' does not run \(exited\)"),
    ):
        with pytest.raises(jvmdebug.LaunchError, match=why):
            await jvmdebug.open_attach(container=name)


async def test_classes_and_sources_are_seen_in_the_container(run: Run, tmp_path: Path) -> None:
    shop = run()
    async with jvmdebug.attach(container="shop") as session:
        assert session.sources.class_path == (shop.seen("/app"),)
    async with jvmdebug.attach(container="shop", source_map={"/app": tmp_path}) as session:
        assert session.sources.class_path == (tmp_path,)


async def test_no_place_for_the_agent(run: Run) -> None:
    run(noexec=True, read_only=True)
    why = r"/tmp.* cannot have code \(mounted noexec\), and .* be written to \(a read-only root"
    with pytest.raises(jvmdebug.LaunchError, match=why):
        await jvmdebug.open_attach(container="shop")


async def test_no_place_for_the_socket_of_the_vm(run: Run) -> None:
    run(read_only=True, has_tmp=False)
    with pytest.raises(jvmdebug.LaunchError, match=r"/tmp.* cannot be written to"):
        await jvmdebug.open_attach(container="shop")


async def test_it_is_a_target_of_other_commands(run: Run) -> None:
    run(noexec=True)
    code, output, errors = await told("threads", "container:shop", "--json")
    assert code == 0, errors
    assert "main" in [each["name"] for each in json.loads(output)["threads"]]


async def test_the_prompt_attaches_by_options(run: Run) -> None:
    run(programs=("Spin", "Spin"))
    _, _, errors = await told("attach", "--container", "shop")
    number = errors.rpartition("shop': ")[2].partition(" ")[0]
    words = ("attach", "--container", "shop", "--pid", number, "--batch", "--command", "threads")
    code, output, errors = await told(*words)
    assert (code, "main" in output) == (0, True), errors
    wrong: tuple[tuple[tuple[str, ...], str], ...] = (
        (("attach",), "say which program: HOST:PORT, unix:PATH or PID, --container NAME"),
        (("attach", "5005", "--container", "shop"), "not both"),
        (("attach", "5005", "--pid", "7"), "--pid, --main-class, --debug-image: with --container"),
        (("attach", "--pod", "web-0"), "--pod: write NAMESPACE/POD"),
    )
    for asked, why in wrong:
        code, _, errors = await told(*asked)
        assert (code, why in errors) == (2, True), errors


async def told(*words: str) -> tuple[int | None, str, str]:
    """What `jvmdebug WORDS` returns, prints and says."""
    asking = await asyncio.create_subprocess_exec(
        str(JVMDEBUG), *words, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    output, errors = await asyncio.wait_for(asking.communicate(), 50)
    return asking.returncode, output.decode(), errors.decode()
