# SPDX-License-Identifier: Apache-2.0
"""Files that commands write, checked before anything runs: what is measured for minutes must not be
lost for want of a folder.
"""

from __future__ import annotations

from pathlib import Path

from jvmdebug_cli.exit_codes import WrongUsageError


def check_folder(path: str | None, said: str = "-o") -> None:
    """Raises WrongUsageError if the folder of a file is missing; `said` is how the file was named
    on the command line. None: no file was named.
    """
    if path is not None and not Path(path).resolve().parent.is_dir():
        raise WrongUsageError(f"{said} {path}: there is no such folder")
