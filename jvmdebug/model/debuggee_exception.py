# SPDX-License-Identifier: Apache-2.0
"""The error for an exception of the program; not in `errors`, since it carries a value of the
model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.errors import EvaluationError

if TYPE_CHECKING:
    from jvmdebug.model.values import ObjectReference


class DebuggeeException(EvaluationError):  # noqa: N818 - the word of the field
    """Code that was invoked in the debuggee threw; `exception` is the Throwable, in the
    debuggee. `trace` is what Java would print of it, without the frames below the evaluation;
    empty when it was not asked for.
    """

    def __init__(
        self,
        message: str,
        exception: ObjectReference,
        column: int | None = None,
        trace: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message, column)
        self.exception = exception
        self.trace = trace
