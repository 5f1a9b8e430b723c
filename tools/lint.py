# SPDX-License-Identifier: Apache-2.0
"""Every check that is not a test: `python -m tools.lint [NAME...]`.

Runs all of them, even after a failure, shows what the failed ones printed, and exits with 1 when
there was one. Most use one processor, so two run at a time; clang-tidy, which takes longest, is
the first. To add a check: one entry in CHECKS.
"""

from __future__ import annotations

import concurrent.futures
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

REPOSITORY = Path(__file__).resolve().parents[1]
EXTENSION = REPOSITORY / "vscode-extension"

CHECKS_AT_ONCE = 2
LONGEST = "clang-tidy"

Command = list[str]


def tool(name: str) -> str:
    """A program of the virtual environment."""
    return str(Path(sys.executable).with_name(name))


def clang_format() -> list[Command]:
    """All tracked C++ that people write."""
    listing = ["git", "ls-files", "native/*.h", "native/*.cpp"]
    ran = subprocess.run(listing, cwd=REPOSITORY, check=True, capture_output=True, text=True)
    files = [file for file in ran.stdout.split() if "/generated/" not in file]
    return [[tool("clang-format"), "--dry-run", "--Werror", *files]] if files else []


def extension() -> list[Command]:
    """TypeScript: types, eslint, tests; needs npm, which `make setup` does not install."""
    npm = shutil.which("npm")
    if npm is None:
        print("extension: npm is not installed, so vscode-extension is not checked")
        return []
    commands = [[npm, "--prefix", str(EXTENSION), *words] for words in (["run", "check"], ["test"])]
    installed = EXTENSION / "node_modules" / ".package-lock.json"
    lock = EXTENSION / "package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        commands.insert(0, [npm, "--prefix", str(EXTENSION), "ci", "--no-audit", "--no-fund"])
    return commands


def hosted() -> list[Command]:
    """The files of the hosting service, by the schemas that check-jsonschema brings."""
    folder = REPOSITORY / ".github"
    forms = [each for each in (folder / "ISSUE_TEMPLATE").glob("*.yml") if each.stem != "config"]
    files = {
        "github-workflows": list((folder / "workflows").glob("*.yml")),
        "github-issue-forms": forms,
        "github-issue-config": [folder / "ISSUE_TEMPLATE" / "config.yml"],
        "dependabot": [folder / "dependabot.yml"],
    }
    check = tool("check-jsonschema")
    return [
        [check, "--quiet", "--builtin-schema", f"vendor.{schema}", *map(str, paths)]
        for schema, paths in files.items()
    ]


CHECKS: dict[str, Callable[[], list[Command]]] = {
    "ruff": lambda: [[tool("ruff"), "check"]],
    "format": lambda: [[tool("ruff"), "format", "--check", "--quiet"]],
    "clang-format": clang_format,
    "generated": lambda: [
        [sys.executable, "-m", "native.protocol.generate", "--check"],
        [sys.executable, "-m", "tools.recipes", "--check"],
        [sys.executable, "-m", "tools.api_reference", "--check"],
        [sys.executable, "-m", "tools.jvmti_reference", "--check"],
        [sys.executable, "-m", "tools.agent_classes", "--check"],
    ],
    "hosted": hosted,
    "imports": lambda: [[tool("lint-imports"), "--no-logo"]],
    # Generated as well, from what mypy has just found out and keeps in its cache.
    "mypy": lambda: [[tool("mypy")], [sys.executable, "-m", "tools.sync_api", "--check"]],
    "house": lambda: [[tool("pytest"), "-q", "tests/house"]],
    "extension": extension,
    "clang-tidy": lambda: [
        [sys.executable, "-m", "tools.tidy"],
    ],
}


def run(name: str) -> bool:
    """Run one check and print the result; whether it passed."""
    started = time.monotonic()
    summary = ""
    for command in CHECKS[name]():
        ran = subprocess.run(command, cwd=REPOSITORY, check=False, capture_output=True, text=True)
        if ran.returncode != 0:
            failure = f"{name}: FAILED ({' '.join(command[:4])} …)"
            # One write, for another check may print meanwhile.
            print(f"{ran.stdout}{ran.stderr}{failure}\n", end="", flush=True)
            return False
        if name == LONGEST:
            summary = ran.stdout  # how many files were checked
    print(f"{summary}{name}: ok, {time.monotonic() - started:.1f} s\n", end="", flush=True)
    return True


def main() -> None:
    """Run the named checks, or all."""
    names = sys.argv[1:] or list(CHECKS)
    if unknown := set(names) - set(CHECKS):
        raise SystemExit(f"no check called {sorted(unknown)}; there are {list(CHECKS)}")
    names.sort(key=lambda name: name != LONGEST)
    with concurrent.futures.ThreadPoolExecutor(CHECKS_AT_ONCE) as pool:
        passed = list(pool.map(run, names))
    failed = [name for name, is_good in zip(names, passed, strict=True) if not is_good]
    if failed:
        raise SystemExit(f"lint: {', '.join(failed)} failed")


if __name__ == "__main__":
    main()
