# SPDX-License-Identifier: Apache-2.0
"""A profile as pprof reads it: a gzipped protocol buffer, `perftools.profiles.Profile`.

Owns the few pieces of the encoding that are needed. The format: google/pprof, `profile.proto`. Each
sample has two values, how often it was seen and its time or bytes, and its thread as a label.
"""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING, Final

from jvmdebug.printable import one_line
from jvmdebug.profiling.stack_tree import ROOT, ProfiledFrame

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmdebug.profiling.profile import Profile

_NONE: Final = ProfiledFrame("", "(no Java frames)", "", None)
_NAMES: Final = {"cpu": "cpu", "wall": "wall", "alloc": "alloc_space", "locks": "delay"}


def written(profile: Profile) -> bytes:
    """The content of the file."""
    return gzip.compress(_Encoder(profile).encode(), mtime=0)


class _Encoder:
    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._strings: dict[str, int] = {"": 0}
        self._locations: dict[ProfiledFrame, int] = {}
        self._functions: dict[tuple[str, str], int] = {}

    def encode(self) -> bytes:
        profile = self._profile
        value_type = self._value_type(_NAMES[profile.kind], profile.unit)
        samples = b"".join(self._samples())
        parts = [
            _message(1, self._value_type("samples", "count")),
            _message(1, value_type),
            samples,
            *(
                _message(
                    4,
                    _number(1, id_)
                    + _message(4, _number(1, self._function(frame)) + _number(2, frame.line or 0)),
                )
                for frame, id_ in self._locations.items()
            ),
            *(
                _message(
                    5,
                    _number(1, id_)
                    + _number(2, self._string(name))
                    + _number(3, self._string(name))
                    + _number(4, self._string(source)),
                )
                for (name, source), id_ in self._functions.items()
            ),
            _number(9, int(profile.started_at * 1e9)),
            _number(10, int(profile.duration_s * 1e9)),
            _message(11, value_type),
            _number(12, int((profile.interval_s or 0.0) * 1e9)),
            _number(13, self._string(profile.how)),
            _number(14, self._string(_NAMES[profile.kind])),
        ]
        strings = b"".join(_message(6, each.encode("utf-8", "replace")) for each in self._strings)
        return b"".join([*parts, strings])

    def _samples(self) -> Iterable[bytes]:
        tree = self._profile.tree
        thread, state = self._string("thread"), self._string("state")
        for key, (count, value) in tree.values.items():
            frames = [_NONE] if key.node == ROOT else tree.stack(key.node)
            locations = b"".join(_varint(self._location(each)) for each in frames)
            name = one_line(self._profile.threads[key.thread].name)
            yield _message(
                2,
                _message(1, locations)
                + _message(2, _varint(count) + _varint(value))
                + _message(3, _number(1, thread) + _number(2, self._string(name)))
                + _message(3, _number(1, state) + _number(2, self._string(key.state))),
            )

    def _value_type(self, name: str, unit: str) -> bytes:
        return _number(1, self._string(name)) + _number(2, self._string(unit))

    def _string(self, text: str) -> int:
        return self._strings.setdefault(text, len(self._strings))

    def _location(self, frame: ProfiledFrame) -> int:
        self._function(frame)
        return self._locations.setdefault(frame, len(self._locations) + 1)

    def _function(self, frame: ProfiledFrame) -> int:
        key = (one_line(frame.name), one_line(frame.source))
        return self._functions.setdefault(key, len(self._functions) + 1)


def _varint(number: int) -> bytes:
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    found.append(number)
    return bytes(found)


def _number(field: int, number: int) -> bytes:
    return _varint(field << 3) + _varint(number) if number else b""


def _message(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(content)) + content
