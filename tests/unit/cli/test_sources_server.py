# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug sources`: questions and answers, a line of JSON each."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from jvmdebug_cli.sources_server import SourcesServer

if TYPE_CHECKING:
    from pathlib import Path

MAIN = "class A { public static void main(String[] a) { int x = 1; } }"
MAX_MODULES = 130


def answers(*questions: object) -> dict[Any, dict[str, Any]]:
    said = "".join(each if isinstance(each, str) else json.dumps(each) + "\n" for each in questions)
    out = io.StringIO()
    SourcesServer(io.StringIO(said), out).serve()
    return {each["id"]: each for each in map(json.loads, out.getvalue().splitlines())}


def test_each_question_has_an_answer(tmp_path: Path) -> None:
    (tmp_path / "A.java").write_text(MAIN)
    at = {"path": "A.java", "text": MAIN, "line": 1, "word": "x"}
    found = answers(
        {"id": 1, "ask": "declared", "path": "A.java", "text": MAIN},
        {"id": 2, "ask": "declared", "path": str(tmp_path / "A.java")},
        {"id": 3, "ask": "below", "folder": str(tmp_path)},
        {"id": 4, "ask": "method", **at},
        {"id": 5, "ask": "field", **at},
        {"id": 6, "ask": "names", **at},
        {"id": 7, "ask": "declared", "path": str(tmp_path / "gone.java")},
    )
    declared = {"mains": [{"className": "A", "line": 1}], "tests": []}
    assert found[1]["answer"] == found[2]["answer"] == declared
    assert found[3]["answer"]["files"] == [{"file": str(tmp_path / "A.java"), **declared}]
    assert (found[4]["answer"], found[5]["answer"]) == ("A#main", "A.x")
    assert {"name": "x", "line": 1, "column": 52} in found[6]["answer"]
    assert found[7]["answer"] == {"mains": [], "tests": []}


def test_what_is_no_question_gets_an_error_and_the_next_its_answer() -> None:
    found = answers(
        "nonsense\n",
        "[1]\n",
        {"id": 1, "ask": "weather"},
        {"id": 2, "ask": "method", "path": "A.txt", "text": "", "line": 1},
        {"id": 3, "ask": "names", "path": "A.java", "text": 5, "line": 1},
        {"id": 4, "ask": "declared", "path": "A.java", "text": "\ud800"},
    )
    assert {each for each, reply in found.items() if "error" in reply} == {None, 1, 2, 3}
    assert "answer" in found[4]


def test_the_process_begins_quickly_and_ends_with_its_input() -> None:
    """An editor shows what it says beside the text: it imports little."""
    script = (
        "import sys; from jvmdebug_cli import main; code = main(['sources'])\n"
        "print(*sys.modules, file=sys.stderr); sys.exit(code)"
    )
    question = json.dumps({"id": 1, "ask": "declared", "path": "A.java", "text": MAIN})
    ran = subprocess.run(
        [sys.executable, "-c", script], input=question, capture_output=True, text=True, check=True
    )
    assert json.loads(ran.stdout)["answer"]["mains"]
    modules = ran.stderr.split()
    assert not {"asyncio", "argparse", "tree_sitter", "jvmdebug.session"} & set(modules)
    assert len(modules) <= MAX_MODULES


def test_it_takes_no_arguments() -> None:
    for arguments, code in ((["--help"], 0), (["x"], 2)):
        command = [sys.executable, "-m", "jvmdebug_cli", "sources", *arguments]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        assert ran.returncode == code
        assert "jvmdebug sources" in (ran.stdout if code == 0 else ran.stderr)
