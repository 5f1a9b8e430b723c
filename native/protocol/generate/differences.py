# SPDX-License-Identifier: Apache-2.0
"""Reads differences*.toml: where our agent differs from the JDK's own on purpose.

The reference shows them; which conversation shows one is read by the differential tests only.
"""

from __future__ import annotations

import tomllib
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from native.protocol.generate.errors import DeclarationError
from native.protocol.generate.model import Difference

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

DIFFERENCES = "differences"
"""How the files begin that declare them."""

EVENT_SET = "an event set"
EVERY_COMMAND = "*"

_TEXTS = ("command", "field", "stock", "ours", "why")
_KEYS = frozenset((*_TEXTS, "about", "conversations", "since", "until"))


def read_differences(
    folder: Path, commands: Collection[str], cases: Collection[str]
) -> tuple[Difference, ...]:
    """The entries of all such files; what they may be about is these commands and cases."""
    files = sorted(folder.glob(f"{DIFFERENCES}*.toml"))
    return tuple(one for path in files for one in _read_file(path, commands, cases))


def _read_file(
    path: Path, commands: Collection[str], cases: Collection[str]
) -> tuple[Difference, ...]:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise DeclarationError(f"{path.name}: not TOML: {error}") from error
    entries = content.get("difference", [])
    return tuple(
        _read(f"{path.name}: difference {number}", {**entry, "command": command}, commands, cases)
        for number, entry in enumerate(entries, 1)
        for command in _commands(entry.get("command"))
    )


def _commands(declared: object) -> list[object]:
    return declared if isinstance(declared, list) else [declared]


def _read(
    where: str, entry: dict[str, Any], commands: Collection[str], cases: Collection[str]
) -> Difference:
    for key in _TEXTS:
        if not isinstance(entry.get(key), str):
            raise DeclarationError(f"{where}: needs {key} (str)")
    for key in entry:
        if key not in _KEYS:
            raise DeclarationError(f"{where}: {key!r} means nothing here")
    known = (*commands, EVENT_SET)
    if not any(fnmatchcase(name, entry["command"]) for name in known):
        raise DeclarationError(f"{where}: there is no command {entry['command']!r}")
    if not entry.get("conversations"):
        raise DeclarationError(f"{where}: needs conversations, in which the tests see it")
    return Difference(
        command=entry["command"],
        about=_about(where, entry, commands, cases),
        field=entry["field"],
        stock=entry["stock"],
        ours=entry["ours"],
        why=entry["why"],
        since=entry.get("since"),
        until=entry.get("until"),
    )


def _about(
    where: str, entry: dict[str, Any], commands: Collection[str], cases: Collection[str]
) -> tuple[str, ...]:
    """The name by which a reader looks for it: what it says itself, or its command."""
    about = tuple(entry.get("about", ()))
    for name in about:
        if name not in commands and name not in cases:
            raise DeclarationError(f"{where}: there is no command, event or modifier {name!r}")
    if about or entry["command"] == EVERY_COMMAND:
        return about
    if entry["command"] not in commands:
        raise DeclarationError(f"{where}: {entry['command']!r} is about no command: say `about`")
    return (entry["command"],)
