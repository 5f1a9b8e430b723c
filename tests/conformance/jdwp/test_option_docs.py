# SPDX-License-Identifier: Apache-2.0
"""The table of options in the documents is that of the agent's `help`."""

from __future__ import annotations

import re
import subprocess

import pytest

from tests.support import process
from tests.support.jdks import REPOSITORY, newest_compiler

_TABLE = REPOSITORY / "docs" / "how-to" / "jdwp-clients.md"
_WORDS = re.compile(r"[a-z0-9]+")


def words(text: str) -> list[str]:
    """The words of a text, whatever the layout."""
    return _WORDS.findall(text.lower())


@pytest.mark.agent
def test_the_documented_options_are_those_of_help() -> None:
    command = [str(newest_compiler().java), process.agent_argument("jvmdebug", "help")]
    output = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    listed = output.partition("----------------\n")[2].partition("\nhelp ")[0]
    helped = {
        found["name"]: words(found["text"])
        for found in re.finditer(
            r"^(?P<name>[a-z0-9]+) (?P<text>.*(?:\n .*)*)", listed, re.MULTILINE
        )
    }
    section = _TABLE.read_text(encoding="utf-8").partition("\n## Options\n")[2]
    table = section.partition("\n## ")[0]
    documented = {
        found["name"]: words(found["text"].replace("\\|", "|"))
        for found in re.finditer(r"^\| `(?P<name>\w+)` \|(?P<text>.*)$", table, re.MULTILINE)
    }
    assert list(documented) == list(helped)
    for name, said in helped.items():
        # The document may say more, and says the default before the meaning.
        missing = [word for word in said if word not in documented[name]]
        assert not missing, f"{name}: {missing} of help is not in the document"
    for ignored in ("assert", "logfile", "strict", "precrash"):
        assert f"`{ignored}`" in section
        assert ignored in output
