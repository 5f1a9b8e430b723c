# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug coverage`: of a program, of a process that runs, of files; its exit codes."""

from __future__ import annotations

import asyncio
import json
import re
import signal
from typing import TYPE_CHECKING

import pytest
from mcp import Client
from mcp.types import TextContent

import jvmdebug
from jvmdebug_cli.exit_codes import OUT_OF_REACH, WRONG_USAGE
from jvmdebug_mcp.investigation import Investigation
from jvmdebug_mcp.server import make_server
from tests.support.bare_program import bare_program
from tests.support.dap_client import local_client
from tests.support.debuggees import debuggee
from tests.support.process import java_processes, kill
from tests.support.prompt import JVMDEBUG, ask, ask_process

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.jdks import Jdk

_MAIN = "kinds.Kinds"


async def test_a_program_keeps_its_exit_code_and_its_output(jdk: Jdk, tmp_path: Path) -> None:
    (classes,) = debuggee("coverage", _MAIN).class_path
    words: list[str | Path] = [
        "coverage",
        "--java",
        jdk.home,
        "-cp",
        classes,
        "--include",
        "kinds.Kinds*",
    ]
    bare = await asyncio.create_subprocess_exec(
        *(jdk.java, "-cp", classes, _MAIN, "exit"), stdout=asyncio.subprocess.PIPE
    )
    printed, _ = await bare.communicate()
    code, output, errors = await ask_process(*words, "--", _MAIN, "exit")
    assert (code, output) == (bare.returncode, printed.decode())
    assert re.search(r"kinds/Kinds\.java$", errors, re.MULTILINE)
    info = tmp_path / "cov.info"
    code, output, errors = await ask_process(*words, "-o", info, "--", _MAIN, "exit")
    assert code == 7
    assert output.splitlines()[:2] == ["-13", "12b?"]
    assert "written" not in output
    assert f"written: {info}" in errors
    text = info.read_text()
    assert re.search(r"^SF:.*kinds/Kinds\.java$", text, re.MULTILINE)
    # Two programs together, and the least share that has to run.
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    for file, how in ((one, "exit"), (two, "halt")):
        code, *_ = await ask_process(*words, "-o", file, "--", _MAIN, how)
        assert code == {"exit": 7, "halt": 8}[how]
    merged = tmp_path / "cobertura.xml"
    both: list[str | Path] = ["coverage", "merge", one, two, "-o", merged]
    assert (await ask(*both))[0] == 0
    assert (await ask(*both, "--fail-under", "99"))[0] == 1
    assert (await ask(*both, "--fail-under", "50"))[0] == 0
    assert 'branch-rate="' in merged.read_text()
    first, second = map(jvmdebug.coverage.read_coverage, (one, two))
    total = first.merged_with(second).counters.lines.covered
    assert total == first.counters.lines.covered + 1  # the statement that halts


async def test_what_a_killed_program_has_run_lately_is_said_to_be_lost(jdk: Jdk) -> None:
    (classes,) = debuggee("script", "Spin").class_path
    others = java_processes()
    process = await asyncio.create_subprocess_exec(
        *(str(JVMDEBUG), "coverage", "--java", str(jdk.home), "-cp", str(classes), "--", "Spin"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        assert await process.stdout.readline() == b"spinning\n"
        kill(java_processes() - others)
        _, errors = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 128 + signal.SIGKILL
    assert re.search(r"what it ran in the last \d+ s is not counted", errors.decode())


async def test_a_process_that_runs(jdk: Jdk, tmp_path: Path) -> None:
    page = tmp_path / "cov.html"
    async with bare_program(
        jdk,
        "-XX:+EnableDynamicAgentLoading",
        program=debuggee("profiled", "Profiled"),
        args=["platform"],
    ) as running:
        words = ["coverage", str(running.pid), "--for", "1"]
        code, output, errors = await ask(*words, "--json")
        assert code == 0, errors
        found = json.loads(output)
        assert found["is_complete"]
        assert found["lines"]["total"] > 0
        code, _, errors = await ask(*words, "-o", page)
        assert code == 0, errors
        assert page.read_text().startswith("<!doctype html>")
        assert running.running.returncode is None


async def test_an_adapter_tells_it_at_the_end(jdk: Jdk) -> None:
    program = debuggee("coverage", _MAIN)
    async with local_client() as client:
        await client.run(
            mainClass=_MAIN,
            classPaths=[str(each) for each in program.class_path],
            sourcePaths=[str(program.source_dir)],
            javaExec=str(jdk.java),
            args=["exit"],
            coverage=True,
        )
        await client.event("terminated")
        (body,) = client.bodies("jvmdebug/coverage")
    (file,) = [each for each in body["files"] if each["path"].endswith("Kinds.java")]
    by_line = {each["line"]: each for each in file["lines"]}
    lines = program.source("kinds/Kinds.java").read_text().splitlines()
    exits = next(n for n, each in enumerate(lines, 1) if "System.exit(7)" in each)
    halts = next(n for n, each in enumerate(lines, 1) if "halt(8)" in each)
    assert by_line[exits]["hasRun"]
    assert not by_line[halts]["hasRun"]
    assert {"Kinds.never", "Kinds.main"} <= {each["name"] for each in file["methods"]}


async def test_an_assistant_asks_what_ran() -> None:
    program = debuggee("coverage", _MAIN)
    async with Investigation() as investigation, Client(make_server(investigation)) as client:

        async def ask_tool(name: str, **arguments: object) -> str:
            answer = await client.call_tool(name, arguments)
            (content,) = answer.content
            assert isinstance(content, TextContent)
            assert not answer.is_error, content.text
            return content.text

        classes = [str(each) for each in program.class_path]
        args = ["exit"]
        await ask_tool("launch", main_class=_MAIN, class_path=classes, args=args)
        assert "call `coverage` again" in await ask_tool("coverage", include=["kinds.*"])
        assert "has ended" in await ask_tool("run")
        assert "kinds/Kinds.java" in await ask_tool("coverage")
        found = await ask_tool("coverage", file="Kinds.java", end=True)
    lines = program.source("kinds/Kinds.java").read_text().splitlines()
    halts = next(n for n, each in enumerate(lines, 1) if "halt(8)" in each)
    (missed,) = [each for each in found.splitlines() if each.startswith("not run:")]
    runs = [each.split("-") for each in missed.removeprefix("not run: ").split(", ")]
    assert any(int(run[0]) <= halts <= int(run[-1]) for run in runs), missed
    assert len(runs) < len(lines) / 20, missed


@pytest.mark.parametrize(
    ("words", "said", "expected"),
    [
        (["-o", "cov.txt", "--", "A"], "does not say the format", WRONG_USAGE),
        (["-o", "nowhere/cov.info", "--", "A"], "no such folder", WRONG_USAGE),
        (["merge"], "say which files to merge", WRONG_USAGE),
        (["4711", "more"], "write -- in front of", WRONG_USAGE),
        (["merge", "missing.json"], "cannot be read", OUT_OF_REACH),
        (["--java", "/nowhere", "--", "A"], "/nowhere", OUT_OF_REACH),
        (["-cp", "CLASSES", "--include", "a/b", "--", _MAIN], "no pattern", OUT_OF_REACH),
        (["-cp", "nowhere", "--", "A"], "no such file or directory", WRONG_USAGE),
    ],
)
async def test_what_is_refused(words: list[str], said: str, expected: int) -> None:
    (classes,) = debuggee("coverage", _MAIN).class_path
    words = [str(classes) if each == "CLASSES" else each for each in words]
    code, _, errors = await ask_process("coverage", *words)
    assert said in errors
    assert code == expected
