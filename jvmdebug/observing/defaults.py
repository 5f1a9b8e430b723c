# SPDX-License-Identifier: Apache-2.0
"""What observations have if the user says nothing: named by signatures of the session, which are
there before observations are imported.
"""

from typing import Final

DEFAULT_CAPACITY: Final = 10_000
"""Events that are kept until they are read."""
DEFAULT_LENGTH: Final = 80
"""Characters of a value."""
DEFAULT_VIRTUAL_THREADS: Final = 10_000
"""Of a thread dump."""
