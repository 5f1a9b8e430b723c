# SPDX-License-Identifier: Apache-2.0
"""What the first breakpoint in a source asks of the VM, which has hundreds of the JDK's classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import jvmdebug
from tests.support.process import launch_options
from tests.support.sessions import compiled, next_stop
from tests.support.warm_javac import javac

if TYPE_CHECKING:
    from pathlib import Path

    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

MOST: Final = 60
"""The most commands for a breakpoint in a small class; each class of the JDK would cost two."""


async def test_classes_of_the_jdk_cost_no_commands(launch: Launch, jdk: Jdk) -> None:
    program = compiled("probed", "Probed", jdk)
    async with launch("probed", "Probed") as session:
        await session.break_at("Probed#main", once=True)
        await next_stop(session)
        before = session.vm.connection.round_trips
        placed = await session.break_at(f"Probed.java:{program.marker('ready')}")
        assert placed.verified
        assert session.vm.connection.round_trips - before < MOST
        await session.kill()


async def test_a_class_of_the_jdk_in_the_file_of_another(launch: Launch) -> None:
    async with launch("probed", "Probed") as session:
        await session.break_at("Probed#main", once=True)
        stop = await next_stop(session)
        await stop.frame.evaluate("new java.util.Timer(true)")
        loop = await session.break_at("java.util.TimerThread#mainLoop")
        (line,) = {each.line for each in loop.locations}
        placed = await session.break_at(f"Timer.java:{line}")
        (found,) = placed.locations
        assert found.code is not None
        assert found.code.type.name == "java.util.TimerThread"
        await session.kill()


async def test_classes_of_other_sources_do_not_wait(launch: Launch, jdk: Jdk) -> None:
    """Each class prepare event holds a thread of the program until it is answered."""
    program = compiled("probed", "Probed", jdk)
    async with launch("probed", "Probed") as session:
        await session.break_at(f"Probed.java:{program.marker('ready')}")
        before = session.vm.connection.round_trips
        await next_stop(session)
        assert session.vm.connection.round_trips - before < MOST
        await session.kill()


_NAMELESS: Final = """
public final class Nameless {
  static final class Late {
    static int twice(int i) {
      return 2 * i;
    }
  }
  public static void main(String[] arguments) {
    int sum = 1;
    sum += Late.twice(sum);
    System.out.println(sum);
  }
}
"""


async def test_classes_whose_files_name_no_source(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path
) -> None:
    """The name of the outermost class finds it, and those nested in it."""
    source = tmp_path / "Nameless.java"
    source.write_text(_NAMELESS, encoding="utf-8")
    javac([source], tmp_path, "-g:lines", "--release", str(jdk.version))
    async with jvmdebug.launch(
        "Nameless", class_path=[tmp_path], java=jdk.home, **launch_options(agent_kind)
    ) as session:
        outer = await session.break_at("Nameless.java:9")
        nested = [await session.break_at("Nameless.java:5")]
        stop = await next_stop(session)
        assert (stop.breakpoints, stop.frame.line) == ((outer,), 9)
        # Takes over what the one before knows of the classes.
        nested.append(await session.break_at("Nameless.java:5", condition="true"))
        await stop.resume()
        stop = await next_stop(session)
        assert (set(stop.breakpoints), stop.frame.line) == (set(nested), 5)
        await stop.resume()
        assert await session.wait() == 0
