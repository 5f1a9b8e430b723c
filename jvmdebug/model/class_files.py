# SPDX-License-Identifier: Apache-2.0
"""Reads and parses the class file of a type once for all of its methods, of which it may have
thousands.

Called by `method` and by stepping.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.classfile import ClassFile
from jvmdebug.errors import ClassFileError

if TYPE_CHECKING:
    from jvmdebug.model.reference_type import ReferenceType


async def parsed_class_file(type_: ReferenceType) -> ClassFile | None:
    """What `ReferenceType.class_file` gives, parsed; None if there is none, or none that is whole.
    It is kept until the type is redefined.
    """

    async def parse() -> ClassFile | None:
        content = await type_.class_file()
        try:
            return None if content is None else ClassFile.read(content)
        except ClassFileError:
            return None

    return await type_.derived("class_file", parse)
