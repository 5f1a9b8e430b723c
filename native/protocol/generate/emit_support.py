# SPDX-License-Identifier: Apache-2.0
"""What the reference says of our support: tables of all there is, and the lines under each.

Owns the words for what is needed, what the fast mode lacks, and how our agent differs from the
JDK's own. emit_markdown.py puts them into the page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from native.protocol.generate.model import Case, Command, Declarations, Difference, Support

_INTRODUCTION = """\
## Support

All commands, event kinds and modifiers of JDWP are there, on JDK 11 to 25 and with both values of
the agent's option `mode`, and do what they do with libjdwp, the JDK's own agent: the differential
tests hold each of them against both. These tables have what is to be known beside that; the words
of the last column are links to what exactly it is.

What is *needed* are fields of [VirtualMachine.CapabilitiesNew](#{new}). HotSpot
has all of them, in both modes, but `can_add_method` and `can_unrestrictedly_redefine_classes`;
`can_use_source_name_filters` is off as with libjdwp, though both take the modifier. So
`NOT_IMPLEMENTED` comes only for what the *fast mode* is without. JDWP has no capability that would
tell; [Agent.Capabilities](#{ours}) does, with the reason.
*Since* is the JDK whose JDWP has it first.

*Other than libjdwp*: our agent *refuses more* (ids and values that are wrong, some of which end the
VM with libjdwp), *answers more*, gives other *error codes*, or answers or does something *else*.
"""


def support(declarations: Declarations) -> list[str]:
    """The chapter: one row for each command, event and modifier."""
    anchors = _anchors(declarations)
    intro = _INTRODUCTION.format(
        new=anchors["VirtualMachine.CapabilitiesNew"], ours=anchors["Agent.Capabilities"]
    )
    lines = [intro, *_head("command")]
    lines += [
        _row(name, anchors[name], command.support, declarations.differences)
        for name, command in commands_by_name(declarations)
    ]
    for variant in declarations.variants:
        lines += ["", *_head(variant.name.lower())]
        lines += [
            _row(case.name, anchors[case.name], case.support, declarations.differences)
            for case in variant.cases
        ]
    everywhere = [one for one in declarations.differences if not one.about]
    return [*lines, "", "Of every command:", "", *_bullets(everywhere), ""]


def commands_by_name(declarations: Declarations) -> list[tuple[str, Command]]:
    """`Set.Command` and the command, in the order of their numbers."""
    return [
        (f"{one.name}.{command.name}", command)
        for one in declarations.command_sets
        for command in sorted(one.commands, key=lambda command: command.number)
    ]


def case_title(case: Case) -> str:
    """The heading of a case."""
    tag = f"{case.tag}, `{case.tag_name}`" if case.tag_name else f"{case.tag}"
    return f"{case.name} ({tag})"


def needs(support: Support) -> list[str]:
    """What has to be there, in sentences."""
    lines = []
    if support.since:
        lines.append(f"Since JDK {support.since}.")
    if support.capability:
        lines.append(f"Needs the capability `{support.capability}`.")
    if support.fast_mode:
        lines.append(f"In the fast mode: {support.fast_mode}.")
    return lines


def errors(command: Command) -> list[str]:
    """The errors of a command, and which of them are never given."""
    if not command.errors:
        return []
    lines = [f"Errors: {', '.join(f'`{error}`' for error in command.errors)}."]
    lines += [f"Never `{one.error}`: {one.instead}." for one in command.never]
    return [*lines, ""]


def differences(name: str, known: Iterable[Difference]) -> list[str]:
    """How our agent differs from libjdwp there."""
    found = [one for one in known if name in one.about]
    return ["Other than libjdwp:", "", *_bullets(found), ""] if found else []


def _anchors(declarations: Declarations) -> dict[str, str]:
    """The anchor of each heading, as those who show Markdown on the web name it."""
    titles = {
        f"{one.name}.{command.name}": f"{one.name}.{command.name} ({one.number}, {command.number})"
        for one in declarations.command_sets
        for command in one.commands
    }
    titles |= {
        case.name: case_title(case) for variant in declarations.variants for case in variant.cases
    }
    return {name: _anchor(title) for name, title in titles.items()}


def _anchor(title: str) -> str:
    kept = (one for one in title.lower() if one.isalnum() or one in " -_")
    return "".join(kept).replace(" ", "-")


def _head(what: str) -> list[str]:
    return [
        f"| {what} | since | needs | in the fast mode | other than libjdwp |",
        "|---|---|---|---|---|",
    ]


def _row(name: str, anchor: str, own: Support, known: Iterable[Difference]) -> str:
    kinds = dict.fromkeys(_kind(one) for one in known if name in one.about)
    cells = [
        f"[{name}](#{anchor})",
        str(own.since or ""),
        f"`{own.capability}`" if own.capability else "",
        own.fast_mode or "",
        f"[{', '.join(kinds)}](#{anchor})" if kinds else "",
    ]
    return f"| {' | '.join(cells)} |"


def _kind(difference: Difference) -> str:
    """What sort of difference it is, in a word or two."""
    if _is_data(difference):
        return "else"
    if difference.stock == "never answers" or difference.ours == "NONE":
        return "answers more"
    is_refused = difference.stock == "NONE" or _is_no_answer(difference.stock)
    return "refuses more" if is_refused else "error codes"


def _bullets(found: Iterable[Difference]) -> list[str]:
    """One for each reason; several answers of ours to the same are in one."""
    merged: dict[tuple[str, ...], list[str]] = {}
    for one in found:
        key = (one.field, one.stock, one.why, _versions(one), "")
        if _is_data(one):
            key = ("", "", one.why, _versions(one), "data")
        answers = merged.setdefault(key, [])
        if _answer(one.ours) not in answers:
            answers.append(_answer(one.ours))
    lines = []
    for (field, stock, why, versions, data), answers in merged.items():
        said = "" if data else f"{_where(field)}{_either(answers)} where libjdwp {_does(stock)}. "
        lines.append(f"- {said}{why}{versions}")
    return lines


def _where(field: str) -> str:
    """The field that is wrong, before what is said of it."""
    if field == "error":
        return ""
    return f"{field}: " if " " in field else f"`{field.replace('.0', '[]')}`: "


def _either(answers: list[str]) -> str:
    *others, last = answers
    return f"{', '.join(others)} or {last}" if others else last


def _is_data(difference: Difference) -> bool:
    """Whether both answer, with other contents: the reason says what."""
    return difference.field != "error" and not _is_no_answer(difference.stock)


def _is_no_answer(stock: str) -> bool:
    return stock in ("ends the VM", "never answers", "anything")


def _answer(ours: str) -> str:
    return {"NONE": "an answer", "*": "an error"}.get(ours, f"`{ours}`")


def _does(stock: str) -> str:
    if stock == "anything":
        return "checks nothing"
    if _is_no_answer(stock):
        return stock
    return "answers" if stock == "NONE" else f"says `{stock}`"


def _versions(difference: Difference) -> str:
    match difference.since, difference.until:
        case None, None:
            return ""
        case None, until:
            return f" (JDK {until} and older)"
        case since, None:
            return f" (JDK {since} and newer)"
        case since, until:
            return f" (JDK {since} to {until})"
    raise AssertionError(difference)
