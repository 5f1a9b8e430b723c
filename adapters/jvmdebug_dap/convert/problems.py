# SPDX-License-Identifier: Apache-2.0
"""Converts what a compiler says about source files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jvmdebug
from jvmdebug_dap.models.launch import ProblemBody, ProblemsBody

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug_dap.session import AdapterSession


def problems_of(error: jvmdebug.JvmDebugError) -> Sequence[jvmdebug.projects.SourceProblem]:
    """The places in source files because of which a program could not be started; maybe none."""
    match error:
        case jvmdebug.projects.BuildError():
            return error.problems
        case jvmdebug.LaunchError():  # of a single file: it has what javac printed
            return jvmdebug.projects.problems_in(str(error).splitlines())
        case _:
            return ()


def problems(
    session: AdapterSession, found: Sequence[jvmdebug.projects.SourceProblem]
) -> ProblemsBody:
    """The body of `jvmdebug/problems`; lines and columns as the client counts them."""
    first_line = session.positions.to_client_line(1) - 1
    first_column = session.positions.first_column - 1
    return ProblemsBody(
        problems=[
            ProblemBody(
                path=session.positions.to_client_path(each.file),
                line=max(each.line, 1) + first_line,
                column=max(each.column, 1) + first_column,
                message=each.message,
                is_error=each.is_error,
            )
            for each in found
            if each.file is not None
        ]
    )
