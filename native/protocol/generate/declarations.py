# SPDX-License-Identifier: Apache-2.0
"""Reads native/protocol/*.toml into the model and checks it.

Every error names the file, the command or case, and where it can the line. Checked here: unknown
keys, doubled names and numbers, types and error codes that do not exist.
"""

from __future__ import annotations

import itertools
import re
import tomllib
from typing import TYPE_CHECKING, Any, TypeVar

from native.protocol.generate.differences import DIFFERENCES, read_differences
from native.protocol.generate.errors import DeclarationError
from native.protocol.generate.fields import FieldError, FieldTable
from native.protocol.generate.model import (
    ROLES,
    Case,
    Command,
    CommandSet,
    Declarations,
    Enum,
    ErrorCode,
    Field,
    Never,
    Support,
    Variant,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

_SUPPORT_KEYS = frozenset(["capability", "fast_mode", "since"])
_COMMAND_KEYS = _SUPPORT_KEYS | frozenset(
    (
        *("number", "role", "doc", "request", "reply", "errors", "never"),
        *("changes", "deferred", "from_agent"),
    )
)
_CASE_KEYS = _SUPPORT_KEYS | frozenset(["doc", "tag", "kinds", "not_kinds", "fields"])


T = TypeVar("T")


class _File:
    """One TOML file, with its text for line numbers."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lines = path.read_text(encoding="utf-8").splitlines()
        try:
            self.content: dict[str, Any] = tomllib.loads("\n".join(self._lines))
        except tomllib.TOMLDecodeError as error:
            raise DeclarationError(f"{path.name}: not TOML: {error}") from error

    def error(self, table: str, message: str, key: str = "", offset: int = 0) -> DeclarationError:
        """An error in `[table]`, at the line of `key` plus `offset`, where that can be found."""
        number = self._find(f"[{table}]", 0) if table else 0
        if key:
            number = self._find(f"{key} =", number)
        where = table.removeprefix("command.") or "file"
        return DeclarationError(f"{self.path.name}:{number + 1 + offset}: {where}: {message}")

    def _find(self, start: str, after: int) -> int:
        for number in range(after, len(self._lines)):
            if self._lines[number].startswith(start):
                return number
        return after

    def require(self, table: str, content: Mapping[str, Any], key: str, kind: type[T]) -> T:
        value = content.get(key)
        if not isinstance(value, kind):
            raise self.error(table, f"needs {key} ({kind.__name__})", key)
        return value

    def only(self, table: str, content: Iterable[str], allowed: frozenset[str]) -> None:
        for key in content:
            if key not in allowed:
                raise self.error(table, f"{key!r} means nothing here", key)


def read_declarations(folder: Path) -> Declarations:
    """Reads the declarations of this folder; raises DeclarationError."""
    enums, errors = _read_constants(_File(folder / "constants.toml"))
    enums_by_name = {enum.name: enum for enum in enums}
    events = _File(folder / "events.toml")
    variant_names = frozenset(events.content.get("variant", {}))
    table = FieldTable(enums_by_name, variant_names)
    variants = tuple(
        _read_variant(events, name, content, table, enums_by_name)
        for name, content in events.content.get("variant", {}).items()
    )
    error_names = frozenset(error.name for error in errors)
    sets = [
        _read_set(_File(path), table, error_names)
        for path in sorted(folder.glob("*.toml"))
        if path.stem not in ("constants", "events") and not path.stem.startswith(DIFFERENCES)
    ]
    sets.sort(key=lambda command_set: command_set.number)
    for first, second in itertools.pairwise(sets):
        if first.number == second.number:
            raise DeclarationError(
                f"{second.module}.toml: number {second.number} is that of {first.module}.toml"
            )
    names = {f"{one.name}.{command.name}" for one in sets for command in one.commands}
    cases = {case.name for variant in variants for case in variant.cases}
    differences = read_differences(folder, names, cases)
    return Declarations(enums, errors, variants, tuple(sets), differences)


def _read_constants(file: _File) -> tuple[tuple[Enum, ...], tuple[ErrorCode, ...]]:
    file.only("", file.content, frozenset(("enum", "flags", "error")))
    enums: list[Enum] = []
    for group in ("enum", "flags"):
        for name, content in file.content.get(group, {}).items():
            table = f"{group}.{name}"
            wire = file.require(table, content, "wire", str)
            if wire not in ("byte", "int"):
                raise file.error(table, f"wire is byte or int, not {wire}", "wire")
            doc = file.require(table, content, "doc", str)
            members = {key: value for key, value in content.items() if key not in ("wire", "doc")}
            _check_numbers(file, table, members)
            enums.append(Enum(name, wire, doc, group == "flags", tuple(members.items())))
    errors: list[ErrorCode] = []
    for name, entry in file.content.get("error", {}).items():
        match entry:
            case [int(number), str(doc)]:
                errors.append(ErrorCode(name, number, doc))
            case _:
                raise file.error("error", f"{name} needs [number, text]", name)
    _check_numbers(file, "error", {error.name: error.number for error in errors})
    return tuple(enums), tuple(errors)


def _check_numbers(file: _File, table: str, members: Mapping[str, Any]) -> None:
    seen: dict[int, str] = {}
    for name, number in members.items():
        if not re.fullmatch(r"[A-Z][A-Z0-9_]*", name) or not isinstance(number, int):
            raise file.error(table, f"{name} is not a NAME = number", name)
        if number in seen:
            raise file.error(table, f"{name} and {seen[number]} are both {number}", name)
        seen[number] = name


def _read_fields(
    file: _File, table: str, content: Mapping[str, Any], key: str, reader: FieldTable
) -> tuple[Field, ...]:
    text = content.get(key, "")
    if not isinstance(text, str):
        raise file.error(table, f"{key} is a text of fields", key)
    try:
        return reader.read(text)
    except FieldError as error:
        raise file.error(table, str(error), key, error.line + 1) from error


def _read_variant(
    file: _File,
    name: str,
    content: Mapping[str, Any],
    reader: FieldTable,
    enums: Mapping[str, Enum],
) -> Variant:
    table = f"variant.{name}"
    file.only(table, content, frozenset(("doc", "tag", "suffix", "case")))
    wire, _, enum_name = file.require(table, content, "tag", str).partition(":")
    enum = enums.get(enum_name)
    if wire != "byte" or (enum_name and enum is None):
        raise file.error(table, "tag is byte or byte:ENUM", "tag")
    tag_names = {number: key for key, number in enum.members} if enum else {}
    suffix = file.require(table, content, "suffix", str)
    cases: list[Case] = []
    for case_name, case in content.get("case", {}).items():
        case_table = f"{table}.case.{case_name}"
        file.only(case_table, case, _CASE_KEYS)
        tag = file.require(case_table, case, "tag", int)
        if enum is not None and tag not in tag_names:
            raise file.error(case_table, f"{enum.name} has no {tag}", "tag")
        if any(tag == other.tag for other in cases):
            raise file.error(case_table, f"two cases have the tag {tag}", "tag")
        cases.append(
            Case(
                name=case_name + suffix,
                tag=tag,
                tag_name=tag_names.get(tag),
                doc=file.require(case_table, case, "doc", str),
                support=_read_support(case),
                kinds=_read_kinds(file, case_table, case, "kinds", enums),
                not_kinds=_read_kinds(file, case_table, case, "not_kinds", enums),
                fields=_read_fields(file, case_table, case, "fields", reader),
            )
        )
    return Variant(name, file.require(table, content, "doc", str), enum, tuple(cases))


def _read_support(content: Mapping[str, Any]) -> Support:
    return Support(content.get("since"), content.get("capability"), content.get("fast_mode"))


def _read_flag(file: _File, table: str, content: Mapping[str, Any], key: str) -> bool:
    flag = content.get(key, False)
    if not isinstance(flag, bool):
        raise file.error(table, f"{key} is true or false", key)
    return flag


def _read_kinds(
    file: _File, table: str, content: Mapping[str, Any], key: str, enums: Mapping[str, Enum]
) -> tuple[str, ...]:
    kinds = tuple(content.get(key, ()))
    known = {name for name, _ in enums["EventKind"].members}
    for kind in kinds:
        if kind not in known:
            raise file.error(table, f"EventKind has no {kind!r}", key)
    return kinds


def _read_never(
    file: _File, table: str, content: Mapping[str, Any], errors: tuple[str, ...]
) -> tuple[Never, ...]:
    entries = content.get("never", {})
    for name, entry in entries.items():
        if name not in errors:
            raise file.error(table, f"{name} is not one of its errors", "never")
        match entry:
            case [str(), str()]:
                pass
            case _:
                raise file.error(table, f"{name} needs [what is instead, conversation]", "never")
    return tuple(Never(name, entry[0]) for name, entry in entries.items())


def _read_set(file: _File, reader: FieldTable, error_names: frozenset[str]) -> CommandSet:
    file.only("", file.content, frozenset(("name", "number", "doc", "command")))
    commands: list[Command] = []
    for name, content in file.content.get("command", {}).items():
        command = _read_command(file, name, content, reader, error_names)
        if any(command.number == other.number for other in commands):
            raise file.error(f"command.{name}", f"two commands have the number {command.number}")
        commands.append(command)
    return CommandSet(
        module=file.path.stem,
        name=file.require("", file.content, "name", str),
        number=file.require("", file.content, "number", int),
        doc=file.require("", file.content, "doc", str),
        commands=tuple(commands),
    )


def _read_command(
    file: _File,
    name: str,
    content: Mapping[str, Any],
    reader: FieldTable,
    error_names: frozenset[str],
) -> Command:
    table = f"command.{name}"
    file.only(table, content, _COMMAND_KEYS)
    errors = tuple(content.get("errors", ()))
    for error in errors:
        if error not in error_names:
            raise file.error(table, f"constants.toml has no error {error!r}", "errors")
    from_agent = _read_flag(file, table, content, "from_agent")
    command = Command(
        name=name,
        number=file.require(table, content, "number", int),
        doc=file.require(table, content, "doc", str),
        role=_read_role(file, table, content, from_agent=from_agent),
        changes=_read_flag(file, table, content, "changes"),
        deferred=_read_flag(file, table, content, "deferred"),
        from_agent=from_agent,
        support=_read_support(content),
        errors=errors,
        never=_read_never(file, table, content, errors),
        request=_read_fields(file, table, content, "request", reader),
        reply=_read_fields(file, table, content, "reply", reader),
    )
    if command.from_agent and command.reply:
        raise file.error(table, "what the agent sends has no reply", "reply")
    if command.from_agent and command.changes:
        raise file.error(table, "what the agent sends changes nothing", "changes")
    return command


def _read_role(file: _File, table: str, content: Mapping[str, Any], *, from_agent: bool) -> str:
    """The role that a command needs: each command of a debugger has to say it."""
    if from_agent:
        if "role" in content:
            raise file.error(table, "what the agent sends needs no role", "role")
        return ""
    role = file.require(table, content, "role", str)
    if role not in ROLES:
        raise file.error(table, f"the roles are {', '.join(ROLES)}", "role")
    return role
