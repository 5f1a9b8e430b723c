# SPDX-License-Identifier: Apache-2.0
"""Whether a loaded class is the one on disk."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from jvmdebug import SourceError
from tests.support.debuggees import debuggee
from tests.support.warm_javac import javac

if TYPE_CHECKING:
    from pathlib import Path

    from tests.e2e.script.conftest import Launch


def compiled_with(folder: Path, *changes: tuple[str, str]) -> Path:
    """The class Swap after a change of its source, in a folder of its own."""
    program = debuggee("swap", "Swap")
    folder.mkdir()
    text = (program.source_dir / "Swap.java").read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (folder / "Swap.java").write_text(text)
    javac([folder / "Swap.java"], folder, "--release", "11", "-g")
    return folder


async def test_what_is_on_disk_is_compared_with_what_runs(launch: Launch, tmp_path: Path) -> None:
    program = debuggee("swap", "Swap")
    async with launch("swap", "Swap") as session:
        await session.break_at(f"Swap.java:{program.marker('word')}")
        with pytest.raises(SourceError, match="no class Swap is loaded"):
            await session.compare_code("Swap")
        await session.start()
        assert await session.next_stop(20) is not None

        (same,) = await session.compare_code("Swap")
        assert same.is_same, same
        assert same.path == program.class_path[0] / "Swap.class"

        other = compiled_with(tmp_path / "other", ('"old text"', '"new text"'))
        (found,) = await session.compare_code("Swap", other)
        assert found.differences == ("other code in word()",)

        lower = compiled_with(
            tmp_path / "lower", ("    static int price", "\n    static int price")
        )
        (found,) = await session.compare_code("Swap", lower)
        assert "the same code at other lines in word()" in found.differences

        more = compiled_with(tmp_path / "more", ("static int unused()", "static long unused()"))
        (found,) = await session.compare_code("Swap", more)
        assert found.differences == (
            "new method long unused()",
            "missing method int unused()",
        )

        empty = tmp_path / "empty"
        empty.mkdir()
        with pytest.raises(SourceError, match=f"searched {empty}"):
            await session.compare_code("Swap", empty)

        await session.redefine(other / "Swap.class")
        (found,) = await session.compare_code("Swap", other)
        assert found.is_same, found
        (found,) = await session.compare_code("Swap")
        assert found.differences == ("other code in word()",)
        shutil.rmtree(other)
