# SPDX-License-Identifier: Apache-2.0
"""Files that documents name by a path exist: a move takes the walks and the theory with it."""

from __future__ import annotations

import re

from tests.house.tracked import text_of, tracked_files

_NAMED = re.compile(r"`([\w.-]+(?:/[\w.-]+)+\.(?:py|h|cpp|ts|toml|md))`")
_TOLD = "CHANGELOG.md"
"""It names what there was, too."""


def test_files_that_documents_name_exist() -> None:
    ends = {
        "/".join(path.parts[first:]) for path in tracked_files() for first in range(len(path.parts))
    }
    missing = [
        f"{path}: {name}"
        for path in tracked_files()
        if path.suffix == ".md" and path.name != _TOLD
        for name in _NAMED.findall(text_of(path))
        if name not in ends
    ]
    assert not missing, "no tracked file has these paths, or ends with them"
