# SPDX-License-Identifier: Apache-2.0
"""What is said of errors of the operating system, and that each message says it so."""

from __future__ import annotations

import ast
import errno
import socket
from pathlib import Path

import pytest

import jvmdebug
from jvmdebug.os_errors import reason

ROOT = Path(jvmdebug.__file__).parent.parent


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (FileNotFoundError(errno.ENOENT, "No such file or directory", "/x"), "no such file or dir"),
        (OSError(errno.EHOSTUNREACH, "Connect call failed ('10.0.0.1', 5005)"), "no route to host"),
        (OSError("Multiple exceptions: [Errno 111] a, [Errno 101] b"), "multiple exceptions: a, b"),
        (OSError("AF_UNIX path too long"), "AF_UNIX path too long"),
        (OSError(), "OSError"),
        (socket.gaierror(socket.EAI_NONAME, "Name or service not known"), "no host of that name"),
        (socket.gaierror(socket.EAI_AGAIN, "Temporary failure"), "cannot be looked up now"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"), "it is not UTF-8 text"),
        (UnicodeError("label too long"), "that cannot be the name of a host"),
        (ValueError("damaged"), "damaged"),
    ],
)
def test_the_reason(error: Exception, said: str) -> None:
    assert said in reason(error)
    assert "Errno" not in reason(error)


def _raw(file: Path) -> list[str]:
    """Messages that quote an OSError as Python writes it."""
    found = []
    for handler in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if not isinstance(handler, ast.ExceptHandler) or handler.type is None or not handler.name:
            continue
        names = {each.id for each in ast.walk(handler.type) if isinstance(each, ast.Name)}
        if names & {"OSError", "FileNotFoundError", "PermissionError"}:
            raw = {handler.name, f"{handler.name}.strerror", f"str({handler.name})"}
            found += [
                f"{file.relative_to(ROOT)}:{each.lineno}"
                for each in ast.walk(handler)
                if isinstance(each, ast.FormattedValue) and ast.unparse(each.value) in raw
            ]
    return found


def test_no_message_quotes_one_as_python_writes_it() -> None:
    files = [*(ROOT / "jvmdebug").rglob("*.py"), *(ROOT / "adapters").rglob("*.py")]
    assert len(files) > 400
    assert [each for file in files for each in _raw(file)] == []
