# SPDX-License-Identifier: Apache-2.0
"""The local variables of Kotlin code under the names that its source has.

Kotlin's compiler copies inline functions into their callers. The variables of a copy end in `$iv`,
once for each level, and a mark among the variables (see `inlining`) says where it begins. Receivers
are called `$this$shout`, captured variables `$sum`. Called by the evaluator and the session.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.descriptors import java_name, simple_name
from jvmdebug.sources.inlining import FUNCTION_MARK, LAMBDA_MARK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.model.frame import Frame
    from jvmdebug.model.location import Location
    from jvmdebug.model.method import LocalVariableSlot, Method
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.variable import LocalVariable

_KOTLIN_FILES: Final = (".kt", ".kts")
_INLINED: Final = re.compile(r"(?:\$iv)+\Z")
_SCOPE_NUMBERS: Final = re.compile(r"\\\d.*\Z")
_RECEIVER: Final = "$this$"
FUNCTION_RECEIVER: Final = "this@"
"""How the names of receivers of extensions begin, as they are shown."""
BOXING: Final = "box-impl"
"""What makes an object of a value class of a value."""
_MARKS: Final = (FUNCTION_MARK, LAMBDA_MARK)
_HIDDEN: Final = frozenset({"$result", "$continuation", "<destruct>"})
"""The state of a suspend function, and what a destructuring declaration takes apart."""


@dataclass(frozen=True, slots=True)
class InlineCopy:
    """The method itself, or a copy in it. `label` is what `this@label` would be there."""

    label: str
    level: int
    start: int
    """The code index where it begins, behind its arguments."""
    is_lambda: bool = False


def is_kotlin_file(name: str | None) -> bool:
    """Whether a class with this SourceFile attribute was compiled from Kotlin."""
    return name is not None and name.endswith(_KOTLIN_FILES)


async def is_kotlin(type_: ReferenceType) -> bool:
    """Whether a class was compiled from Kotlin. No requests but the first time for a class."""
    return is_kotlin_file(await type_.source_file())


async def source_variables(frame: Frame) -> Sequence[LocalVariable]:
    """The variables in scope; those of Kotlin code have the names of the source.

    What the compiler added is left out. Where copies have variables of one name, that which the
    code there means has it, else that of the innermost copy; others are `name (in function)`.
    """
    found = await frame.variables()
    if not await is_kotlin(frame.location.type):
        return found
    named = await _with_wrapped(found, frame.location.method)
    return named_as_in_source(named, frame.location.method.name, frame.copy)


async def _with_wrapped(
    variables: Sequence[LocalVariable], method: Method
) -> Sequence[LocalVariable]:
    """The same; the first argument of a function of a value class is the value, called `arg0`."""
    if not method.is_static or not any(_is_wrapped(each) for each in variables):
        return variables
    type_ = method.declaring_type
    if not any(each.name == BOXING for each in await type_.methods()):
        return variables
    fields = await type_.instance_fields()
    if len(fields) != 1:
        return variables
    return [replace(each, name=fields[0].name) if _is_wrapped(each) else each for each in variables]


def _is_wrapped(variable: LocalVariable) -> bool:
    return variable.slot == 0 and variable.name == "arg0"


async def names_elsewhere(frame: Frame) -> frozenset[str]:
    """The names among `source_variables` that the code at the frame's location does not have.

    Those of copies around it: in a lambda that `filter` was given, `this` is not the list.
    """
    if frame.copy is not None or not await is_kotlin(frame.location.type):
        return frozenset()
    found, method_name = await frame.variables(), frame.location.method.name
    innermost = len(_scopes(found, method_name)) - 1
    if not innermost:
        return frozenset()
    here = {each.slot for each in named_as_in_source(found, method_name, innermost)}
    named = named_as_in_source(found, method_name)
    return frozenset(each.name for each in named if each.slot not in here)


async def inline_copies(location: Location) -> Sequence[InlineCopy]:
    """The copies that a location is in, the outermost first; none in what Kotlin did not compile.

    No requests but the first time for a class, and for a method of one with a source map.
    """
    if not await location.type.source_debug_extension():
        return ()
    table = await location.method.variable_table() or ()
    visible = [each for each in table if each.is_visible_at(location.index)]
    return _scopes(visible, location.method.name)[1:]


def named_as_in_source(
    variables: Sequence[LocalVariable], method_name: str, copy: int | None = None
) -> list[LocalVariable]:
    """The same for the variables that are visible at one location of a method.

    With `copy` only those of that copy, and for a lambda those of the code around it.
    """
    scopes = _scopes(variables, method_name)
    wanted = range(len(scopes)) if copy is None else _seen_from(scopes, copy)
    shown: list[tuple[int, str, LocalVariable]] = []
    for each in variables:
        if each.name.startswith(_MARKS) or each.name in _HIDDEN or each.name.startswith("$dstr$"):
            continue
        base = _SCOPE_NUMBERS.sub("", each.name)
        level = base.count("$iv") if _INLINED.search(base) else 0
        home = _home(each.start, level, scopes)
        if home not in wanted:
            continue
        shown.append((home, _name(_INLINED.sub("", base), scopes[home], each), each))
    here = _seen_from(scopes, len(scopes) - 1)
    by_nearness = sorted(shown, key=lambda each: (each[0] in here, each[0]))
    innermost = {name: home for home, name, _ in by_nearness}
    plain = {each.name for each in variables}
    return [
        replace(
            each,
            name=name
            if home == innermost[name] and (name == each.name or name not in plain or home)
            else f"{name} (in {scopes[home].label})",
        )
        for home, name, each in shown
    ]


def _seen_from(scopes: Sequence[InlineCopy], copy: int) -> list[int]:
    """A lambda sees the code that it stands in: of the same level."""
    if copy >= len(scopes):
        return []
    around = range(copy) if scopes[copy].is_lambda else ()
    return [*(at for at in around if scopes[at].level == scopes[copy].level), copy]


def _scopes(
    variables: Sequence[LocalVariable | LocalVariableSlot], method_name: str
) -> list[InlineCopy]:
    """The copies around the location, the outermost first, behind the method itself."""
    scopes = [InlineCopy(method_name, 0, -1)]
    marks = [each for each in variables if each.name.startswith(_MARKS)]
    for mark in sorted(marks, key=lambda each: each.start):
        name = _SCOPE_NUMBERS.sub("", mark.name)
        if name.startswith(LAMBDA_MARK):
            label = name.removeprefix(LAMBDA_MARK).lstrip("-").partition("-")[0]
            scopes.append(InlineCopy(label, name.count("$iv"), mark.start, is_lambda=True))
            continue
        label = _INLINED.sub("", name.removeprefix(FUNCTION_MARK))
        # An inline function that is called as any other has the mark too.
        if len(scopes) > 1 or label != method_name:
            scopes.append(InlineCopy(label, scopes[-1].level + 1, mark.start))
    return scopes


def _home(start: int, level: int, scopes: Sequence[InlineCopy]) -> int:
    """The copy that a variable is of: arguments are stored behind the mark of the caller."""
    fitting = [
        at
        for at, scope in enumerate(scopes)
        if scope.level == level and (at == 0 or start >= scopes[at - 1].start)
    ]
    return fitting[-1] if fitting else 0


def _name(name: str, scope: InlineCopy, variable: LocalVariable) -> str:
    if name.startswith(_RECEIVER):
        label = name.removeprefix(_RECEIVER)
        return f"{FUNCTION_RECEIVER}{scope.label if '_u24lambda_u24' in label else label}"
    if name == "this_":
        return f"{FUNCTION_RECEIVER}{simple_name(java_name(variable.signature))}"
    if name.startswith("$") and name[1:].isidentifier() and name != "$completion":
        return name[1:]
    return name
