# SPDX-License-Identifier: Apache-2.0
"""The table of what reaches JVM TI: nothing is missing, and what it names is there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.support.jdks import discover
from tests.support.wire_grammar import read_grammar
from tools.jvmti_reference import called_in, exists, handled_in, table

if TYPE_CHECKING:
    from tests.support.jdks import Jdk

ROWS = table()
ALL = [(group, row) for group, rows in ROWS.items() for row in rows]


def _with_headers(version: int) -> Jdk:
    found = [each for each in discover() if each.version == version and each.has_headers]
    if not found:
        pytest.skip(f"no JDK {version} here has the header jvmti.h")
    return found[0]


@pytest.mark.parametrize(("version", "functions", "capabilities"), [(17, 148, 44), (25, 151, 45)])
def test_nothing_of_the_header_is_missing(version: int, functions: int, capabilities: int) -> None:
    path = _with_headers(version).home / "include" / "jvmti.h"
    header = path.read_text(encoding="utf-8")
    interface = header[header.index("typedef struct jvmtiInterface_1_") :]
    names = {
        "functions": set(re.findall(r"jvmtiError \(JNICALL \*(\w+)\)", interface)),
        "events": set(re.findall(r"typedef void \(JNICALL \*jvmtiEvent(\w+)\)", header))
        - {"Reserved"},
        "capabilities": set(re.findall(r"unsigned int (can_\w+) : 1;", header)),
    }
    assert len(names["functions"]) == functions
    assert len(names["capabilities"]) == capabilities
    for group, wanted in names.items():
        told = {row.name for row in ROWS[group]}
        assert wanted - told == set(), group
        if version == 25:
            assert told == wanted, group


def test_jvmpi_is_whole() -> None:
    assert len(ROWS["jvmpi_functions"]) == 25
    assert len(ROWS["jvmpi_events"]) == 36


def test_each_row_says_what_reaches_it() -> None:
    silent = [
        row.name
        for _, row in ALL
        if not (row.calls or row.commands or row.by_agent)
        and not (row.is_out_of_reach and row.note)
    ]
    assert silent == []
    assert [row.name for _, row in ALL if row.is_out_of_reach and row.calls] == []


def test_the_calls_and_commands_that_it_names_are_there() -> None:
    assert [call for _, row in ALL for call in row.calls if not exists(call)] == []
    known = {f"{each.set_name}.{each.name}" for each in read_grammar().commands.values()}
    assert [each for _, row in ALL for each in row.commands if each not in known] == []


def test_the_agent_calls_each_function_that_is_reached() -> None:
    uncalled = [
        row.name for row in ROWS["functions"] if bool(called_in(row.name)) is row.is_out_of_reach
    ]
    assert uncalled == []
    unheard = [
        row.name for row in ROWS["events"] if bool(handled_in(row.name)) is row.is_out_of_reach
    ]
    assert unheard == []
