# SPDX-License-Identifier: Apache-2.0
"""Exceptions to the errors that requests are answered with."""

import errno
import logging
from typing import Final

import jvmdebug
from jvmdebug import errors as core
from jvmdebug_dap.errors import ErrorId, RequestError

_LOG = logging.getLogger(__name__)

# The first class that matches decides: subclasses before their bases.
_IDS: Final[tuple[tuple[type[core.JvmDebugError], ErrorId], ...]] = (
    (core.EvaluationError, ErrorId.EVALUATION),
    (core.LaunchError, ErrorId.LAUNCH),
    (core.WireError, ErrorId.CONNECTION),
    (core.VmError, ErrorId.VM),
    (core.StateError, ErrorId.STATE),
    (core.SourceError, ErrorId.SOURCE),
    (core.BreakpointError, ErrorId.BREAKPOINT),
    (core.FullModeNeeded, ErrorId.FULL_MODE),
    (core.UnsupportedError, ErrorId.UNSUPPORTED),
    (core.JvmDebugError, ErrorId.DEBUGGER),
)
# Mistakes of the user, which need a dialog; other errors are shown by the view that asked.
_SHOWN: Final = frozenset({ErrorId.LAUNCH, ErrorId.UNSUPPORTED})
# What views ask for, most of it at each stop and without the user: they show the errors themselves.
_OF_VIEWS: Final = frozenset(
    {
        *("stackTrace", "scopes", "variables", "exceptionInfo"),
        *("evaluate", "completions", "setVariable", "setExpression"),
    }
)


def request_error(error: Exception, command: str = "") -> RequestError:
    """The error of a response to `command`; unexpected exceptions are logged."""
    if isinstance(error, RequestError):
        return error
    if isinstance(error, jvmdebug.DebuggeeException):
        return RequestError(ErrorId.DEBUGGEE_EXCEPTION, _text(error))
    for kind, error_id in _IDS:
        if isinstance(error, kind):
            is_shown = error_id in _SHOWN and command not in _OF_VIEWS
            return RequestError(error_id, _text(error), show_user=is_shown)
    if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
        shown = f"{error.filename}: no file can have so long a name"
        return RequestError(ErrorId.NOT_POSSIBLE, shown, show_user=True)
    _LOG.error("internal error", exc_info=error)
    text = f"internal error of the debug adapter: {type(error).__name__}: {error}"
    return RequestError(ErrorId.INTERNAL, text)


def _text(error: core.JvmDebugError) -> str:
    """The message, with the column in an expression or the stack of an exception of the program."""
    if isinstance(error, jvmdebug.DebuggeeException):
        return "\n".join([str(error), *error.trace[1:]])
    if isinstance(error, core.EvaluationError) and error.expression and error.column:
        return f"{error} (column {error.column + 1})"
    return str(error)
