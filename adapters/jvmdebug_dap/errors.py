# SPDX-License-Identifier: Apache-2.0
"""Errors of the adapter itself: why it refuses a request.
`convert.errors` turns these and the core's exceptions into the `error` of a response.
"""

from enum import IntEnum


class ErrorId(IntEnum):
    """The `id` of an error message: stable, so that a report can name it."""

    ILL_FORMED = 1001
    UNKNOWN_REQUEST = 1002
    WRONG_STATE = 1003
    STALE_REFERENCE = 1004
    CANCELLED = 1005
    NOT_POSSIBLE = 1006
    ENDED = 1007
    NOT_ADMITTED = 1008
    LAUNCH = 2001
    CONNECTION = 2002
    VM = 2003
    STATE = 2004
    EVALUATION = 2005
    DEBUGGEE_EXCEPTION = 2006
    SOURCE = 2007
    BREAKPOINT = 2008
    UNSUPPORTED = 2009
    DEBUGGER = 2010
    FULL_MODE = 2011
    INTERNAL = 9001


class RequestError(Exception):
    """A request is answered with this error; `str` is the message for the user."""

    def __init__(self, error_id: ErrorId, text: str, *, show_user: bool = False) -> None:
        super().__init__(text)
        self.error_id = error_id
        self.show_user = show_user


class AddressError(Exception):
    """The server does not listen on that address; the message says why."""
