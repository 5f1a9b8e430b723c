# SPDX-License-Identifier: Apache-2.0
"""What README, docs and public docstrings promise is held by a test that exists."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from typing import Any, Final

import pytest

from tests.bench.__main__ import TABLES
from tests.bench.conditions import CASES, SHOWN
from tests.house.promise_texts import documents, promising, sentences
from tests.support.jdks import REPOSITORY

LIST: dict[str, list[dict[str, Any]]] = tomllib.loads(
    "\n".join(
        each.read_text("utf-8") for each in (REPOSITORY / "tests/house").glob("promises*.toml")
    )
)
BENCH = "bench "
HELD = re.compile(r"<!-- (.*?) -->")
_LINES = re.MULTILINE | re.DOTALL


def claims() -> list[tuple[str, str]]:
    """File and part of the sentence of every entry."""
    promised = [(each["file"], each["says"]) for each in LIST["promise"]]
    return promised + [(each["file"], says) for each in LIST["other"] for says in each["says"]]


_PLAIN_VALUES: Final = "\n## jvmdebug.heap\n"
"""From there on api.md has the classes of packages and of the model: what values are."""


@cache
def sentences_in(file: str) -> list[str]:
    text = (REPOSITORY / file).read_text("utf-8")
    return promising(text.partition(_PLAIN_VALUES)[0])


@cache
def said_in(file: str) -> list[str]:
    """What promises something, and what a table of SECURITY.md says without such a word."""
    text = (REPOSITORY / file).read_text("utf-8")
    return list(sentences(text)) if file == "SECURITY.md" else sentences_in(file)


@cache
def defined_in(file: str) -> frozenset[str]:
    path = REPOSITORY / file
    text = path.read_text("utf-8") if path.is_file() else ""
    return frozenset(re.findall(r"^(?:async )?def (test_\w+)", text, re.MULTILINE))


@pytest.mark.parametrize("document", documents(), ids=lambda each: each.name)
def test_each_promise_is_listed(document: Any) -> None:
    file = str(document.relative_to(REPOSITORY))
    said = [part for where, part in claims() if where == file]
    missing = [each for each in sentences_in(file) if not any(part in each for part in said)]
    assert not missing, f"name the tests that hold these in promises.toml: {missing}"


def test_what_is_listed_is_said() -> None:
    files = {str(each.relative_to(REPOSITORY)) for each in documents()}
    gone = [
        (file, part)
        for file, part in claims()
        if file not in files or not any(part in each for each in said_in(file))
    ]
    assert not gone, f"these are no longer promised, take them out of promises.toml: {gone}"


def test_each_attacker_is_held_by_tests() -> None:
    """Each row of the table in SECURITY.md says what somebody cannot do, and a test shows it."""
    text = (REPOSITORY / "SECURITY.md").read_text("utf-8")
    rows = re.findall(r"^\|[^|]*\|[^|]*\|([^|]*)\|$", text, re.MULTILINE)[2:]
    assert len(rows) > 6
    promised = [each["says"] for each in LIST["promise"] if each["file"] == "SECURITY.md"]
    held = [any(part in row for part in promised) or row.strip() == "–" for row in rows]
    assert all(held), [row for row, is_held in zip(rows, held, strict=True) if not is_held]


def test_the_tests_exist() -> None:
    missing = []
    for each in LIST["promise"]:
        assert each["held_by"], each
        for holder in each["held_by"]:
            if holder.startswith(BENCH):
                exists = holder.removeprefix(BENCH) in TABLES
            else:
                file, _, name = holder.partition("::")
                exists = name in defined_in(file) or (name == "*" and bool(defined_in(file)))
            if not exists:
                missing.append(holder)
    assert not missing


def test_each_part_of_the_readme_names_what_holds_it() -> None:
    """A comment in each section does, and one behind each listing of commands."""
    text = (REPOSITORY / "README.md").read_text("utf-8")
    sections = re.split(r"^## ", text, flags=re.MULTILINE)
    assert len(sections) > 8
    assert [each.partition("\n")[0] for each in sections if HELD.search(each) is None] == []
    behind = re.findall(r"^```(?:sh|console)\n.*?^```\n(.*?)(?=^```|^#|\Z)", text, _LINES)
    assert len(behind) > 3
    assert [each for each in behind if HELD.search(each) is None] == []


def test_the_readme_has_the_rows_that_are_measured() -> None:
    text = (REPOSITORY / "README.md").read_text("utf-8")
    table = [line for line in text.splitlines() if re.match(r"\| .* \| (?:yes|no) \|", line)]
    assert len(table) == len(SHOWN)
    for case in CASES:
        if case.name in SHOWN and (condition := case.options.get("condition")):
            assert any(f"`{condition}`" in row for row in table), condition


def test_the_readme_names_what_holds_each_claim() -> None:
    """A comment at the end of each of its differences, and of the table of conditions, does."""
    text = (REPOSITORY / "README.md").read_text("utf-8")
    _, _, differences = text.partition("## What is different")
    claims = re.split(r"^- ", differences.partition("## Development")[0], flags=re.MULTILINE)[1:]
    assert len(claims) > 15
    assert [each for each in claims if HELD.search(each) is None] == []
    named = [each for found in HELD.findall(text) for each in re.split(r"[,;] ", found)]
    for name in named:
        what = name.rpartition(": ")[2]
        if what.startswith(BENCH):
            assert what.removeprefix(BENCH) in TABLES, what
        elif "/" in what:
            assert defined_in(what), what
