# SPDX-License-Identifier: Apache-2.0
"""Renderers of users: the example, found by an entry point, and those that do not work."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import pytest

from jvmdebug import RenderedObject, Renderer, ValueStyle, Variable, display, entry_points
from tests.support.jdks import REPOSITORY

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from jvmdebug import RenderedChild
    from tests.e2e.evaluate.conftest import StartEvaluating

EXAMPLES = REPOSITORY / "examples"
ENTRY_POINTS = """[jvmdebug.renderers]
money = money_renderer:MoneyRenderer
gone = money_renderer:NoSuchRenderer
"""


class Throwing:
    """Raises whatever it is asked."""

    type_names = ("values.Main$Money",)

    async def text(self, it: RenderedObject) -> str | None:
        return str(await it.get("nope"))

    async def children(self, _it: RenderedObject) -> Sequence[RenderedChild] | None:
        raise ZeroDivisionError


class Anything:
    """Looks into an object in every way that there is; for an interface and a superclass."""

    type_names = ("java.util.Deque", "values.Base")

    async def text(self, it: RenderedObject) -> str | None:
        if it.type_name != "values.Main":
            return f"deque of {len(await it.items())}"
        inner = await it.get("inner")
        assert isinstance(inner, RenderedObject)
        assert await inner.get("own") == await it.get("inner", "own") == "own"
        names, anything = await it.items("names"), await it.items("anything")
        return f"{names} {anything} {await it.as_text('names')}"

    async def children(self, it: RenderedObject) -> Sequence[RenderedChild] | None:
        return [await it.child("inner", "own")] if it.type_name == "values.Main" else None


def forget_renderers() -> None:
    entry_points.of_group.cache_clear()
    display.installed_renderers.cache_clear()


@pytest.mark.logs_errors
async def test_renderers(
    evaluating_with_ours: StartEvaluating, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = tmp_path / "my_renderers-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: my-renderers\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text(ENTRY_POINTS)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.syspath_prepend(str(EXAMPLES))
    forget_renderers()
    try:
        assert [type(each).__name__ for each in display.installed_renderers()] == ["MoneyRenderer"]
        async with evaluating_with_ours("values", "values.Main") as program:
            await program.frame_at("shown")
            frame = program.session.current_stops[-1].frame
            money = await frame.get("money")
            assert await money.as_text() == "12.50 EUR"
            assert await money.child_count() == 2
            children = await money.children()
            assert [(each.name, await each.as_text()) for each in children] == [
                ("currency", '"EUR"'),
                ("in cents", "1250"),
            ]
            assert [each.evaluate_name for each in children] == ["money.currency", "money.cents"]
            assert await (await frame.evaluate("money.cents")).as_text() == "1250"
            (raw,) = await money.views()
            assert [each.name for each in await raw.children()] == ["cents", "currency"]

            async def use(*renderers: Renderer) -> None:
                style = program.session.settings.style
                changed = dataclasses.replace(style, renderers=renderers)
                program.session.settings.style = changed

            await use(Throwing(), Anything())
            text = await money.as_text()
            assert text.startswith("<renderer Throwing failed: LookupError: ")
            (error,) = await money.children()
            assert await error.as_text() == "<renderer Throwing failed: ZeroDivisionError>"
            assert error.evaluate_name is None
            assert await (await frame.get("deque")).as_text() == "deque of 2"
            assert [each.name for each in await (await frame.get("deque")).children()] == [
                "[0]",
                "[1]",
            ]
            this = await frame.this()
            assert isinstance(this, Variable)
            assert await this.as_text() == "['n'] [7, 8] ArrayList(1)"
            (own,) = await this.children()
            assert (own.name, own.evaluate_name) == ("own", "this.inner.own")
            program.session.settings.style = ValueStyle()
            assert (await money.as_text()).startswith("Money@")
    finally:
        forget_renderers()
