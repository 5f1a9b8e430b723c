# SPDX-License-Identifier: Apache-2.0
"""The classes of a recording, by their class files."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.class_file import ClassFile
from jvmdebug.errors import ClassFileError
from jvmdebug.recording.errors import RecordingError, damaged
from jvmdebug.recording.methods import MethodInfo

if TYPE_CHECKING:
    from jvmdebug.recording.format import RecordedClass

_TYPE: Final = r"\[{0,255}(?:[BCDFIJSZ]|L[^.;\[/]+(?:/[^.;\[/]+)*;)"
_FIELD: Final = re.compile(_TYPE)
_METHOD: Final = re.compile(rf"\((?:{_TYPE})*\)(?:V|{_TYPE})")


class ClassInfo:
    """One recorded class."""

    def __init__(self, number: int, recorded: RecordedClass) -> None:
        self.number = number
        self.name = recorded.name.replace("/", ".")
        """Its binary name, `shop.Cart$Item`."""
        self.first_site = recorded.first_site
        self.sites = recorded.sites
        self.content = recorded.class_file

    @cached_property
    def file(self) -> ClassFile:
        """The parsed class file. RecordingError if that cannot be read."""
        what = f"the class file of {self.name}"
        try:
            with damaged(what):
                found = ClassFile.read(self.content)
                good = [_FIELD.fullmatch(each.descriptor) for each in found.fields]
                good += [_METHOD.fullmatch(each.descriptor) for each in found.methods]
        except ClassFileError as error:
            raise RecordingError(f"{what} cannot be read: {error}") from None
        if not all(good):
            raise RecordingError(f"{what} has a member whose descriptor is none")
        return found

    @cached_property
    def methods(self) -> tuple[MethodInfo, ...]:
        """The methods, in the order of the class file."""
        return tuple(MethodInfo(self, at, each) for at, each in enumerate(self.file.methods))

    @cached_property
    def source_file(self) -> str | None:
        """`Cart.java`, if the class file says so."""
        attribute = self.file.attribute("SourceFile")
        if attribute is None:
            return None
        return self.file.constants.utf8(int.from_bytes(attribute.content))

    def declares(self, field: str) -> bool:
        """Whether it has a field of that name."""
        return any(each.name == field for each in self.file.fields)

    def __repr__(self) -> str:
        return f"ClassInfo({self.name})"
