# SPDX-License-Identifier: Apache-2.0
"""Values of the API as JSON, and messages on a stream.

A message is four bytes, its length, and JSON. Numbers, texts, collections, enums, errors and frozen
dataclasses go by value. Everything else that the API gives stays where it is and goes as a number:
`references` says which object has which. Only classes of jvmdebug are made from what was read, and
no function of them is called for that.
"""

from __future__ import annotations

import base64
import builtins
import dataclasses
import importlib
import json
import math
import struct
from enum import Enum
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from jvmdebug import errors
from jvmdebug.errors import WireError

if TYPE_CHECKING:
    import asyncio

LENGTH: Final = struct.Struct(">I")
_LARGEST: Final = 1 << 30
_KIND: Final = "$"


class References(Protocol):
    """Knows which objects stay where they are, and what they are called on the wire."""

    def of(self, value: Any) -> list[Any] | None:  # noqa: ANN401 - any value
        """What names the value on the wire, if it goes by reference; None if it may go by value."""

    def found(self, named: list[Any]) -> object:
        """The object that was named. Raises WireError for a name that nothing has."""


def packed(message: dict[str, Any]) -> bytes:
    """A message with its length."""
    data = json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode(
        "utf-8", "surrogatepass"
    )
    return LENGTH.pack(len(data)) + data


def unpacked(data: bytes) -> dict[str, Any]:
    """The message in `data`, without the length. Raises WireError."""
    try:
        read = json.loads(data.decode("utf-8", "surrogatepass"))
    except ValueError as error:
        raise WireError("a message of a shared session is not JSON") from error
    if not isinstance(read, dict):
        raise WireError("a message of a shared session is no object")
    return read


def length(head: bytes) -> int:
    """How many bytes follow. Raises WireError for more than a message can have."""
    (size,) = LENGTH.unpack(head)
    if size > _LARGEST:
        raise WireError(f"a message of a shared session has {size} bytes")
    return int(size)


async def read(stream: asyncio.StreamReader) -> dict[str, Any]:
    """The next message. Raises IncompleteReadError at the end of the stream, or WireError."""
    return unpacked(await stream.readexactly(length(await stream.readexactly(LENGTH.size))))


class Coder:
    """Writes and reads values, with the references of one side of one connection."""

    def __init__(self, references: References) -> None:
        self._references = references

    def write(self, value: Any) -> Any:  # noqa: ANN401, C901, PLR0911 - one case for each kind
        """The value as JSON. TypeError for one that cannot go over."""
        if value is None or value is True or value is False or type(value) in (int, str):
            return value
        if type(value) is list:
            return [self.write(each) for each in value]
        if isinstance(value, Enum):
            return {_KIND: "enum", "c": _name(type(value)), "v": value.name}
        if isinstance(value, float):
            return value if math.isfinite(value) else {_KIND: "float", "v": str(value)}
        if (named := self._references.of(value)) is not None:
            return {_KIND: "ref", "v": named}
        if isinstance(value, type):
            return {_KIND: "type", "c": _name(value)}
        if isinstance(value, int):
            return int(value)
        if isinstance(value, str):
            return str(value)
        if isinstance(value, bytes | bytearray | memoryview):
            return {_KIND: "bytes", "v": base64.b64encode(value).decode("ascii")}
        if isinstance(value, BaseException):
            return self._error(value)
        if isinstance(value, PurePath):
            return {_KIND: "path", "v": str(value)}
        if dataclasses.is_dataclass(value):
            fields = {each.name: self.write(getattr(value, each.name)) for each in _fields(value)}
            return {_KIND: "data", "c": _name(type(value)), "v": fields}
        return self._collection(value)

    def _collection(self, value: Any) -> dict[str, Any]:  # noqa: ANN401
        if isinstance(value, tuple):
            items = [self.write(each) for each in value]
            if hasattr(value, "_fields"):
                return {_KIND: "named", "c": _name(type(value)), "v": items}
            return {_KIND: "tuple", "v": items}
        if isinstance(value, list):
            return {_KIND: "list", "v": [self.write(each) for each in value]}
        if isinstance(value, set | frozenset):
            return {_KIND: type(value).__name__, "v": [self.write(each) for each in value]}
        if isinstance(value, range):
            return {_KIND: "range", "v": [value.start, value.stop, value.step]}
        if isinstance(value, dict) or hasattr(value, "items"):
            pairs = [[self.write(key), self.write(each)] for key, each in value.items()]
            return {_KIND: "dict", "v": pairs}
        raise TypeError(f"a {type(value).__name__} cannot be used in a session that was joined")

    def _error(self, error: BaseException) -> dict[str, Any]:
        known = {}
        for name, each in vars(error).items():
            try:
                known[name] = self.write(each)
            except TypeError:
                continue
        class_ = next(each for each in type(error).__mro__ if _is_known_error(each))
        cause = None if error.__cause__ is None else self._error(error.__cause__)
        return {_KIND: "error", "c": _name(class_), "v": str(error), "d": known, "of": cause}

    def read(self, written: Any) -> Any:  # noqa: ANN401, C901, PLR0911, PLR0912 - the same cases
        """The value that was written. Raises WireError for what no value is."""
        if isinstance(written, list):
            return [self.read(each) for each in written]
        if not isinstance(written, dict):
            return written
        value: Any
        try:
            kind, value = str(written[_KIND]), written.get("v")
            match kind:
                case "ref":
                    return self._references.found(value)
                case "enum":
                    return _class(written["c"], Enum)[value]
                case "float":
                    return float(value)
                case "type":
                    return _class(written["c"], object)
                case "bytes":
                    return base64.b64decode(value)
                case "path":
                    return Path(value)
                case "range":
                    return range(*value)
                case "dict":
                    return {self.read(key): self.read(each) for key, each in value}
                case "tuple":
                    return tuple(self.read(each) for each in value)
                case "list":
                    return [self.read(each) for each in value]
                case "set":
                    return {self.read(each) for each in value}
                case "frozenset":
                    return frozenset(self.read(each) for each in value)
                case "named":
                    return _class(written["c"], tuple)(*(self.read(each) for each in value))
                case "error":
                    return self._read_error(written)
                case "data":
                    return self._read_data(written["c"], value)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise WireError(f"a value of a shared session is ill-formed: {error}") from error
        raise WireError(f"a value of a shared session is of an unknown kind: {kind!r}")

    def _read_data(self, named: str, fields: dict[str, Any]) -> object:
        class_: Any = _class(named, object)
        if not dataclasses.is_dataclass(class_):
            raise WireError(f"{named} is no dataclass")
        made: Any = object.__new__(cast("type[object]", class_))
        for each in dataclasses.fields(class_):
            object.__setattr__(made, each.name, self.read(fields[each.name]))
        return made

    def _read_error(self, written: dict[str, Any]) -> BaseException:
        class_ = _class(written["c"], BaseException)
        error: BaseException = class_.__new__(class_, written["v"])
        error.args = (written["v"],)
        for name, each in written["d"].items():
            setattr(error, name, self.read(each))
        if written["of"] is not None:
            error.__cause__ = self._read_error(written["of"])
        return error


def _fields(value: Any) -> tuple[dataclasses.Field[Any], ...]:  # noqa: ANN401 - any dataclass
    return dataclasses.fields(value)


def _name(class_: type) -> str:
    return f"{class_.__module__}:{class_.__qualname__}"


def _is_known_error(class_: type) -> bool:
    return class_.__module__ in (errors.__name__, "builtins") or (
        class_.__module__.startswith("jvmdebug.")
    )


def _class(named: str, base: type[Any]) -> Any:  # noqa: ANN401 - any class
    module, _, name = named.partition(":")
    if module == "builtins":
        found = getattr(builtins, name)
    elif module.partition(".")[0] == "jvmdebug":
        found = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    else:
        raise WireError(f"{named} is no class of jvmdebug")
    if not isinstance(found, type) or not issubclass(found, base):
        raise WireError(f"{named} is no {base.__name__}")
    return found
