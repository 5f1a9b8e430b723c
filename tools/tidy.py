# SPDX-License-Identifier: Apache-2.0
"""clang-tidy over every native source: `python -m tools.tidy [FILE...]`.

Checks the sources of the agent, of the Python module, of the C++ tests and of the fuzz targets,
each by itself: a build that compiles several together would miss an include. A file that is clean
is remembered in a cache, by the content of the source, of the headers of ours that it includes,
directly or not, of .clang-tidy, by its compile command and by the versions of the tools. The cache
is in $XDG_CACHE_HOME/jvmdebug/clang-tidy (else ~/.cache), shared by all clones, and entries that
were not used for 30 days are dropped. Nothing passes unchecked: the last line says how many files
were checked and how many were known to be clean.

A fresh clone has no cache, and all files take several minutes of two cores. So what was clean when
it was committed is in native/clang-tidy.checked, one name and key per line. `--record` writes it:
run it before a commit that changes native files, or CI checks those that changed.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import functools
import hashlib
import importlib.metadata
import json
import os
import re
import shlex
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pybind11

REPOSITORY = Path(__file__).resolve().parents[1]
NATIVE = REPOSITORY / "native"
CHECKED = NATIVE / "clang-tidy.checked"
DATABASE = REPOSITORY / "build" / "tidy"
_KEPT_S = 30 * 24 * 3600
_ELSEWHERE = re.compile(r"/generated/|/platform/(macos|windows)/|/agent/no_demangling\.cpp$")
"""Sources that a generator writes, or that only another system compiles (`make agents`)."""
_INCLUDE = re.compile(rb'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


@dataclass(frozen=True)
class Source:
    """A source file and how it is compiled."""

    file: Path
    arguments: tuple[str, ...]
    directory: Path


def cache_folder() -> Path:
    """The folder in which the names of clean files are kept."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "jvmdebug" / "clang-tidy"


def configured() -> Path:
    """The folder of a compile_commands.json with every source by itself; builds nothing."""
    programs = Path(sys.executable).parent
    environment = os.environ | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    command = [
        str(programs / "cmake"),
        "--preset=tidy",
        f"-Dpybind11_DIR={pybind11.get_cmake_dir()}",
        f"-DPython_EXECUTABLE={sys.executable}",
    ]
    ran = subprocess.run(
        command, cwd=REPOSITORY, env=environment, capture_output=True, text=True, check=False
    )
    if ran.returncode != 0:
        raise SystemExit(f"{' '.join(command)} failed:\n{ran.stdout}{ran.stderr}")
    return DATABASE


def sources() -> list[Source]:
    """Every source that people write, by path."""
    found: dict[Path, Source] = {}
    text = (configured() / "compile_commands.json").read_text(encoding="utf-8")
    for entry in json.loads(text):
        file = Path(entry["file"])
        if NATIVE in file.parents and "generated" not in file.parts:
            arguments = tuple(shlex.split(entry["command"]))
            found.setdefault(file, Source(file, arguments, Path(entry["directory"])))
    listing = ["git", "ls-files", "native/*.cpp"]
    ran = subprocess.run(listing, cwd=REPOSITORY, check=True, capture_output=True, text=True)
    tracked = {REPOSITORY / name for name in ran.stdout.split() if not _ELSEWHERE.search(name)}
    if missing := sorted(file for file in tracked - found.keys() if file.exists()):
        raise SystemExit(f"nothing compiles {missing}: name them in a CMakeLists.txt")
    return [found[file] for file in sorted(found)]


@functools.cache
def included(file: Path) -> tuple[Path, ...]:
    """The files of ours that this one includes itself; ours are named from native/ on."""
    names = {name.decode() for name in _INCLUDE.findall(content(file))}
    return tuple(sorted(NATIVE / name for name in names if (NATIVE / name).exists()))


@functools.cache
def content(file: Path) -> bytes:
    """The bytes of a file, read once."""
    return file.read_bytes()


def with_headers(file: Path) -> list[Path]:
    """The file and all of ours that it includes, directly or not."""
    known = {file}
    todo = [file]
    while todo:
        new = set(included(todo.pop())) - known
        known |= new
        todo += new
    return sorted(known)


@functools.cache
def versions() -> bytes:
    """What besides our files decides on the result: rules, clang-tidy, compiler, pybind11."""
    compiler = subprocess.run(
        [os.environ.get("CXX", "c++"), "--version"], capture_output=True, check=True
    ).stdout
    packages = [f"{name} {importlib.metadata.version(name)}" for name in ("clang-tidy", "pybind11")]
    return b"\0".join([content(REPOSITORY / ".clang-tidy"), compiler, repr(packages).encode()])


def key(source: Source) -> str:
    """The name of this source's entry in the cache: the same in every clone."""
    digest = hashlib.sha256(versions())
    command = " ".join(source.arguments).replace(str(REPOSITORY), "")
    digest.update(command.encode())
    for file in with_headers(source.file):
        digest.update(b"\0" + str(file.relative_to(REPOSITORY)).encode() + b"\0")
        digest.update(hashlib.sha256(content(file)).digest())
    return digest.hexdigest()


def selected(all_sources: list[Source], files: list[Path]) -> list[Source]:
    """The sources to check for these files: a header is checked in the first that includes it."""
    if not files:
        return all_sources
    chosen: set[Source] = set()
    for file in files:
        users = [one for one in all_sources if file == one.file or file in with_headers(one.file)]
        if not users:
            raise SystemExit(f"{file} is no source of ours, nor a header that one includes")
        chosen.add(min(users, key=lambda one: (one.file.stem != file.stem, one.file)))
    return [source for source in all_sources if source in chosen]


def check(source: Source) -> str:
    """What clang-tidy says about that source; empty when it is clean."""
    tidy = Path(sys.executable).with_name("clang-tidy")
    command = [str(tidy), "-p", str(DATABASE), "--quiet", str(source.file)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if ran.returncode == 0 else ran.stdout + ran.stderr


def recorded() -> frozenset[str]:
    """The keys of the sources that were clean when they were committed."""
    if not CHECKED.exists():
        return frozenset()
    return frozenset(line.split()[1] for line in CHECKED.read_text(encoding="utf-8").splitlines())


def record(clean: list[Source]) -> None:
    """Write the names and keys of sources that are clean."""
    lines = [f"{source.file.relative_to(NATIVE)} {key(source)}\n" for source in clean]
    CHECKED.write_text("".join(sorted(lines)), encoding="utf-8")


def drop_old(cache: Path) -> None:
    """Drop the entries that nobody has used for long."""
    limit = time.time() - _KEPT_S
    for entry in cache.iterdir():
        if entry.stat().st_mtime < limit:
            entry.unlink(missing_ok=True)


def main() -> None:
    """Check, report, and exit with 1 when something was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=min(4, os.cpu_count() or 1))
    parser.add_argument(
        "--record", action="store_true", help=f"write {CHECKED.relative_to(REPOSITORY)}"
    )
    parser.add_argument("files", nargs="*", type=Path, help="these only")
    arguments = parser.parse_args()
    all_sources = sources()
    chosen = selected(all_sources, [file.resolve() for file in arguments.files])
    cache = cache_folder()
    cache.mkdir(parents=True, exist_ok=True)
    entries = {source: cache / key(source) for source in chosen}
    known = recorded()
    todo: list[Source] = []
    for source, entry in entries.items():
        if entry.exists() or entry.name in known:
            entry.touch()
        else:
            todo.append(source)
    failed = 0

    def one(source: Source) -> str:
        found = check(source)
        if not found:
            entries[source].touch()
        return found

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for found in pool.map(one, todo):
            failed += bool(found)
            print(found, end="")
    drop_old(cache)
    if arguments.record:
        record([source for source, entry in entries.items() if entry.exists()])
    clean = len(chosen) - len(todo)
    print(
        f"clang-tidy: {len(chosen)} files, {len(todo)} checked, {clean} known to be clean,"
        f" {failed} failed"
    )
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
