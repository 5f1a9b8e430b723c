# SPDX-License-Identifier: Apache-2.0
"""clang-tidy over the native sources: `python -m tools.tidy [--budget-s N] [FILE...]`.

Reads the compilation database of the editable build. Files that passed are remembered by the
content of every native file they could include, so that a second run costs nothing; those that
changed last come first, and with a budget the rest is left to the next run, by name.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import hashlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
PASSED = REPOSITORY / "build" / "tidy"


def compilation_database() -> Path:
    """The folder of the newest compile_commands.json of an editable build."""
    found = (REPOSITORY / "build").glob("editable-*/compile_commands.json")
    newest = max(found, key=lambda path: path.stat().st_mtime, default=None)
    if newest is None:
        raise SystemExit("no compile_commands.json: run `make build`")
    return newest.parent


def sources(database: Path) -> list[Path]:
    """Our own sources in the database, those that changed last first."""
    commands = json.loads((database / "compile_commands.json").read_text(encoding="utf-8"))
    files = {Path(command["file"]) for command in commands}
    own = [file for file in files if REPOSITORY in file.parents and "generated" not in file.parts]
    changed = newest_first()
    return sorted(own, key=lambda file: (changed.get(file, len(changed)), file))


def newest_first() -> dict[Path, int]:
    """What is not committed, then by commits: in a fresh clone no file is older than another."""
    uncommitted = ["git", "diff", "--name-only", "HEAD", "--", "native"]
    committed = ["git", "log", "--format=", "--name-only", "--", "native"]
    order: dict[Path, int] = {}
    for command in (uncommitted, committed):
        ran = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
        for name in ran.stdout.splitlines():
            order.setdefault(REPOSITORY / name, len(order))
    return order


def digest_of_headers() -> bytes:
    """One digest for everything that any source could include, and for the rules."""
    digest = hashlib.sha256((REPOSITORY / ".clang-tidy").read_bytes())
    for header in sorted((REPOSITORY / "native").rglob("*.h")):
        digest.update(header.read_bytes())
    return digest.digest()


def check(source: Path, database: Path) -> str:
    """What clang-tidy says about that source; empty when it is clean."""
    tidy = Path(sys.executable).with_name("clang-tidy")
    command = [str(tidy), "-p", str(database), "--quiet", str(source)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if ran.returncode == 0 else ran.stdout + ran.stderr


def main() -> None:
    """Check, report, and exit with 1 when something was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budget-s", type=float, default=float("inf"))
    parser.add_argument("--jobs", type=int, default=min(4, os.cpu_count() or 1))
    parser.add_argument("files", nargs="*", type=Path)
    arguments = parser.parse_args()
    database = compilation_database()
    headers = digest_of_headers()
    PASSED.mkdir(parents=True, exist_ok=True)
    wanted = [file.resolve() for file in arguments.files] or sources(database)
    marks = {
        file: PASSED / hashlib.sha256(headers + bytes(file) + file.read_bytes()).hexdigest()
        for file in wanted
    }
    todo = [file for file in wanted if not marks[file].exists()]
    deadline = time.monotonic() + arguments.budget_s
    unchecked: list[Path] = []
    failed = 0

    def one(file: Path) -> tuple[Path, str | None]:
        return file, check(file, database) if time.monotonic() < deadline else None

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for file, found in pool.map(one, todo):
            if found is None:
                unchecked.append(file)
            elif found:
                failed += 1
                print(found, end="")
            else:
                marks[file].touch()
    checked = len(todo) - len(unchecked)
    print(f"clang-tidy: {checked} checked, {len(wanted) - len(todo)} unchanged, {failed} failed")
    for file in unchecked:
        print(f"clang-tidy: no time left for {file.relative_to(REPOSITORY)}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
