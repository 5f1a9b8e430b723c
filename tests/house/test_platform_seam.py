# SPDX-License-Identifier: Apache-2.0
"""What only some operating systems have is asked of `jvmdebug.platform`, and nowhere else."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

import pytest

from tests.house.tracked import text_of, tracked_files

_SEAM = "jvmdebug/platform/"
_OF_LINUX = {
    f"jvmdebug/attaching/{name}.py": "attaches through /proc; others have `attaching.by_jcmd`"
    for name in ("agent_loading", "attach_protocol", "files_of_process")
}
"""Files that run on Linux only."""
_NAME = r"\bos\.name\b|\bsys\.platform\b|\bplatform\.system\("
_ASSUMPTIONS = {
    r'":"\.join\(': "os.pathsep: jvmdebug.platform.paths.joined",
    r'startswith\("/"\)': "drives, shares: jvmdebug.platform.paths.is_absolute",
    r"\.add_signal_handler\(": "jvmdebug.platform.signals.handled",
    r"\.connect_(?:read|write)_pipe\(": "jvmdebug.platform.streams",
    r"\bselect\.(?:select|poll)\(": "a thread: Windows waits for sockets alone",
    r"start_new_session=": "jvmdebug.platform.processes.own_group",
    r"\bos\.killpg\(": "jvmdebug.platform.processes.end_group",
    r"\bsignal\.SIG(?:KILL|CONT|QUIT|HUP)\b": "jvmdebug.platform.processes",
    r"\bos\.(?:get|gete)(?:uid|gid)\(": "jvmdebug.platform.system.user_id",
    _NAME: "jvmdebug.platform.system",
    r"\bos\.O_(?:NONBLOCK|NOCTTY|CLOEXEC|NOFOLLOW)\b": "jvmdebug.platform.files.flags",
    r"^import (?:pwd|grp|fcntl|termios|resource)\b": "it is not there on Windows",
    r"\bshlex\.split\(": "jvmdebug.platform.paths.words, which keeps backslashes",
    r'hasattr\(socket, "AF_UNIX"\)': "jvmdebug.platform.system.has_unix_sockets",
}
_ALLOWED = {
    ("jvmdebug/stepping/code_origin.py", r'":"\.join\('): "parts of a URL",
    ("jvmdebug/sources/finder.py", r'startswith\("/"\)'): "a path in a source map",
    ("jvmdebug/session/test_results.py", r"\bos\.O_(?:NONBLOCK|NOCTTY|CLOEXEC|NOFOLLOW)\b"): (
        "a named pipe; Windows' runner writes a file"
    ),
    ("adapters/jvmdebug_cli/editor.py", r"\bselect\.(?:select|poll)\("): "not on Windows",
    (
        "adapters/jvmdebug_dap/models/launch.py",
        r"\bos\.name\b|\bsys\.platform\b|\bplatform\.system\(",
    ): ("the name is part of what is asked for"),
    (
        "adapters/jvmdebug_cli/machine_checks.py",
        r"\bos\.name\b|\bsys\.platform\b|\bplatform\.system\(",
    ): ("the name is shown"),
}
"""Places where a pattern means something else, with what it means."""


def _files() -> list[PurePosixPath]:
    found = [PurePosixPath(path) for path in tracked_files() if path.suffix == ".py"]
    return [
        path
        for path in found
        if str(path).startswith(("jvmdebug/", "adapters/"))
        and not str(path).startswith((_SEAM, *_OF_LINUX))
    ]


@pytest.mark.parametrize("pattern", _ASSUMPTIONS)
def test_no_assumption_about_the_system(pattern: str) -> None:
    files = _files()
    assert len(files) > 500
    found = {str(path) for path in files if re.search(pattern, text_of(path), re.MULTILINE)} - {
        path for path, allowed in _ALLOWED if allowed == pattern
    }
    assert not found, f"use {_ASSUMPTIONS[pattern]}"


def test_what_is_allowed_is_there() -> None:
    for path, pattern in _ALLOWED:
        assert re.search(pattern, text_of(PurePosixPath(path))), f"{path}: {pattern} is gone"
