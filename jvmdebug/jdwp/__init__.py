# SPDX-License-Identifier: Apache-2.0
"""JDWP, the Java Debug Wire Protocol, the debugger's side.

`transport` makes a `connection` (asyncio), which drives the `engine` (no I/O); `prefetched` keeps
replies that our agent has prefetched; `generated` holds the commands, replies and events, made from
native/protocol. What a class or a thread means is up to the model. Begin with `connection`.
"""

import importlib
from pathlib import Path

try:
    importlib.import_module("jvmdebug._native")
except ModuleNotFoundError as error:
    if error.name != "jvmdebug._native":
        raise
    raise ImportError(
        f"jvmdebug is imported from {Path(__file__).parents[1]}: sources without their compiled "
        "module; start Python in another directory to have the installed package, or run `make "
        "build` there and use its `.venv`",
        name=error.name,
    ) from None
