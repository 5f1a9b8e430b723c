# SPDX-License-Identifier: Apache-2.0
"""The tutorial's pieces and the script of the README, as they are printed there."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jvmdebug
from tests.support.sessions import compiled

if TYPE_CHECKING:
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
            print(stop.reason, frame.location, {v.name: await v.as_text() for v in await frame.variables()})  # noqa: E501
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


ROOT = Path(__file__).resolve().parents[3]


def pieces() -> list[str]:
    """The Python of the tutorial."""
    text = (ROOT / "docs/tutorial/scripting.md").read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def typed(statement: ast.stmt) -> Any:
    """A statement as the prompt of `python -m asyncio` compiles it; an expression is its value."""
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    if isinstance(statement, ast.Expr):
        return compile(ast.Expression(statement.value), "<tutorial>", "eval", flags)
    return compile(ast.Module([statement], []), "<tutorial>", "exec", flags)


async def pasted(piece: str, names: dict[str, Any]) -> list[str]:
    """What the prompt shows when the piece is pasted."""
    shown = []
    for statement in ast.parse(piece).body:
        value = eval(typed(statement), names)
        if inspect.isawaitable(value):
            value = await value
        if value is not None:
            shown.append(repr(value))
    return shown


async def test_the_pieces_can_be_pasted_one_after_the_other(
    jdk: Jdk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT / "examples")
    monkeypatch.setenv("JAVA_HOME", str(jdk.home))
    names: dict[str, Any] = {}
    *before, attach = pieces()
    shown = [await pasted(piece, names) for piece in before]
    compile(attach, "<tutorial>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    launched, stopped, conditions, looked, stepped, repeated, ended = shown
    assert re.fullmatch(r"Session\(Basket, held, pid \d+\)", launched[0])
    assert stopped[1] == "Stop(breakpoint, 'main', Basket.total(Basket.java:34))"
    assert "'price': '900'" in stopped[2]
    assert conditions[0].count("34") == 4
    assert looked[0] == "Variable(total + item.price() * 2: int = 1800)"
    assert "'name': '\"tea\"'" in looked[-1]
    assert "Basket.total(Basket.java:" in stepped[-1]
    assert "Basket.main" in repeated[0]
    assert ended[0] == "0"
    assert "total: 1" in ended[1]
    assert re.fullmatch(r"Session\(Basket, ended, exit code 0, pid \d+\)", ended[2])


async def test_what_the_prompt_shows_of_values(jdk: Jdk) -> None:
    program = compiled("basics", "Loop", jdk)
    async with jvmdebug.launch("Loop", class_path=program.class_path, java=jdk.java) as session:
        await session.break_at("Loop#main")
        stop = await session.next_stop(timeout_s=20)
        assert stop is not None
        assert repr(session) == f"Session(Loop, stopped, pid {session.pid})"
        number = await stop.frame.evaluate("1.5f + 1")
        assert repr(number) == "Variable(1.5f + 1: float = 2.5)"
        assert repr(await stop.frame.evaluate("null")).endswith("= null)")
        text = await stop.frame.evaluate('"a" + 1')
        assert repr(text).endswith(': java.lang.String = "a1")')
        await text.as_text()
        assert repr(text).endswith('= "a1")')
