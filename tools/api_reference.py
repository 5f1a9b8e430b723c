# SPDX-License-Identifier: Apache-2.0
"""Writes docs/reference/api.md from the docstrings: `python -m tools.api_reference [--check]`.

Each public name of `jvmdebug`, with signatures as they are written in the source. `make docs` runs
it, `make lint` compares.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import sys
import textwrap
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

import jvmdebug
from jvmdebug.public_names import HOMES
from jvmdebug.sync.generated.members import MEMBERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DOCUMENT: Final = Path(__file__).resolve().parents[1] / "docs" / "reference" / "api.md"
_GROUPS: Final = {
    "Opening a session": (
        *("session.launch", "session.listening"),
        *("launch.command_line", "launch.agent_library"),
    ),
    "Sessions": (
        *("session.session", "session.settings", "session.state"),
        *("session.observing", "session.profiling", "session.hot_swap"),
    ),
    "Stops, frames and values": (
        *("session.stop", "session.causes", "session.frame_handle", "session.variable"),
        *("session.threads", "session.scopes", "session.thrown", "session.watched_change"),
        *("session.memory", "session.data_target", "session.instances", "evaluator"),
    ),
    "Observing": ("observing",),
    "Breakpoints": ("breakpoints", "session.breakpoints"),
    "Steps": ("stepping",),
    "Events": ("session.events",),
    "Sources and code": (
        *("sources", "session.code", "session.definitions", "session.modules", "hotswap"),
    ),
    "JVM TI, loaded classes and modules": ("jvmti",),
    "How values are shown": ("display", "printable"),
    "Errors": ("errors", "model"),
}
_HEAD: Final = """<!-- Written by tools/api_reference.py from the docstrings: do not edit. -->
# The Python API

Every public name of `jvmdebug`. The same classes without `await` are in `jvmdebug.sync`.
To learn it: [the tutorial](../tutorial/scripting.md), [recipes](../how-to/recipes.md).
"""
_PACKAGES: Final = ("heap", "profiling", "projects", "classfile")
_PARTS: Final = frozenset({"PythonicValue", "ReadableValue", "HitObservation", "ProgramModules"})
"""Bases, whose members are shown with the classes that have them."""
_OTHERS: Final = "They have no public name of their own: what is documented above gives them."
_NEAREST: Final = ("session", "observing", "breakpoints", "model", "heap", "display")
"""Where the class is meant that a name stands for, if there are several."""
_DUNDERS: Final = frozenset(
    {
        *("__getitem__", "__len__", "__iter__", "__aiter__", "__contains__"),
        *("__int__", "__float__", "__bool__", "__eq__", "__lt__"),
    }
)


def document() -> str:
    """The text of the document."""
    homes = HOMES
    named = {home: title for title, found in _GROUPS.items() for home in found}
    groups: dict[str, list[str]] = {title: [] for title in (*_GROUPS, "Others")}
    for name in sorted(jvmdebug.__all__, key=str.lower):
        if name in homes:
            groups[named.get(homes[name], "Others")].append(name)
    parts = [_HEAD]
    for title, names in groups.items():
        if names:
            parts.append(f"\n## {title}\n")
            parts += [_entry(name) for name in names]
    known = {name for names in groups.values() for name in names}
    for package in _PACKAGES:
        named = importlib.import_module(f"jvmdebug.{package}").__dict__
        exported = [each for each in jvmdebug_all(package) if each not in known]
        parts.append(f"\n## jvmdebug.{package}\n\n{_text(named['__doc__'])}\n")
        parts += [_entry(each, package) for each in sorted(exported, key=str.lower)]
        known.update(exported)
    parts.append(f"\n## Other classes that these return\n\n{_OTHERS}\n")
    parts += [_class(each.__name__, each) for each in _returned(known)]
    return "".join(parts)


def jvmdebug_all(package: str) -> list[str]:
    """The public names of a package that is public as a whole."""
    found: list[str] = importlib.import_module(f"jvmdebug.{package}").__all__
    return found


def _returned(known: set[str]) -> list[type]:
    """The classes that documented members return or have and that have no section yet, and those
    that these return.
    """
    classes = _all_classes()
    documented = [classes[name] for name in known if name in classes]
    wrapped = {full.partition(":")[2] for full in MEMBERS} - known - _PARTS
    found = {name: classes[name] for name in wrapped if name in classes}
    documented += found.values()
    while documented:
        for name in sorted(_names_in_members(documented.pop())):
            if name not in known and name not in found and name in classes:
                found[name] = classes[name]
                documented.append(classes[name])
    return sorted(found.values(), key=lambda each: each.__name__.lower())


def _all_classes() -> dict[str, type]:
    """Each public class of the core by its name; of several those nearest to the user."""
    found: dict[str, type] = {}
    for each in pkgutil.walk_packages(jvmdebug.__path__, "jvmdebug."):
        if ".generated" in each.name or each.name.endswith("__main__"):
            continue
        module = importlib.import_module(each.name)
        for name, value in vars(module).items():
            is_own = inspect.isclass(value) and value.__module__ == each.name
            is_public = is_own and not name.startswith("_") and name == value.__name__
            if is_public and (name not in found or _distance(value) < _distance(found[name])):
                found[name] = value
    return found


def _distance(class_: type) -> int:
    package = class_.__module__.split(".")[1]
    return _NEAREST.index(package) if package in _NEAREST else len(_NEAREST)


def _names_in_members(class_: type) -> set[str]:
    """The names in what members return and attributes have as their types."""
    texts = [type_ for _, type_, _ in _attributes(class_)]
    for name, member in inspect.getmembers_static(class_):
        if name.startswith("_") and name not in _DUNDERS:
            continue
        function = member.fget if isinstance(member, property) else member
        function = member.func if isinstance(member, cached_property) else function
        if inspect.isfunction(function):
            texts.append(_written(inspect.signature(function).return_annotation))
    return {name for text in texts for name in re.findall(r"[A-Za-z_]\w*", text)}


def _entry(name: str, package: str | None = None) -> str:
    home = jvmdebug if package is None else importlib.import_module(f"jvmdebug.{package}")
    found = getattr(home, name)
    if inspect.isclass(found):
        return _class(name, found)
    if inspect.isroutine(found) or hasattr(found, "__wrapped__"):
        return f"\n### {name}\n\n```python\n{_call(name, found)}\n```\n\n{_text(found.__doc__)}\n"
    return f"\n### {name}\n\n`{_one_line(repr(found))}`\n"


def _class(name: str, class_: type) -> str:
    bases = [each.__name__ for each in class_.__bases__ if each.__name__ in jvmdebug.__all__]
    said = f"A {bases[0]}. " if bases else ""
    text = _text(class_.__doc__) if not (class_.__doc__ or "").startswith(f"{name}(") else ""
    lines = [f"\n### {name}\n\n{said}{text}\n\n"]
    if issubclass(class_, Enum):
        return lines[0] + ", ".join(f"`{each.name}`" for each in class_) + "\n"
    lines += [f"- {each}\n" for each in _members(class_)]
    return "".join(lines)


def _members(class_: type) -> Iterator[str]:
    """Attributes first, then properties and methods in the order of the source."""
    for each in reversed(class_.__mro__):
        if each.__module__.startswith("jvmdebug.") and each.__name__ not in jvmdebug.__all__:
            yield from _own_members(each)
    yield from _own_members(class_)


def _own_members(class_: type) -> Iterator[str]:
    for name, type_, said in _attributes(class_):
        yield f"**`{name}`**" + (f": `{type_}`" if type_ else "") + (f". {said}" if said else "")
    of_session = [getattr(each, "__wrapped__", None) for each in vars(jvmdebug.Session).values()]
    shared: list[str] = []
    for name, member in vars(class_).items():
        if name.startswith("_") and name not in _DUNDERS:
            continue
        if isinstance(member, property | cached_property):
            getter = member.fget if isinstance(member, property) else member.func
            type_ = "" if getter is None else _written(inspect.signature(getter).return_annotation)
            said = _text(member.__doc__, "  ")
            yield f"**`{name}`**: `{type_}`" + (f". {said}" if said else "")
        elif member in of_session:
            shared.append(f"`{name}`")
        elif inspect.isfunction(member) and _is_shown(class_, member):
            yield f"`{_call(name, member)}`  \n  {_text(member.__doc__, '  ')}".rstrip()
    if shared:
        yield f"As methods of the Session, which calls these: {', '.join(shared)}"


def _is_shown(class_: type, method: Callable[..., object]) -> bool:
    """Whether it is written there, or is that of a part."""
    return hasattr(method, "__wrapped__") or method.__qualname__.startswith(class_.__qualname__)


def _attributes(class_: type) -> Iterator[tuple[str, str, str]]:
    """Name, type and text of those that the source says something about."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(class_))).body[0]
    except OSError:
        return
    if not isinstance(tree, ast.ClassDef):
        return
    for at, each in enumerate(tree.body):
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            if not each.target.id.startswith("_"):
                yield each.target.id, ast.unparse(each.annotation), _behind(tree.body, at)
        elif isinstance(each, ast.FunctionDef) and each.name == "__init__":
            for inside, line in enumerate(each.body):
                name, type_ = _of_self(line)
                said = _behind(each.body, inside)
                if name and not name.startswith("_") and (said or type_):
                    yield name, type_, said


def _of_self(line: ast.stmt) -> tuple[str, str]:
    target = line.target if isinstance(line, ast.AnnAssign) else None
    if isinstance(line, ast.Assign):
        target = line.targets[0] if isinstance(line.targets[0], ast.Attribute) else None
    if not (isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name)):
        return "", ""
    type_ = ast.unparse(line.annotation) if isinstance(line, ast.AnnAssign) else ""
    return target.attr, type_


def _behind(body: list[ast.stmt], at: int) -> str:
    """The text under an attribute."""
    after = body[at + 1] if at + 1 < len(body) else None
    if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
        return _text(str(after.value.value), "  ")
    return ""


def _call(name: str, function: object) -> str:
    """`await next_stop(timeout_s: float | None = None) -> Stop | None`."""
    assert callable(function)
    signature = inspect.signature(function)
    given = [each for each in signature.parameters.values() if each.name != "self"]
    parts: list[str] = []
    for each in given:
        if (
            each.kind is each.KEYWORD_ONLY
            and "*" not in parts
            and not any(part.startswith("*") for part in parts)
        ):
            parts.append("*")
        stars = "*" if each.kind is each.VAR_POSITIONAL else ""
        stars = "**" if each.kind is each.VAR_KEYWORD else stars
        type_ = "" if each.annotation is each.empty else f": {_written(each.annotation)}"
        default = "" if each.default is each.empty else f" = {_one_line(repr(each.default))}"
        parts.append(f"{stars}{each.name}{type_}{default}")
    result = _written(signature.return_annotation)
    call = f"{name}({', '.join(parts)})"
    item = result.removeprefix("AsyncIterator[").removesuffix("]")
    if inspect.isasyncgenfunction(function):
        return f"async for {call} -> {item}"
    waits = "await " if inspect.iscoroutinefunction(function) else ""
    if inspect.isasyncgenfunction(inspect.unwrap(function)):  # a context, or one kept open
        return f"{waits or 'async with '}{call} -> {item}"
    return f"{waits}{call} -> {result}"


def _written(annotation: object) -> str:
    if annotation is inspect.Signature.empty:
        return "None"
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "object")


def _text(docstring: str | None, indent: str = "") -> str:
    """A docstring as Markdown: paragraphs, and what is indented as code."""
    if not docstring:
        return ""
    found = inspect.cleandoc(docstring)
    blocks = []
    for block in re.split(r"\n{2,}", found):
        is_code = all(line.startswith("    ") for line in block.splitlines())
        blocks.append(f"```\n{textwrap.dedent(block)}\n```" if is_code else block)
    return f"\n\n{indent}".join(each.replace("\n", f"\n{indent}") for each in blocks)


def _one_line(text: str) -> str:
    plain = re.sub(r"<([\w.]+): .*?>", r"\1", text)  # of an enum
    return " ".join(plain.split()) if len(plain) < 80 else "…"


def main() -> None:
    """Write the document, or with --check compare it."""
    text = document()
    is_stale = not DOCUMENT.exists() or DOCUMENT.read_text(encoding="utf-8") != text
    if "--check" in sys.argv and is_stale:
        raise SystemExit("docs/reference/api.md is stale: make docs")
    DOCUMENT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
