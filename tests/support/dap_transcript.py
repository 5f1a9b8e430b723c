# SPDX-License-Identifier: Apache-2.0
"""A whole DAP session as readable text that a test compares.

What differs from run to run is put into words: paths, process ids, addresses. Thread events and the
program's output come when they come, so those are left out and the output stands at the end. Run
the tests with JVMDEBUG_RENEW_TRANSCRIPTS=1 to write the files again; then read the difference.
"""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.dap_client import DapClient

Json = Any
RENEW = "JVMDEBUG_RENEW_TRANSCRIPTS"
_WIDTH = 100
_LEFT_OUT = frozenset({"thread", "output"})
_WORDS = {
    "systemProcessId": "(pid)",
    "threadId": "(thread)",
    "memoryReference": "(memory)",
    "agent": "(agent)",
}
_ADDRESS = re.compile(r"^0x[0-9a-f]+$")


def transcript(client: DapClient, words: dict[str, str]) -> str:
    """The messages of both sides in order; `words` says what to write for which text."""
    lines: list[str] = []
    for message in _in_order(client.conversation):
        kind = message["type"]
        if kind == "event" and message["event"] in _LEFT_OUT:
            continue
        name = message.get("event") or message["command"]
        if kind == "request":
            head, content = f"> {name}", message.get("arguments")
        elif kind == "event":
            head, content = f"  * {name}", message.get("body")
        elif message["success"]:
            head, content = f"  < {name}", message.get("body")
        else:
            head, content = f"  < {name} refused", message["body"]["error"]
        lines += _written(head, _plain(content, words))
    for category in ("stdout", "stderr"):
        printed = client.output(category)
        lines += [f"{category}: {line}" for line in printed.splitlines()]
    return "\n".join([*lines, ""])


def _in_order(conversation: list[Json]) -> list[Json]:
    """Breakpoint events of one class load come in any order: sorted by id."""
    found: list[Json] = []
    for message in conversation:
        place = len(found)
        own = _breakpoint_id(message)
        while own and place and own < _breakpoint_id(found[place - 1]):
            place -= 1
        found.insert(place, message)
    return found


def _breakpoint_id(message: Json) -> int:
    """0 for what is no event about a breakpoint, so that nothing moves past it."""
    if message.get("event") != "breakpoint":
        return 0
    number: int = message["body"]["breakpoint"]["id"]
    return number


def compare(found: str, path: Path) -> None:
    """Fails with what differs from the file, or writes it when asked to."""
    if os.environ.get(RENEW):
        path.parent.mkdir(exist_ok=True)
        path.write_text(found, encoding="utf-8")
    expected = path.read_text(encoding="utf-8")
    assert found.splitlines() == expected.splitlines(), f"{path.name}: {RENEW}=1 writes it again"


def _written(head: str, content: Json) -> list[str]:
    if not content:
        return [head]
    short = json.dumps(content, ensure_ascii=False)
    if len(head) + len(short) < _WIDTH:
        return [f"{head} {short}"]
    indent = " " * (len(head) - len(head.lstrip()) + 4)
    return [head, *(f"{indent}{line}" for line in _members(content))]


def _members(content: Json) -> list[str]:
    """One member a line; lists of objects one object a line."""
    lines: list[str] = []
    for key, value in content.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            lines.append(f"{key}:")
            lines += [f"  {json.dumps(each, ensure_ascii=False)}" for each in value]
        else:
            lines.append(f"{key}: {json.dumps(value, ensure_ascii=False)}")
    return lines


def _plain(content: Json, words: dict[str, str], key: str = "") -> Json:
    if isinstance(content, dict):
        return {name: _plain(value, words, name) for name, value in content.items()}
    if isinstance(content, list):
        return [_plain(each, words, key) for each in content]
    if key in _WORDS and content:
        return _WORDS[key]
    if isinstance(content, str):
        if _ADDRESS.match(content):
            return "(address)"
        for text, word in words.items():
            content = content.replace(text, word)
    return content
