# SPDX-License-Identifier: Apache-2.0
"""Tells which pairs of {agent} × {JDK} a run has, and which are left to `make matrix`.

A run that names versions (JVMDEBUG_TEST_VERSIONS) has every pair of them; `make matrix` names one
version after the other. A run that names none, as in CI, leaves out by the mark `slow`; so does one
that names versions with JVMDEBUG_TEST_SETS=few, as CI's run of the sanitizers. The tables are in
matrix.toml, each entry with the reason:

- the stock agent on all JDKs but the newest: it is here to be compared with;
- what `on_one_pair` lists, on all pairs but our agent with the newest JDK;
- what `CROSSWISE` lists on all pairs but two: our agent with the newest JDK, and, of a tenth of the
  tests, chosen by their names, the stock agent with the oldest. What an agent does on a JDK is
  tested below;
- what `on_oldest` lists on all JDKs but the oldest;
- what `in_matrix` lists on all pairs;
- what `one_set` lists with all sets of parameters but the first, in each run but those of
  `make matrix` and `make asan` (JVMDEBUG_TEST_SETS=all);
- of what `sampled` lists all but a share, chosen by their names, in the same runs;
- all but a sixth of the conversations about wrong fields (tests/conformance/differential), and all
  but a tenth on all JDKs but the newest: the checks of the agent that they reach are the same.

Called by the conftests that spread tests over the matrix.
"""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final
from zlib import crc32

import pytest

from tests.support.jdks import REPOSITORY, jdks_to_test

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tests.support.jdks import Jdk
    from tests.support.process import AgentInVm

_TABLES: Final = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
ON_ONE_PAIR: Final[Mapping[str, str]] = _TABLES["on_one_pair"]
"""Folder → why one pair says as much as all."""
ON_OLDEST: Final[Mapping[str, str]] = _TABLES["on_oldest"]
"""File → why only the oldest JDK tells something."""
IN_MATRIX: Final[Mapping[str, str]] = {
    test: table["reason"] for table in _TABLES["in_matrix"] for test in table["tests"]
}
"""Test → why another one tells enough between two runs of `make matrix`."""
ONE_SET: Final[Mapping[str, str]] = {
    test: table["reason"] for table in _TABLES["one_set"] for test in table["tests"]
}
"""Test → why one set of parameters says most of what all say."""
CROSSWISE: Final = {
    "tests/e2e/core",
    "tests/e2e/dap",
    "tests/e2e/dropin",
    "tests/e2e/edge_cases",
    "tests/e2e/script",
    "tests/e2e/sources",
    # The agent reads tokens before it knows anything of the VM.
    "tests/conformance/jdwp/test_tokens.py",
    # They stop and interrupt methods that run for the debugger, which is up to agent and JDK.
    "tests/e2e/evaluate/test_safety.py",
    "tests/e2e/evaluate/test_threads.py",
}
"""Folders and files of front ends and the core; tests/conformance has the wire on more pairs."""

_VERSION: Final = re.compile(r"\bjdk(\d+)\b")


@dataclass(frozen=True)
class Sample:
    """Tests of which a run has a share: those of a folder, of a file, or of a function."""

    tests: str
    one_in: int
    """Of so many one is in the share."""
    only_pairs: str
    """`all`, or `other`: only those of the stock agent, and those on all JDKs but the newest."""
    reason: str

    def leaves_out(self, item: pytest.Item, *, is_first: bool) -> bool:
        """Whether that test is not in the share; `is_first` of its sets of parameters."""
        test, _, parameters = item.nodeid.partition("[")
        if not f"{test}/".startswith(f"{self.tests}/") and not test.startswith(f"{self.tests}::"):
            return False
        if is_first if self.only_pairs == "all" else not _is_on_other_pair(parameters):
            return False
        # Without the JDK: what is left out on one is so on the others.
        return crc32(_VERSION.sub("", item.nodeid).encode()) % self.one_in != 0


SAMPLED: Final = tuple(
    Sample(test, table["one_in"], table["only_pairs"], table["reason"])
    for table in _TABLES["sampled"]
    for test in table["tests"]
)


def is_whole() -> bool:
    """Whether this run has every pair of the versions that it names."""
    return "JVMDEBUG_TEST_VERSIONS" in os.environ and _sets() != "few"


def has_all_sets() -> bool:
    """Whether this run has all sets of parameters of each test."""
    return _sets() == "all"


def _sets() -> str | None:
    return os.environ.get("JVMDEBUG_TEST_SETS")


def is_newest(jdk: Jdk) -> bool:
    """Whether it is the newest JDK of this run."""
    return jdk.version == _newest()


def _newest() -> int:
    return max(each.version for each in jdks_to_test())


def _is_oldest(jdk: Jdk) -> bool:
    return jdk.version == min(each.version for each in jdks_to_test())


def _is_on_other_pair(parameters: str) -> bool:
    """Whether the sets of parameters in an id name the stock agent, or a JDK before the newest."""
    version = _VERSION.search(parameters)
    return "stock" in parameters or (version is not None and int(version[1]) != _newest())


def marks_of(
    kind: AgentInVm | None, jdk: Jdk | None = None, *, file: Path | None = None, test: str = ""
) -> Sequence[pytest.MarkDecorator]:
    """The marks of a test in that file with this agent (None: it names none), on this JDK.

    `test` is the name of its function.
    """
    marks = (pytest.mark.agent,) if kind not in {"stock", None} else ()
    return (*marks, pytest.mark.slow) if _is_left_out(kind, jdk, file, test) else marks


def left_out_items(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """What this run leaves out of the tests in `IN_MATRIX` that name no agent and no JDK; of those
    in `ONE_SET` all sets of parameters but the first, of our agent on the newest JDK if there is
    one (the run with a sanitized agent has that one already); and what is not in the share of those
    in `SAMPLED`, where the first set of a test on the pairs of all stays.
    """
    left = [] if is_whole() else [item for item in items if _test_of(item) in IN_MATRIX]
    if has_all_sets():
        return left
    kept: dict[str, pytest.Item] = {}
    seen: set[tuple[str, bool]] = set()
    for item in (each for each in items if not each.get_closest_marker("slow")):
        test, is_stock = _test_of(item), "stock" in item.nodeid.partition("[")[2]
        if test in ONE_SET:
            first = kept.setdefault(test, item)
            if _is_on_other_pair(first.nodeid) and not _is_on_other_pair(item.nodeid):
                kept[test] = item
        elif not is_whole():
            is_first = (test, is_stock) not in seen
            seen.add((test, is_stock))
            if any(each.leaves_out(item, is_first=is_first) for each in SAMPLED):
                left.append(item)
    listed = (item for item in items if _test_of(item) in ONE_SET)
    return left + [item for item in listed if item is not kept.get(_test_of(item))]


def _test_of(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[0]


def _is_left_out(kind: AgentInVm | None, jdk: Jdk | None, file: Path | None, test: str) -> bool:
    if is_whole():
        return False
    name = "" if file is None else file.relative_to(REPOSITORY).as_posix()
    return f"{name}::{test}" in IN_MATRIX or _is_other_pair(kind, jdk, name, test)


def _is_other_pair(kind: AgentInVm | None, jdk: Jdk | None, name: str, test: str) -> bool:
    is_other_jdk = jdk is not None and not is_newest(jdk)
    folder = name.rpartition("/")[0]
    if name in CROSSWISE or folder in CROSSWISE:
        if kind == "stock" and jdk is not None:
            return not (_is_oldest(jdk) and crc32(test.encode()) % 10 == 0)
        return is_other_jdk
    if name in ON_OLDEST:
        return jdk is not None and not _is_oldest(jdk)
    if folder in ON_ONE_PAIR:
        return is_other_jdk or kind == "stock"
    return is_other_jdk and kind == "stock"
