# SPDX-License-Identifier: Apache-2.0
"""Hides the loaded classes of a program from the evaluator, until it loads them itself.

A debuggee that has computed what its expressions give has loaded all classes that they use. Called
by the differential test.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Final

import pytest

from jvmdebug.evaluator.run.class_loading import ClassForName
from jvmdebug.evaluator.symbols.loaded_types import Declarations
from jvmdebug.model import reference_type

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from jvmdebug.model.frame import Frame
    from jvmdebug.model.reference_type import ReferenceType

_PLATFORM: Final = ("java.", "javax.", "jdk.", "sun.", "com.sun.")


@contextlib.asynccontextmanager
async def nothing_loaded(frame: Frame) -> AsyncIterator[None]:
    """A context in which only the frame's class, its supertypes and the platform are loaded."""
    vm = frame.thread.vm
    shown = await _with_supertypes(frame.location.type)
    by_signature, all_classes, load = vm.classes_by_signature, vm.all_classes, ClassForName.load

    def visible(found: Sequence[ReferenceType]) -> list[ReferenceType]:
        return [each for each in found if each in shown or _is_platform(each)]

    async def some_by_signature(signature: str) -> list[ReferenceType]:
        return visible(await by_signature(signature))

    async def some_of_all() -> list[ReferenceType]:
        return visible(await all_classes())

    async def loading(self: ClassForName, name: str, home: ReferenceType) -> ReferenceType | None:
        loaded = await load(self, name, home)
        if loaded is not None:
            shown.update(await _with_supertypes(loaded))
        return loaded

    vm.companion(Declarations).forget()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vm, "classes_by_signature", some_by_signature)
        patch.setattr(vm, "all_classes", some_of_all)
        patch.setattr(ClassForName, "load", loading)
        yield
    vm.companion(Declarations).forget()


def _is_platform(type_: ReferenceType) -> bool:
    element = type_.name.rstrip("[]")
    return element.startswith(_PLATFORM) or "." not in element


async def _with_supertypes(type_: ReferenceType) -> set[ReferenceType]:
    found = {type_}
    if isinstance(type_, reference_type.ArrayType):
        return found
    above = list(await type_.interfaces())
    superclass = await type_.superclass()
    for each in [*above, *([] if superclass is None else [superclass])]:
        found |= await _with_supertypes(each)
    return found
