# SPDX-License-Identifier: Apache-2.0
"""What a built library needs of the system and what it shows: `python -m tools.symbols FILE...`.

Reads ELF files with readelf, of any processor. A portable library asks for no symbol that came
after glibc 2.17 (RHEL 7); a wheel has only such ones. What the system's compiler builds for
development is held to a weaker rule, which catches a call to a newer function on the day that it is
written: newer symbols are those that compiler and libc bring by themselves.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

OLDEST_GLIBC: Final = (2, 17)
"""RHEL 7 and newer, Debian 8, Ubuntu 14.04: what manylinux2014 says."""

_EXPORTS: Final = Path(__file__).resolve().parents[1] / "native" / "agent" / "exports.map"
_EXPORT: Final = re.compile(r"^    (\w+);$", re.MULTILINE)
_LIBC: Final = re.compile(r"(libc|libm|libpthread|libdl|librt|ld-linux-[a-z0-9-]+)\.so(\.\d+)?")
_CPLUSPLUS: Final = frozenset({"libstdc++.so.6", "libgcc_s.so.1"})
_GLIBC: Final = re.compile(r"GLIBC_(\d+)\.(\d+)(?:\.\d+)?")
_NEEDED: Final = re.compile(r"\(NEEDED\).*\[(.+)\]")
# Symbols that a newer libc gives to a program that uses older functions only: functions that moved
# into libc.so (2.34) or became functions (2.33) have a new version, libstdc++ and libgcc use some
# where the libc has them.
_OF_THE_COMPILER: Final = re.compile(
    r"(__)?pthread_\w+|sem_\w+|timer_\w+|dl(open|sym|close|error|addr)|[fl]?stat(at)?(64)?"
    r"|__libc_single_threaded|_dl_find_object|__isoc23_\w+|fcntl(64)?"
)


@dataclass(frozen=True, slots=True)
class Symbols:
    """The dynamic symbols of a library: `imports` with versions (`GLIBC_2.17`; "" without)."""

    needed: frozenset[str]
    imports: dict[str, str]
    exports: frozenset[str]


def read(library: Path) -> Symbols:
    """What that ELF file needs and shows. Raises CalledProcessError for another kind of file."""
    needed = _NEEDED.findall(_readelf("--dynamic", library))
    imports: dict[str, str] = {}
    exports: set[str] = set()
    for line in _readelf("--dyn-syms", library).splitlines():
        words = line.split()
        if len(words) < 8 or not words[0].rstrip(":").isdigit() or words[4] == "LOCAL":
            continue
        name, _, versioned = words[7].partition("@")
        if words[6] == "UND":
            imports[name] = versioned.lstrip("@")
        else:
            exports.add(name)
    return Symbols(frozenset(needed), imports, frozenset(exports))


def agent_exports() -> frozenset[str]:
    """What the agent shows the VM: the names of native/agent/exports.map."""
    return frozenset(_EXPORT.findall(_EXPORTS.read_text(encoding="utf-8")))


def _readelf(what: str, library: Path) -> str:
    command = ["readelf", "--wide", what, str(library)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def problems(library: Path, *, portable: bool) -> list[str]:
    """Why a library cannot be loaded on an old system, or shows too much; empty when it is right.

    Not `portable`: one that the system's compiler built for this machine.
    """
    found = read(library)
    is_agent = library.name == "libjvmdebug.so"
    allowed = frozenset() if portable or is_agent else _CPLUSPLUS
    libraries = sorted(n for n in found.needed - allowed if not _LIBC.fullmatch(n))
    newer = sorted(
        f"{name} ({version})"
        for name, version in found.imports.items()
        if _is_newer(version) and (portable or not _OF_THE_COMPILER.fullmatch(name))
    )
    said = []
    if libraries:
        said.append(f"it needs {', '.join(libraries)} beside libc")
    if newer:
        said.append(f"glibc {'.'.join(map(str, OLDEST_GLIBC))} has no {', '.join(newer)}")
    if is_agent and (others := sorted(found.exports ^ agent_exports())):
        said.append(f"its exports are not those of exports.map: {', '.join(others)}")
    return said


def glibc_version(version: str) -> tuple[int, ...]:
    """The numbers of a symbol's version: (2, 17) for `GLIBC_2.17`; empty if it is none of glibc."""
    found = _GLIBC.fullmatch(version)
    return (int(found[1]), int(found[2])) if found is not None else ()


def _is_newer(version: str) -> bool:
    return glibc_version(version) > OLDEST_GLIBC


def main() -> None:
    """Check these files; exits with what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--portable", action="store_true", help="as it should be in a wheel")
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    given = parser.parse_args()
    wrong = [
        f"{path}: {problem}"
        for path in given.files
        for problem in problems(path, portable=given.portable)
    ]
    sys.exit("\n".join(wrong) or 0)


if __name__ == "__main__":
    main()
