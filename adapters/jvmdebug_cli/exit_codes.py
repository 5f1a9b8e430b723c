# SPDX-License-Identifier: Apache-2.0
"""The exit codes of `jvmdebug`, and which error has which.

0: done. 1: what was asked for failed: the program, a test, an expression. 2: wrong usage. 3: the
program could not be reached or started. Used by `main` and all subcommands. Imports nothing slow.
"""

from __future__ import annotations

from typing import Final

import jvmdebug

DONE: Final = 0
FAILED: Final = 1
WRONG_USAGE: Final = 2
OUT_OF_REACH: Final = 3
INTERRUPTED: Final = 130
"""As a shell has it for SIGINT."""


def of_program(code: int | None) -> int | None:
    """The exit code of a program as a shell has it: 137 for one that SIGKILL (-9) has ended."""
    return 128 - code if code is not None and code < 0 else code


class WrongUsageError(Exception):
    """What was typed is wrong whatever runs; the message is one sentence."""


class OutOfReachError(Exception):
    """What was to be asked cannot be opened; the message is one sentence."""


def exit_code(error: jvmdebug.JvmDebugError | WrongUsageError | OutOfReachError) -> int:
    """The exit code of an error that ends the command."""
    if isinstance(error, WrongUsageError):
        return WRONG_USAGE
    if isinstance(error, OutOfReachError):
        return OUT_OF_REACH
    out_of_reach = (
        *(jvmdebug.LaunchError, jvmdebug.WireError, jvmdebug.ConnectionLost),
        jvmdebug.recording.UnreadableRecording,
    )
    return OUT_OF_REACH if isinstance(error, out_of_reach) else FAILED
