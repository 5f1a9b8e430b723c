# SPDX-License-Identifier: Apache-2.0
"""Files with a token: a regular file with one line that nobody else may read.

The only reader of them, for the token of an agent (`jvmdebug.jdwp.tokens`) and for those of our own
servers (`jvmdebug dap --listen`, `jvmdebug mcp --http`). The agent reads its file by the same rules
(native/agent/transport/token_file.cpp).
"""

from __future__ import annotations

import stat
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import TokenError
from jvmdebug.os_errors import reason
from jvmdebug.platform.files import has_permissions
from jvmdebug.platform.system import user_id
from jvmdebug.regular_file import read_bytes

if TYPE_CHECKING:
    import os

_LONGEST: Final = 4096
_BLANK: Final = b" \t\r\n"
_SHORTEST_PRINTABLE: Final = 16


def read_token(file: str | os.PathLike[str]) -> bytes:
    """The token in a file, without the line end behind it; never empty. Raises TokenError for a
    file that cannot be read or has no token, and for one that others may read.
    """
    try:
        found = Path(file).stat()
        content = read_bytes(file, _LONGEST)
    except (OSError, ValueError) as error:
        raise TokenError(f"cannot read the token in {file}: {reason(error)}") from error
    if has_permissions() and _is_open_to_others(found):
        raise TokenError(f"others can read the token in {file}: `chmod 600 {file}` forbids it")
    token = content.rstrip(_BLANK)
    if not token:
        raise TokenError(f"there is no token in {file}: it is empty")
    return token


def read_printable_token(file: str | os.PathLike[str]) -> str:
    """The same for a token that travels in a header: 16 printable ASCII characters or more."""
    token = read_token(file).decode("latin-1").strip()
    if len(token) < _SHORTEST_PRINTABLE or not token.isascii() or not token.isprintable():
        raise TokenError(
            f"the token in {file} should have {_SHORTEST_PRINTABLE} printable ASCII characters or"
            f" more, and has {len(token)}"
        )
    return token


def _is_open_to_others(found: os.stat_result) -> bool:
    """Whether other users may use the file. The group may read what belongs to root, and not to
    this user: so a container's platform hands out secrets.
    """
    is_handed_out = found.st_uid == 0 and user_id() != 0
    group = stat.S_IWGRP | stat.S_IXGRP if is_handed_out else stat.S_IRWXG
    return bool(found.st_mode & (stat.S_IRWXO | group))
