# SPDX-License-Identifier: Apache-2.0
"""What the class of a closure of Groovy tells of it: `Library$_lend_closure1`.

Its name has the method around it; its superclass is `groovy.lang.Closure`. Called by the binder,
and by `run.groovy`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from jvmdebug.evaluator.symbols.declarations import TypeDeclaration, TypeSource

CLOSURE: Final = "groovy.lang.Closure"
_OF_METHOD: Final = re.compile(r"_(?P<method>.+)_(?:closure|lambda)\d+")
_INITIALIZER: Final = "_clinit_"


def declares_closure(declaration: TypeDeclaration) -> bool:
    """Whether the class is that of a closure."""
    superclass = declaration.superclass
    return superclass is not None and superclass.name == CLOSURE


async def is_closure(source: TypeSource, name: str) -> bool:
    """Whether the class of that name, which is loaded, is that of a closure."""
    found = await source.declaration(name)
    return found is not None and declares_closure(found)


def is_in_static_method(closure: TypeDeclaration, around: TypeDeclaration) -> bool:
    """Whether the class around the closure is its owner, as no instance is there."""
    found = _OF_METHOD.fullmatch(closure.name.rpartition("$")[2])
    if found is None:
        return False
    if found["method"] == _INITIALIZER:
        return True
    methods = [each for each in around.methods if each.name == found["method"]]
    return bool(methods) and all(each.is_static for each in methods)
