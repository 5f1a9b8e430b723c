# SPDX-License-Identifier: Apache-2.0
"""Makes a release of the commit that is checked out: `make release`.

Checks that the tree can be released, builds sdist, wheels, the archive without Python and the VS
Code extension into `dist/`, tries each, writes an SBOM and checksums and, with --tag only, puts an
annotated tag on the commit that was built. With --dry-run it checks and says what it would do.
Nothing is published: pushing the tag makes the hosted workflow do that. `--only wheels` builds some
of the files without the checks. The files are made by `tools.artifacts`, `tools.wheel_agents` and
`tools.frozen`.

CONTRIBUTING.md has the whole procedure.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tools import (
    artifacts,
    changelog,
    frozen,
    frozen_trial,
    interpreters,
    portable,
    wheel_agents,
    wheel_trial,
)
from tools.progress import StepError
from tools.version import copies, numbers, version

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

REPOSITORY: Final = Path(__file__).resolve().parents[1]
DIST: Final = REPOSITORY / "dist"
WORK: Final = REPOSITORY / "build" / "release"
SDIST: Final = REPOSITORY / "build" / "sdist"
BRANCH: Final = "main"
PARTS: Final = ("sdist", "wheels", "pure", "frozen", "extension", "sbom")
FAILURES: Final = (
    StepError,
    artifacts.ArtifactError,
    wheel_agents.NoAgentsError,
    frozen_trial.TrialError,
    portable.NoZigError,
    wheel_trial.TrialError,
)

_TAG: Final = re.compile(r"v(\d+\.\d+\.\d+)")


def git(*words: str, repository: Path) -> str:
    """What that git command prints. Raises CalledProcessError."""
    ran = subprocess.run(
        ["git", *words], cwd=repository, check=True, capture_output=True, text=True
    )
    return ran.stdout.strip()


def problems(repository: Path) -> list[str]:
    """Why this tree cannot be released; empty when it can."""
    new = version(repository)
    return [
        *_tree_problems(repository),
        *_version_problems(repository, new),
        *_changelog_problems(repository, new),
    ]


def _tree_problems(repository: Path) -> list[str]:
    found = []
    if changed := git("status", "--porcelain", repository=repository):
        found.append(f"there are changes that are not committed:\n    {changed}")
    branch = git("branch", "--show-current", repository=repository) or "no branch"
    if branch != BRANCH:
        found.append(f"releases are made on {BRANCH}, this is {branch}")
    return found


def _version_problems(repository: Path, new: str) -> list[str]:
    found = [
        f"{place} has version {other}, pyproject.toml has {new}"
        for place, other in copies(repository).items()
        if other != new
    ]
    tags = git("tag", "--list", "v*", repository=repository).splitlines()
    released = [match[1] for tag in tags if (match := _TAG.fullmatch(tag))]
    latest = max(released, key=numbers, default=None)
    if latest is not None and numbers(new) <= numbers(latest):
        found.append(
            f"{latest} is released already and this is {new}: "
            "`make version VERSION=…` sets a newer version"
        )
    return found


def _changelog_problems(repository: Path, new: str) -> list[str]:
    text = (repository / "CHANGELOG.md").read_text(encoding="utf-8")
    found = [f"CHANGELOG.md: {mistake}" for mistake in changelog.mistakes(text)]
    release = changelog.release_of(text, new)
    if release is None or not release.has_entries:
        found.append(f"CHANGELOG.md has no entries below [{new}]")
    pending = changelog.release_of(text, changelog.UNRELEASED)
    if pending is not None and pending.has_entries:
        found.append(
            f"CHANGELOG.md has entries below [{changelog.UNRELEASED}]: move them to [{new}]"
        )
    return found


def build(parts: Collection[str], python: str | None) -> list[Path]:
    """Make these files in dist/, which is emptied first. Raises FAILURES."""
    artifacts.without_files(DIST)
    commit_time = git("log", "-1", "--format=%ct", repository=REPOSITORY)
    os.environ.setdefault("SOURCE_DATE_EPOCH", commit_time)
    made: list[Path] = []
    if "sdist" in parts:
        made.append(artifacts.build_sdist(DIST))
    if "wheels" in parts:
        sdist = made[0] if made else artifacts.build_sdist(artifacts.fresh(SDIST))
        source = artifacts.unpack(sdist, artifacts.fresh(WORK) / "source")
        made += _build_wheels(source, [python] if python else interpreters.SUPPORTED)
    if "pure" in parts:
        made.append(wheel_agents.build_pure_wheel(REPOSITORY, DIST))
        here = interpreters.find()[f"{sys.version_info.major}.{sys.version_info.minor}"]
        wheel_trial.try_wheel(made[-1], here, WORK / "pure")
    if "frozen" in parts:
        made += frozen.build(with_extension="extension" in parts)
    if "extension" in parts:
        made.append(artifacts.build_extension(DIST, version(REPOSITORY)))
    if "sbom" in parts:
        made.append(artifacts.write_sbom(frozen.python(), DIST))
    return [*made, artifacts.write_checksums(DIST)]


def _build_wheels(source: Path, minors: Sequence[str]) -> list[Path]:
    """One for each of these versions that is here and each processor; the others are named."""
    found = interpreters.find()
    made = []
    agents = wheel_agents.found_agents()
    for minor in minors:
        if minor not in found:
            print(f"wheels for CPython {minor}: NOT BUILT, no such interpreter on this machine")
            continue
        made += [
            artifacts.build_wheel(
                source, found[minor], processor, WORK, DIST, partial(_add_others, agents, processor)
            )
            for processor in portable.PROCESSORS
        ]
    return made


def _add_others(agents: Mapping[str, Path], processor: str, wheel: Path) -> None:
    """Add the agents of other platforms than the wheel's, which has its own."""
    own = f"/linux-{processor}/"
    wheel_agents.add_files(wheel, {each: agents[each] for each in agents if own not in each})


def tag(repository: Path, commit: str) -> str:
    """Put an annotated tag with the release's notes on a commit; its name."""
    new = version(repository)
    release = changelog.release_of((repository / "CHANGELOG.md").read_text(encoding="utf-8"), new)
    notes = release.notes if release is not None else ""
    message = f"jvmdebug {new}\n\n{notes}\n"
    # Not the default clean-up, which takes headings for comments.
    words = ["tag", "--annotate", f"v{new}", commit, "--cleanup=whitespace", "--message", message]
    git(*words, repository=repository)
    return f"v{new}"


def plan(only: Sequence[str]) -> str:
    """What would be done."""
    found = interpreters.find()
    here = [minor for minor in interpreters.SUPPORTED if minor in found]
    absent = [minor for minor in interpreters.SUPPORTED if minor not in found]
    new = version(REPOSITORY)
    lines = {
        "sdist": f"sdist: jvmdebug-{new}.tar.gz",
        "wheels": f"wheels for {' and '.join(portable.PROCESSORS)}, "
        f"CPython {', '.join(here) or '(none found)'}"
        + (f"; not found: {', '.join(absent)}" if absent else ""),
        "pure": f"wheel for every machine: jvmdebug-{new}-py3-none-any.whl",
        "frozen": "archive without Python, and the extension with it: for this platform",
        "extension": f"extension: jvmdebug-{new}.vsix",
        "sbom": f"what the archive consists of: {artifacts.SBOM}",
    }
    return "\n".join(f"  {lines[part]}" for part in only)


def release(*, dry_run: bool, with_tag: bool) -> None:
    """All steps of a release. Raises SystemExit with what stands against it."""
    new = version(REPOSITORY)
    print(f"jvmdebug {new}", flush=True)
    if found := problems(REPOSITORY):
        raise SystemExit("\n".join(["cannot be released:", *(f"  {each}" for each in found)]))
    if dry_run:
        print(f"would build into {DIST.name}/:\n{plan(PARTS)}\n  {artifacts.CHECKSUMS}")
        print(f"would tag v{new}" if with_tag else "would not tag (--tag does)")
        return
    commit = git("rev-parse", "HEAD", repository=REPOSITORY)
    show(build(PARTS, None))
    if with_tag:
        name = tag(REPOSITORY, commit)
        print(f"tagged {commit[:12]} as {name}; to publish it: git push origin {BRANCH} {name}")
    else:
        print("not tagged; `make release TAG=yes` does that")


def show(files: Sequence[Path]) -> None:
    """The names and sizes of what was made."""
    for path in files:
        print(f"  {path.relative_to(REPOSITORY)}  {path.stat().st_size / 1e6:.2f} MB")


def main() -> None:
    """Parse the command line and do it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--dry-run", action="store_true", help="check, say what would be done")
    parser.add_argument("--tag", action="store_true", help="tag the commit at the end")
    parser.add_argument("--only", choices=PARTS, nargs="+", help="build these, without checks")
    parser.add_argument("--python", metavar="3.X", help="with --only: wheels of this version only")
    given = parser.parse_args()
    if given.only and given.tag:
        parser.error("--tag needs a whole release, without --only")
    if given.python and not given.only:
        parser.error("--python needs --only wheels")
    try:
        if given.only and given.dry_run:
            print(f"would build into {DIST.name}/:\n{plan(given.only)}")
        elif given.only:
            show(build(given.only, given.python))
        else:
            release(dry_run=given.dry_run, with_tag=given.tag)
    except FAILURES as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
