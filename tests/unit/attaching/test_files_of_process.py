# SPDX-License-Identifier: Apache-2.0
"""What agents leave in a directory when their processes are killed."""

from __future__ import annotations

import os
import socket
import tempfile
from pathlib import Path

from jvmdebug.attaching.files_of_process import remove_left_sockets


def no_process() -> int:
    """The number of a process that has ended."""
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return child


def test_only_sockets_of_ended_processes_are_removed() -> None:
    gone = no_process()
    sockets = {
        f".jvmdebug-{gone}-0a1b2c3d.sock": False,
        f".jvmdebug-{os.getpid()}-0a1b2c3d.sock": True,
        f".jvmdebug-{gone}-other.sock": True,
        f"jvmdebug-{gone}-0a1b2c3d.sock": True,
    }
    with tempfile.TemporaryDirectory() as made:  # a short path, as sockets need
        folder = Path(made)
        for name in sockets:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
                listening.bind(str(folder / name))
        file = folder / f".jvmdebug-{gone}-00000000.sock"
        file.write_text("no socket")
        remove_left_sockets(folder)
        assert {name: (folder / name).exists() for name in sockets} == sockets
        assert file.exists()
