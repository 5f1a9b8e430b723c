# SPDX-License-Identifier: Apache-2.0
"""Finds the files of the JDK that the program runs on, if they are on this machine."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from jvmdebug.classfile.runtime_image import RuntimeImage
from jvmdebug.errors import ClassFileError, EvaluationError
from jvmdebug.evaluator.reading.errors import RefusedError, ThrownError
from jvmdebug.evaluator.reading.read_class import parsed
from jvmdebug.sources import constant_pool

if TYPE_CHECKING:
    from jvmdebug.model.virtual_machine import VirtualMachine

_PROBED = "java/lang/String"


async def runtime_image(vm: VirtualMachine) -> RuntimeImage | None:
    """The image of the JDK's classes; None if it is not here, or of another JDK."""
    home = await _java_home(vm)
    if home is None:
        return None
    try:
        image = await asyncio.to_thread(RuntimeImage.read, Path(home) / "lib" / "modules")
    except (OSError, ValueError, ClassFileError):
        return None
    return image if await _is_of(vm, image) else None


async def _is_of(vm: VirtualMachine, image: RuntimeImage) -> bool:
    """Whether a class in it has the constants that it has in the VM."""
    file = parsed(await asyncio.to_thread(image.class_file, _PROBED))
    for type_ in await vm.classes_by_signature(f"L{_PROBED};"):
        pool = await constant_pool(type_)
        if file is not None and pool is not None:
            return pool.raw == file.constants.raw
    return False


async def _java_home(vm: VirtualMachine) -> str | None:
    """What `System.getProperty("java.home")` gives, which is read as any call is."""
    from jvmdebug.evaluator.reading.heap import Heap  # noqa: PLC0415 - they use this
    from jvmdebug.evaluator.reading.machine import Machine  # noqa: PLC0415

    machine = Machine(Heap(vm))
    try:
        await machine.objects.prepare()
        system = await machine.objects.heap.bootstrap_class("java/lang/System")
        code = system.declared("getProperty", "(Ljava/lang/String;)Ljava/lang/String;")
        if code is None:
            return None
        found = await machine.call(code, [machine.objects.literal("java.home")])
        return (
            None
            if found is None
            else await machine.objects.read(lambda: machine.objects.text(found))
        )
    except (EvaluationError, RefusedError, ThrownError):
        return None
