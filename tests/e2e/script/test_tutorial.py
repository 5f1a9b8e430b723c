# SPDX-License-Identifier: Apache-2.0
"""The tutorial's script, as it is printed there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jvmdebug
from tests.support.sessions import compiled

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind


async def test_the_example_runs_as_it_is_printed(
    jdk: Jdk,
    agent_kind: AgentKind,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    program = compiled("shop", "shop.Main", jdk)
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "classes").symlink_to(program.class_path[0])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JAVA_HOME", str(jdk.home))
    if agent_kind == "stock":
        monkeypatch.setenv("JVMDEBUG_AGENT", str(tmp_path / "none.so"))

    # fmt: off
    async with jvmdebug.launch("shop.Main", class_path=["build/classes"]) as session:
        await session.break_at("shop/Cart.java:42")          # or "shop.Cart#add" or "shop.Cart:42"
        async for stop in session.stops():
            frame = stop.frame
            print(stop.reason, frame.location, {v.name: await v.text() for v in await frame.variables()})  # noqa: E501
            await frame.set("total", "0")
            await stop.step_over()
    # fmt: on

    assert session.agent == agent_kind
    assert session.exit_code == 8, "the sum is not what it is without `total = 0`"
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("breakpoint shop.Cart.add(Cart.java:42) {'item': ")
    assert "'count': '1', 'total': '30'" in lines[0]
    assert lines[1].startswith("step shop.Cart.add(Cart.java:44) ")
    assert "'count': '1', 'total': '0'" in lines[1]
    assert any(line.startswith("step shop.Main.main(Main.java:") for line in lines)
