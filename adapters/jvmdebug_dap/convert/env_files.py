# SPDX-License-Identifier: Apache-2.0
"""Environment variables from the files that the attribute `envFile` names.

A line is `NAME=VALUE`; `export` before it, quotes around the value and comments are understood, as
in other editors' `.env` files. Nothing is expanded but escapes in double quotes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from jvmdebug.os_errors import reason
from jvmdebug_dap.errors import ErrorId, RequestError

if TYPE_CHECKING:
    from pathlib import Path

_LINE: Final = re.compile(
    r"""\s*(?:export\s+)?([\w.-]+)\s*=\s*
    (?:"((?:\\.|[^"\\])*)"|'([^']*)'|([^\n#]*(?:(?<!\s)\#[^\n#]*)*))\s*(?:\#.*)?$""",
    re.VERBOSE,
)
_ESCAPES: Final = {"n": "\n", "r": "\r", "t": "\t"}


def variables_of(file: Path) -> dict[str, str]:
    """The variables of one file. Raises RequestError that names the file, and the line if it is
    not understood.
    """
    from jvmdebug.regular_file import MOST_SETTINGS_BYTES, read_text  # noqa: PLC0415 - seldom needed

    try:
        lines = read_text(file, limit=MOST_SETTINGS_BYTES).splitlines()
    except (OSError, UnicodeError) as error:
        text = f"arguments.envFile: cannot read {file}: {reason(error)}"
        raise RequestError(ErrorId.ILL_FORMED, text, show_user=True) from error
    found: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _LINE.match(line)
        if match is None:
            text = f"arguments.envFile: {file}:{number} should be NAME=VALUE, got {line.strip()!r}"
            raise RequestError(ErrorId.ILL_FORMED, text, show_user=True)
        name, double, single, plain = match.groups()
        if double is not None:
            found[name] = re.sub(r"\\(.)", lambda each: _ESCAPES.get(each[1], each[1]), double)
        else:
            found[name] = single if single is not None else plain.strip()
    return found
