# SPDX-License-Identifier: Apache-2.0
"""Instructions that a compiler has made and nobody wrote: they are left out of coverage.

The decisions are those that JaCoCo documents for its reports ("Filtering Options"), so that results
agree; the shapes of code are those that javac emits. Where a decision differs,
docs/how-to/coverage.md says why. Each filter looks at one method and notes what it found in
`Filtered`.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.access import Access
from jvmdebug.classfile.annotations import annotation_types
from jvmdebug.errors import ClassFileError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jvmdebug.classfile.class_file import ClassFile, Member
    from jvmdebug.coverage.method_code import MethodCode

_MARKER: Final = "ILkotlin/jvm/internal/DefaultConstructorMarker;)V"
_MODULE: Final = 0x8000
_SWITCHES: Final = ("tableswitch", "lookupswitch")
_CALLS: Final = ("invokevirtual", "invokeinterface", "invokestatic", "invokespecial")


@dataclass
class Filtered:
    """What does not count in a method."""

    ignored: set[int] = field(default_factory=set)
    """Positions of instructions."""
    same_as: dict[int, int] = field(default_factory=dict)
    """Positions of copies, each with that of the instruction that counts for both."""
    branches: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """Branches that count with these ways alone: by position, the positions that they lead to."""

    def ignore(self, first: int, last: int) -> None:
        """Leaves out the instructions from `first` to `last`."""
        self.ignored.update(range(first, last + 1))

    def merge(self, first: int, copy: int, count: int) -> None:
        """Counts `count` instructions from `copy` on as those from `first` on."""
        for offset in range(count):
            one, two = self.counted(first + offset), self.counted(copy + offset)
            if one != two:
                self.same_as[two] = one

    def counted(self, position: int) -> int:
        """The instruction that counts for this one."""
        while position in self.same_as:
            position = self.same_as[position]
        return position


# --- whole classes and methods ----------------------------------------------------------------


def is_left_out(parsed: ClassFile) -> bool:
    """Whether nothing of the class counts: it is synthetic, a module, or generated."""
    return bool(parsed.access & (Access.SYNTHETIC | _MODULE)) or _is_generated(parsed, parsed)


def is_method_left_out(method: MethodCode) -> bool:
    """Whether nothing of the method counts."""
    member = method.member
    if member.access & Access.SYNTHETIC and not (
        member.name.startswith("lambda$") or has_default_arguments(method)
    ):
        return True
    return _is_generated(method.parsed, member) or any(each(method) for each in _WHOLE)


def _is_generated(parsed: ClassFile, of: ClassFile | Member) -> bool:
    """Whether an annotation whose simple name contains `Generated` is in the class file."""
    if b"Generated" not in parsed.constants.raw:
        return False
    types: list[str] = []
    for attribute in ("RuntimeVisibleAnnotations", "RuntimeInvisibleAnnotations"):
        with contextlib.suppress(ClassFileError):
            types += annotation_types(parsed, of, attribute)
    return any("Generated" in each.rpartition("/")[2].rpartition("$")[2] for each in types)


def _names(method: MethodCode) -> list[str]:
    return [method.name(each) for each in range(len(method))]


def _is_made_for_enum(method: MethodCode) -> bool:
    """`values()` and `valueOf(String)` of an enum; Kotlin's `getEntries()`."""
    parsed, member = method.parsed, method.member
    if parsed.superclass != "java/lang/Enum":
        return False
    return (member.name, member.descriptor) in (
        ("values", f"()[L{parsed.name};"),
        ("valueOf", f"(Ljava/lang/String;)L{parsed.name};"),
        ("getEntries", "()Lkotlin/enums/EnumEntries;"),
    )


def _is_empty_enum_constructor(method: MethodCode) -> bool:
    parsed, member = method.parsed, method.member
    return (
        parsed.superclass == "java/lang/Enum"
        and (member.name, member.descriptor) == ("<init>", "(Ljava/lang/String;I)V")
        and _names(method) == ["aload", "aload", "iload", "invokespecial", "return"]
    )


def _is_private_empty_constructor(method: MethodCode) -> bool:
    member = method.member
    return (
        bool(member.access & Access.PRIVATE)
        and (member.name, member.descriptor) == ("<init>", "()V")
        and _names(method) == ["aload", "invokespecial", "return"]
    )


def _is_made_for_record(method: MethodCode) -> bool:
    """`equals`, `hashCode`, `toString` and accessors that the compiler has written."""
    if method.parsed.superclass != "java/lang/Record":
        return False
    names = _names(method)
    key = method.member.name + method.member.descriptor
    if key in ("toString()Ljava/lang/String;", "hashCode()I"):
        return names[:2] == ["aload", "invokedynamic"] and len(names) == 3
    if key == "equals(Ljava/lang/Object;)Z":
        return names == ["aload", "aload", "invokedynamic", "ireturn"]
    if method.member.descriptor.startswith("()") and names[:2] == ["aload", "getfield"]:
        field_ = method.called(1)
        return len(names) == 3 and field_ is not None and field_[1] == method.member.name
    return False


def has_default_arguments(method: MethodCode) -> bool:
    """Whether Kotlin's compiler has written it to compute arguments that a call leaves out."""
    member = method.member
    return b"Lkotlin/Metadata;" in method.parsed.constants.raw and (
        (member.name.endswith("$default") and bool(member.access & Access.STATIC))
        or (member.name == "<init>" and member.descriptor.endswith(_MARKER))
    )


def _is_made_by_kotlin(method: MethodCode) -> bool:
    """A method without lines in a class of Kotlin's."""
    return all(each is None for each in method.lines) and (
        b"Lkotlin/Metadata;" in method.parsed.constants.raw
    )


_WHOLE: Final[tuple[Callable[[MethodCode], bool], ...]] = (
    _is_made_for_enum,
    _is_empty_enum_constructor,
    _is_private_empty_constructor,
    _is_made_for_record,
    _is_made_by_kotlin,
)


# --- parts of methods -------------------------------------------------------------------------


def filtered(method: MethodCode) -> Filtered:
    """What does not count in the method."""
    found = Filtered()
    for each in _PARTS:
        each(method, found)
    return found


def _matches(method: MethodCode, first: int, wanted: Iterable[str]) -> bool:
    """Whether the instructions from `first` on are these."""
    return all(method.name(first + at) == name for at, name in enumerate(wanted))


def _synchronized(method: MethodCode, found: Filtered) -> None:
    """The exit from a monitor when something is thrown."""
    for each in method.handlers:
        at = each.handler
        if each.catch_type != 0:
            continue
        if _matches(method, at, ("astore", "aload", "monitorexit", "aload", "athrow")):
            found.ignore(at, at + 4)
        elif _matches(method, at, ("aload", "monitorexit", "athrow")):
            found.ignore(at, at + 2)


def _assertions(method: MethodCode, found: Filtered) -> None:
    """What `assert` needs beside its condition: the question whether assertions are on."""
    for at in range(len(method)):
        used = method.called(at)
        if used is None or used[1:] != ("$assertionsDisabled", "Z"):
            continue
        name = method.name(at)
        if name == "getstatic" and method.name(at + 1) == "ifne":
            found.ignore(at + 1, at + 1)
        elif name == "putstatic" and _matches(
            method, at - 6, ("ldc", "invokevirtual", "ifne", "iconst_1", "goto", "iconst_0")
        ):
            found.ignore(at - 6, at)


def _string_switch(method: MethodCode, found: Filtered) -> None:
    """The search for the number of a string's case: what counts is the second switch."""
    for at in range(len(method)):
        if method.name(at) not in _SWITCHES or not _is_hash_code(method, at - 1):
            continue
        slot = method.local(at - 2)
        second = None
        position = at + 1
        while _matches(method, position, ("aload", "ldc", "invokevirtual", "ifeq")) or _matches(
            method, position, ("aload", "ldc_w", "invokevirtual", "ifeq")
        ):
            if method.local(position) != slot:
                break
            position += 6  # the number of the case, istore
            if method.name(position) == "goto":
                position += 1
        if method.name(position) == "iload" and method.name(position + 1) in _SWITCHES:
            second = position
        if second is not None and second > at + 1:
            found.ignore(at, second - 1)


def _is_hash_code(method: MethodCode, at: int) -> bool:
    return method.called(at) == ("java/lang/String", "hashCode", "()I")


def _exhaustive_switch(method: MethodCode, found: Filtered) -> None:
    """The default of a switch that has all cases: it throws, because a class has changed."""
    for at in range(len(method)):
        if method.name(at) not in _SWITCHES:
            continue
        default = method.at(method[at].targets[-1])
        end = _throws_of_compiler(method, default)
        if end is None:
            continue
        found.ignore(default, end)
        found.branches[at] = tuple(each for each in method.targets(at) if each != default)


def _throws_of_compiler(method: MethodCode, at: int) -> int | None:
    """The position of the athrow if the code throws what a compiler throws for a missing case."""
    if method.name(at) != "new":
        return None
    if method.type_name(at) == "kotlin/NoWhenBranchMatchedException" and _matches(
        method, at, ("new", "dup", "invokespecial", "athrow")
    ):
        return at + 3
    if method.type_name(at) == "java/lang/MatchException" and _matches(
        method, at, ("new", "dup", "aconst_null", "aconst_null", "invokespecial", "athrow")
    ):
        return at + 5
    if method.type_name(at) == "java/lang/IncompatibleClassChangeError" and _matches(
        method, at, ("new", "dup", "invokespecial", "athrow")
    ):
        return at + 3
    return None


def _when_without_else(method: MethodCode, found: Filtered) -> None:
    """Kotlin: the throw behind a `when` that has all cases, and the last branch, which leads to it
    alone.
    """
    for at in range(len(method)):
        end = _throws_of_compiler(method, at)
        if end is None or method.type_name(at) != "kotlin/NoWhenBranchMatchedException":
            continue
        found.ignore(at, end)
        for before in range(at):
            if method.name(before).startswith("if") and at in method.targets(before):
                found.ignore(before, before)


def _default_arguments(method: MethodCode, found: Filtered) -> None:
    """Kotlin: the questions whether a call has left out an argument."""
    if has_default_arguments(method):
        for at in range(1, len(method)):
            if method.name(at) == "ifeq" and method.name(at - 1) == "iand":
                found.ignore(at, at)


def _lateinit(method: MethodCode, found: Filtered) -> None:
    """Kotlin: the question whether a `lateinit` property was set, and the throw if not."""
    for at in range(len(method)):
        called = method.called(at)
        if called is None or called[1] != "throwUninitializedPropertyAccessException":
            continue
        for before in range(at):
            if method.name(before) == "ifnull" and method.targets(before)[1] == at - 2:
                found.ignore(before, before)
                last = at + 2 if method.name(at + 1) == "aconst_null" else at
                found.ignore(at - 2, last)


def _coroutine(method: MethodCode, found: Filtered) -> None:
    """Kotlin: the state machine of a suspending function, which its code is cut into."""
    calls = (method.called(at) for at in range(len(method)))
    if not any(each is not None and each[1] == "getCOROUTINE_SUSPENDED" for each in calls):
        return
    for at in range(1, len(method)):
        label = method.called(at - 1)
        if method.name(at) == "tableswitch" and label is not None and label[1] == "label":
            break
    else:
        return
    found.ignore(0, at)
    *cases, default = map(method.at, method[at].targets)
    if _matches(method, default, ("new", "dup", "ldc", "invokespecial", "athrow")):
        found.ignore(default, default + 4)
    if _matches(method, cases[0], ("aload", "invokestatic")):
        found.ignore(cases[0], cases[0] + 1)  # throws what the coroutine was resumed with
    for each in range(at, len(method)):
        if _matches(method, each, ("dup", "aload", "if_acmpne", "aload", "areturn")) and (
            method.local(each + 1) == method.local(each + 3)
        ):
            resumed = each + 5
            found.ignore(each, resumed - 1)
            if resumed in cases:
                found.ignore(resumed, method.targets(each + 2)[1] - 1)


def _record_pattern(method: MethodCode, found: Filtered) -> None:
    """The handler around the accessors that a record pattern calls."""
    wanted = ("astore", "new", "dup", "aload", "invokevirtual", "aload", "invokespecial", "athrow")
    for each in method.handlers:
        at = each.handler
        if _matches(method, at, wanted) and method.type_name(at + 1) == "java/lang/MatchException":
            found.ignore(at, at + len(wanted) - 1)


def _try_with_resources(method: MethodCode, found: Filtered) -> None:
    """The calls of close() that nobody wrote, as javac 11 and later emit them."""
    for each in method.handlers:
        if each.catch_type == 0 or (
            method.parsed.constants.class_name(each.catch_type) != "java/lang/Throwable"
        ):
            continue
        handler = each.handler
        if method.name(handler) != "astore":
            continue
        primary = method.local(handler)
        close = _close(method, handler + 1)
        if close is None:
            continue
        resource, after = close
        tail = ("goto", "astore", "aload", "aload", "invokevirtual", "aload", "athrow")
        added = method.called(after + 4)
        if not _matches(method, after, tail) or added is None or added[1] != "addSuppressed":
            continue
        if method.local(after + 2) != primary or method.local(after + 5) != primary:
            continue
        found.ignore(handler, after + len(tail) - 1)
        _closes_on_other_ways(method, handler, resource, found)


def _close(method: MethodCode, at: int) -> tuple[int | None, int] | None:
    """The slot of the resource that is closed here, and what comes behind; None for other code."""
    slot = method.local(at)
    if method.name(at) != "aload":
        return None
    if method.name(at + 1) == "ifnull":
        at += 2
    called = method.called(at + 1)
    if (
        method.name(at) == "aload"
        and method.local(at) == slot
        and method.name(at + 1) in _CALLS
        and called is not None
        and called[1:] == ("close", "()V")
    ):
        return slot, at + 2
    return None


def _closes_on_other_ways(
    method: MethodCode, handler: int, resource: int | None, found: Filtered
) -> None:
    """Ignores the call of close() on the way that is nearest before the handler."""
    for at in range(handler - 1, -1, -1):
        close = _close(method, at)
        if close is None or close[0] != resource:
            continue
        _, after = close
        found.ignore(at - 2 if _is_null_check(method, at, resource) else at, after - 1)
        if method.name(after) == "goto":
            found.ignore(after, after)
        return


def _is_null_check(method: MethodCode, at: int, slot: int | None) -> bool:
    return _matches(method, at - 2, ("aload", "ifnull")) and method.local(at - 2) == slot


def _finally(method: MethodCode, found: Filtered) -> None:
    """The copies of a `finally` count once: that in the handler, and those at the other ends."""
    by_handler: dict[int, list[int]] = {}
    for each in method.handlers:
        if each.catch_type == 0:
            by_handler.setdefault(each.handler, []).append(each.end)
    for handler, ends in by_handler.items():
        if method.name(handler) != "astore" or handler in found.ignored:
            continue
        size = _size_of_finally(method, handler)
        if size == 0:
            continue
        body = handler + 1
        found.ignore(handler, handler)
        found.ignore(body + size, body + size + 1)
        for end in ends:
            if end != handler and _is_copy(method, body, end, size):
                found.merge(body, end, size)
                if method.name(end + size) == "goto":
                    found.ignore(end + size, end + size)


def _size_of_finally(method: MethodCode, handler: int) -> int:
    """How many instructions the body has: to where what was caught is thrown again."""
    slot = method.local(handler)
    for at in range(handler + 1, len(method)):
        if _matches(method, at, ("aload", "athrow")) and method.local(at) == slot:
            return at - handler - 1
    return 0


def _is_copy(method: MethodCode, one: int, other: int, size: int) -> bool:
    for offset in range(size):
        if method.name(one + offset) != method.name(other + offset):
            return False
        if method.name(one + offset) != "aload" and method.called(one + offset) != method.called(
            other + offset
        ):
            return False
    return True


_PARTS: Final = (
    _synchronized,
    _assertions,
    _try_with_resources,
    _finally,
    _string_switch,
    _exhaustive_switch,
    _when_without_else,
    _default_arguments,
    _lateinit,
    _coroutine,
    _record_pattern,
)
