# SPDX-License-Identifier: Apache-2.0
"""Starting the compile server, and compiling once: javac's first run takes most of a second."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.compiling import javac
from jvmdebug.javac.tasks import Compilers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.model.virtual_machine import VirtualMachine

_NAME: Final = "$JvmdebugWarmUp"
_SOURCE: Final = f"""\
import java.util.*;
import java.util.stream.*;
final class {_NAME} {{
  static Object run(List<String> texts, Object other) {{
    return texts.stream().map(each -> each + other).collect(Collectors.toList());
  }}
}}
"""


class _NoClasses:
    """A ClassSource without classes."""

    outermost = _NAME

    async def names(self, package: str) -> Sequence[str]:  # noqa: ARG002 - there is none in any
        return ()

    async def content(self, name: str) -> bytes | None:  # noqa: ARG002 - there is none
        return None


async def warm_compiler(vm: VirtualMachine) -> None:
    """Start the compiler for the VM, if there is one, and have it compile a class."""
    release = vm.version.feature_release
    with contextlib.suppress(EvaluationError, javac.CompilationError):
        jdk = await asyncio.to_thread(javac.find_compiler, release)
        server = vm.companion(Compilers).of(jdk)
        unit = javac.Unit(_NAME, _SOURCE)
        await javac.compile_class(server, jdk, unit, (), release, _NoClasses())
