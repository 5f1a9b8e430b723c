# SPDX-License-Identifier: Apache-2.0
"""Keeps values that may be secrets out of the file of a recording.

`Redaction` says which: names of variables, fields and parameters, and patterns of texts. A
`Redactor` takes them out of what the agent has sent, before it is written: the values of such
variables become 0, at sites whose type says so; texts, arrays and collections that one of them has
held become objects of which nothing is known, wherever else they are; and what is left of a text
that contains such a text is written without it. Synchronous and pure: no file, no agent.
"""

from __future__ import annotations

import re
from array import array
from collections import deque
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from jvmdebug.recording.errors import RecordingError
from jvmdebug.recording.format import (
    REDACTED,
    REDACTED_TYPE,
    SITE,
    ObjectDefinition,
    ObjectKind,
    RecordedClass,
    RecordKind,
)
from jvmdebug.recording.secret_sites import SecretSites

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

DEFAULT_REDACTED: Final = (
    *("*password*", "*passwd*", "pwd", "*passphrase*", "*passcode*", "*secret*", "*credential*"),
    *("*token", "*apikey", "*accesskey", "*privatekey", "*authorization", "*sessionid", "*cookie"),
    *("*cvv", "*cvc"),
)
"""What is redacted unless it is switched off; upper case and `_` make no difference."""
_A_NAME: Final = re.compile(r"[\w$*.-]+")
_LEFT_OUT: Final = str.maketrans("", "", "_-$")
_HELD: Final = frozenset(
    (
        *(ObjectKind.STRING, ObjectKind.TEXT, ObjectKind.BOXED),
        *(ObjectKind.ARRAY, ObjectKind.COLLECTION, ObjectKind.MAP),
    )
)
"""Kinds of objects of which nothing is written once a secret variable has held one."""
_CACHED: Final = re.compile(r"true|false|-?\d{1,2}|1[01]\d|12[0-7]|-1[01]\d|-12[0-8]|.|", re.DOTALL)
"""Texts of boxed values that the JDK makes once for the whole program."""
_A_KEY: Final = re.compile(r"[\w.-]{1,100}")
_SHORTEST: Final = 6
"""Characters of a text that is looked for in other texts."""
_LONGEST: Final = 1000
_MOST_TEXTS: Final = 64
_CHARS: Final = "[C"
_NEXT: Final = 8


@dataclass(frozen=True)
class Redaction:
    """What is redacted."""

    names: tuple[str, ...] = DEFAULT_REDACTED
    """Names of variables, fields and parameters; `*` stands for any characters."""
    values: tuple[str, ...] = ()
    """Regular expressions: what matches one is taken out of all texts."""

    def __post_init__(self) -> None:
        """Raises RecordingError for a name that none can have, and for a wrong expression."""
        for name in self.names:
            if not _A_NAME.fullmatch(name) or not name.strip("*"):
                raise RecordingError(f"{name!r} is no name of a variable or a field, as *password*")
        for value in self.values:
            try:
                found = re.compile(value)
            except (re.error, RecursionError, OverflowError) as error:
                raise RecordingError(f"{value!r} is no regular expression: {error}") from None
            if found.match(""):
                raise RecordingError(f"{value!r} matches the empty text, so it is everywhere")

    @classmethod
    def with_defaults(cls, *names: str) -> Redaction:
        """What is redacted by default, and these names."""
        return cls((*DEFAULT_REDACTED, *names))

    def has_name(self, name: str) -> bool:
        """Whether a variable, a field or a key of that name is a secret."""
        return self._names.fullmatch(name.translate(_LEFT_OUT)) is not None

    def may_be_in(self, class_file: bytes) -> bool:
        """Whether a class file may have such a name; soon said, for most classes have none."""
        plain = class_file.lower().translate(None, b"_-$")
        return any(each in plain for each in self._parts_of_names)

    @cached_property
    def _parts_of_names(self) -> tuple[bytes, ...]:
        """The longest part of each name that has no `*`; nothing where letters may differ in case
        and are not ASCII.
        """
        parts = (max(each.translate(_LEFT_OUT).split("*"), key=len) for each in self.names)
        return tuple(each.lower().encode() if each.isascii() else b"" for each in parts)

    @cached_property
    def _names(self) -> re.Pattern[str]:
        parts = (re.escape(each.translate(_LEFT_OUT)) for each in self.names)
        text = "|".join(each.replace(r"\*", ".*") for each in parts)
        return re.compile(text or r"(?!)", re.IGNORECASE | re.DOTALL)

    def replaced(self, text: str) -> str:
        """A text without what matches one of the values."""
        for each in self.values:
            text = re.sub(each, REDACTED, text)
        return text


class Redactor:
    """Takes secrets out of one recording while it is made."""

    def __init__(self, redaction: Redaction) -> None:
        self._redaction = redaction
        self._sites = SecretSites(redaction)
        self._secrets: set[int] = set()
        """Objects of which nothing is written."""
        self._arrays: set[int] = set()
        """Those of them that are arrays, or may be."""
        self._keys: set[int] = set()
        """Texts that name a secret: `Authorization`, `db.password`."""
        self._texts: deque[str] = deque(maxlen=_MOST_TEXTS)
        self._last: dict[int, tuple[bytes, bytes]] = {}
        """The last records of each thread: what belongs to them may follow in the next part."""

    def class_(self, recorded: RecordedClass) -> RecordedClass:
        """A class as it is written: sites of secrets have the type that says so."""
        secret = self._sites.add(recorded)
        if not secret:
            return recorded
        sites = bytearray(recorded.sites)
        for number in secret:
            sites[SITE.size * (number - recorded.first_site) + 1] = REDACTED_TYPE
        return recorded._replace(sites=bytes(sites))

    def name(self, text: str) -> str:
        """The name of a thread as it is written."""
        return self._without(text)

    def part(
        self, definitions: Sequence[ObjectDefinition], columns: dict[int, tuple[bytes, bytes]]
    ) -> tuple[list[ObjectDefinition], dict[int, tuple[bytes, bytes]]]:
        """Objects that are defined, and columns of sites and values that name them, by thread, as
        they are written.
        """
        known = {each.serial: each for each in definitions}
        self._keys.update(each.serial for each in definitions if self._is_key(each))
        held: set[int] = set()
        found: set[int] = set()
        made = {}
        for thread, (sites, values) in columns.items():
            made[thread] = sites, self._without_secrets(sites, values, held)
            if self._keys:
                found |= self._beside_keys(*self._continued(thread, sites, values), known)
        for each in definitions:
            if each.kind is ObjectKind.MAP:
                found |= self._under_keys(each)
        self._hide(held, known, even_keys=True)
        self._hide(found, known)
        if self._arrays:
            found = set()
            for thread, (sites, values) in made.items():
                whole = self._continued(thread, sites, values)
                ended = self._without_elements(*whole, found)
                made[thread] = sites, ended[len(ended) - len(values) :]
            self._hide(found, known)
        for thread, (sites, values) in made.items():
            ends = self._continued(thread, sites[-4 * _NEXT :], values[-8 * _NEXT :])
            self._last[thread] = ends[0][-4 * _NEXT :], ends[1][-8 * _NEXT :]
        return [self._defined(each) for each in definitions], made

    def _continued(self, thread: int, sites: bytes, values: bytes) -> tuple[bytes, bytes]:
        """The records with the last ones of the part before in front of them."""
        before = self._last.get(thread, (b"", b""))
        return before[0] + sites, before[1] + values

    # Records

    def _without_secrets(self, sites: bytes, values: bytes, found: set[int]) -> bytes:
        if not self._sites.numbers:
            return values
        secret = self._sites.numbers.intersection(array("I", sites))
        if not secret:
            return values
        made = bytearray(values)
        references = self._sites.references
        for number in secret:
            for at in _places(sites, number):
                if number in references:
                    found.add(int.from_bytes(made[8 * at : 8 * at + 8], "little"))
                made[8 * at : 8 * at + 8] = bytes(8)
        return bytes(made)

    def _beside_keys(
        self, sites: bytes, values: bytes, known: dict[int, ObjectDefinition]
    ) -> set[int]:
        """The argument behind a key, and a result that is a text: `header("Authorization", …)`,
        `getProperty("db.password")`.
        """
        found: set[int] = set()
        bits = array("Q", values) if self._keys else array("Q")
        if self._keys.isdisjoint(bits):
            return found
        kinds = self._sites.kinds(array("I", sites))
        for at in _places_of(kinds, RecordKind.ARGUMENT):
            if bits[at] not in self._keys:
                continue
            is_next = True
            for after in range(at + 1, min(at + _NEXT, len(bits))):
                kind = kinds[after]
                definition = known.get(bits[after])
                if kind == RecordKind.RETURNED:
                    if definition is not None and definition.kind is ObjectKind.STRING:
                        found.add(bits[after])
                    break
                if kind == RecordKind.ARGUMENT:
                    if is_next and self._sites.is_reference(sites, after):
                        found.add(bits[after])
                    is_next = False
                elif kind < RecordKind.CLOCK:
                    break
        return found

    def _without_elements(self, sites: bytes, values: bytes, found: set[int]) -> bytes:
        """What is stored in an array that is a secret."""
        bits = array("Q", values)
        if self._arrays.isdisjoint(bits):
            return values
        made = bytearray(values)
        kinds = self._sites.kinds(array("I", sites))
        for at in _places_of(kinds, RecordKind.OBJECT):
            if bits[at] not in self._arrays:
                continue
            for after in range(at + 1, min(at + _NEXT, len(bits))):
                kind = kinds[after]
                if kind == RecordKind.ELEMENT:
                    if self._sites.is_reference(sites, after):
                        found.add(bits[after])
                    made[8 * after : 8 * after + 8] = bytes(8)
                if kind < RecordKind.CLOCK and kind != RecordKind.INDEX:
                    break
        return bytes(made)

    # Objects

    def _is_key(self, known: ObjectDefinition) -> bool:
        if known.kind is not ObjectKind.STRING or not _A_KEY.fullmatch(known.text):
            return False
        return self._redaction.has_name(known.text.replace(".", ""))

    def _under_keys(self, known: ObjectDefinition) -> set[int]:
        pairs = zip(known.elements[::2], known.elements[1::2], strict=False)
        return {value for key, value in pairs if key in self._keys and value}

    def _hide(
        self,
        serials: Iterable[int],
        known: dict[int, ObjectDefinition],
        *,
        even_keys: bool = False,
    ) -> None:
        """Note secrets, and what is reached from them. `even_keys`: also those that name a secret,
        as a password may.
        """
        waiting = [each for each in serials if each]
        while waiting:
            serial = waiting.pop()
            definition = known.get(serial)
            if serial in self._secrets or _is_shared(definition):
                continue
            if serial in self._keys and not even_keys:
                continue
            self._secrets.add(serial)
            if definition is None or definition.class_name.startswith("["):
                self._arrays.add(serial)
            if definition is None:
                continue
            text = definition.text
            if definition.class_name == _CHARS:
                text = "".join(map(chr, (each & 0xFFFF for each in definition.elements)))
            elif definition.kind in _HELD:
                waiting += filter(None, definition.objects)
            is_text = definition.kind is not ObjectKind.BOXED
            if is_text and _SHORTEST <= len(text) <= _LONGEST and definition.kind in _HELD:
                self._texts.append(text)

    def _defined(self, known: ObjectDefinition) -> ObjectDefinition:
        if known.serial in self._secrets and known.kind in _HELD:
            return ObjectDefinition(known.serial, known.class_name, ObjectKind.REDACTED)
        if known.kind in (ObjectKind.ENUM, ObjectKind.CLASS, ObjectKind.BOXED):
            return known
        if known.class_name == _CHARS:
            text = "".join(map(chr, (each & 0xFFFF for each in known.elements)))
            if self._without(text) != text:
                return ObjectDefinition(known.serial, known.class_name, ObjectKind.REDACTED)
            return known
        text, stack = self._without(known.text), self._without(known.stack)
        if text == known.text and stack == known.stack:
            return known
        length = known.length
        if known.kind is ObjectKind.STRING:
            length += len(text) - len(known.text)
        return replace(known, text=text, stack=stack, length=max(length, 0))

    def _without(self, text: str) -> str:
        if not text:
            return text
        for each in self._texts:
            if each in text:
                text = text.replace(each, REDACTED)
        return self._redaction.replaced(text)


def _is_shared(known: ObjectDefinition | None) -> bool:
    """Whether an object is that of many values of the program: the empty text and array, small
    numbers.
    """
    if known is None:
        return False
    if known.kind not in _HELD:
        return True
    if known.kind is ObjectKind.BOXED:
        return _CACHED.fullmatch(known.text) is not None
    return not known.text and not known.elements and not known.length


def _places(column: bytes, number: int) -> Iterator[int]:
    """The positions of a number in a column of sites."""
    pattern = number.to_bytes(4, "little")
    at = column.find(pattern)
    while at >= 0:
        if at % 4 == 0:
            yield at // 4
        at = column.find(pattern, at + 1)


def _places_of(kinds: bytes, kind: RecordKind) -> Iterator[int]:
    at = kinds.find(kind)
    while at >= 0:
        yield at
        at = kinds.find(kind, at + 1)
