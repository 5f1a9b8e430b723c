# SPDX-License-Identifier: Apache-2.0
"""CHANGELOG.md as a list of releases: `python -m tools.changelog VERSION` prints the notes of one.

Knows the shape of the file (https://keepachangelog.com) and nothing of how a release is made;
`tools.version` opens a release in it, `tools.release` checks it, the hosted release quotes it.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

CHANGELOG: Final = Path(__file__).resolve().parents[1] / "CHANGELOG.md"
UNRELEASED: Final = "Unreleased"
GROUPS: Final = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")

_HEADING: Final = re.compile(r"^## \[(?P<version>[^\]]+)\](?: - (?P<date>\S+))?$", re.MULTILINE)
_LINKS: Final = re.compile(r"^\[[^\]]+\]: \S+$", re.MULTILINE)
_GROUP: Final = re.compile(r"^### (.+)$", re.MULTILINE)
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, slots=True)
class Release:
    """One section of the changelog. `date` is missing for what is not released."""

    version: str
    date: str | None
    notes: str

    @property
    def has_entries(self) -> bool:
        return "\n- " in f"\n{self.notes}"


def releases(text: str) -> tuple[Release, ...]:
    """The sections in the order of the file."""
    headings = list(_HEADING.finditer(text))
    ends = [*(heading.start() for heading in headings), len(text)][1:]
    return tuple(
        Release(
            heading["version"], heading["date"], _LINKS.sub("", text[heading.end() : end]).strip()
        )
        for heading, end in zip(headings, ends, strict=True)
    )


def release_of(text: str, version: str) -> Release | None:
    """The section of that version."""
    return next((each for each in releases(text) if each.version == version), None)


def mistakes(text: str) -> list[str]:
    """What is wrong with the shape of the file."""
    found = releases(text)
    wrong = []
    if not found or found[0].version != UNRELEASED:
        wrong.append(f"the first section should be [{UNRELEASED}]")
    for release in found:
        if release.version != UNRELEASED and not _DATE.fullmatch(release.date or ""):
            wrong.append(f"[{release.version}] needs a date, as in `## [1.0.0] - 2030-01-31`")
        strange = set(_GROUP.findall(release.notes)) - set(GROUPS)
        wrong += [f"[{release.version}]: no such group: {name}" for name in sorted(strange)]
        if f"\n[{release.version}]: https://" not in text:
            wrong.append(f"[{release.version}] has no link at the end of the file")
    return wrong


def open_release(text: str, version: str, date: str) -> str:
    """The text with what is unreleased made the release of that version."""
    last = next((each.version for each in releases(text) if each.version != UNRELEASED), None)
    heading = f"## [{UNRELEASED}]\n\n## [{version}] - {date}"
    text = text.replace(f"## [{UNRELEASED}]", heading, 1)
    link = re.compile(rf"^\[{UNRELEASED}\]: (?P<home>\S+?)/compare/\S+$", re.MULTILINE)

    def newer(found: re.Match[str]) -> str:
        home = found["home"]
        since = f"compare/v{last}...v{version}" if last else f"releases/tag/v{version}"
        return f"[{UNRELEASED}]: {home}/compare/v{version}...HEAD\n[{version}]: {home}/{since}"

    return link.sub(newer, text, count=1)


def main() -> None:
    """Print the notes of the named version."""
    if len(sys.argv) != 2:
        raise SystemExit("usage: python -m tools.changelog VERSION")
    release = release_of(CHANGELOG.read_text(encoding="utf-8"), sys.argv[1])
    if release is None:
        raise SystemExit(f"{CHANGELOG.name} has no section [{sys.argv[1]}]")
    print(release.notes)


if __name__ == "__main__":
    main()
