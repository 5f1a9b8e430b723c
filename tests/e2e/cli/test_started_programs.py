# SPDX-License-Identifier: Apache-2.0
"""`heap`, `profile`, `alloc`, `gc` and `monitors` of a program that they start: what is known at
its end, its output, its exit code.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.debuggees import debuggee
from tests.support.prompt import JVMDEBUG, TIMEOUT_S

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.jdks import Jdk

_FAILED = 1
"""The program ends with 3, which is its failure."""


async def _asked(jdk: Jdk, *words: str, main: str = "Ending") -> tuple[int, Any, str]:
    """Exit code, the JSON on standard output, what is on standard error."""
    program = debuggee("heap", "Ending")
    process = await asyncio.create_subprocess_exec(
        *(JVMDEBUG, *words, "--json", "--class-path", str(program.class_path[0])),
        *("--java", str(jdk.home), "--vm-arg=-Xmx64m", "--", main),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    output, errors = await asyncio.wait_for(process.communicate(), TIMEOUT_S)
    found = json.loads(output) if output.strip() else None
    return process.returncode or 0, found, errors.decode()


async def test_the_heap_when_it_is_about_to_end(jdk: Jdk) -> None:
    code, found, errors = await _asked(jdk, "heap", "retained", "Ending.KEPT")
    assert (code, "begins" in errors) == (_FAILED, True)
    assert 10_000_000 < found["retained_size"] < 10_100_000


async def test_what_has_come_from_its_start_to_its_end(jdk: Jdk) -> None:
    code, found, _ = await _asked(jdk, "heap", "diff")
    assert code == _FAILED
    (change,) = [each for each in found if each["type_name"] == "byte[]"]
    assert 1000 <= change["instances"] < 2000


async def test_what_it_has_allocated_and_what_is_alive(jdk: Jdk, tmp_path: Path) -> None:
    file = tmp_path / "alloc.collapsed"
    words = ["profile", "--alloc", "--every", "64", "-o", str(file)]
    code, found, _ = await _asked(jdk, *words)
    assert (code, found["kind"], found["is_complete"]) == (_FAILED, "alloc", True)
    most, kept = found["methods"][:2]
    assert most["name"] == "Ending.drop (allocates long[])"
    assert 300e6 < most["self"] < 500e6
    assert kept["name"] == "Ending.keep (allocates byte[])"
    assert "Ending.main;Ending.drop;(allocates long[])" in file.read_text()
    code, found, _ = await _asked(jdk, "profile", "--alloc", "--every", "64", "--live")
    assert found["methods"][0]["name"] == "Ending.keep (allocates byte[])"
    assert found["methods"][0]["self"] / found["total"] > 0.9


async def test_sites_collections_and_contention(jdk: Jdk) -> None:
    code, found, _ = await _asked(jdk, "alloc", "--live")
    assert (code, found["sites"][0]["stack"][0]["method_name"]) == (_FAILED, "keep")
    code, found, _ = await _asked(jdk, "gc")
    assert (code, found["pauses"] > 0) == (_FAILED, True)
    code, found, _ = await _asked(jdk, "monitors")
    assert code == _FAILED
    assert any("contend" in str(each["stack"]) for each in found["by_stack"])


async def test_a_class_that_is_not_there(jdk: Jdk) -> None:
    code, found, errors = await _asked(jdk, "profile", main="Nothing")
    assert (code, found) == (3, None)
    assert "there is no class Nothing on the class path" in errors


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["heap"], "TARGET|FILE"),
        (["heap", "histogram"], "say what to ask"),
        (["heap", "4711", "nope"], "'nope' is no question: choose histogram, dominators"),
        (["heap", "4711", "histogram", "--after", "1"], "--after is for a program to start"),
        (["gc"], "say which program"),
        (["alloc", "4711", "--", "Main"], "not both"),
        (["profile", "4711", "--live"], "--live and --every are for --alloc"),
    ],
)
async def test_what_is_not_said_right(words: list[str], message: str) -> None:
    process = await asyncio.create_subprocess_exec(
        JVMDEBUG, *words, stderr=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.DEVNULL
    )
    _, errors = await asyncio.wait_for(process.communicate(), TIMEOUT_S)
    assert process.returncode == 2
    assert message in errors.decode()
