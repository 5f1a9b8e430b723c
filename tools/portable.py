# SPDX-License-Identifier: Apache-2.0
"""Compilers for libraries that load on old systems and on another processor, for `make wheels`.

They are zig's, from the Python package `ziglang`: clang with the headers and symbols of every glibc
and with a C++ library that goes into what is linked. The system's compiler stays the one of
`make setup`. The first use of a processor builds that C++ library, about a minute, kept in zig's
cache. `tools.artifacts` builds wheels with it, `tools.symbols` checks what came out.
"""

from __future__ import annotations

import importlib.util
import platform
from pathlib import Path
from typing import Final

from tools.symbols import OLDEST_GLIBC

PROCESSORS: Final = ("x86_64", "aarch64")
"""Those that wheels are built for."""

_WRAPPERS: Final = {"c++": "c++ -target {target}", "ar": "ar", "ranlib": "ranlib"}
# The debugging information of a wheel would be thrown away, so none is made. Large source files
# built as few save half of the time.
_FLAGS: Final = {
    "CMAKE_CXX_FLAGS_RELWITHDEBINFO": "-O2 -DNDEBUG",
    "CMAKE_MODULE_LINKER_FLAGS": "-s",
    "CMAKE_UNITY_BUILD": "ON",
}


class NoZigError(Exception):
    """The package that brings the compilers is not installed."""


def is_native(processor: str) -> bool:
    """Whether this machine runs what is built for that processor."""
    return platform.machine() == processor


def platform_tag(processor: str) -> str:
    """What a wheel for that processor may call itself: `manylinux_2_17_x86_64`."""
    return f"manylinux_{'_'.join(map(str, OLDEST_GLIBC))}_{processor}"


def module_suffix(processor: str, minor: str) -> str:
    """How the file of a compiled module ends: `.cpython-311-x86_64-linux-gnu.so`."""
    return f".cpython-{minor.replace('.', '')}-{processor}-linux-gnu.so"


def environment(processor: str, minor: str, folder: Path) -> dict[str, str]:
    """What pip gets in its environment to build a wheel of CPython `minor` for that processor.

    The compilers are written into the folder. Raises NoZigError.
    """
    tools = wrappers(f"{processor}-linux-gnu.{'.'.join(map(str, OLDEST_GLIBC))}", folder)
    # A launcher of the developer's, such as ccache, does not know these compilers.
    settings = _FLAGS | {
        "CMAKE_AR": str(tools["ar"]),
        "CMAKE_RANLIB": str(tools["ranlib"]),
        "CMAKE_CXX_COMPILER_LAUNCHER": "",
    }
    made = {"CXX": str(tools["c++"])}
    if not is_native(processor):
        settings |= {"CMAKE_SYSTEM_NAME": "Linux", "CMAKE_SYSTEM_PROCESSOR": processor}
        settings["PYTHON_MODULE_EXTENSION"] = module_suffix(processor, minor)
        settings["PYTHON_MODULE_DEBUG_POSTFIX"] = ""
        made["SETUPTOOLS_EXT_SUFFIX"] = module_suffix(processor, minor)
        made["_PYTHON_HOST_PLATFORM"] = f"linux-{processor}"
    made["CMAKE_ARGS"] = " ".join(f"'-D{name}={value}'" for name, value in settings.items())
    return made


def wrappers(target: str, folder: Path) -> dict[str, Path]:
    """zig's tools for that target as programs without arguments, which is what CMake takes: `c++`,
    `ar`, `ranlib`. They are written into the folder. Raises NoZigError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    made = {}
    for name, words in _WRAPPERS.items():
        path = made[name] = folder / name
        text = f'#!/bin/sh\nexec "{_zig()}" {words.format(target=target)} "$@"\n'
        if not path.exists() or path.read_text("utf-8") != text:  # else all would be built again
            path.write_text(text, "utf-8")
        path.chmod(0o755)
    return made


def _zig() -> Path:
    """The program of the package `ziglang`."""
    found = importlib.util.find_spec("ziglang")
    if found is None or found.origin is None:
        raise NoZigError("agents and wheels are built with zig: pip install --group agents")
    return Path(found.origin).with_name("zig")
