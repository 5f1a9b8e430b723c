# SPDX-License-Identifier: Apache-2.0
"""What an editor asks about sources, as they are in it: main classes, tests, names at a place.

A text may have mistakes, and need not be on the disk. Lines in answers are from 1, columns from 0.
Owns what was read of files, until they change. Each answer is one that JSON can hold. Runs nothing.
Called by the command `jvmdebug sources`.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from jvmdebug.projects.declared_tests import test_classes
from jvmdebug.projects.main_classes import main_of_class_file
from jvmdebug.projects.main_methods import kotlin_file_class, main_methods
from jvmdebug.projects.outline import LANGUAGES, code_only, outline
from jvmdebug.regular_file import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jvmdebug.projects.declared_tests import TestClass, TestMethod
    from jvmdebug.projects.outline import Language, Method, Outline

Answer: TypeAlias = dict[str, Any]
_MOST_FILES: Final = 5000
_MAY_HAVE_MAIN: Final = re.compile(rb"\bmain\s*\(")
_NO_PROGRAMS: Final = frozenset({"node_modules", ".git", ".gradle"})
_NO_SOURCES: Final = _NO_PROGRAMS | {"build", "target", "out", "bin", "dist"}
_OUTPUTS: Final = frozenset({"bin", "out", "build", "target"})
_CLASSES: Final = _OUTPUTS | {"classes"}
_NAME: Final = re.compile(r"(?<![\w$])[^\W\d][\w$]*|(?<![\w$])\$[\w$]*")
_FUN: Final = re.compile(r"\bfun\b")


def declared(path: Path, text: str | None = None) -> Answer:
    """The main classes and tests of a file: of its text in the editor, else of what is on disk."""
    language = LANGUAGES.get(path.suffix)
    if language is None:
        return {"mains": [], "tests": []}
    source = _read(path) if text is None else _bytes(text)
    return _declared(source, language, path.stem)


def _declared(source: bytes, language: Language, stem: str) -> Answer:
    mains = main_methods(source, language, stem) if _MAY_HAVE_MAIN.search(source) else []
    return {
        "mains": [{"className": each.class_name, "line": each.line} for each in mains],
        "tests": [_test_class(each) for each in test_classes(source, language)],
    }


def _test_class(found: TestClass) -> Answer:
    methods: dict[str, Answer] = {}
    for each in found.methods:  # a name may be overloaded
        place = {"name": each.name, "line": each.line, "firstLine": each.first_line}
        methods.setdefault(each.name, place | _shown(each))
    return {
        "className": found.name,
        "line": found.line,
        "firstLine": found.first_line,
        "methods": list(methods.values()),
        **_shown(found),
    }


def _shown(found: TestClass | TestMethod) -> Answer:
    return {} if found.display_name is None else {"displayName": found.display_name}


@dataclass(frozen=True, slots=True)
class _Known:
    changed: tuple[int, int]
    """Time of the last change, and size."""
    answer: Any


class SourceFolders:
    """Main classes and tests below folders. Files that have not changed are not read again."""

    def __init__(self) -> None:
        self._known: dict[str, _Known] = {}

    def below(self, folder: Path, texts: Mapping[str, str]) -> Answer:
        """The main classes and tests of all sources, and the main classes of class files that no
        source is for. `texts`: of files that are not saved, by their paths.
        """
        sources: list[str] = []
        class_files: list[str] = []
        for found in _files(folder):
            if not found.endswith(".class"):
                sources.append(found)
            elif len(class_files) < _MOST_FILES:
                class_files.append(found)
        files = []
        for each in sources[:_MOST_FILES]:
            answer = declared(Path(each), texts[each]) if each in texts else self._source(each)
            if answer["mains"] or answer["tests"]:
                files.append({"file": each, **answer})
        outermost = {_package_and_name(each) for each in sources}
        compiled: dict[str, Answer] = {}
        for each in class_files:
            if _package_and_name(each) in outermost:
                continue
            name = self._kept(each, main_of_class_file)
            if name is not None and name not in compiled:
                compiled[name] = {"className": name, "file": each, "project": _project(each, name)}
        return {"files": files, "compiled": list(compiled.values())}

    def _source(self, path: str) -> Answer:
        found: Answer = self._kept(path, declared)
        return found

    def _kept(self, path: str, read: Any) -> Any:  # noqa: ANN401 - what `read` gives
        try:
            status = Path(path).stat()
        except OSError:
            return read(Path(path))
        changed = (status.st_mtime_ns, status.st_size)
        known = self._known.get(path)
        if known is None or known.changed != changed:
            known = self._known[path] = _Known(changed, read(Path(path)))
        return known.answer


def _files(folder: Path) -> Iterator[str]:
    """Sources, and class files where build tools and editors put them; in a fixed order."""
    seen = set()
    for place, folders, files in os.walk(folder, followlinks=True):
        real = os.path.realpath(place)
        if real in seen:  # a link that leads back
            folders.clear()
            continue
        seen.add(real)
        folders[:] = sorted(each for each in folders if each not in _NO_PROGRAMS)
        above = set(Path(place).relative_to(folder).parts)
        suffixes = () if above & _NO_SOURCES else tuple(LANGUAGES)
        suffixes += (".class",) if above & _CLASSES else ()
        for each in sorted(files) if suffixes else ():
            if each.endswith(suffixes):
                yield str(Path(place, each))


def _package_and_name(path: str) -> str:
    """`shop/Cart`: the folder and the outermost class of a source or a class file."""
    at = Path(path)
    return f"{at.parent.name}/{at.stem.partition('$')[0]}"


def _project(class_file: str, name: str) -> str:
    """The folder above the one that classes are put into: `/shop` for
    `/shop/target/classes/shop/Main.class`.
    """
    root = Path(class_file).parents[name.count(".")]
    return str(
        next((each.parent for each in (root, *root.parents) if each.name in _OUTPUTS), root.parent)
    )


def method_at(path: Path, text: str, line: int, word: str | None) -> str:
    """`shop.Cart#add` as the VM has it: the method named `word` of a text, else the one around a
    line; a class is its constructor. Empty if there is none.
    """
    language = LANGUAGES[path.suffix]
    found = outline(_bytes(text), language)
    of_file = _file_class(found, text, path)
    places = [
        (each.first_line, each.name, f"{each.type_name or of_file}#{_vm_name(each, language)}")
        for each in found.methods
    ]
    if language == "kotlin":
        places += [
            (each.first_line, re.split(r"[.$]", each.name)[-1], f"{each.name}#<init>")
            for each in found.types
        ]
        places.sort(key=lambda each: each[0])
    above = [method for first_line, _, method in places if first_line <= line]
    return next((method for _, name, method in places if name == word), above[-1] if above else "")


def _vm_name(method: Method, language: Language) -> str:
    if language == "java":
        return "<init>" if method.returns is None else method.name
    is_internal = method.type_name is not None and "internal" in method.modifiers
    return f"{method.name}$*" if is_internal else method.name  # it ends with that of the module


def field_at(path: Path, text: str, line: int, word: str | None) -> str:
    """`shop.Cart.total` as the VM has it, for a name in the class around a line; what a companion
    declares is a field of the class around it.
    """
    language = LANGUAGES[path.suffix]
    if word is None:
        return ""
    found = outline(_bytes(text), language)
    if language == "java":
        above = [each for each in found.types if each.first_line <= line]
        return f"{above[-1].name}.{word}" if above else ""
    inside = [each for each in found.types if each.first_line <= line <= each.last_line]
    if not inside:
        return f"{_file_class(found, text, path)}.{word}"
    name = inside[-1].name
    return f"{name.rpartition('$')[0] if 'companion' in inside[-1].modifiers else name}.{word}"


def names_above(path: Path, text: str, line: int) -> list[Answer]:
    """The names in the method around a line, from its declaration to that line, each once in a
    line: those that may be variables, so none that is called, or a member of something. Members of
    `this` are there as `this.total`.
    """
    language = LANGUAGES[path.suffix]
    lines, written = code_only(text, language).split("\n"), text.split("\n")
    begins = [each.line for each in outline(_bytes(text), language).methods]
    if language == "kotlin":  # local functions, too
        begins += [number for number, each in enumerate(lines, 1) if _FUN.search(each)]
    first = max((each for each in begins if each <= line), default=1)
    found = []
    for number in range(first, min(line, len(lines)) + 1):
        code = lines[number - 1]
        for name, index in _mentions(code).items():
            units = len(written[number - 1][:index].encode("utf-16-le", "surrogatepass"))
            found.append({"name": name, "line": number, "column": units // 2})
    return found


_OF_THIS: Final = re.compile(r"(?<![\w$.])this\.$")


def _mentions(code: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for match in _NAME.finditer(code):
        before = code[: match.start()].rstrip()
        is_member = before.endswith((".", "::", "@"))
        if code[match.end() :].lstrip().startswith("("):
            continue
        if not is_member:
            found.setdefault(match[0], match.start())
        elif (of_this := _OF_THIS.search(code, 0, match.start())) is not None:
            found.setdefault(f"this.{match[0]}", of_this.start())
    return found


def _file_class(found: Outline, text: str, path: Path) -> str:
    if path.suffix == ".kt":
        return kotlin_file_class(found, _bytes(text), path.stem)
    return f"{found.package}.{path.stem}" if found.package else path.stem


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _read(path: Path) -> bytes:
    try:
        return read_bytes(path)
    except OSError:
        return b""  # gone meanwhile
