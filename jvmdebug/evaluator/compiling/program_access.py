# SPDX-License-Identifier: Apache-2.0
"""Finds the members of the program that the VM refuses compiled code, and gives accessors for them.

The code is in the package of the frame's class, and from JDK 15 on in its nest; the classes that a
text declares are in the package only. Called by `compiled_code`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.classfile import ClassFile
from jvmdebug.classfile.access import Access
from jvmdebug.classfile.descriptors import package_name
from jvmdebug.evaluator.compiling.accessors import Accessors, uses_in, with_accessors
from jvmdebug.evaluator.compiling.defining import HIDDEN_CLASSES_SINCE

if TYPE_CHECKING:
    from jvmdebug.evaluator.compiling.accessors import Use
    from jvmdebug.evaluator.compiling.program_classes import ProgramClasses

_ACCESS_CLASS: Final = "$access"


async def with_program_access(
    program: ProgramClasses, name: str, class_files: dict[str, bytes], release: int
) -> tuple[dict[str, bytes], Accessors]:
    """The class files of `name` and its helpers, with accessors for what they may not use."""
    accessors = Accessors(name.replace(".", "/") + _ACCESS_CLASS)
    changed: dict[str, bytes] = {}
    for each, content in class_files.items():
        is_mate = each == name and release >= HIDDEN_CLASSES_SINCE
        refused = set()
        for use in uses_in(content):
            owner = use.owner.replace("/", ".")
            if owner not in class_files and await _is_refused(program, name, use, is_mate=is_mate):
                refused.add(use)
        is_refused = refused.__contains__
        changed[each] = with_accessors(content, accessors, is_refused) if refused else content
    return changed, accessors


async def _is_refused(program: ProgramClasses, code: str, use: Use, *, is_mate: bool) -> bool:
    if program.is_of_platform(use.owner.replace("/", ".")):
        return False
    found = await _declaration(program, use.owner, use)
    if found is None:  # it is inherited from a class of the platform, and perhaps protected there
        return program.is_opened
    type_, member_access = found
    if package_name(type_.java_name) == package_name(code):
        is_private = bool(member_access & Access.PRIVATE)
        return is_private and not (is_mate and program.is_mate(type_.java_name))
    return not member_access & type_.access & Access.PUBLIC


async def _declaration(
    program: ProgramClasses, name: str, use: Use
) -> tuple[ClassFile, int] | None:
    """The class that declares a member which `name` has, and the access of the member."""
    java_name = name.replace("/", ".")
    content = None if program.is_of_platform(java_name) else await program.raw(java_name)
    if content is None:
        return None
    file = ClassFile.read(content)
    for each in file.fields if use.is_field else file.methods:
        if (each.name, each.descriptor) == (use.name, use.descriptor):
            return file, each.access
    above = [] if file.superclass is None else [file.superclass]
    for type_ in (*above, *file.interfaces):
        found = await _declaration(program, type_, use)
        if found is not None:
            return found
    return None
