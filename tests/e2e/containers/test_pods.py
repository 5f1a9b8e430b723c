# SPDX-License-Identifier: Apache-2.0
"""A JVM in a pod is attached to by kubectl."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest

import jvmdebug
from tests.support.containers import AGENT, Container, container
from tests.support.debuggees import debuggee
from tests.support.pods import Cluster

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

POD = "shop/web-0"
Run: TypeAlias = "Callable[..., Container]"


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cluster:
    """A cluster, whose kubectl is on the PATH."""
    return Cluster(tmp_path, monkeypatch)


@pytest.fixture
def run(one_jdk: Jdk, cluster: Cluster) -> Iterator[Run]:
    """Starts the pod `shop/web-0`."""
    with ExitStack() as stack:

        def begin(**how: object) -> Container:
            found = stack.enter_context(container(one_jdk, **how))  # type: ignore[arg-type]
            cluster.add(POD, found)
            return found

        yield begin


async def test_the_agent_is_copied_loaded_and_reached(run: Run) -> None:
    web = run()
    async with jvmdebug.attach(pod=POD) as session:
        assert session.mode == "late"
        assert (await session.evaluate("Spin.rounds")).text
        (token,) = web.left_behind()
        found = web.seen(f"/tmp/{token}").stat()
        assert (found.st_mode & 0o777, found.st_uid) == (0o600, web.user)
    assert not web.left_behind()
    async with jvmdebug.attach(f"pod:{POD}/web/Spin") as session:
        assert (await session.evaluate("Spin.rounds")).text


async def test_an_agent_that_listens_is_reached(run: Run) -> None:
    run(options=(f"-agentpath:{AGENT}=transport=dt_socket,server=y,suspend=n,address=5005",))
    source = str(debuggee("script", "Spin").class_path[0])
    async with jvmdebug.attach(pod=f"{POD}/web", source_path=[source]) as session:
        assert session.mode != "late"
        await session.break_at("Spin#round")
        async with asyncio.timeout(20):
            stop = await anext(aiter(session.stops()))
        assert "Spin.round" in str((await stop.frames())[0].location)


async def test_a_forwarding_that_ends_is_begun_again(run: Run) -> None:
    run(options=(f"-agentpath:{AGENT}=transport=dt_socket,server=y,suspend=n,address=5005",))
    async with jvmdebug.attach(pod=POD) as session:
        events: asyncio.Queue[object] = asyncio.Queue()
        session.subscribe(events.put_nowait)
        (forwarding,) = _forwardings()
        os.kill(forwarding, signal.SIGKILL)
        async with asyncio.timeout(20):
            changes: list[bool] = []
            while changes != [False, True]:
                if isinstance(event := await events.get(), jvmdebug.LinkChanged):
                    changes.append(event.is_up)
        assert (await session.evaluate("Spin.rounds")).text
    assert not _forwardings()


def _forwardings() -> list[int]:
    """The processes of kubectl that this one has begun."""
    threads = Path("/proc/self/task").glob("*/children")
    children = [int(each) for thread in threads for each in thread.read_text().split()]
    names = {each: Path(f"/proc/{each}/comm").read_text().strip() for each in children}
    return [each for each, name in names.items() if name == "kubectl"]


async def test_a_container_without_a_shell(run: Run, cluster: Cluster) -> None:
    web = run(has_shell=False)
    with pytest.raises(jvmdebug.LaunchError, match=r"web of .* has no shell: .*--debug-image"):
        await jvmdebug.open_attach(pod=POD)
    with pytest.raises(jvmdebug.LaunchError, match=r"\(none\) does not run: ErrImagePull"):
        await jvmdebug.open_attach(pod=POD, debug_image="none")
    for image in ("a-jdk", None):  # the second time the one that runs is used
        async with jvmdebug.attach(pod=POD, debug_image=image) as session:
            assert (await session.evaluate("Spin.rounds")).text
    assert len(cluster.pod(POD)["ephemeral"]) == 2
    assert not web.left_behind()


@pytest.mark.slow
async def test_another_place_where_tmp_has_no_code(run: Run) -> None:
    web = run(noexec=True)
    async with jvmdebug.attach(pod=POD) as session:
        assert session.mode == "late"
    assert not web.left_behind()


async def test_no_place_for_the_agent(run: Run) -> None:
    run(noexec=True, read_only=True)
    why = r"/tmp cannot have code \(mounted noexec\), and /var/tmp, .*root.*emptyDir at /tmp"
    with pytest.raises(jvmdebug.LaunchError, match=why):
        await jvmdebug.open_attach(pod=POD)


async def test_no_place_for_the_socket_of_the_vm(run: Run) -> None:
    run(read_only=True, has_tmp=False)
    with pytest.raises(jvmdebug.LaunchError, match=r"/tmp.* cannot be written to"):
        await jvmdebug.open_attach(pod=POD)


async def test_what_is_no_pod_to_attach_to(run: Run, cluster: Cluster) -> None:
    web = run()
    cluster.add("shop/broken", web, waiting="CrashLoopBackOff")
    for pod, why in (
        ("shop/nothing", 'kubectl get: .*pods "nothing" not found'),
        (f"{POD}/other", "has no container other: it has web"),
        ("shop/broken", "container web of the pod shop/broken does not run: CrashLoopBackOff"),
        ("web-0", "'web-0' is no pod: write NAMESPACE/POD"),
    ):
        with pytest.raises(jvmdebug.LaunchError, match=why):
            await jvmdebug.open_attach(pod=pod)
