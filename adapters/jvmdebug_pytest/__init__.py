# SPDX-License-Identifier: Apache-2.0
"""The pytest plugin: programs under the debugger in tests, `jvmdebug_session`, `java_project`.

Owns what a test opens: sessions are closed and their output is reported when it ends, and a failed
test shows the threads of the programs that still ran. Loaded by pytest by its entry point, so it
imports the debugger only when a test asks for a fixture. Begin with `plugin`.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jvmdebug_pytest.java_project import CompilationError as CompilationError
    from jvmdebug_pytest.java_project import JavaProject as JavaProject
    from jvmdebug_pytest.java_project import MakeJavaProject as MakeJavaProject
    from jvmdebug_pytest.sessions import OpenSession as OpenSession

_HOMES = {
    "CompilationError": "java_project",
    "JavaProject": "java_project",
    "MakeJavaProject": "java_project",
    "OpenSession": "sessions",
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
        return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
