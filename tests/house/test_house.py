# SPDX-License-Identifier: Apache-2.0
"""Rules of this repository that no linter checks: sizes, licence lines, words, links.

Each test lists every offender at once. To add a rule: one test over `tracked_files()`.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.house.tracked import SOURCE_SUFFIXES, is_generated, text_of, tracked_files
from tests.support.jdks import REPOSITORY, discover

MAX_LINES = 600
LICENCE = "SPDX-License-Identifier: Apache-2.0"
LICENCE_WITHIN_LINES = 3

# Built from pieces, so that this file does not offend itself.
_HOSTS = ("py" + "pi.org", "pythonhos" + "ted.org", "npm" + "js.org", "npm" + "js.com")

_CONFLICT = re.compile(r"^(<{7} |>{7} |={7}$)")

_VAGUE = re.compile(r"(^|_)(managers?|helpers?|utils?|misc|common)(_|$)")
_LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\(([^)\s]+)\)|!\[[^\]\n]*\]\(([^)\s]+)\)")


def _places_of_this_machine() -> set[str]:
    """The folders of the checkout, what it lies in, of the home of the user and of the JDKs."""
    folders = {REPOSITORY, REPOSITORY.parent, Path.home(), *(jdk.home for jdk in discover())}
    return {f"{each}/" for each in folders if each != Path("/")}


def _sources() -> list[Path]:
    return [path for path in tracked_files() if path.suffix in SOURCE_SUFFIXES]


def test_files_stay_small() -> None:
    written = [path for path in _sources() if not is_generated(path)]
    sizes = {str(path): len(text_of(path).splitlines()) for path in written}
    assert {path: size for path, size in sizes.items() if size > MAX_LINES} == {}


def test_every_source_says_its_licence() -> None:
    def says(path: Path) -> bool:
        return any(LICENCE in line for line in text_of(path).splitlines()[:LICENCE_WITHIN_LINES])

    assert [str(path) for path in _sources() if text_of(path) and not says(path)] == []


def test_each_package_says_what_it_owns_and_where_to_begin() -> None:
    packages = [
        path
        for path in tracked_files()
        if path.match("jvmdebug/*/__init__.py") or path.match("adapters/*/__init__.py")
        if len(path.parts) == 3
    ]
    assert len(packages) > 10
    said = {path: ast.get_docstring(ast.parse(text_of(path))) or "" for path in packages}
    silent = [
        str(path)
        for path, text in said.items()
        if not 4 <= len(text.splitlines()) <= 9 or "Begin with" not in " ".join(text.split())
    ]
    assert silent == []


def test_no_machine_and_no_registry_is_named() -> None:
    places, hosts = ("|".join(map(re.escape, each)) for each in (_places_of_this_machine(), _HOSTS))
    # Not in the midst of a path: /proc/PID/root is no home.
    forbidden = re.compile(rf"(?<![\w.}}-])({places})|{hosts}", re.IGNORECASE)
    found = [
        f"{path}:{number}: {line.strip()[:100]}"
        for path in tracked_files()
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if forbidden.search(line)
    ]
    assert found == []


def test_no_merge_was_left_halfway() -> None:
    found = [
        f"{path}:{number}"
        for path in tracked_files()
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if _CONFLICT.match(line)
    ]
    assert found == []


def test_files_are_named_after_what_they_own() -> None:
    vague = [str(path) for path in _sources() if _VAGUE.search(path.stem)]
    assert vague == []


def test_links_in_documents_lead_somewhere() -> None:
    broken = [
        f"{path}: {target}"
        for path in tracked_files()
        if path.suffix == ".md" and not is_generated(path)
        for link in _LINK.finditer(text_of(path))
        if not (target := link[1] or link[2]).startswith(("http://", "https://", "mailto:", "#"))
        if not (REPOSITORY / path.parent / target.split("#")[0]).exists()
    ]
    assert broken == []


def test_commands_that_documents_show_exist() -> None:
    makefile = text_of(Path("Makefile"))
    words = set(re.findall(r"^([a-z0-9]+):", makefile, re.MULTILINE))
    shown = {
        word
        for path in tracked_files()
        if path.suffix == ".md"
        for word in re.findall(r"`make ([a-z0-9]+)`|^    make ([a-z0-9]+)", text_of(path))
        for word in word
        if word
    }
    assert shown - words == set()


def test_walks_name_files_and_code_that_exist() -> None:
    """docs/architecture/walks.md lists files in order; renames must follow there."""
    paths = [f"/{path}" for path in tracked_files()]
    code = "".join(text_of(path) for path in _sources())
    named = set(re.findall(r"`([\w./]+)`", text_of(Path("docs/architecture/walks.md"))))
    files = {name for name in named if re.search(r"\.(py|cpp|h)$|/$", name)}
    identifiers = {name for name in named - files if re.fullmatch(r"[A-Za-z_.]+", name)}
    missing = {name for name in files if not any(f"/{name}" in path for path in paths)}
    unknown = {name for name in identifiers if not re.search(rf"\b{name.split('.')[-1]}\b", code)}
    assert len(files) > 30
    assert missing | unknown == set()


def test_the_event_of_dead_objects_is_never_unset() -> None:
    """HotSpot waits, without letting a safepoint come, when it is set again while it is sent."""
    unset = [
        f"{path}:{number}"
        for path in tracked_files()
        if path.parts[:2] == ("native", "agent") and path.suffix in {".cpp", ".h"}
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if "JVMTI_DISABLE" in line and "OBJECT_FREE" in line
    ]
    assert not unset, f"JVMTI_EVENT_OBJECT_FREE is enabled once per environment: {unset}"
