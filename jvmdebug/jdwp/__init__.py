# SPDX-License-Identifier: Apache-2.0
"""JDWP, the Java Debug Wire Protocol, the debugger's side.

`transport` makes a `connection` (asyncio), which drives the `engine` (no I/O); `prefetched` keeps
replies that our agent has prefetched; `generated` holds the commands, replies and events, made from
native/protocol. What a class or a thread means is up to the model. Begin with `connection`.
"""

import importlib
import os
import sys
from pathlib import Path

CODEC_SETTING = "JVMDEBUG_CODEC"
"""`python` takes `jvmdebug.pure` even where there is a compiled module."""

_NATIVE = "jvmdebug._native"

try:
    if os.environ.get(CODEC_SETTING) == "python":
        sys.modules[_NATIVE] = importlib.import_module("jvmdebug.pure")
    importlib.import_module(_NATIVE)
except ModuleNotFoundError as error:
    if error.name != _NATIVE:
        raise
    clone = Path(__file__).parents[2]
    if (clone / "pyproject.toml").is_file() and CODEC_SETTING not in os.environ:
        raise ImportError(
            f"jvmdebug is imported from {clone / 'jvmdebug'}: sources without their compiled "
            "module; start Python in another directory to have the installed package, or run "
            "`make build` there and use its `.venv`",
            name=error.name,
        ) from None
    sys.modules[_NATIVE] = importlib.import_module("jvmdebug.pure")
