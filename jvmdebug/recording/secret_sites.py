# SPDX-License-Identifier: Apache-2.0
"""The sites of a recording whose values may be secrets, by the names in the class files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.recording.classes import ClassInfo
from jvmdebug.recording.errors import RecordingError
from jvmdebug.recording.format import RecordKind
from jvmdebug.recording.sites import SiteTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.recording.format import RecordedClass, Site
    from jvmdebug.recording.methods import MethodInfo
    from jvmdebug.recording.redaction import Redaction

_REFERENCES: Final = frozenset(b"L[")


class SecretSites:
    """The secret sites of all classes so far."""

    def __init__(self, redaction: Redaction) -> None:
        self._redaction = redaction
        self._table = SiteTable()
        self._classes = 0
        self.numbers: set[int] = set()
        """Sites whose values are secrets."""
        self.references: set[int] = set()
        """Those of them whose values are objects."""

    def add(self, recorded: RecordedClass) -> list[int]:
        """The secret sites of another class."""
        info = ClassInfo(self._classes, recorded)
        self._table.add(self._classes, recorded.first_site, recorded.sites)
        self._classes += 1
        found: list[int] = []
        if not self._redaction.may_be_in(recorded.class_file):
            return found
        for number in range(recorded.first_site, recorded.first_site + len(info.sites) // 8):
            site = self._table[number]
            if self._names_secret(info, site):
                found.append(number)
                if site.type in _REFERENCES:
                    self.references.add(number)
        self.numbers.update(found)
        return found

    def kinds(self, sites: Sequence[int]) -> bytes:
        """The kind of each record of a column. RecordingError for a site of no class."""
        return self._table.kinds_of(sites)

    def is_reference(self, sites: bytes, at: int) -> bool:
        """Whether the value of a record of a column is an object."""
        number = int.from_bytes(sites[4 * at : 4 * at + 4], "little")
        return self._table.owner(number) >= 0 and self._table[number].type in _REFERENCES

    def _names_secret(self, info: ClassInfo, site: Site) -> bool:
        try:
            method = info.methods[site.method]
            name = _name_of(method, site)
        except (RecordingError, IndexError):
            return False  # a class file that cannot be read has no names
        return name is not None and self._redaction.has_name(name)


def _name_of(method: MethodInfo, site: Site) -> str | None:
    """The name of what a site records; of calls and results that of the method, for objects."""
    match site.kind:
        case RecordKind.LOCAL:
            variable = method.variable(site.detail, site.bci)
            return None if variable is None else variable.name
        case RecordKind.FIELD:
            member = method.member_at(site.bci)
            return None if member is None else member.name
        case RecordKind.EXIT if site.type in _REFERENCES:
            return method.name
        case RecordKind.ARGUMENT | RecordKind.RETURNED if site.type in _REFERENCES:
            member = method.member_at(site.bci)
            return None if member is None else member.name
    return None
